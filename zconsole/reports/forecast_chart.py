"""The chart of a forecast, in text: what was used, what is ahead with its range, and the three levels."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from zconsole.model.forecast import Forecast, Trend

WIDTH: Final = 60  # columns of the plot
HEIGHT: Final = 13
TOP: Final = 1.08  # of what is usable
FUTURE_SHARE: Final = 0.6  # of the columns, at least, are of what is ahead
SHORTEST_S: Final = 30 * 86400.0
LONGEST_S: Final = 3652.5 * 86400.0
BEYOND: Final = 1.25  # times as long as until it is likely full
_LABEL: Final = 9
_TIB: Final = 1 << 40
_GIB: Final = 1 << 30
_FEW_TIB: Final = 2


@dataclass(frozen=True, slots=True)
class _Marks:
    past: str
    likely: str
    within: str
    level: str
    axis: str
    corner: str
    floor: str


_FINE: Final = _Marks("█", "●", "░", "╌", "┤", "└", "─")
_ASCII: Final = _Marks("#", "o", ":", "-", "|", "+", "-")


def chart_lines(forecast: Forecast, *, is_ascii: bool = False) -> Iterator[str]:
    """Yield the chart of a forecast that has a trend: used space upwards, time to the right."""
    trend, history = forecast.trend, forecast.history
    if trend is None or history is None or not forecast.usable_bytes:
        return
    marks = _ASCII if is_ascii else _FINE
    end = forecast.at + _length(trend, forecast.at)
    begin = max(history.points[0][0], forecast.at - (end - forecast.at) * (1 / FUTURE_SHARE - 1))
    times = [begin + (end - begin) * (column + 0.5) / WIDTH for column in range(WIDTH)]
    top = TOP * forecast.usable_bytes
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]
    labels = _labels(top)
    for passing in trend.passings:
        height = _row(passing.level_bytes, top)
        rows[height] = [marks.level] * WIDTH
        labels[height] = (labels[height][0], f" {passing.percent} %")
    for column, at in enumerate(times):
        _draw(rows, column, _values(forecast, trend, at), top, marks)
    unit = _unit(top)[1]
    yield f"{'used, ' + unit:>{_LABEL}}"
    for (label, percent), row in zip(labels, rows, strict=True):
        yield f"{label:>{_LABEL}} {marks.axis}{''.join(row)}{percent}".rstrip()
    yield f"{'':{_LABEL}} {marks.corner}{marks.floor * WIDTH}"
    yield f"{'':{_LABEL + 2}}{_dates(begin, forecast.at, end)}".rstrip()
    yield f"{'':{_LABEL + 2}}{marks.past} used  {marks.likely} likely  {marks.within} range"


def _length(trend: Trend, now: float) -> float:
    full = trend.passings[-1]
    likely = full.likely or full.earliest
    wanted = SHORTEST_S if likely is None else BEYOND * (likely - now)
    if likely is None and not full.is_reached:
        wanted = LONGEST_S
    return min(max(SHORTEST_S, wanted), LONGEST_S)


def _labels(top: float) -> list[tuple[str, str]]:
    """What stands on the left and on the right of each row."""
    divisor, _ = _unit(top)
    found = []
    for row in range(HEIGHT):
        value = top * (HEIGHT - row - 0.5) / HEIGHT
        found.append((f"{value / divisor:.1f}" if row % 3 == 0 else "", ""))
    return found


def _unit(top: float) -> tuple[float, str]:
    return (_TIB, "TiB") if top >= _FEW_TIB * _TIB else (_GIB, "GiB")


def _row(value: float, top: float) -> int:
    return min(HEIGHT - 1, max(0, HEIGHT - 1 - int(value / top * HEIGHT)))


def _values(forecast: Forecast, trend: Trend, at: float) -> tuple[float, float, float] | float:
    """What was used at a moment, or low, likely and high of one that is ahead."""
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
    rows: list[list[str]], column: int, values: tuple[float, float, float] | float, top: float, marks: _Marks
) -> None:
    if isinstance(values, float):
        for row in range(_row(values, top), HEIGHT):
            rows[row][column] = marks.past
        return
    low, likely, high = values
    for row in range(_row(min(high, top), top), _row(low, top) + 1):
        rows[row][column] = marks.within
    if likely <= top:
        rows[_row(likely, top)][column] = marks.likely


def _dates(begin: float, now: float, end: float) -> str:
    """The first day, today and the last day, beneath where they are."""
    line = [" "] * (WIDTH + 12)
    for at, words, shift in (
        (begin, _day(begin), 0),
        (end, _day(end), -len(_day(end))),
        (now, "now", 0),
    ):
        place = round((at - begin) / (end - begin) * WIDTH) + shift
        place = max(0, place)
        if all(char == " " for char in line[max(0, place - 1) : place + len(words) + 1]):
            line[place : place + len(words)] = words
    return "".join(line)


def _day(epoch_s: float) -> str:
    return f"{datetime.fromtimestamp(epoch_s, UTC):%Y-%m-%d}"
