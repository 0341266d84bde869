"""Commands to the agent of a guest by `virsh qemu-agent-command`, each with a deadline in libvirt."""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_json import load_json
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import SYSTEM
from zconsole.model.guests.guest_agent import FROZEN, THAWED

TOOL: Final = "virsh qemu-agent-command"
ANSWER_WITHIN_S: Final = 5  # an agent that answers at all does so in less than a second
FREEZE_STATUS: Final = '{"execute":"guest-fsfreeze-status"}'
_COMMAND_TIMEOUT_S: Final = 4.0 * ANSWER_WITHIN_S  # libvirt greets the agent first, which may take as long


def freeze_status(uuid: str) -> Command:
    """Ask whether the guest's file systems are frozen. It changes nothing, and libvirt lets no reader ask."""
    return Command(
        (
            "virsh", "-q", "-c", SYSTEM, "qemu-agent-command",
            "--timeout", str(ANSWER_WITHIN_S),
            uuid, FREEZE_STATUS,
        ),
        timeout_s=_COMMAND_TIMEOUT_S,
    )  # fmt: skip


def parse_freeze_status(text: str) -> str:
    """THAWED or FROZEN. Raises ParseError."""
    match load_json(TOOL, text.strip()):
        case {"return": str(status)} if status in {THAWED, FROZEN}:
            return status
        case _:
            raise ParseError(TOOL, 1, text, "does not tell whether file systems are frozen")
