"""Sentences on a forecast: date, growth rate, and evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.trend import CONFIDENCE, share_held
from zconsole.base.fixed_width_formatting import DAY, moment, size
from zconsole.model.forecast import GrowthShape, HistorySource, SpaceHistory, Trend

NOT_WITHIN: Final = "not within 10y"
BEYOND: Final = "beyond 10y"
YEAR_DAYS: Final = 365.25
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SHAPES: Final = {
    GrowthShape.PERCENT: "It grows by a percentage of what it holds: the dates allow for growth on growth.",
    GrowthShape.RISING: "Its growth becomes faster; the likely dates go on so, the range allows for an end.",
    GrowthShape.FALLING: "Its growth becomes slower; the likely dates go on so, the range allows for an end.",
    GrowthShape.YEARLY: "Its growth fits a season of a year, which the dates allow for.",
    None: "Its history does not tell whether it grows evenly, by a percentage, or with a season of a year: "
    "the range allows for each.",
}
_SOURCES: Final = {
    HistorySource.SAMPLES: "samples",
    HistorySource.PROMETHEUS: "Prometheus",
    HistorySource.GUESS: (
        "a guess from the ages and sizes of datasets and snapshots; samples will make it better"
    ),
}


def full_words(trend: Trend) -> str:
    """The date at which the pool is full, with its range."""
    full = trend.passings[-1]
    if full.is_reached:
        return "it is full"
    if full.likely is None:
        if full.earliest is None:
            return _not_full(trend)
        return f"it is likely not full within 10y; its range begins {day(full.earliest)}"
    return (
        f"full likely {day(full.likely)}, range {day_or_never(full.earliest)} to {day_or_never(full.latest)}"
    )


def pace(trend: Trend) -> str:
    """The growth rate with its range."""
    month = 30 * trend.bytes_per_day if trend.month_bytes is None else trend.month_bytes
    year = YEAR_DAYS * trend.bytes_per_day if trend.year_bytes is None else trend.year_bytes
    low, likely, high = (
        signed(each) for each in (trend.low_bytes_per_day, trend.bytes_per_day, trend.high_bytes_per_day)
    )
    return f"{likely} a day now (range {low} to {high}), {signed(month)} in 30d, {signed(year)} in a year"


def remarks(trend: Trend) -> Iterator[str]:
    """Remarks on a trend: its shape, recent change of rate, jumps, weekly pattern."""
    if trend.shape is not GrowthShape.LINE:
        yield _SHAPES[trend.shape]
    if trend.has_changed:
        yield "It has recently grown at a different rate; the likely dates use the recent rate."
    for jump in trend.jumps:
        more = "more" if jump.size_bytes > 0 else "less"
        yield f"By {day(jump.at)} it was {size(abs(round(jump.size_bytes)))} {more} at once."
    if trend.weekdays is not None:
        top = max(range(len(_DAYS)), key=lambda day: trend.weekdays[day] if trend.weekdays else 0.0)
        yield f"Its use has a weekly pattern (highest on {_DAYS[top]}, UTC), which the forecast includes."


def _not_full(trend: Trend) -> str:
    """What would have to happen for the pool to be full within the horizon."""
    return (
        f"not full within 10y unless it grows by more than {size(round(trend.fills_at_bytes_per_day))} a day "
        f"(now {signed(trend.bytes_per_day)}, range up to {signed(trend.high_bytes_per_day)})"
    )


def how_often(history: SpaceHistory) -> str:
    """How often ranges that rest on such a history hold the true date."""
    if history.basis is HistorySource.GUESS:
        return "It is a guess: how often its ranges hold is not known."
    held = share_held(history)
    if held is not None:
        often = "3 of 4" if held < CONFIDENCE else f"{CONFIDENCE * 10:.0f} of 10"
        return (
            f"Such a range held the true date of about {often} recorded histories; where growth changes as "
            "people come and go (tenants, terms), of about 6 of 10. The others were full earlier or later."
        )
    days = span(history.points[-1][0] - history.points[0][0])
    return (
        f"In about {CONFIDENCE * 10:.0f} of 10 cases such a range holds the true date of a pool that grows "
        f"evenly; where data comes or goes in large steps, of which {days} show "
        "few or none, in about half of the cases."
    )


def based(history: SpaceHistory) -> str:
    """The data that a history is based on."""
    first, last = history.points[0][0], history.points[-1][0]
    return (
        f"Based on {_SOURCES[history.basis]}: "
        f"{len(history.points)} values, {day(first)} to {day(last)} ({span(last - first)})."
    )


def signed(value: float) -> str:
    """Bytes with sign: `+25.1 GiB`."""
    return f"{'-' if value < 0 else '+'}{size(abs(round(value)))}"


def day(epoch_s: float) -> str:
    """A day, UTC."""
    return moment(epoch_s, DAY)


def day_or_never(epoch_s: float | None) -> str:
    """A day, or that it is beyond the horizon."""
    return BEYOND if epoch_s is None else day(epoch_s)


def span(seconds: float) -> str:
    """A length of time, with no more precision than an estimate has: `32d`, `13mo`, `2.5y`."""
    days = max(0.0, seconds / DAY_S)
    if days < 60:
        return f"{days:.0f}d"
    months = days / 30.44
    return f"{months:.0f}mo" if months < 24 else f"{days / YEAR_DAYS:.1f}y"
