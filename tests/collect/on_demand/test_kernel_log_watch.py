"""Kernel messages are read for a screen, and rarely while it is open."""

from __future__ import annotations

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, failed
from tests.doubles.watched_host import watching
from tests.system.test_kernel_messages import dmesg
from zconsole.collect.on_demand.kernel_log_watch import EVERY_S


def host() -> ScriptedHost:
    made = host_of("2.4", "healthy-mirrors")
    made.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    made.answers["smartctl"] = failed("smartctl", 127, b"not found")
    made.answers["dmesg"] = dmesg("ata3: hard resetting link").encode()
    return made


def asked(host: ScriptedHost) -> int:
    return sum(line.startswith("dmesg") for line in host.commands)


async def test_they_are_read_when_wanted_and_each_five_minutes_then() -> None:
    async with watching(host()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(60)
        assert 0 == asked(watched.host)

        watched.session.want_disks(is_wanted=True)
        state = await watched.until(lambda state: state.kernel.value)
        await watched.pass_time(EVERY_S + 20, step_s=10)
        assert 2 == asked(watched.host)
        assert ["ata3: hard resetting link"] == [each.text for each in state.kernel.value or ()]

        watched.session.want_disks(is_wanted=False)
        watched.session.want_disks(is_wanted=True)
        await watched.pass_time(3)
        assert 2 == asked(watched.host), "what was just read is not read again"


async def test_why_they_cannot_be_read_is_kept_beside_the_earlier_ones() -> None:
    async with watching(host()) as watched:
        watched.session.want_disks(is_wanted=True)
        await watched.until(lambda state: state.kernel.value)
        refused = failed("dmesg", 1, b"Operation not permitted")
        watched.host.answers |= {"dmesg": refused, "journalctl": refused}

        await watched.pass_time(EVERY_S + 20, step_s=10)

        assert "Operation not permitted" in watched.state.kernel.problem
        assert watched.state.kernel.value
