"""The list of disks in words: health, what it serves, age."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import aux, blank, leaf, mirror, used
from tests.ui import states
from zconsole.analysis.vdevs.host_disks import HostDisk, host_disks
from zconsole.analysis.vdevs.smart_assessment import complaints
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.iostat import IoRow, Latency
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.smart_health import DiskHealth, HealthAnswer, PowerMode, Unreadable
from zconsole.views.disks.disk_list import (
    age,
    disk_notes,
    disk_table,
    health_words,
    serves,
    summary,
    unread_health,
)
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.table import TableLines


def disk(health: HealthAnswer | None = None, one: Vdev | None = None, found: Disk | None = None) -> HostDisk:
    pool = pool_of(mirror(0, 0, 1), name="tank") if one is not None else None
    said = complaints(health) if isinstance(health, DiskHealth) else ()
    known = health if isinstance(health, DiskHealth) else None
    return HostDisk(found or blank(0), pool, pool.vdevs[0] if pool else None, one, health, said, known=known)


@pytest.mark.parametrize(
    ("health", "one", "words"),
    [
        (None, None, "·"),
        (DiskHealth(is_passing=True), None, "ok"),
        (DiskHealth(power_mode=PowerMode.STANDBY), None, "in standby"),
        (Unreadable.NOT_SUPPORTED, None, "no SMART data"),
        (DiskHealth(crc_errors=4), None, "ok, 4 CRC errors on the cable"),
        (DiskHealth(pending=1), None, "1 pending sector (unreadable)"),
        (
            DiskHealth(pending=1, reallocated=90),
            leaf(0, "FAULTED"),
            "FAULTED: 1 pending sector (unreadable) +1",
        ),
        (DiskHealth(), leaf(0, "FAULTED"), "FAULTED"),
    ],
)
def test_the_worst_in_a_few_words(health: HealthAnswer | None, one: Vdev | None, words: str) -> None:
    assert words == health_words(disk(health, one))


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (blank(0), "unused"),
        (blank(0, mountpoints=("/",), fstype="ext4"), "mounted at /"),
        (blank(0, fstype="ext4", label="photos"), "ext4 photos"),
        (used(0, "old"), "label of old"),
    ],
)
def test_what_is_on_a_disk_that_serves_no_pool(found: Disk, words: str) -> None:
    assert words == serves(disk(found=found))


def test_what_a_disk_serves_is_its_vdev_or_its_role() -> None:
    pool = pool_of(mirror(0, 0, 1), aux(2, "spare"), name="tank")

    assert "tank mirror-0" == serves(HostDisk(blank(0), pool, pool.vdevs[0], leaf(0)))
    assert "tank spare" == serves(HostDisk(blank(2), pool, pool.vdevs[1], pool.vdevs[1]))


@pytest.mark.parametrize(
    ("hours", "words"), [(None, "·"), (0, "0d"), (50, "2d"), (8766, "1.0y"), (53807, "6.1y")]
)
def test_an_age(hours: int | None, words: str) -> None:
    assert words == age(hours)


def test_a_disk_of_a_pool_shows_how_long_it_takes_and_how_busy_it_is() -> None:
    busy = replace(disk(), io=IoRow("a", 0, 0, 1, 1, 1, 1, Latency(8e6, 41e6)), busy=0.97)

    table = disk_table([busy])
    cells = dict(zip((each.id for each in table.columns), table.rows[0].cells, strict=True))

    assert "41" == cells["wait"].text
    assert ("97%", "warn") == (cells["busy"].text, cells["busy"].style)


def test_bays_have_a_column_where_any_is_known() -> None:
    in_a_bay = replace(disk(), bay="A07")

    assert "bay" not in [each.id for each in disk_table([disk()]).columns]
    assert "A07" == disk_table([disk(), in_a_bay]).rows[1].cells[0].text


def gone(*, is_bay_taken: bool) -> HostDisk:
    one = leaf(1, "REMOVED")
    pool = pool_of(mirror(0, 0, 1), name="tank")
    known = DiskHealth(pending=24)
    return HostDisk(
        None, pool, pool.vdevs[0], one, complaints=complaints(known), known=known, known_at=1_795_442_520.0,
        bay="2", is_bay_taken=is_bay_taken,
    )  # fmt: skip


def test_the_bay_of_a_disk_that_is_gone_is_of_the_past_once_another_disk_is_in_it() -> None:
    assert "2" == disk_table([gone(is_bay_taken=False)]).rows[0].cells[0].text
    assert "was 2" == disk_table([gone(is_bay_taken=True)]).rows[0].cells[0].text


def test_what_was_known_of_a_disk_that_is_gone_is_told_with_its_time() -> None:
    assert [
        "REMOVED in tank; it was in bay 2, which has another disk now",
        "before it was gone, by SMART data of 2026-11-23 14:02 UTC:",
        "24 pending sectors (unreadable)",
    ] == [plain(each) for each in disk_notes(gone(is_bay_taken=True))]


def test_the_summary_counts_what_is_wrong() -> None:
    found = [disk(DiskHealth(is_passing=False)), disk(DiskHealth(), leaf(0, "FAULTED")), disk()]

    assert "nas · 3 disks · 1 failed · 1 failing · 2 in no pool" == plain(summary("nas", found))


def test_why_no_disk_has_smart_data_is_said_once() -> None:
    missing = [disk(Unreadable.NO_PROGRAM), disk(Unreadable.NO_PROGRAM)]

    assert "SMART data is not known: smartctl is not installed" == plain(unread_health(missing))
    assert "" == plain(unread_health([*missing, disk(DiskHealth())]))


def test_the_notes_say_all_that_is_wrong_and_then_what_it_is() -> None:
    one = leaf(0, "FAULTED", note="too many errors")

    notes = [
        plain(each) for each in disk_notes(disk(DiskHealth(pending=2, crc_errors=9, firmware="SN04"), one))
    ]

    assert [
        "FAULTED in tank: too many errors",
        "2 pending sectors (unreadable)",
        "9 CRC errors on the cable (the cable is suspect)",
    ] == notes[:3]
    assert notes[3].startswith("ST4000NM, firmware SN04, sectors 512/4096 B")


def test_a_disk_that_is_gone_has_a_row_too() -> None:
    (row,) = disk_table([HostDisk(None, leaf=leaf(0, "REMOVED"))]).rows

    assert "✗ gone" == next(cell.text for cell in row.cells if "gone" in cell.text)


def test_a_wide_terminal_has_all_problems_of_a_disk_in_its_row() -> None:
    known = DiskHealth(pending=24, reallocated=90, offline_uncorrectable=3)
    table = disk_table([disk(known, leaf(0, "FAULTED"))])

    wide, narrow = (plain(TableLines(table, cells).line(0)) for cells in (249, 79))

    first, *others = (each.words for each in complaints(known))
    assert f"✗ FAULTED: {'; '.join((first, *others))} " in wide
    assert "24 pe" in narrow
    assert others[-1] not in narrow


def test_models_are_whole_before_words_have_empty_room() -> None:
    table = disk_table(host_disks(states.with_disks()))
    shown = TableLines(table, 159)

    models = [each.disk.model for each in host_disks(states.with_disks()) if each.disk is not None]
    assert all(any(model in plain(shown.line(at)) for at in range(len(shown))) for model in models)
