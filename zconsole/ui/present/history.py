"""A strip of the last minutes on a fixed logarithmic scale: what is high is high, on every disk and day."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from zconsole.base.units import NS_PER_MS
from zconsole.model.io import IoRow, IoSample
from zconsole.ui.present.cells import EMPTY, Line, Span

CELLS: Final = 24
SAMPLES_A_CELL: Final = 5  # so that the strip moves every fifth sample, not every second
BLOCKS: Final = "▁▂▃▄▅▆▇█"
STEPS_MS: Final = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)  # upper bounds of all blocks but the last
WARN_LEVEL: Final = 6  # 100 ms and more
BAD_LEVEL: Final = 7  # 300 ms and more
TITLE: Final = "WAIT ms ▁.3 ▄10 ▆100 █300"
_Levels = list[int | None]


def wait_ns(row: IoRow) -> float | None:
    """The longer of the mean waits for reads and writes; None when there was no I/O."""
    read, write = row.latency.total_read, row.latency.total_write
    if read is None or write is None:
        return write if read is None else read
    return max(read, write)


def level(wait: float | None) -> int | None:
    """The block that a wait is drawn as."""
    if wait is None:
        return None
    return bisect_right(STEPS_MS, wait / NS_PER_MS)


class History:
    """The longest waits of each line of a pool's samples, a few samples a cell; takes in only what is new.

    A strip is drawn anew when time moves on by a cell, or when its newest cell rises.
    """

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._cell_s = 0.0
        self._cells: dict[int, _Levels] = {}
        self._newest = 0
        self._seen_at = float("-inf")
        self._strips: dict[int, tuple[tuple[int, int | None], Line]] = {}

    def take_in(self, samples: Sequence[IoSample], interval_s: float) -> None:
        """Add the samples that came since the last time; another topology starts over."""
        if not samples:
            return
        names, cell_s = samples[-1].names, max(interval_s, 0.1) * SAMPLES_A_CELL
        if names != self._names or cell_s != self._cell_s or samples[-1].at < self._seen_at:
            self._names, self._cell_s, self._cells, self._strips = names, cell_s, {}, {}
            self._seen_at = float("-inf")
        fresh = []
        for sample in reversed(samples[-CELLS * SAMPLES_A_CELL :]):
            if sample.at <= self._seen_at:
                break
            fresh.append(sample)
        for sample in reversed(fresh):
            self._add(sample)
        self._seen_at = samples[-1].at
        self._newest = int(self._seen_at // cell_s)
        for old in [cell for cell in self._cells if cell <= self._newest - CELLS]:
            del self._cells[old]

    def _add(self, sample: IoSample) -> None:
        if len(sample.rows) != len(self._names):
            return
        cell = int(sample.at // self._cell_s)
        levels = self._cells.setdefault(cell, [None] * len(self._names))
        for place, row in enumerate(sample.rows):
            new, before = level(wait_ns(row)), levels[place]
            if new is not None and (before is None or new > before) and row.name == self._names[place]:
                levels[place] = new

    def strip(self, place: int) -> Line:
        """One line's history, the newest at the right; blank where all was idle."""
        if not 0 <= place < len(self._names):
            return EMPTY
        newest = self._cells.get(self._newest)
        until = (self._newest, None if newest is None else newest[place])
        drawn = self._strips.get(place)
        if drawn is None or drawn[0] != until:
            drawn = self._strips[place] = (until, self._draw(place))
        return drawn[1]

    def _draw(self, place: int) -> Line:
        cells = (self._cells.get(cell) for cell in range(self._newest - CELLS + 1, self._newest + 1))
        levels = [None if each is None else each[place] for each in cells]
        return tuple(
            Span("".join(" " if each is None else BLOCKS[each] for each in run), style)
            for style, run in groupby(levels, _style)
        )


def _style(each: int | None) -> str:
    if each is None:
        return "text"
    return "bad" if each >= BAD_LEVEL else "warn" if each >= WARN_LEVEL else "strip"
