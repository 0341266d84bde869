"""Phrases that several tables share: states, ages, counts."""

from __future__ import annotations

import pytest

from zconsole.model.finding import Severity
from zconsole.views.layout.state_age_and_link_phrases import (
    STATE_ORDER,
    ago,
    counted,
    state_cell,
    state_rank,
    state_style_and_glyph,
)


@pytest.mark.parametrize(("expected", "number"), [("1 disk", 1), ("2 disks", 2), ("0 disks", 0)])
def test_a_noun_follows_its_number(expected: str, number: int) -> None:
    assert expected == counted(number, "disk")


@pytest.mark.parametrize(
    ("style", "state"),
    [
        ("text", "ONLINE"),
        ("text", "AVAIL"),
        ("warn", "DEGRADED"),
        ("warn", "OFFLINE"),
        ("bad", "FAULTED"),
        ("bad", "SUSPENDED"),
        ("dim", "·"),
        ("warn", "NEWSTATE"),
    ],
)
def test_a_state_has_its_look_and_one_that_is_new_is_marked(style: str, state: str) -> None:
    look, glyph = state_style_and_glyph(state)

    assert style == look
    assert bool(glyph) is (style in {"warn", "bad"})


def test_states_are_sorted_by_how_bad_they_are_and_unknown_ones_are_bad() -> None:
    ranks = [state_rank(state) for state in STATE_ORDER]

    assert sorted(ranks) == ranks
    assert state_rank("ONLINE") < state_rank("NEWSTATE")


def test_the_first_click_on_the_title_of_states_has_the_worst_on_top() -> None:
    cells = [state_cell(state) for state in STATE_ORDER]

    assert list(reversed(cells)) == sorted(cells, key=lambda cell: cell.sort)


def test_a_critical_finding_makes_a_degraded_state_bad() -> None:
    assert "warn" == state_cell("DEGRADED").style
    assert "bad" == state_cell("DEGRADED", severity=Severity.CRITICAL).style
    assert "text" == state_cell("ONLINE", severity=Severity.CRITICAL).style


@pytest.mark.parametrize(
    ("expected", "seconds"), [("45s", 45), ("12m", 720), ("3h", 10_800), ("41d", 41 * 86_400)]
)
def test_an_age_is_in_one_unit(expected: str, seconds: float) -> None:
    assert expected == ago(seconds)
