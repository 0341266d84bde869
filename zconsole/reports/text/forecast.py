"""`zconsole forecast`: when a pool is full, in sentences, with a chart of the past and of what is ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.forecast.sentences import (
    NOT_WITHIN,
    answer,
    based,
    day,
    earliest_and_latest,
    pace,
    remarks,
    signed,
    span,
)
from zconsole.analysis.forecast.trend import CONFIDENCE
from zconsole.base.formatting import size
from zconsole.base.harmless_text import visible
from zconsole.model.forecast import Forecast, Growing, HistorySource, LevelReached
from zconsole.reports.text.forecast_chart import chart_lines

_PERCENT: Final = 100


def forecast_lines(forecast: Forecast, *, is_ascii: bool = False) -> Iterator[str]:
    """Yield one pool's forecast as lines that no terminal obeys."""
    return map(visible, _lines(forecast, is_ascii=is_ascii))


def _lines(forecast: Forecast, *, is_ascii: bool) -> Iterator[str]:
    usable = forecast.usable_bytes
    percent = f" ({_PERCENT * forecast.used_bytes / usable:.0f} %)" if usable else ""
    yield (
        f"{forecast.host} {forecast.pool}: {size(forecast.used_bytes)} of {size(usable)} usable are used"
        f"{percent}; {answer(forecast)}."
    )
    trend = forecast.trend
    if trend is not None:
        yield f"Grows by {pace(trend)}."
        for passing in trend.passings:
            yield f"  {_passing(passing, forecast.at)}"
        if forecast.history is not None and forecast.history.basis is HistorySource.GUESS:
            yield "It is a guess: how often its ranges hold is not known."
        else:
            yield f"In at least {CONFIDENCE * 10:.0f} of 10 cases such a range holds the true date."
        yield from remarks(trend)
    if forecast.growing is not None:
        yield from _growing(forecast.growing)
    if forecast.history is not None:
        yield based(forecast.history)
        yield from (f"  {sentence}" for sentence in forecast.history.evidence)
    yield from (f"Note: {note}." for note in forecast.notes)
    if trend is not None:
        yield from chart_lines(forecast, is_ascii=is_ascii)


def _passing(passing: LevelReached, now: float) -> str:
    level = f"{passing.percent:3} % ({size(passing.level_bytes)})"
    if passing.is_reached:
        return f"{level}: reached"
    likely = (
        NOT_WITHIN if passing.likely is None else f"{day(passing.likely)}, in {span(passing.likely - now)}"
    )
    return f"{level}: likely {likely}; {earliest_and_latest(passing)}"


def _growing(growing: Growing) -> Iterator[str]:
    yield f"What grows, since {day(growing.since)}:" if growing.datasets else "No dataset grows."
    for one in growing.datasets:
        snapshots = (
            ""
            if one.snapshots_bytes_per_day is None
            else f", {signed(one.snapshots_bytes_per_day)} in snapshots"
        )
        yield f"  {one.name}: {signed(one.live_bytes_per_day)} a day of live data{snapshots}"
