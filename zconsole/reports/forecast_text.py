"""`zconsole forecast`: when a pool is full, in sentences, with a chart of the past and of what is ahead."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from zconsole.analysis.forecast.trend import CONFIDENCE
from zconsole.base.text import visible
from zconsole.base.units import size
from zconsole.model.forecast import Basis, Forecast, Growing, Passing, SpaceHistory, Trend
from zconsole.reports.forecast_chart import chart_lines

_PERCENT: Final = 100
_DAY_S: Final = 86400.0
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SOURCES: Final = {
    Basis.SAMPLES: "samples",
    Basis.PROMETHEUS: "Prometheus",
    Basis.GUESS: "a guess from what datasets and snapshots tell of their past; samples will tell more",
}


def forecast_lines(forecast: Forecast, *, is_ascii: bool = False) -> Iterator[str]:
    """Yield one pool's forecast as lines that no terminal obeys."""
    return map(visible, _lines(forecast, is_ascii=is_ascii))


def _lines(forecast: Forecast, *, is_ascii: bool) -> Iterator[str]:
    usable = forecast.usable_bytes
    percent = f" ({_PERCENT * forecast.used_bytes / usable:.0f} %)" if usable else ""
    yield (
        f"{forecast.host} {forecast.pool}: {size(forecast.used_bytes)} of {size(usable)} usable are used"
        f"{percent}; {_answer(forecast)}."
    )
    trend = forecast.trend
    if trend is not None:
        yield f"Grows by {_pace(trend)}."
        for passing in trend.passings:
            yield f"  {_passing(passing, forecast.at)}"
        if forecast.history is not None and forecast.history.basis is Basis.GUESS:
            yield "It is a guess: how often its ranges hold is not known."
        else:
            yield f"In at least {CONFIDENCE * 10:.0f} of 10 cases such a range holds the true date."
        yield from _remarks(trend)
    if forecast.growing is not None:
        yield from _growing(forecast.growing)
    if forecast.history is not None:
        yield _based(forecast.history)
        yield from (f"  {sentence}" for sentence in forecast.history.evidence)
    yield from (f"Note: {note}." for note in forecast.notes)
    if trend is not None:
        yield from chart_lines(forecast, is_ascii=is_ascii)


def _answer(forecast: Forecast) -> str:
    if forecast.trend is None:
        return f"too little is known to say when it is full: {forecast.too_little}"
    full = forecast.trend.passings[-1]
    if full.is_reached:
        return "it is full"
    if full.likely is None:
        if full.earliest is None:
            return "it is not full within 10 years"
        return f"it is likely not full within 10 years, at the earliest {_day(full.earliest)}"
    return f"full likely {_day(full.likely)}, {_range(full)}"


def _range(passing: Passing) -> str:
    latest = "not within 10 years" if passing.latest is None else _day(passing.latest)
    earliest = "not within 10 years" if passing.earliest is None else _day(passing.earliest)
    return f"earliest {earliest}, latest {latest}"


def _passing(passing: Passing, now: float) -> str:
    level = f"{passing.percent:3} % ({size(passing.level_bytes)})"
    if passing.is_reached:
        return f"{level}: reached"
    likely = (
        "not within 10 years"
        if passing.likely is None
        else f"{_day(passing.likely)}, in {_span(passing.likely - now)}"
    )
    return f"{level}: likely {likely}; {_range(passing)}"


def _pace(trend: Trend) -> str:
    low, likely, high = (
        _signed(each) for each in (trend.low_bytes_per_day, trend.bytes_per_day, trend.high_bytes_per_day)
    )
    return f"{likely} a day, {_signed(30 * trend.bytes_per_day)} in 30 days (range {low} to {high} a day)"


def _remarks(trend: Trend) -> Iterator[str]:
    if trend.has_changed:
        yield "It lately grows at another pace than before; the likely dates are by the later one."
    for jump in trend.jumps:
        more = "more" if jump.size_bytes > 0 else "less"
        yield f"By {_day(jump.at)} it was {size(abs(round(jump.size_bytes)))} {more} at once."
    if trend.weekdays is not None:
        top = max(range(len(_DAYS)), key=lambda day: trend.weekdays[day] if trend.weekdays else 0.0)
        yield f"Its use has a weekly pattern (highest on {_DAYS[top]}, UTC), which is allowed for."


def _growing(growing: Growing) -> Iterator[str]:
    yield f"What grows, since {_day(growing.since)}:" if growing.datasets else "No dataset grows."
    for one in growing.datasets:
        snapshots = (
            ""
            if one.snapshots_bytes_per_day is None
            else f", {_signed(one.snapshots_bytes_per_day)} in snapshots"
        )
        yield f"  {one.name}: {_signed(one.live_bytes_per_day)} a day of live data{snapshots}"


def _based(history: SpaceHistory) -> str:
    first, last = history.points[0][0], history.points[-1][0]
    return (
        f"Based on {_SOURCES[history.basis]}: "
        f"{len(history.points)} values, {_day(first)} to {_day(last)} ({_span(last - first)})."
    )


def _signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'}{size(abs(round(value)))}"


def _day(epoch_s: float) -> str:
    return f"{datetime.fromtimestamp(epoch_s, UTC):%Y-%m-%d}"


def _span(seconds: float) -> str:
    days = max(0.0, seconds / _DAY_S)
    if days < 60:
        return f"{days:.0f} day{'' if round(days) == 1 else 's'}"
    months = days / 30.44
    return f"{months:.0f} months" if months < 24 else f"{days / 365.25:.1f} years"
