"""The chart of a forecast, in text: what was used, what is ahead with its range, and the three levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.forecast.chart import WIDTH, ChartMark, chart
from zconsole.model.forecast import Forecast

_LABEL: Final = 9
_FINE: Final = {
    ChartMark.NOTHING: " ",
    ChartMark.USED: "█",
    ChartMark.LIKELY: "●",
    ChartMark.WITHIN: "░",
    ChartMark.LEVEL: "╌",
}
_ASCII: Final = {
    ChartMark.NOTHING: " ",
    ChartMark.USED: "#",
    ChartMark.LIKELY: "o",
    ChartMark.WITHIN: ":",
    ChartMark.LEVEL: "-",
}


def chart_lines(forecast: Forecast, *, is_ascii: bool = False) -> Iterator[str]:
    """Yield the chart of a forecast that has a trend: used space upwards, time to the right."""
    drawn = chart(forecast)
    if drawn is None:
        return
    marks = _ASCII if is_ascii else _FINE
    axis, corner, floor = "|+-" if is_ascii else "┤└─"
    yield f"{f'used, {drawn.unit}':>{_LABEL}}"
    for at, (label, row) in enumerate(zip(drawn.labels, drawn.rows, strict=True)):
        percent = f" {drawn.percents[at]} %" if at in drawn.percents else ""
        yield f"{label:>{_LABEL}} {axis}{''.join(marks[mark] for mark in row)}{percent}".rstrip()
    yield f"{'':{_LABEL}} {corner}{floor * WIDTH}"
    yield f"{'':{_LABEL + 2}}{drawn.dates}"
    used, likely, within = (marks[each] for each in (ChartMark.USED, ChartMark.LIKELY, ChartMark.WITHIN))
    yield f"{'':{_LABEL + 2}}{used} used  {likely} likely  {within} range"
