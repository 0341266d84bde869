"""SMART answers as records, with what was kept of the disk before."""

from __future__ import annotations

from pathlib import Path

from tests.doubles.scripted_host import ScriptedHost, failed
from tests.doubles.shelves import blank, shelf
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.read_and_keep_smart_records import read_health_records, recorded
from zconsole.model.pools.smart_health import DiskHealth, HealthRecord, PowerMode, Unreadable
from zconsole.storage.disks.disk_health_samples import DAY_S, DiskHealthStore

SMART = Path(__file__).parents[2] / "captures" / "smart"
DISK = ("wwn", "0x1")
NOW = 1_800_000_000.0


def test_a_disk_that_sleeps_or_is_silent_keeps_what_it_said_before() -> None:
    before = recorded(DISK, DiskHealth(pending=3), 100.0, None)
    asleep = DiskHealth(power_mode=PowerMode.STANDBY)

    assert HealthRecord(DISK, asleep, 200.0, DiskHealth(pending=3), 100.0) == recorded(
        DISK, asleep, 200.0, before
    )
    silent = recorded(DISK, Unreadable.NO_ANSWER, 300.0, before)
    assert (Unreadable.NO_ANSWER, 100.0) == (silent.answer, silent.known_at)
    assert HealthRecord(DISK, asleep, 5.0) == recorded(DISK, asleep, 5.0, None)


async def read(store: DiskHealthStore | None, answer: bytes | Exception) -> HealthRecord:
    asked = ScriptedHost()
    asked.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    asked.answers["smartctl"] = failed("smartctl", 2, b"") if isinstance(answer, Exception) else answer
    await asked.connect()
    (found,) = await read_health_records(Asker(asked), shelf(blank(0)).disks, NOW, store)
    return found


async def test_a_reading_is_kept_and_grows_from_what_was_kept(tmp_path: Path) -> None:
    store = DiskHealthStore(tmp_path / "kept.sqlite")
    name = disk_identity(blank(0))
    store.add([(name, DiskHealth(reallocated=380))], NOW - 8 * DAY_S)

    found = await read(store, (SMART / "sata-reallocated.json").read_bytes())

    assert found.earlier is not None
    assert (380, 8 * DAY_S) == (found.earlier.health.reallocated, found.earlier.age_s)
    assert found.answer == store.known([name])[name].health


async def test_a_disk_that_does_not_answer_is_told_by_what_was_kept(tmp_path: Path) -> None:
    store = DiskHealthStore(tmp_path / "kept.sqlite")
    store.add([(disk_identity(blank(0)), DiskHealth(pending=9))], NOW - DAY_S)

    found = await read(store, OSError())

    assert (Unreadable.NO_ANSWER, DiskHealth(pending=9), NOW - DAY_S) == (
        found.answer, found.known, found.known_at
    )  # fmt: skip


async def test_without_a_store_there_is_no_growth() -> None:
    found = await read(None, (SMART / "sata-reallocated.json").read_bytes())

    assert (NOW, None) == (found.known_at, found.earlier)


def test_the_time_since_which_crc_errors_stand_still_is_the_first_reading_with_their_number() -> None:
    first = recorded(DISK, DiskHealth(crc_errors=53), 100.0, None)
    same = recorded(DISK, DiskHealth(crc_errors=53), 200.0, first)
    silent = recorded(DISK, Unreadable.NO_ANSWER, 250.0, same)
    still = recorded(DISK, DiskHealth(crc_errors=53), 300.0, silent)
    grown = recorded(DISK, DiskHealth(crc_errors=54), 400.0, still)

    assert [None, 100.0, 100.0, 400.0] == [each.crc_since for each in (first, same, still, grown)]
