"""The lines of the disk chooser at 80 columns and wider: serial, size and verdict are never cut away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import slow_disk, trouble_at
from tests.doubles.shelves import TB, aux, blank, leaf, serial, used, world
from zconsole.actions.disk_choices import DiskChoice, disk_choices
from zconsole.actions.intent import intent
from zconsole.actions.known_facts import known_facts
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import HostPolicy
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.views.changes.disk_choices import (
    DiskLines,
    column_titles,
    column_widths,
    disk_lines,
    disk_wanted,
    freshness,
    no_trouble,
    ranked_beside_marked,
    why_refused,
)
from zconsole.views.layout.styled_text import line_width, plain

REPLACE = intent("replace", "tank", "1001")
WORLD = world(
    group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500, configured_ashift=12),
    aux(2, "spare"),
    spare_disks=3,
    disks=(used(3, "old"), blank(4, size_bytes=2 * TB), blank(5, size_bytes=8 * TB)),
)
CHOICES = disk_choices(REPLACE, WORLD)


def shown(lines: DiskLines) -> list[str]:
    return [plain(each).rstrip() for each in lines.lines]


def test_groups_with_the_spare_first_and_disks_in_use_folded() -> None:
    assert [
        "fits",
        f"{serial(2)}   3.64 TiB  ST4000NM                  hot spare, AVAIL",
        f"{serial(5)}   7.28 TiB  ST4000NM                  3.64 TiB unused",
        "does not fit",
        f"{serial(3)}   3.64 TiB  ST4000NM                  has a label of pool old",
        f"{serial(4)}   1.82 TiB  ST4000NM                  too small by 1.82 TiB",
        "2 more are in use: Tab shows them",
    ] == shown(disk_lines(CHOICES, 76))


@pytest.mark.parametrize("cells", [36, 56, 76, 116])
def test_serial_size_and_verdict_stay_and_no_line_is_too_wide(cells: int) -> None:
    lines = disk_lines(CHOICES, cells, shows_used=True, marked=[])

    assert max(map(line_width, lines.lines)) <= cells
    assert all(serial(each) in "\n".join(shown(lines)) for each in range(6))
    assert any("too small" in each for each in shown(lines))
    assert line_width(column_titles(cells, column_widths(CHOICES), is_marked=True)) <= cells


def test_known_bays_are_shown_at_80_columns_before_the_model() -> None:
    at_bays = [replace(each, bay=f"0:{at:02}") for at, each in enumerate(CHOICES)]

    lines = shown(disk_lines(at_bays, 76))

    assert f"{serial(2)}  0:00   3.64 TiB  ST4000NM              hot spare, AVAIL" == lines[1]
    assert plain(column_titles(76, column_widths(at_bays))).startswith("SERIAL   BAY ")


def test_headings_cannot_be_chosen() -> None:
    lines = disk_lines(CHOICES, 76)

    assert [False, True, True, False, True, True, False] == [
        lines.is_selectable(at) for at in range(len(lines))
    ]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("ser0005", [5]), ("label", [3]), ("in use", [0, 1]), ("st4000 too small", [4]), ("xyz", [])],
)
def test_each_typed_word_has_to_be_there(typed: str, expected: list[int]) -> None:
    lines = disk_lines(CHOICES, 76, typed=typed)

    found = [at for at in range(6) if serial(at) in "\n".join(shown(lines))]
    assert expected == found
    assert bool(found) is not ("no disk matches" in shown(lines)[0])


def test_what_is_marked_is_ticked() -> None:
    lines = disk_lines(CHOICES, 76, marked=[CHOICES[0].word])

    assert shown(lines)[1].startswith(f"[x] {serial(2)}")
    assert shown(lines)[2].startswith(f"[ ] {serial(5)}")


def test_the_heading_names_the_disk_that_leaves_by_its_serial() -> None:
    assert f"new disk for {serial(1)} in tank mirror-0, at least 3.64 TiB" == plain(
        disk_wanted(REPLACE, WORLD)
    )
    assert "disks for tank" == plain(disk_wanted(intent("add", "tank"), WORLD))


@pytest.mark.parametrize(
    ("age_s", "is_reading", "problem", "words"),
    [
        (3.0, False, "", "read 3s ago"),
        (290.0, True, "", "read 4m50s ago, reading again ..."),
        (None, True, "", "not read yet, reading again ..."),
        (290.0, True, "lsblk hangs", "not read again: lsblk hangs"),
    ],
)
def test_how_old_the_list_is(age_s: float | None, words: str, problem: str, *, is_reading: bool) -> None:
    assert words == plain(freshness(age_s, is_reading=is_reading, problem=problem))


def of_disk_1(state: HostState) -> str:
    """What is said before disk 1 of a host is replaced."""
    return plain(no_trouble(REPLACE, known_facts(state, NOW, HostPolicy()), host_disks(state)))


def test_a_sound_disk_is_said_to_need_no_repair_before_it_is_replaced() -> None:
    sound = trouble_at(group("mirror-0", leaf(0), leaf(1)))

    assert f"{serial(1)} is ONLINE and has no errors: it needs no repair" == of_disk_1(sound)


def test_of_a_disk_with_crc_errors_the_cable_comes_first() -> None:
    crc = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203, pending=0)

    said = of_disk_1(trouble_at(group("mirror-0", leaf(0), leaf(1)), health={1: crc}))

    assert (
        f"{serial(1)} is ONLINE, without errors; 1203 CRC errors on the cable: the cable comes first" == said
    )


@pytest.mark.parametrize(
    "state",
    [
        trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED"))),
        trouble_at(group("mirror-0", leaf(0), leaf(1, read_errors=Count(1)))),
        trouble_at(group("mirror-0", leaf(0), leaf(1)), slow=[slow_disk(1, "mirror-0")]),
        trouble_at(group("mirror-0", leaf(0), leaf(1)), health={1: DiskHealth(protocol="ATA", pending=24)}),
    ],
)
def test_nothing_is_said_of_a_disk_in_trouble(state: HostState) -> None:
    assert "" == of_disk_1(state)


def test_where_no_disk_fits_it_is_said_what_to_do() -> None:
    refused = [each for each in CHOICES if each.why_not]

    assert (
        "no disk of the host fits: insert one, and it shows up here by itself"
        == shown(disk_lines(refused, 76))[0]
    )
    assert not any("insert one" in each for each in shown(disk_lines(CHOICES, 76)))


def test_why_a_disk_is_refused_does_not_repeat_its_row() -> None:
    small = next(each for each in CHOICES if "too small" in each.words)

    assert small.serial in small.why_not
    assert small.serial not in why_refused(small)
    assert why_refused(small).startswith("ZFS would have 1.82 TiB of it")


def test_after_the_first_mark_the_rest_is_ranked_anew_and_says_why_it_does_not_fit() -> None:
    known = (
        DiskChoice("/dev/a", "AAAA", 2 << 40, "SSD", "fits"),
        DiskChoice("/dev/b", "BBBB", 8 << 40, "ST8000", "fits"),
        DiskChoice("/dev/c", "CCCC", (2 << 40) + (1 << 20), "SSD", "fits"),
        DiskChoice("/dev/d", "DDDD", 4 << 40, "ST4000", "too old", "it is too old"),
        DiskChoice("/dev/e", "EEEE", None, "", "fits"),
    )

    def rows(*marked: str) -> list[str]:
        lines = disk_lines(ranked_beside_marked(known, marked), 80, marked=marked)
        return [each.replace("[ ] ", "").replace("[x] ", "").split("  ")[0] for each in shown(lines)]

    refused = ["does not fit", "DDDD"]
    assert ["fits", "AAAA", "BBBB", "CCCC", "EEEE", *refused] == rows()
    beside = "does not fit beside AAAA, because of the sizes"
    assert ["fits", "AAAA", "CCCC", "EEEE", beside, "BBBB", *refused] == rows("/dev/a")
    beside = "does not fit beside BBBB, because of the sizes"
    assert ["fits", "BBBB", "EEEE", beside, "AAAA", "CCCC", *refused] == rows("/dev/b", "/dev/a")
    second = shown(disk_lines(ranked_beside_marked(known, ["/dev/a"]), 80, marked=["/dev/a"]))[5]
    assert second.endswith("2.00 TiB and 8.00 TiB")


def test_a_remark_that_reads_like_a_verdict_decides_no_group() -> None:
    said = DiskChoice("/dev/b", "BBBB", 2 << 40, "SSD", "differs in size from the first")
    known = (DiskChoice("/dev/a", "AAAA", 2 << 40, "SSD", "fits"), said)

    assert ["fits"] == [each for each in shown(disk_lines(known, 80, marked=["/dev/a"])) if "fit" in each[:4]]
