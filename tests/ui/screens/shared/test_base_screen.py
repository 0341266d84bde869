"""The line between rows and details: the longest remark gives way, so that the position is seen."""

from __future__ import annotations

from zconsole.ui.screens.shared.base_screen import shortened_to
from zconsole.views.layout.styled_text import Line, line


def text(of: Line) -> str:
    return "".join(span.text for span in of)


def test_the_longest_is_cut_and_the_others_stay() -> None:
    alert, position = line("! tank: guest shop01 is paused by an I/O error"), line("1-14 of 30")

    first, second = shortened_to([alert, position], 40)

    assert "1-14 of 30" == text(second)
    assert "! tank: guest shop01 is…" == text(first)


def test_what_fits_stays_as_it_is_and_what_would_say_nothing_too() -> None:
    remarks = [line("filter web"), line("1-14 of 30")]

    assert remarks == shortened_to(remarks, 40)
    assert remarks == shortened_to(remarks, 20)
