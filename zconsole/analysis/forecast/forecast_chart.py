"""Chart of a forecast as a grid of marks: used space, predicted space with range, levels."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from enum import Enum
from typing import Final

from zconsole.analysis.forecast.forecast_sentences import day
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.size_units import used_units
from zconsole.model.forecast import Forecast, Trend

WIDTH: Final = 60  # columns of the plot
HEIGHT: Final = 13
TOP: Final = 1.08  # of usable space
FUTURE_SHARE: Final = 0.6  # minimum part of the columns for the future
SHORTEST_S: Final = 30 * 86400.0
LONGEST_S: Final = 3652.5 * 86400.0
BEYOND: Final = 1.25  # times the likely time until full
LABEL_EVERY: Final = 3  # rows
_GIGA: Final = 3  # powers of the base of units
_TERA: Final = 4
_FEW: Final = 2  # TiB or TB


class ChartMark(Enum):
    """Mark at one place of the chart."""

    NOTHING = "nothing"
    USED = "used"
    LIKELY = "likely"
    WITHIN = "within"  # the range
    LEVEL = "level"  # 80, 90 or 100 percent


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows from the top; `labels` are the values at the middle of some rows, in `unit`."""

    rows: tuple[tuple[ChartMark, ...], ...]
    labels: tuple[str, ...]
    percents: dict[int, int]  # percentage of the level in a row
    unit: str
    dates: str  # today, the first and the last day, below their columns


def chart(forecast: Forecast, width: int = WIDTH, height: int = HEIGHT) -> Chart | None:
    """The chart of a forecast with a trend: used space upwards, time to the right."""
    trend, history = forecast.trend, forecast.history
    if trend is None or history is None or not forecast.usable_bytes:
        return None
    end = forecast.at + _length(trend, forecast.at)
    begin = max(history.points[0][0], forecast.at - (end - forecast.at) * (1 / FUTURE_SHARE - 1))
    top = TOP * forecast.usable_bytes
    rows = [[ChartMark.NOTHING] * width for _ in range(height)]
    percents: dict[int, int] = {}
    for passing in trend.passings:
        at_row = _row(passing.level_bytes, top, height)
        rows[at_row] = [ChartMark.LEVEL] * width
        percents[at_row] = passing.percent
    for column in range(width):
        at = begin + (end - begin) * (column + 0.5) / width
        _draw(rows, column, _values(forecast, trend, at), top)
    units = used_units()
    power = _TERA if top >= _FEW * units.base**_TERA else _GIGA
    labels = tuple(
        "" if row % LABEL_EVERY else f"{top * (height - row - 0.5) / height / units.base**power:.1f}"
        for row in range(height)
    )
    dates = _dates(begin, forecast.at, end, width)
    return Chart(tuple(tuple(row) for row in rows), labels, percents, units.names[power], dates)


def _length(trend: Trend, now: float) -> float:
    full = trend.passings[-1]
    likely = full.likely or full.earliest
    wanted = SHORTEST_S if likely is None else BEYOND * (likely - now)
    if likely is None and not full.is_reached:
        wanted = LONGEST_S
    return min(max(SHORTEST_S, wanted), LONGEST_S)


def _row(value: float, top: float, height: int) -> int:
    return min(height - 1, max(0, height - 1 - int(value / top * height)))


def _values(forecast: Forecast, trend: Trend, at: float) -> tuple[float, float, float] | float:
    """Used bytes at a past time, or low, likely and high at a future one."""
    if at <= forecast.at:
        points = forecast.history.points if forecast.history is not None else ()
        return _between([point[0] for point in points], [point[1] for point in points], at)
    moments = [forecast.at, *(one.at for one in trend.ahead)]
    now = float(forecast.used_bytes)
    low, likely, high = (
        _between(moments, [now, *values], at)
        for values in (
            [one.low_bytes for one in trend.ahead],
            [one.likely_bytes for one in trend.ahead],
            [one.high_bytes for one in trend.ahead],
        )
    )
    return low, likely, high


def _between(moments: Sequence[float], values: Sequence[float], at: float) -> float:
    index = bisect_left(moments, at)
    if index == 0:
        return values[0]
    if index == len(moments):
        return values[-1]
    share = (at - moments[index - 1]) / ((moments[index] - moments[index - 1]) or 1.0)
    return values[index - 1] + share * (values[index] - values[index - 1])


def _draw(
    rows: list[list[ChartMark]], column: int, values: tuple[float, float, float] | float, top: float
) -> None:
    height = len(rows)
    if isinstance(values, float):
        for row in range(_row(values, top, height), height):
            rows[row][column] = ChartMark.USED
        return
    low, likely, high = values
    for row in range(_row(min(high, top), top, height), _row(low, top, height) + 1):
        rows[row][column] = ChartMark.WITHIN
    if likely <= top:
        rows[_row(likely, top, height)][column] = ChartMark.LIKELY


def _dates(begin: float, now: float, end: float, width: int) -> str:
    """Today first; the others if there is room."""
    line = [" "] * (width + 12)
    for at, words, shift in (
        (now, "now", 0),
        (end, day(end), -len(day(end))),
        (begin, day(begin), 0),
    ):
        place = max(0, round((at - begin) / (end - begin) * width) + shift)
        if all(char == " " for char in line[max(0, place - 1) : place + len(words) + 1]):
            line[place : place + len(words)] = words
    return "".join(line).rstrip()
