"""SMART data is read for a screen, not again while it is recent, and one silent disk costs its own."""

from __future__ import annotations

from pathlib import Path

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import HANG, ScriptedHost, ScriptedStream, failed
from tests.doubles.watched_host import Watched, watching
from zconsole.analysis.vdevs.disk_identity_and_links import BY_NAME
from zconsole.base.clock import ManualClock
from zconsole.collect.on_demand.smart_watch import RECENT_S
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.smart_health import DiskHealth, Unreadable
from zconsole.storage.disks.disk_health_samples import DiskHealthStore

SMART = Path(__file__).parents[2] / "captures" / "smart"


def host() -> ScriptedHost:
    made = host_of("2.4", "healthy-mirrors")
    made.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    made.answers["smartctl"] = (SMART / "sata-reallocated.json").read_bytes()
    made.answers["virsh"] = failed("virsh", 127, b"not found")
    made.streams["virsh"] = ScriptedStream()
    return made


def asked(host: ScriptedHost) -> int:
    return sum(line.startswith("smartctl") for line in host.commands)


async def opened(watched: Watched[ScriptedHost]) -> HostState:
    await watched.until(lambda state: state.inventory.value is not None)
    watched.session.want_disks(is_wanted=True)
    return await watched.until(lambda state: state.smart.value and not state.smart_awaited)


async def test_nothing_is_read_until_a_screen_shows_it() -> None:
    async with watching(host()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(7200, step_s=60)

        assert 0 == asked(watched.host)


async def test_each_disk_is_read_once_and_again_when_its_data_is_old() -> None:
    async with watching(host()) as watched:
        state = await opened(watched)
        disks = len(state.smart.value or ())
        await watched.pass_time(RECENT_S - 60, step_s=10)
        assert disks == asked(watched.host)

        await watched.pass_time(120, step_s=10)

        assert 2 * disks == asked(watched.host)
        assert all(isinstance(each.answer, DiskHealth) for each in state.smart.value or ())


async def test_who_closes_the_screen_ends_the_reading() -> None:
    async with watching(host()) as watched:
        await opened(watched)
        before = asked(watched.host)

        watched.session.want_disks(is_wanted=False)
        await watched.pass_time(3600, step_s=60)

        assert before == asked(watched.host)


async def test_a_disk_that_hangs_costs_its_own_data() -> None:
    asked_of = host()
    async with watching(asked_of) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        inventory = watched.state.inventory.value
        assert inventory is not None
        first = next(disk for disk in inventory.disks if disk.links)
        for link in first.links:
            asked_of.answers[f"smartctl --json --all --nocheck=standby -- {link}"] = HANG

        state = await opened(watched)

        answers = [each.answer for each in state.smart.value or ()]
        assert 1 == answers.count(Unreadable.NO_ANSWER)
        assert len(answers) - 1 == sum(isinstance(each, DiskHealth) for each in answers)


async def test_sudo_is_asked_once_for_each_disk() -> None:
    """The rules are looked up at the first reading; the next readings send smartctl alone."""
    made = host()
    made.answers["id"] = b"uid=1000(op) gid=1000(op) groups=1000(op)\n"
    made.answers["sudo -n -l"] = b"    Options: !authenticate\n    Commands:\n\tsmartctl\n"
    made.answers["sudo -n smartctl"] = made.answers["smartctl"]
    async with watching(made) as watched:
        state = await opened(watched)
        await watched.pass_time(RECENT_S + 60, step_s=10)

        disks = len(state.smart.value or ())
        lines = [line for line in watched.host.commands if line.startswith("sudo")]
        assert disks == sum(line.startswith("sudo -n -l") for line in lines)
        assert 2 * disks == sum(line.startswith("sudo -n smartctl") for line in lines)


async def test_a_missing_program_is_said_of_all_disks() -> None:
    made = host()
    made.answers["smartctl"] = failed("smartctl", 127, b"not found")
    async with watching(made) as watched:
        state = await opened(watched)

        assert {Unreadable.NO_PROGRAM} == {each.answer for each in state.smart.value or ()}
        assert 4 >= asked(made)


async def test_with_a_store_it_is_read_rarely_and_growth_is_told(tmp_path: Path) -> None:
    """The first reading comes after all that a user waits for, the next ones each half hour."""
    kept = DiskHealthStore(tmp_path / "kept.sqlite")
    made = host()
    async with watching(made, health=lambda: kept) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(15)
        assert 0 == asked(made)

        watched.clock.advance(10)
        state = await watched.until(lambda state: state.smart.value and not state.smart_awaited)
        disks = len(state.smart.value or ())
        await watched.pass_time(1700, step_s=10)
        assert disks == asked(made)

        made.answers["smartctl"] = made.answers["smartctl"].replace(b'"value": 8,', b'"value": 9,')
        watched.clock.advance(4 * 3600)
        state = await watched.until(
            lambda state: any(each.earlier is not None for each in state.smart.value or ())
        )

        assert 2 * disks == asked(made)


async def test_a_console_that_starts_again_shows_what_was_kept_and_reads_nothing(tmp_path: Path) -> None:
    kept = DiskHealthStore(tmp_path / "kept.sqlite")
    async with watching(host(), health=lambda: kept) as watched:
        await opened(watched)
        at = watched.clock.now()

    made = host()
    async with watching(made, ManualClock(at + 600), health=lambda: kept) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(25)
        state = await watched.until(lambda state: state.smart.value and not state.smart_awaited)
        lasting = [each for each in state.smart.value or () if each.disk[0] != BY_NAME]

        assert {at} == {each.known_at for each in lasting}
        assert 1 >= asked(made), "only a disk without a serial number is read again"


async def test_a_store_that_cannot_be_used_costs_the_trends_only(tmp_path: Path) -> None:
    (tmp_path / "kept.sqlite").write_text("no database")
    async with watching(host(), health=lambda: DiskHealthStore(tmp_path / "kept.sqlite")) as watched:
        state = await opened(watched)

        assert all(isinstance(each.answer, DiskHealth) for each in state.smart.value or ())
