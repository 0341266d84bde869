"""Strips on fixed scales."""

from __future__ import annotations

import pytest

from zconsole.views.layout.sparklines import CELL_S, RATE, SHARE, Scale, draw, over_time
from zconsole.views.layout.styled_text import BLOCKS


@pytest.mark.parametrize(
    ("at", "scale", "value"),
    [(0, SHARE, 0.0), (4, SHARE, 0.5), (7, SHARE, 1.0), (1, RATE, 1.0), (7, RATE, 2e6)],
)
def test_a_value_has_the_block_of_its_step(at: int, scale: Scale, value: float) -> None:
    assert BLOCKS[at] == scale.block(value)


def test_no_rate_is_blank() -> None:
    assert " " == RATE.block(0.0)


def test_stretches_begin_at_whole_multiples_of_their_length() -> None:
    newest_first = [(39.0, 1.0), (31.0, 5.0), (29.0, 2.0), (5.0, 9.0), (-1.0, 7.0)]

    assert [9.0, None, 2.0, 5.0] == over_time(newest_first, 4)
    assert [9.0, None, 2.0, 1.0] == over_time(newest_first, 4, min)
    assert 10.0 == CELL_S


def test_what_is_not_known_is_no_value() -> None:
    assert [None, 3.0] == over_time([(15.0, 3.0), (12.0, None), (3.0, None)], 2)
    assert [None, None] == over_time([], 2)


def test_high_values_stand_out_and_neighbours_of_one_look_are_one_piece() -> None:
    drawn = draw([None, 0.1, 0.9, 1.0], SHARE, high_from=0.9)

    assert 2 == len(drawn)
    assert f" {BLOCKS[0]}" == drawn[0].text
    assert "warn" == drawn[1].style
