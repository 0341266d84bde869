"""The planner proposes in its first lines what the parts below propose, in numbers that can be checked."""

from __future__ import annotations

import re
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.capacity.fields import texts
from tests.ui.states import tank
from zconsole.analysis.capacity.compute_planner_results import PlanningResults, answers
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs, usual_texts
from zconsole.analysis.pool_growth.live_pool import LivePool, today
from zconsole.base.quantities import with_digits
from zconsole.views.capacity.drives_to_buy_factor_by_factor import need_lines
from zconsole.views.capacity.layout_comparison import layout_lines
from zconsole.views.capacity.planner import PlannerState, need_line, proposal_line
from zconsole.views.capacity.saved_scenario_comparison import kept_lines
from zconsole.views.layout.styled_text import plain

WIDE = 156
FACTOR = re.compile(r"x ?(\d+(?:\.\d+)?)")


def planned(now: LivePool | None = None, **fields: str) -> PlanningResults:
    inputs, wrong = read_inputs(texts(**fields), USUAL)
    assert {} == wrong
    return answers(inputs, now)


def session(found: PlanningResults | None) -> PlannerState:
    return PlannerState("nas", "tank", answers=found)


def need(found: PlanningResults, cells: int = WIDE) -> str:
    return plain(need_line(session(found), cells))


def proposal(found: PlanningResults, cells: int = WIDE) -> str:
    return plain(proposal_line(session(found), cells))


def layouts(found: PlanningResults) -> list[str]:
    return [plain(each) for each in layout_lines(found, WIDE)]


FIVE_BAYS = {"data": "8TiB", "drive": "8800GB", "bays": "5"}  # raidz1 of 8.8 TB holds it, nothing else does


def test_what_is_proposed_is_told_with_what_only_fits_the_bays() -> None:
    found = planned(**FIVE_BAYS)

    assert (
        "▸ raidz2:6: 6 drives of 8800GB, 31.85 TiB usable, 1 bay more than there are: in the 5 bays only "
        "raidz1:5 ▲ holds it, advised against"
    ) == proposal(found)
    assert "▸ raidz2:6: 6 drives, 31.85 TiB usable, 1 bay more than there are" == proposal(found, 70)
    assert "▸ raidz2:6: 6 drives" == proposal(found, 30)


def test_the_smallest_is_told_with_the_bays_that_stay_free() -> None:
    found = planned(data="6.61TiB", drive="8TB", bays="52")

    assert (
        "▸ mirror:2 x3: 6 drives of 8TB, 21.67 TiB usable, the smallest that holds it; 46 of 52 bays stay "
        "free"
    ) == proposal(found)
    assert "NEED 6.61 TiB x1.25 x2 x1.3 = 21.48 TiB usable" == need(found)
    assert "NEED 6.61 TiB x3.25 = 21.48 TiB usable" == need(found, 40)


def test_a_pool_that_holds_it_comes_first_and_there_is_nothing_to_buy() -> None:
    found = planned(today(tank()), data="3TiB")

    assert need(found).endswith(" usable · tank has 14.4 TiB and holds it: nothing to buy")
    assert need(found, 68).endswith(" usable · tank holds it: nothing to buy")
    assert proposal(found).startswith("a new pool for it: ▸ mirror:2: 2 drives of 12TB, ")
    assert "The pool that is there holds it: nothing to buy. As a new pool:" == layouts(found)[0]
    assert layouts(found)[1].startswith("▸ mirror:2: the smallest that holds it, 2 drives")


def test_how_much_the_pool_that_is_there_lacks_is_told_and_what_is_added_to_it() -> None:
    found = planned(today(tank()), data="6TiB")

    assert need(found).endswith(
        " = 19.5 TiB usable · tank has 14.4 TiB, 5.1 TiB too little; add mirror:2 to it, 2 drives, and it "
        "has 25.31 TiB"
    )
    assert need(found, 90).endswith(" · tank lacks 5.1 TiB: add mirror:2, 2 drives")
    assert need(found, 76).endswith(" = 19.5 TiB usable · add mirror:2 to tank, 2 drives")
    assert (
        "With mirror:2 added, 2 drives, the pool that is there holds it, usable 27.82 TB (25.31 TiB). "
        "As a new pool:"
    ) == layouts(found)[0]


def test_drives_to_add_that_have_no_free_bay_are_told_on_the_first_line() -> None:
    own = today(tank())
    assert own is not None
    taken = int(usual_texts(own)["bays"])

    def told(bays: int, cells: int = 200) -> str:
        return need(planned(own, data="6TiB", bays=str(bays)), cells)

    assert told(taken).endswith("has 25.31 TiB, 2 bays more than there are")
    assert told(taken, 120).endswith(": add mirror:2, 2 drives, 2 bays more than there are")
    assert told(taken + 1).endswith("has 25.31 TiB, 1 bay more than there are")
    assert told(taken + 2).endswith("has 25.31 TiB")


def test_where_a_new_pool_takes_fewer_drives_only_what_is_lacking_is_told() -> None:
    found = planned(today(tank()), data="60TiB", bays="24")

    assert need(found).endswith(" = 195 TiB usable · tank has 14.4 TiB, 180.6 TiB too little")
    assert need(found, 68).endswith(" · tank lacks 180.6 TiB")
    assert layouts(found)[0].startswith("▸ ")


@pytest.mark.parametrize("cells", range(20, 170, 7))
def test_at_no_width_a_layout_that_is_advised_against_has_the_mark_of_advice(cells: int) -> None:
    for fields in (FIVE_BAYS, {**FIVE_BAYS, "layouts": "raidz1:5"}, {**FIVE_BAYS, "layouts": "stripe:3"}):
        found = planned(**fields)
        assert "▸ raidz2:6" in proposal(found, cells)
        assert len(proposal(found, cells)) <= cells


@pytest.mark.parametrize("named", ["raidz1:5", "raidz1:3", "stripe:3"])
def test_where_all_named_layouts_are_advised_against_another_one_is_proposed(named: str) -> None:
    found = planned(**FIVE_BAYS, layouts=named)

    assert proposal(found).startswith("▸ raidz2:6: 6 drives")
    assert [each for each in layouts(found) if each.startswith(f"  {named}")]


@pytest.mark.parametrize(
    "fields",
    [
        FIVE_BAYS,
        {"data": "6.61TiB", "drive": "8TB", "bays": "12"},
        {"data": "40TiB", "drive": "12TB", "bays": "24", "systems": "3"},
        {"data": "30TiB", "drive": "8TB", "bays": "8", "layouts": "raidz2:6; mirror:2 x4"},
        {"data": "2TiB", "drive": "1.92TB:ssd", "bays": "24", "block": "16K"},
    ],
)
def test_all_parts_name_the_same_layout(fields: dict[str, str]) -> None:
    found = planned(**fields)
    assert found.proposal is not None
    name, drives = found.proposal.layout.name, found.proposal.layout.drives

    assert proposal(found).startswith(f"▸ {name}: {drives} drives")
    assert layouts(found)[0].startswith(f"▸ {name}: the smallest that holds it, {drives} drives")
    assert [f"▸ {name}"] == [
        each[: len(name) + 2] for each in layouts(found) if each.startswith("▸") and "yes" in each
    ]
    told = [plain(each) for each in need_lines(found, WIDE)]
    assert [f"▸ {name} holds it: {drives} drives, "] == [
        each[: len(name) + len(f" holds it: {drives} drives, ") + 2] for each in told if each.startswith("▸")
    ]


def by_hand(text: str) -> tuple[float, float, str]:
    """What a calculator makes of `0.6115 TiB x 1.25 x 2 = 1.529 TiB`, what is printed, and its digits."""
    left, right = text.split(" = ")
    number = float(left.split()[0])
    return number * prod(map(float, FACTOR.findall(left))), float(right.split()[0]), right.split()[0]


def agrees(made: float, printed: str) -> bool:
    """Whether a number is the printed one, or one step of its last digit beside it."""
    step = 10.0 ** -len(printed.partition(".")[2])
    return abs(made - float(printed)) <= 1.01 * step


@given(
    data=st.integers(10**9, 10**14),
    growth=st.sampled_from(["2", "15%", "1.37"]),
    fill=st.sampled_from(["80%", "85%", "73%"]),
    units=st.sampled_from(["1.1", "exact"]),
)
def test_a_reader_with_a_calculator_arrives_at_the_printed_numbers(
    data: int, growth: str, fill: str, units: str
) -> None:
    found = planned(data=str(data), growth=growth, fill=fill, units=units, bays="24")
    head = need(found).removeprefix("NEED ").partition(" usable")[0]
    rows = [plain(each) for each in need_lines(found, WIDE)]
    wanted = next(each for each in rows if each.startswith("the pool must have "))

    for chain in (head, need(found, 40).removeprefix("NEED "), wanted.removeprefix("the pool must have ")):
        made, _, printed = by_hand(chain)
        assert agrees(made, printed), chain
    amount = float(next(each for each in rows if "data today" in each).split()[2 + ("█" in rows[0])])
    for row in rows:
        if row.startswith("  x "):
            amount *= float(row.split()[1])
            printed = next(
                word for at, word in enumerate(row.split()) if row.split()[at + 1] == "TB" and at > 2
            )
            assert agrees(amount, printed), row
    total = next(each for each in rows if each.startswith("= x "))
    assert agrees(amount, total.partition(":1: ")[2].split()[0]), total


def test_the_rule_of_eight_to_one() -> None:
    rows = [plain(each) for each in need_lines(planned(data="1TiB"), WIDE)]

    assert "= x 7.15, rule of thumb 8:1: 7.15 TB (6.50 TiB) of drives in one system" in rows
    assert "with the exact 1.0995 TB in a TiB: x 7.146826" in rows
    assert with_digits(1.1 * 1.25 * 2 * 1.3 * 2) in rows[6]


def test_the_table_marks_what_is_large_enough_and_advised_against() -> None:
    rows = {each.split()[0]: each for each in layouts(planned(**FIVE_BAYS)) if each.startswith("  r")}

    assert " yes ▲ " in rows["raidz1:5"]
    assert " no " in rows["raidz2:5"]


def test_what_survives_nothing_more_has_a_chance_of_0() -> None:
    rows = {each.split()[0]: each for each in layouts(planned(**FIVE_BAYS)) if each.startswith("  r")}

    assert "any 1        0% " in rows["raidz1:5"]


def test_one_system_is_planned_unless_more_are_asked_for() -> None:
    assert 1 == planned().inputs.budget.systems


def test_without_a_saved_scenario_it_is_said_what_to_do() -> None:
    said = [plain(each) for each in kept_lines((), "", 0, 120)]

    assert [
        "No scenario of this pool is saved yet.",
        "To compare: Ctrl+S saves these fields under a name, then change them; both are shown here.",
    ] == said
    assert not any("To compare" in plain(each) for each in kept_lines((), "unreadable", 0, 120))
