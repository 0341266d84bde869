"""Latency heatmap: each vdev over time, on a fixed logarithmic scale."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from zconsole.base.fixed_width_formatting import NS_PER_MS, duration
from zconsole.base.lazy_dataclass import fast_dataclass
from zconsole.model.past_states_and_latency_strips import Strips
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.views.findings.slow_disk_phrases import clock
from zconsole.views.layout.state_age_and_link_phrases import WARN
from zconsole.views.layout.styled_text import BLOCKS, EMPTY, STRIP, Line, Span, merge

STEPS_MS: Final = (0.4, 1.0, 2.5, 6.0, 16.0, 40.0, 100.0)  # upper bounds of all blocks but the last
HIGH_NS: Final = 100.0 * NS_PER_MS  # from here on another colour, with or without a finding
AWFUL_NS: Final = 400.0 * NS_PER_MS
CELLS: Final = 24  # of the strip beside other columns
TITLE: Final = "DISK ms ▁≤.4 ▄≤6 █>100"
SCALES: Final = (
    "▁≤.4 ▂≤1 ▃≤2.5 ▄≤6 ▅≤16 ▆≤40 ▇≤100 █>100 ms",
    "▁≤.4 ▄≤6 ▆≤40 █>100 ms",
    "▁≤.4 ▄≤6 █>100 ms",
    "",
)
ZOOMS_S: Final = (5.0, 15.0, 60.0)  # of a cell; below that interval one cell is several samples
Ask = Callable[[float, float, int], Strips | None]  # end, seconds a cell, number of cells


@fast_dataclass
class LatencyStrip:
    """A strip, and the mean of its levels to sort by."""

    line: Line = EMPTY
    level: float | None = None


NO_STRIP: Final = LatencyStrip()


def level(wait_ns: float | None) -> int | None:
    """The block of a wait."""
    return None if wait_ns is None else bisect_right(STEPS_MS, wait_ns / NS_PER_MS)


def title(cells: int, cell_s: float, until: float | None = None) -> str:
    """The header of a wide strip: its begin, the scale, and its end, which is now by default."""
    begins, ends = f"{duration(cells * cell_s)} ago", "now"
    if until is not None:
        begins, ends = clock(until - cells * cell_s), clock(until)
    for scale in SCALES:
        room = cells - len(begins) - len(ends) - len(scale)
        if room >= 2:
            return f"{begins}{' ' * (room // 2)}{scale}{' ' * (room - room // 2)}{ends}"
    return TITLE


class Heat:
    """Heatmap of a pool: data is requested when a cell's time is over, strips are drawn on access."""

    def __init__(self) -> None:
        self._asked: tuple[float, float, int] = (0.0, 0.0, 0)
        self._strips: Strips | None = None
        self._drawn: dict[int, tuple[object, LatencyStrip]] = {}

    def take_in(self, ask: Ask, at: float, cell_s: float, cells: int) -> None:
        """Bring the heatmap up to the last complete cell at a moment."""
        wanted = (at // cell_s * cell_s, cell_s, cells)
        if wanted != self._asked or self._strips is None:
            self._asked = wanted
            self._strips = ask(*wanted)
            self._drawn.clear()

    def strip(self, place: int, name: str, verdicts: Sequence[SlowDiskVerdict] = ()) -> LatencyStrip:
        """The strip of a row, the newest at the right; a mark where it grew slow, then another colour."""
        strips = self._strips
        row = strips.rows[place] if strips is not None and place < len(strips.rows) else None
        if row is None or row.name != name:
            return NO_STRIP
        values = row.values[-self._asked[2] :]
        slow = tuple(self._cells_of(verdict, len(values)) for verdict in verdicts)
        drawn = self._drawn.get(place)
        if drawn is None or drawn[0] != (name, slow):
            drawn = self._drawn[place] = ((name, slow), _draw(values, slow, self._asked[2]))
        return drawn[1]

    def _cells_of(self, verdict: SlowDiskVerdict, count: int) -> range:
        """The cells of a strip in which a verdict was valid."""
        until, cell_s, _ = self._asked
        begins = until - count * cell_s
        first = int((verdict.first_at - begins) // cell_s)
        last = count if verdict.is_ongoing else int((verdict.last_at - begins) // cell_s) + 1
        return range(min(max(0, first), count), min(max(0, last), count))


def _draw(values: Sequence[float | None], slow: Sequence[range], cells: int) -> LatencyStrip:
    begins = {cells.start for cells in slow if cells.start > 0}
    looks = [
        (WARN, "warn") if at in begins else block_and_style(value, is_slow=any(at in cells for cells in slow))
        for at, value in enumerate(values)
    ]
    spans = [
        Span("".join(block for block, _ in run), style) for style, run in groupby(looks, lambda look: look[1])
    ]
    known = [each for each in map(level, values) if each is not None]
    missing = " " * (cells - len(values))
    return LatencyStrip(merge([Span(missing, STRIP), *spans]), sum(known) / len(known) if known else None)


def block_and_style(value: float | None, *, is_slow: bool = False) -> tuple[str, str]:
    """The block and style of a wait in nanoseconds; a blank where it is not known."""
    found = level(value)
    if found is None or value is None:
        return " ", STRIP
    if value >= AWFUL_NS:
        return BLOCKS[found], "bad"
    return BLOCKS[found], "warn" if is_slow or value >= HIGH_NS else STRIP
