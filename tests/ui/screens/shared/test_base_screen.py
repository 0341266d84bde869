"""The line between rows and details: the words of an alert give way, so that the position is seen."""

from __future__ import annotations

from zconsole.ui.screens.shared.base_screen import shortened_to
from zconsole.views.layout.styled_text import EMPTY, Line, line

ALERT = line("! tank: guest shop01 is paused by an I/O error")


def text(of: Line) -> str:
    return "".join(span.text for span in of).rstrip()


def test_an_alert_is_cut_and_the_others_stay() -> None:
    first, second = shortened_to([ALERT, line("1-14 of 30")], 40, ALERT)

    assert "1-14 of 30" == text(second)
    assert "! tank: guest shop01…" == text(first)


def test_what_fits_stays_as_it_is_and_what_would_say_nothing_too() -> None:
    remarks = [ALERT, line("1-14 of 30")]

    assert [text(each) for each in remarks] == [text(each) for each in shortened_to(remarks, 80, ALERT)]
    assert remarks == shortened_to(remarks, 30, ALERT)


def test_without_an_alert_nothing_is_cut() -> None:
    remarks = [line("11:05:40 is marked; < and > go from mark to mark"), line("1-14 of 30")]

    assert remarks == shortened_to(remarks, 30, EMPTY)


def test_how_many_other_alerts_there_are_stays_where_the_words_are_cut() -> None:
    alert = line("! tank: guest shop01 is paused by an I/O error", " · 23 more alerts: !")

    first, _ = shortened_to([alert, line("1-14 of 30")], 60, alert)

    assert "! tank: guest shop01… · 23 more alerts: !" == text(first)
