"""Reading the kernel's messages with the least privilege that suffices."""

from __future__ import annotations

from zconsole.base.errors import CommandFailed
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import NOT_STARTED, Completed
from zconsole.model.pools.kernel_message import KernelMessage
from zconsole.system.kernel_messages import DMESG, JOURNAL, parse_dmesg, parse_journal


async def read_kernel_messages(asker: Asker, privilege: Privilege) -> tuple[KernelMessage, ...]:
    """Messages about disks: by dmesg, else from the journal, else by dmesg as root. Raises HostError."""
    asked = await asker.run(DMESG, kind="dmesg")
    if asked.is_done:
        return parse_dmesg(decoded(asked.stdout))
    journal = await asker.run(JOURNAL, kind="journalctl")
    if journal.is_done and journal.stdout.strip():
        return parse_journal(decoded(journal.stdout))
    allowed = await privilege.to_read(DMESG)
    if allowed.argv != DMESG.argv:
        asked = await asker.run(allowed, kind="dmesg")
        if asked.is_done:
            return parse_dmesg(decoded(asked.stdout))
    raise _why_not(asker, asked)


def _why_not(asker: Asker, asked: Completed) -> Exception:
    if asked.status in NOT_STARTED:
        return CommandFailed(f"there is neither dmesg nor a journal on {asker.host.label}")
    return failure(asked, asker.host.label)
