"""Targets of a click within a line."""

from __future__ import annotations

from zconsole.views.layout.click_targets import ClickableSpan, ClickTarget, blank_as, clickable, target_at
from zconsole.views.layout.styled_text import line, line_width, plain

POOL = ClickTarget("storage1", "tank")
DISKS = tuple(ClickTarget("storage1", "tank", leaf) for leaf in "abb")
WALL = (*clickable(line("tank "), POOL), *line("mirror-0 "), ClickableSpan("▅▸✗", "bad", DISKS))


def test_each_character_of_a_span_may_have_its_own_target() -> None:
    assert list(DISKS) == [target_at(WALL, cell) for cell in (14, 15, 16)]


def test_beside_all_targets_it_is_the_first_one_of_the_line() -> None:
    assert [POOL] * 3 == [target_at(WALL, cell) for cell in (0, 8, 90)]
    assert target_at(line("no target"), 3) is None


def test_blanks_have_the_width_and_the_target_of_what_they_stand_for() -> None:
    blank = blank_as(WALL[:1])

    assert (line_width(WALL[:1]), "") == (line_width(blank), plain(blank).strip())
    assert POOL == target_at(blank, 0)
    assert target_at(blank_as(line("tank ")), 0) is None
