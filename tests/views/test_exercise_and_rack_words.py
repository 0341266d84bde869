"""What is said of an exercise: the trouble, the rack, and how it was done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.model.exercise import (
    ChangeCable,
    ExerciseState,
    Handwork,
    Insert,
    Pull,
    RackBay,
    RackDisk,
    Remark,
    RemarkKind,
)
from zconsole.views.exercise_and_rack_words import (
    RACK_KEY,
    bay_line,
    briefing,
    by_hand,
    debriefing,
    disk_label,
    rack_heading,
    rack_help,
    table_heading,
)
from zconsole.views.layout.styled_text import plain

DISK = RackDisk("ZC13A01K", "ST4000NM0035-1V4107", 4_000_787_030_016)
LABEL = "ZC13A01K  ST4000NM0035-1V4107   4.00 TB"
STATE = ExerciseState(
    "failed-disk",
    "The phone.\nFind the disk.",
    754.0,
    (RackBay(1, DISK, cable="A"), RackBay(2, cable="A")),
    (),
    "tank is not fully redundant yet.",
    restored_s=None,
    reduced_s=600.0,
    remarks=(
        Remark(RemarkKind.GOOD, "ZC13A0R7 was pulled from bay 2 with its locate LED on", 300.0),
        Remark(RemarkKind.LEFT, "ZC13A0R7 is still part of tank: replace it"),
    ),
)


def test_the_briefing_tells_the_trouble_and_the_key_of_the_rack() -> None:
    told = [plain(each) for each in briefing(STATE)]

    assert ["Exercise failed-disk", "", "The phone.", "", "Find the disk."] == told[:5]
    assert told[6].startswith(f"{RACK_KEY} opens the rack")
    assert plain(tuple(rack_help())[1]).startswith(f"  {RACK_KEY}")


def test_the_debriefing_has_a_heading_for_each_kind_of_remark() -> None:
    assert [
        "Exercise failed-disk: tank is not fully redundant yet.",
        "12m34s in all, 10m with less redundancy than before",
        "",
        "Done well",
        "  · ZC13A0R7 was pulled from bay 2 with its locate LED on  after 5m",
        "",
        "Left to do",
        "  · ZC13A0R7 is still part of tank: replace it",
    ] == [plain(each) for each in debriefing(STATE)]


def test_an_exercise_without_a_loss_of_redundancy_says_only_its_time() -> None:
    told = [plain(each) for each in debriefing(replace(STATE, reduced_s=0.0, remarks=()))]

    assert ["Exercise failed-disk: tank is not fully redundant yet.", "12m34s in all"] == told


def test_a_bay_shows_the_label_of_its_disk_and_the_lamp() -> None:
    assert "The rack · failed-disk · 12m34s · tank is not fully redundant yet." == plain(rack_heading(STATE))
    assert "The table · a disk for bay 2" == plain(table_heading(STATE.bays[1]))
    assert LABEL == disk_label(DISK)
    assert f"bay  1  {LABEL}" == plain(bay_line(STATE.bays[0]))
    assert f"bay 11  {LABEL}  locate LED on" == plain(bay_line(RackBay(11, DISK, is_lit=True)))
    assert "bay  2  empty" == plain(bay_line(STATE.bays[1]))


@pytest.mark.parametrize(
    ("expected", "work"),
    [
        ("the disk of bay 3 is pulled; it is on the table", Pull(3)),
        ("ZC17K2M4 is inserted into bay 3", Insert("ZC17K2M4", 3)),
        ("cable B is changed", ChangeCable("B")),
    ],
)
def test_what_was_done_by_hand_is_said(expected: str, work: Handwork) -> None:
    assert expected == by_hand(work)
