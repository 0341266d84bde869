"""Kernel messages are read with the least privilege that suffices."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from tests.system.test_kernel_messages import dmesg, journal
from zconsole.base.errors import CommandFailed
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.kernel_messages import read_kernel_messages

REFUSED = failed("dmesg", 1, b"dmesg: read kernel buffer failed: Operation not permitted")
LINE = "ata3: hard resetting link"


async def read(host: ScriptedHost) -> list[str]:
    await host.connect()
    asker = Asker(host)
    return [each.text for each in await read_kernel_messages(asker, Privilege(asker))]


def host(*, rules: bytes | None = None) -> ScriptedHost:
    made = ScriptedHost()
    made.answers["id"] = b"uid=1000(op) gid=1000(op) groups=1000(op)\n"
    made.answers["dmesg"] = REFUSED
    made.answers["journalctl"] = failed("journalctl", 1, b"No journal files were opened")
    made.answers["doas"] = failed("doas", 127, b"not found")
    made.answers["sudo"] = failed("sudo", 127, b"not found")
    if rules is not None:
        made.answers["sudo"] = rules
        made.answers["sudo -n dmesg"] = dmesg(LINE).encode()
    return made


async def test_who_may_read_them_asks_once() -> None:
    asked = host()
    asked.answers["dmesg"] = dmesg(LINE).encode()

    assert [LINE] == await read(asked)
    assert 1 == len(asked.commands)


async def test_the_journal_is_tried_before_root() -> None:
    asked = host()
    asked.answers["journalctl"] = journal(LINE).encode()

    assert [LINE] == await read(asked)
    assert not any(line.startswith("sudo") for line in asked.commands)


async def test_sudo_is_used_where_it_allows_this_command() -> None:
    assert [LINE] == await read(host(rules=b"    Options: !authenticate\n    Commands:\n\tdmesg\n"))


async def test_without_any_way_the_reason_is_told() -> None:
    with pytest.raises(CommandFailed, match="dmesg") as refused:
        await read(host())

    assert "Operation not permitted" in refused.value.said
    gone = host()
    gone.answers["dmesg"] = gone.answers["journalctl"] = failed("dmesg", 127, b"not found")
    with pytest.raises(CommandFailed, match="neither dmesg nor a journal"):
        await read(gone)
