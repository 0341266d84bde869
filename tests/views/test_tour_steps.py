"""Every step of the tour is an action of its screen, and its line fits into 80 columns."""

from __future__ import annotations

import pytest

from zconsole.views.layout.screen_key_registry import is_in, use_keys
from zconsole.views.layout.styled_text import line_width, plain
from zconsole.views.tour_steps import NEXT_ROW, STEPS, offer, step_line

CELLS = 80 - 4  # the rule around it


def test_each_action_is_there_where_the_tour_asks_for_it() -> None:
    for step in STEPS:
        assert any(each == NEXT_ROW or is_in(step.place, each) for each in step.actions), step


@pytest.mark.parametrize("place", ["pools", "pool", "findings", "help"])
def test_each_line_fits(place: str) -> None:
    for number in range(len(STEPS) + 1):
        assert CELLS >= line_width(step_line(number, place))
    assert CELLS >= line_width(offer())


def test_own_keys_are_named() -> None:
    use_keys({"findings": ("f9",), "tour": ("f4",)})
    try:
        assert "F9 lists what is wrong" in plain(step_line(5, "pools"))
        assert "F4 is a tour" in plain(offer())
    finally:
        use_keys({})
