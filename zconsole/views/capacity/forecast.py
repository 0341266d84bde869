"""When a pool is full, as lines: the three levels, a chart with labelled axes, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.forecast.chart import Chart, ChartMark, chart
from zconsole.analysis.forecast.sentences import based, day, day_or_never, remarks, signed, span
from zconsole.base.quantities import binary, decimal
from zconsole.model.forecast import Forecast, HistorySource, LevelReached
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line, merge, wrap

LEFT: Final = 7  # cells of the labels on the left, with the axis
RIGHT: Final = 15  # and of the levels on the right
MOST_GROWING: Final = 5
_GLYPHS: Final = {
    ChartMark.NOTHING: (" ", "text"),
    ChartMark.USED: ("█", "strip"),
    ChartMark.LIKELY: ("●", "info"),
    ChartMark.WITHIN: ("░", "dim"),
    ChartMark.LEVEL: ("╌", "rule"),
}
_LEVEL_STYLES: Final = {80: "text", 90: "warn", 100: "bad"}


def forecast_lines(forecast: Forecast | None, problem: str, cells: int, height: int) -> Iterator[Line]:
    """The levels first, then the chart, then all that is to be known of it."""
    if forecast is None:
        yield from wrap(
            line((problem, "warn")) if problem else line(("Its past is being read ...", "dim")), cells
        )
        return
    if forecast.trend is None:
        words = f"Too little is known to say when it is full: {forecast.too_little}."
        yield from wrap(line((words, "warn")), cells)
        more = "The console takes a sample every 15 minutes while it runs; `zconsole sample` by a timer."
        yield from wrap(line((more, "dim")), cells)
    else:
        for passing in forecast.trend.passings:
            yield _level(passing, forecast.at)
        yield from chart_lines(forecast, cells, height)
    yield from _evidence(forecast, cells)


def chart_lines(forecast: Forecast, cells: int, height: int) -> Iterator[Line]:
    """The chart, as wide as there is room."""
    drawn = chart(forecast, max(10, cells - LEFT - RIGHT), height)
    if drawn is None:
        return
    for at, (label, row) in enumerate(zip(drawn.labels, drawn.rows, strict=True)):
        marks = merge(Span(_GLYPHS[mark][0], _GLYPHS[mark][1]) for mark in row)
        yield (Span(f"{label:>{LEFT - 2}} ┤", "dim"), *marks, *_right(drawn, at, forecast))
    yield line((" " * (LEFT - 1) + "└", "dim"), (_floor(drawn), "dim"))
    yield line(
        (f"{f'used, {drawn.unit}':>{LEFT + 8}}   ", "dim"),
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
    """How fast it grows, short; nothing where that is not known."""
    if forecast is None or forecast.trend is None:
        return ""
    guess = forecast.history is not None and forecast.history.basis is HistorySource.GUESS
    return f"{signed(forecast.trend.bytes_per_day)} a day{' (guess)' if guess else ''}"


def _level(passing: LevelReached, now: float) -> Line:
    level = (f"{passing.percent:>4} % ", _LEVEL_STYLES.get(passing.percent, "text"))
    if passing.is_reached:
        return line(level, ("reached", _LEVEL_STYLES.get(passing.percent, "text")))
    if passing.likely is None:
        when = "likely not within 10 years".ljust(33)
    else:
        when = f"likely {day(passing.likely)}, in {span(passing.likely - now)}".ljust(33)
    early, late = day_or_never(passing.earliest), day_or_never(passing.latest)
    within = "" if passing.earliest is None else f" {early} to {late}"
    return line(level, when, (within, "dim"))


def _right(drawn: Chart, row: int, forecast: Forecast) -> Line:
    found = drawn.percents.get(row)
    if found is None:
        return EMPTY
    size = decimal(forecast.usable_bytes * found / 100)
    return line((f" {found:>3} %", _LEVEL_STYLES.get(found, "text")), (f" {size}", "dim"))


def _floor(drawn: Chart) -> str:
    """The axis of time with its dates in it."""
    width = len(drawn.rows[0])
    return "".join("─" if char == " " else char for char in drawn.dates.ljust(width))


def _evidence(forecast: Forecast, cells: int) -> Iterator[Line]:
    trend, history = forecast.trend, forecast.history
    sentences: list[Line] = []
    if trend is not None:
        low, high = signed(trend.low_bytes_per_day), signed(trend.high_bytes_per_day)
        year = 365.25 * trend.bytes_per_day
        sentences.append(
            line(
                f"Grows by {signed(trend.bytes_per_day)} a day ({low} to {high}), ",
                f"{'-' if year < 0 else ''}{decimal(abs(year))} ({binary(abs(year))}) a year.",
            )
        )
        if history is not None and history.basis is HistorySource.GUESS:
            sentences.append(line(("It is a guess: how often its ranges hold is not known.", "warn")))
        sentences += [line(words) for words in remarks(trend)]
    if forecast.growing is not None:
        named = forecast.growing.datasets[:MOST_GROWING]
        if named:
            grows = ", ".join(f"{one.name} {signed(one.bytes_per_day)}" for one in named)
            sentences.append(line(("What grows, a day: ", "dim"), grows))
    if history is not None:
        sentences.append(line((based(history), "dim")))
    sentences += [line((f"Note: {note}.", "warn")) for note in forecast.notes]
    for words in sentences:
        yield from wrap(words, cells)
