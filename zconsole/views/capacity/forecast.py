"""Capacity forecast of a pool as lines: the three levels, a chart with labelled axes, and the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.forecast.forecast_chart import Chart, ChartMark, chart
from zconsole.analysis.forecast.forecast_sentences import (
    NOT_WITHIN,
    based,
    day,
    day_or_never,
    full_words,
    how_often,
    pace,
    remarks,
    signed,
    span,
)
from zconsole.analysis.forecast.trend import is_seasoned
from zconsole.analysis.guests.full_pool_sentences import full_in_words
from zconsole.analysis.guests.guests_of_a_full_pool import guests_when_full
from zconsole.base.fixed_width_formatting import size, used_percent
from zconsole.model.forecast import Forecast, GrowingDatasets, HistorySource, LevelReached
from zconsole.model.guests.guest import Guest
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line, merge

LEFT: Final = 12  # cells of the labels on the left, with the axis
RIGHT: Final = 15  # and of the levels on the right
HEIGHT: Final = 13  # rows of the chart on a high terminal
MORE_SAMPLES: Final = (
    "The console takes a sample every 15 minutes while it runs; `zconsole sample` takes one by a timer."
)
_GLYPHS: Final = {
    ChartMark.NOTHING: (" ", "text"),
    ChartMark.USED: ("█", "strip"),
    ChartMark.LIKELY: ("●", "info"),
    ChartMark.WITHIN: ("░", "dim"),
    ChartMark.LEVEL: ("╌", "rule"),
}
_LEVEL_STYLES: Final = {80: "text", 90: "warn", 100: "bad"}


def summary_line(forecast: Forecast) -> Line:
    """Return the pool, the used part, and the date on which it is full."""
    used, usable = forecast.used_bytes, forecast.usable_bytes
    share = f" ({used_percent(100 * used / usable)})" if usable else ""
    when = "" if forecast.trend is None else f"; {full_words(forecast.trend)}"
    return line(
        (f"{forecast.host} {forecast.pool}", "title"),
        f": {size(used)} of {size(usable)} usable are used{share}{when}.",
    )


def forecast_lines(
    forecast: Forecast, cells: int, height: int, guests: Sequence[Guest] = ()
) -> Iterator[Line]:
    """Return the levels, what happens to the guests when it is full, the chart, and the evidence.

    Not wrapped yet. The chart takes the given width and height; `guests` are those of the host, where known.
    """
    if forecast.trend is None:
        yield line((f"Too little is known to say when it is full: {forecast.too_little}.", "warn"))
        yield line((MORE_SAMPLES, "dim"))
        yield from _guests_when_full(forecast, guests)
    else:
        for passing in forecast.trend.passings:
            yield _level(passing, forecast.at)
        yield from _guests_when_full(forecast, guests)
        yield from chart_lines(forecast, cells, height)
    yield from _evidence(forecast)


def chart_lines(forecast: Forecast, cells: int, height: int) -> Iterator[Line]:
    """Return the chart in a width."""
    drawn = chart(forecast, max(10, cells - LEFT - RIGHT), height)
    if drawn is None:
        return
    for at, (label, row) in enumerate(zip(drawn.labels, drawn.rows, strict=True)):
        marks = merge(Span(_GLYPHS[mark][0], _GLYPHS[mark][1]) for mark in row)
        named = f"{label} {drawn.unit}" if label else ""
        yield (Span(f"{named:>{LEFT - 2}} ┤", "dim"), *marks, *_right(drawn, at, forecast))
    yield line((" " * (LEFT - 1) + "└", "dim"), (_floor(drawn), "dim"))
    yield line(
        " " * LEFT,
        *[
            part
            for mark, words in (
                (ChartMark.USED, "used"),
                (ChartMark.LIKELY, "likely"),
                (ChartMark.WITHIN, "range"),
            )
            for part in (_GLYPHS[mark], (f" {words}   ", "dim"))
        ],
    )


def pace_words(forecast: Forecast | None) -> str:
    """Return the growth rate, short; empty where it is not known."""
    if forecast is None or forecast.trend is None:
        return ""
    guess = forecast.history is not None and forecast.history.basis is HistorySource.GUESS
    return f"{signed(forecast.trend.bytes_per_day)} a day{' (guess)' if guess else ''}"


def _level(passing: LevelReached, now: float) -> Line:
    style = _LEVEL_STYLES.get(passing.percent, "text")
    level = ((f"{passing.percent:>4} % ", style), (f"{size(passing.level_bytes):<9}", "dim"))
    if passing.is_reached:
        return line(*level, ("reached", style))
    if passing.likely is None:
        when = f"likely {NOT_WITHIN}"
    else:
        when = f"likely {day(passing.likely)}, in {span(passing.likely - now)}"
    if passing.earliest is None:
        return line(*level, when)
    return line(*level, f"{when:<27} ", (f"{day(passing.earliest)} to {day_or_never(passing.latest)}", "dim"))


def _guests_when_full(forecast: Forecast, guests: Sequence[Guest]) -> Iterator[Line]:
    """Return the guests that are paused or see errors then, with the date."""
    found = guests_when_full(guests, forecast.pool)
    if not found:
        return
    trend = forecast.trend
    full = trend.passings[-1] if trend is not None else None
    if full is not None and full.is_reached:
        when = "It is full"
    elif full is None or full.likely is None:
        when = "When it is full"
    else:
        early = "" if full.earliest is None else f", range from {day(full.earliest)}"
        when = f"When it is full, likely {day(full.likely)}{early}"
    yield line((f"{when}:", "warn"))
    yield from (line(f"  {words}") for words in full_in_words(found))


def _right(drawn: Chart, row: int, forecast: Forecast) -> Line:
    found = drawn.percents.get(row)
    if found is None:
        return EMPTY
    level = size(round(forecast.usable_bytes * found / 100))
    return line((f" {found:>3} %", _LEVEL_STYLES.get(found, "text")), (f" {level}", "dim"))


def _floor(drawn: Chart) -> str:
    """Return the time axis with its dates."""
    width = len(drawn.rows[0])
    return "".join("─" if char == " " else char for char in drawn.dates.ljust(width))


def _evidence(forecast: Forecast) -> Iterator[Line]:
    trend, history = forecast.trend, forecast.history
    if trend is not None:
        yield line(f"Grows by {pace(trend)}.")
        if history is not None:
            yield line((how_often(history), "dim" if is_seasoned(history) else "warn"))
        yield from (line(words) for words in remarks(trend))
    if forecast.growing is not None:
        yield from _growing(forecast.growing)
    if history is not None:
        yield line((based(history), "dim"))
        yield from (line((f"  {sentence}", "dim")) for sentence in history.evidence)
    yield from (line((f"Note: {note}.", "warn")) for note in forecast.notes)


def _growing(growing: GrowingDatasets) -> Iterator[Line]:
    """Return the datasets that grow fastest, live data and snapshots apart."""
    if not growing.datasets:
        yield line(("No dataset grows.", "dim"))
        return
    yield line((f"What grows, since {day(growing.since)}:", "dim"))
    for one in growing.datasets:
        apart = one.snapshots_bytes_per_day
        snapshots = "" if apart is None else f", {signed(apart)} in snapshots"
        yield line(f"  {one.name} {signed(one.live_bytes_per_day)} a day of live data{snapshots}")
