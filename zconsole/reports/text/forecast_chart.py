"""The chart of a forecast, in text: what was used, what is ahead with its range, and the three levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.forecast.chart import WIDTH, Mark, chart
from zconsole.model.forecast import Forecast

_LABEL: Final = 9
_FINE: Final = {
    Mark.NOTHING: " ",
    Mark.USED: "█",
    Mark.LIKELY: "●",
    Mark.WITHIN: "░",
    Mark.LEVEL: "╌",
}
_ASCII: Final = {Mark.NOTHING: " ", Mark.USED: "#", Mark.LIKELY: "o", Mark.WITHIN: ":", Mark.LEVEL: "-"}


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
    yield f"{'':{_LABEL + 2}}{marks[Mark.USED]} used  {marks[Mark.LIKELY]} likely  {marks[Mark.WITHIN]} range"
