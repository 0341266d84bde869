"""A strip of the last minutes on a fixed logarithmic scale: what is high is high, on every disk and day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.base.units import NS_PER_MS
from zconsole.model.io import IoRow, IoSample
from zconsole.ui.present.cells import Line, Span, merge

CELLS: Final = 24
SAMPLES_A_CELL: Final = 5  # so that the strip moves every fifth sample, not every second
BLOCKS: Final = "▁▂▃▄▅▆▇█"
STEPS_MS: Final = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)  # upper bounds of all blocks but the last
WARN_LEVEL: Final = 6  # 100 ms and more
BAD_LEVEL: Final = 7  # 300 ms and more
TITLE: Final = "WAIT ms ▁.3 ▄10 ▆100 █300"


def wait_ns(row: IoRow) -> float | None:
    """The longer of the mean waits for reads and writes; None when there was no I/O."""
    waits = [w for w in (row.latency.total_read, row.latency.total_write) if w is not None]
    return max(waits, default=None)


def level(wait: float | None) -> int | None:
    """The block that a wait is drawn as."""
    if wait is None:
        return None
    return sum(wait / NS_PER_MS >= step for step in STEPS_MS)


def strip(samples: Sequence[IoSample], place: int, name: str, interval_s: float) -> Line:
    """The newest at the right; a cell is the longest wait of its few samples, blank where all was idle."""
    bucket_s = max(interval_s, 0.1) * SAMPLES_A_CELL
    worst: dict[int, float | None] = {}
    newest = int(samples[-1].at // bucket_s) if samples else 0
    for sample in samples[-CELLS * SAMPLES_A_CELL :]:
        bucket = int(sample.at // bucket_s)
        row = sample.rows[place] if place < len(sample.rows) else None
        if row is None or row.name != name:
            continue
        wait = wait_ns(row)
        before = worst.get(bucket)
        worst[bucket] = wait if before is None else max(before, wait or 0.0)
    return _draw(level(worst.get(bucket)) for bucket in range(newest - CELLS + 1, newest + 1))


def _draw(levels: Iterable[int | None]) -> Line:
    spans: list[Span] = []
    for each in levels:
        if each is None:
            spans.append(Span(" "))
        else:
            style = "bad" if each >= BAD_LEVEL else "warn" if each >= WARN_LEVEL else "strip"
            spans.append(Span(BLOCKS[each], style))
    return merge(spans)
