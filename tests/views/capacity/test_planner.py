"""The planner recommends in its first lines what the parts below recommend."""

from __future__ import annotations

import pytest

from tests.analysis.capacity.fields import texts
from zconsole.analysis.capacity.compute_planner_results import PlanningResults, answers
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs
from zconsole.views.capacity.layout_comparison import layout_lines
from zconsole.views.capacity.planner import PlannerState, need_line
from zconsole.views.capacity.saved_scenario_comparison import kept_lines
from zconsole.views.layout.styled_text import plain

WIDE = 156


def planned(**fields: str) -> PlanningResults:
    inputs, wrong = read_inputs(texts(**fields), USUAL)
    assert {} == wrong
    return answers(inputs, None)


def headline(found: PlanningResults, cells: int = WIDE) -> str:
    return plain(need_line(PlannerState("nas", "tank", answers=found), cells)).partition("TB · ")[2]


def layouts(found: PlanningResults) -> list[str]:
    return [plain(each) for each in layout_lines(found, WIDE)]


FIVE_BAYS = {"data": "8TiB", "drive": "8800GB", "bays": "5"}  # raidz1 of 8.8 TB holds it, nothing else does


def test_what_is_advised_comes_first_and_what_only_fits_is_told_as_advised_against() -> None:
    found = planned(**FIVE_BAYS)

    assert found.pick is None
    to_buy, beside = headline(found).split(" · ")
    assert "▸ raidz2:5 x2: 10 drives of 8800GB, 47.24 TiB usable" == to_buy
    assert "in the 5 bays only raidz1:5 ▲, advised against" == beside
    assert "▸ raidz2:5 x2: 10 drives, 47.24 TiB usable" == headline(found, 78)
    first, then = layouts(found)[:2]
    assert first.startswith("▸ raidz2:5 x2 holds it: 10 drives, ")
    assert "in the 5 bays: those that hold it are advised against, for the reasons below" == then


@pytest.mark.parametrize("cells", range(20, 170, 7))
def test_at_no_width_a_layout_that_is_advised_against_has_the_mark_of_advice(cells: int) -> None:
    for fields in (FIVE_BAYS, {**FIVE_BAYS, "layouts": "raidz1:5"}, {**FIVE_BAYS, "layouts": "stripe:3"}):
        assert "▸ raidz1" not in headline(planned(**fields), cells)
        assert "▸ stripe" not in headline(planned(**fields), cells)


def test_nothing_is_advised_where_all_layouts_are_advised_against() -> None:
    enough, too_small = planned(**FIVE_BAYS, layouts="raidz1:5"), planned(**FIVE_BAYS, layouts="raidz1:3")

    assert "raidz1:5 ▲ holds it, 31.84 TiB usable, but is advised against" == headline(enough)
    assert "raidz1:3 x2 ▲: 6 drives, 31.84 TiB usable, but advised against" == headline(too_small)
    assert not any(each.startswith("▸") for each in layouts(enough))


def test_the_table_marks_what_is_large_enough_and_advised_against() -> None:
    rows = {each.split()[0]: each for each in layouts(planned(**FIVE_BAYS)) if each.startswith("  r")}

    assert " yes ▲ " in rows["raidz1:5"]
    assert " no " in rows["raidz2:5"]


def test_what_survives_nothing_more_has_a_chance_of_0() -> None:
    rows = {each.split()[0]: each for each in layouts(planned(**FIVE_BAYS)) if each.startswith("  r")}

    assert "any 1        0% " in rows["raidz1:5"]


def test_one_system_is_planned_unless_more_are_asked_for() -> None:
    assert 1 == planned().inputs.budget.systems


def test_no_saved_scenario_is_said() -> None:
    assert "No scenario of this pool is saved yet: there is nothing to compare." in [
        plain(each) for each in kept_lines((), "", 0, 80)
    ]
    assert not any("nothing to compare" in plain(each) for each in kept_lines((), "unreadable", 0, 80))
