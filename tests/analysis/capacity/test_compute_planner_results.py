"""A planning session: every field is read by itself, and what is told follows from the fields."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.capacity.fields import texts
from tests.reports.captured import captured, states
from tests.ui.states import bulk, tank
from zconsole.analysis.capacity.compute_planner_results import PlanningResults, answers, full_in_days
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs, usual_texts
from zconsole.analysis.capacity.scenario_figures_and_export import FORMATS, exported, row_of
from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome
from zconsole.analysis.pool_growth.live_pool import LivePool, today
from zconsole.base.errors import UsageError
from zconsole.base.quantities import TIB

PLAUSIBLE = {
    "data": ("10TiB", "11 TB", "12T", "0TiB", ""),
    "growth": ("2", "15%", "15%x3", "seen", "-1", "5%x99", "x"),
    "snapshots": ("1.3", "0.5", "nan"),
    "fill": ("80%", "0", "101%"),
    "units": ("1.1", "exact", "2000"),
    "redundancy": ("2", "1.4", ""),
    "systems": ("3", "0", "two"),
    "block": ("128K", "16K", "100K"),
    "drive": ("12TB", "1.92TB:ssd", "64MiB", "4000787030016", "1PB", "12T"),
    "bays": ("8", "24", "2", "1", "1001", "x"),
    "price": ("", "250", "-3"),
    "afr": ("1.5%", "0", "100%"),
    "layouts": ("", "mirror:2 x4; raidz2:8", "raidz3:3", "stripe:3", "; ;"),
    "changes": ("", "add mirror:2; remove mirror-0", "shrink", "snapshots; dedup 2"),
}


def test_the_budget_is_the_rule_of_the_article() -> None:
    inputs, _ = read_inputs(texts(data="1TiB"), USUAL)
    found = answers(inputs, None)

    assert 7_150_000_000_000 == found.raw_bytes
    assert round(Fraction("3.25") * TIB) == found.wanted_bytes


def planned(now: LivePool | None = None, **fields: str) -> PlanningResults:
    inputs, wrong = read_inputs(texts(**fields), USUAL)
    assert {} == wrong
    return answers(inputs, now)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (
            {"data": "6.61TiB", "drive": "8TB", "bays": "12"},
            "the smallest that holds it, 6 drives; 6 of 12 bays stay free",
        ),
        (
            {"data": "6.61TiB", "drive": "8TB", "bays": "7"},
            "the smallest that holds it, 6 drives; 1 of 7 bays stays free",
        ),
        ({"data": "6.61TiB", "drive": "8TB", "bays": "6"}, "the smallest that holds it, 6 drives"),
        (
            {"data": "8TiB", "drive": "8800GB", "bays": "5"},
            ("the smallest that holds it, 6 drives; 1 more than there are bays: in 5 only raidz1:5 holds it, "
            "which is advised against; as mirrors mirror:2 x4 does, 8 drives: most random I/O, a short "
            "resilver, growth by two disks"),
        ),
        (
            {"data": "8TiB", "drive": "8800GB", "bays": "4"},
            ("the smallest that holds it, 6 drives; 2 more than there are bays: in 4 none holds it, raidz1:4 "
            "has most, 25.44 TB (23.14 TiB); as mirrors mirror:2 x4 does, 8 drives: most random I/O, a short "
            "resilver, growth by two disks"),
        ),
        (
            {"data": "8TiB", "drive": "8800GB", "bays": "4", "layouts": "raidz2:5 x2"},
            ("the smallest that holds it, 10 drives; 6 more than there are bays: no layout named here fits "
            "into them"),
        ),
        (
            {"data": "33.29TiB", "drive": "12TB", "bays": "20"},
            (
                "the smallest that holds it, 14 drives; 6 of 20 bays stay free; as a raidz "
                "raidz2:8 x2 does, 16 drives: its small blocks take less; as mirrors mirror:2 x10 does, "
                "20 drives: most random I/O, a short resilver, growth by two disks"
            ),
        ),
        (
            {"data": "1000TiB", "drive": "4TB"},
            ("no layout of at most 480 drives that is not advised against holds 3.57 PB (3.17 PiB): take "
            "larger drives, or several pools"),
        ),
    ],
)  # fmt: skip
def test_why_a_layout_is_proposed(fields: dict[str, str], why: str) -> None:
    assert why == planned(**fields).why


def test_that_the_pool_that_is_there_holds_it_is_told() -> None:
    pool = tank()
    usable = pool.usable_bytes
    assert usable is not None

    held = planned(today(pool), data=str(int(usable / 3.26)))
    not_held = planned(today(pool), data=str(int(usable / 3.24)))

    assert (True, usable) == (held.is_held_already, held.now_usable_bytes)
    assert not_held.is_held_already is False
    assert planned().is_held_already is None
    assert held.proposal is not None  # of a new pool


def test_what_is_bought_is_what_is_proposed() -> None:
    found = planned(data="6.61TiB", drive="8TB", bays="12")

    assert found.proposal is not None
    assert found.bought is not None
    assert found.proposal.layout == found.bought.layout
    assert found.proposal is found.taken
    assert found.is_enough(found.proposal)


def test_when_a_pool_is_full_after_a_change() -> None:
    found = ChangeOutcome("x", 0, 1000, 300)

    assert 50.0 == full_in_days(found, 10)
    assert full_in_days(found, -1) is None
    assert 0.0 == full_in_days(ChangeOutcome("x", 0, 1000, 900), 10)


@given(st.fixed_dictionaries({key: st.sampled_from(values) for key, values in PLAUSIBLE.items()}))
def test_any_fields_are_answered_and_exported(found: dict[str, str]) -> None:
    """Right or wrong, each field by itself; and every export has every plan."""
    for pool in (tank(), bulk()):
        inputs, wrong = read_inputs(found, USUAL)
        told = answers(inputs, today(pool))
        row = row_of("a plan", found, told)

        assert wrong.keys() <= found.keys()
        assert told.raw_bytes >= told.inputs.data_bytes
        held = min(row.usable_bytes, row.usable_at_block_bytes)
        assert row.is_enough == (held >= row.wanted_bytes)
        assert row.is_enough or not row.is_advised
        for suffix in FORMATS:
            assert "a plan" in exported([row, row], suffix, "tank")


@pytest.mark.parametrize("series", ["2.1", "2.3", "2.4"])
def test_every_captured_pool_can_be_planned_from(series: str) -> None:
    """Its own fields are right, and as many disks as it has are compared; what is unknown is refused."""
    planned = 0
    for state in states(series):
        pool = captured(series, state).pools[0].pool.value
        assert pool is not None
        try:
            now = today(pool)
        except UsageError:
            assert pool.usable_bytes is None or any(top.size_bytes is None for top in pool.vdevs), state
            continue
        texts_of_it = usual_texts(now)
        inputs, wrong = read_inputs(texts_of_it, USUAL)
        found = answers(inputs, now)

        assert {} == wrong, state
        assert all(each.outcome is not None for each in found.usual)
        assert found.taken in found.candidates
        planned += 1
    assert planned


def test_a_proposal_that_is_slower_than_the_pool_says_so() -> None:
    """A new pool for a tenth of the data is of fewer disks than the four mirrors that are there."""
    mirrors = today(tank())

    found = planned(mirrors, data="1TiB", drive="8TB", bays="12")

    assert found.slower.startswith("less random I/O than tank (")
    assert found.slower in found.why
    assert "" == planned(data="1TiB", drive="8TB", bays="12").slower
