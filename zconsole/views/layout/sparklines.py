"""Bar strips on fixed scales: a share, a rate, a time, each the same on every host and day."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from math import log
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.styled_text import BLOCKS, STRIP, Line, Span, merge

CELL_S: Final = 10.0  # of a strip over time


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of a strip: the lower bound of each block but the lowest; `label` names the ends."""

    label: str
    steps: tuple[float, ...]
    is_blank_at_zero: bool = True

    def block(self, value: float) -> str:
        """The block of a value."""
        return " " if self.is_blank_at_zero and not value else BLOCKS[bisect_right(self.steps, value)]

    def eighths(self, value: float, rows: int) -> int:
        """The height of a bar in eighths of a row; the scale is logarithmic between its steps."""
        if self.is_blank_at_zero and not value:
            return 0
        at = bisect_right(self.steps, value)
        low = self.steps[at - 1] if at else self.steps[0] ** 2 / self.steps[1]
        high = self.steps[at] if at < len(self.steps) else self.steps[-1] ** 2 / self.steps[-2]
        part = log(value / low) / log(high / low) if value > 0 < low < high else 0.0
        return min(len(BLOCKS) * rows, int((at + min(max(part, 0.0), 1.0)) * rows) + 1)


SHARE: Final = Scale("0-100%", tuple(eighth / 8 for eighth in range(1, 8)), is_blank_at_zero=False)
RATE: Final = Scale("1-1M/s", tuple(10.0**power for power in range(7)))
SECONDS: Final = Scale(".01-10 s", (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0))
MEGABYTES: Final = Scale("1-4k MiB", tuple(4.0**power for power in range(7)))


def over_time(
    values: Iterable[tuple[float, float | None]],
    cells: int,
    pick: Callable[[float, float], float] = max,
) -> list[float | None]:
    """One value for each of the last periods, oldest first, from (moment, value), newest first.

    `pick` chooses among several values of a period; None for a period without values. Periods begin at
    whole multiples of their length, so that a strip moves by a cell and not with each value.
    """
    found: list[float | None] = [None] * cells
    newest: int | None = None
    for moment, value in values:
        stretch = int(moment // CELL_S)
        newest = stretch if newest is None else newest
        cell = cells - 1 - (newest - stretch)
        if cell < 0:
            break
        if value is not None and cell < cells:
            known = found[cell]
            found[cell] = value if known is None else pick(known, value)
    return found


def draw(values: Sequence[float | None], scale: Scale, high_from: float | None = None) -> Line:
    """Blocks, the newest at the right; values from `high_from` on stand out."""
    looks = [
        (" ", STRIP) if value is None else (scale.block(value), _style(value, high_from)) for value in values
    ]
    return merge(
        [
            Span("".join(block for block, _ in run), style)
            for style, run in groupby(looks, lambda look: look[1])
        ]
    )


def draw_rows(
    values: Sequence[float | None], scale: Scale, rows: int, style: Callable[[float], str] = lambda _: STRIP
) -> list[Line]:
    """Bars of several rows on a logarithmic scale, the top row first; `style` is that of a value."""
    bars = [(0, STRIP) if value is None else (scale.eighths(value, rows), style(value)) for value in values]
    drawn = []
    for row in range(rows - 1, -1, -1):
        cells = [(_cell(high - row * len(BLOCKS)), look) for high, look in bars]
        runs = groupby(cells, lambda cell: cell[1])
        drawn.append(merge([Span("".join(block for block, _ in run), look) for look, run in runs]))
    return drawn


def _cell(eighths: int) -> str:
    return BLOCKS[min(eighths, len(BLOCKS)) - 1] if eighths > 0 else " "


def _style(value: float, high_from: float | None) -> str:
    return "warn" if high_from is not None and value >= high_from else STRIP
