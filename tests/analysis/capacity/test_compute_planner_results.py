"""A planning session: every field is read by itself, and what is told follows from the fields."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.capacity.fields import texts
from tests.reports.captured import captured, states
from tests.ui.states import bulk, tank
from zconsole.analysis.capacity.compute_planner_results import answers, full_in_days, pick
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs, usual_texts
from zconsole.analysis.capacity.scenario_figures_and_export import FORMATS, exported, row_of
from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome
from zconsole.analysis.pool_growth.live_pool import today
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout_comparison import Costs, compare
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.base.errors import UsageError
from zconsole.base.quantities import TB, TIB

DRIVE = parse_drive("12TB")
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


def test_mirrors_are_advised_while_they_hold_it() -> None:
    layouts = tuple(parse_layout(text, DRIVE) for text in ("raidz2:8", "mirror:2 x4", "raidz1:8"))
    found = compare(layouts, 131072, Assumptions(), Costs())

    assert 1 == pick(found, 10 * TB)[0]
    place, why = pick(found, 60 * TB)
    assert 0 == place
    assert "serious objections" in why
    place, why = pick(found, 80 * TB)
    assert place is None  # a raidz1 of large disks
    assert "advised against" in why
    place, why = pick(found, 1000 * TB)
    assert place is None
    assert "raidz1:8 has most" in why


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
        assert row.is_enough == (row.usable_bytes >= row.wanted_bytes)
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
