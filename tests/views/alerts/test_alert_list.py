"""The list of alerts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.views.alerts.test_console_calls import ALL, CRITICAL, DONE, NEXT, WARNING, text
from zconsole.model.alert import AlertKey, AlertPhase
from zconsole.views.alerts.alert_list import notes, page
from zconsole.views.layout.styled_text import Line, line, plain
from zconsole.views.layout.table import draw, place

DAY_S = 86_400.0


def cells(*calls: object, now: float = 20.0) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in page(calls, (), [], now).table.rows]  # type: ignore[arg-type]


def test_the_newest_is_first_with_time_kind_host_and_words() -> None:
    assert [
        ["00:00:12", "repair", "nas1", "", "tank: the resilver ended; next: scrub"],
        ["00:00:11", "done", "nas1", "", "tank: the scrub finished"],
        ["00:00:09", "critical", "nas2", "yes", "bulk: all I/O waits"],
        ["00:00:10", "warning", "nas1", "", "tank: DEGRADED"],
    ] == cells(WARNING, replace(CRITICAL, is_seen=True), DONE, NEXT)


def test_what_is_over_and_what_is_of_another_day_says_so() -> None:
    over = replace(DONE, phase=AlertPhase.OVER)
    assert [["1970-01-01 00:00", "ended", "nas1", "", "tank: the scrub finished"]] == cells(
        over, now=2 * DAY_S
    )


def test_the_numbers_are_of_what_nobody_has_seen() -> None:
    assert "3 alerts · 1 critical · 1 warning" == text(page(ALL, (), [], 20.0).numbers)
    assert "1 alert" == text(page([replace(CRITICAL, is_seen=True)], (), [], 20.0).numbers)


@pytest.mark.parametrize(
    ("expected", "found"),
    [(".", []), ("; f lists 1 critical, 2 warnings", [line("1 critical"), line("2 warnings")])],
)
def test_without_an_alert_what_is_found_all_the_same_is_counted(expected: str, found: list[Line]) -> None:
    (row,) = page((), (), found, 20.0).table.rows

    assert f"Nothing new since this console was opened{expected}" == text(row.line or ())


def test_what_held_before_is_listed_behind_what_is_new() -> None:
    """A pool that is full since yesterday is looked for here, too."""
    key = AlertKey("nas1", "finding", "tank")
    before = replace(WARNING, number=0, key=key)

    new, heading, held = page([CRITICAL], [before], (), 20.0).table.rows

    assert "2" == new.key
    assert text(heading.line or ()).startswith("Held before")
    assert "nas1 finding tank" == held.key
    assert ["before", "warning", "nas1", "", "tank: DEGRADED"] == [cell.text for cell in held.cells]


def test_the_details_have_the_whole_sentence_and_its_age() -> None:
    first, second = map(text, notes(replace(CRITICAL, is_from_before=True), 129.0))
    assert "bulk: all I/O waits" == first
    assert "nas2 · bulk · pool-suspended · 2m ago · of an earlier console" == second
    assert [] == list(notes(None, 0.0))


def test_at_forty_columns_a_row_has_the_time_the_severity_and_the_words() -> None:
    over = replace(DONE, phase=AlertPhase.OVER)
    table = page([WARNING, CRITICAL, over], (), [], 2 * DAY_S).table
    placed = place(table.columns, 39)

    assert [
        "01 00:00 ✓     tank: the scrub finished",
        "01 00:00 ✗     bulk: all I/O waits",
        "01 00:00 ▲     tank: DEGRADED",
    ] == [plain(draw(row, placed)).rstrip() for row in table.rows]
