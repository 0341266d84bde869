"""Bandwidth of one pool in its last hour: a mean of every ten seconds."""

from __future__ import annotations

import threading
from collections import deque

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.past_states_and_latency_strips import STRETCH_S, Bandwidth
from zconsole.model.pools.iostat import IoSample


@dataclass(slots=True)
class _Stretch:
    """Sums over the samples of one stretch, of bytes per second."""

    number: int  # since the epoch
    samples: int = 0
    read: float = 0.0
    written: float = 0.0


class BandwidthHistory:
    """Bandwidth of one pool. Written by one thread, read by any; at most `keep_s` / STRETCH_S stretches."""

    def __init__(self, keep_s: float) -> None:
        self._stretches: deque[_Stretch] = deque(maxlen=max(1, int(keep_s // STRETCH_S)))
        self._lock = threading.Lock()

    def add(self, sample: IoSample) -> None:
        """Add the first row of a sample, which is the pool's own."""
        if not sample.rows:
            return
        row, number = sample.rows[0], int(sample.at // STRETCH_S)
        with self._lock:
            if not self._stretches or self._stretches[-1].number < number:
                self._stretches.append(_Stretch(number))
            newest = self._stretches[-1]
            newest.samples += 1
            newest.read += row.read_bytes
            newest.written += row.write_bytes

    def until(self, epoch: float, columns: int) -> Bandwidth:
        """The last complete stretches before a time (epoch seconds), oldest first."""
        end = int(epoch // STRETCH_S)
        reads: list[float | None] = [None] * columns
        writes: list[float | None] = [None] * columns
        with self._lock:
            for each in reversed(self._stretches):
                place = columns - (end - each.number)
                if place < 0:
                    break
                if place < columns:
                    reads[place], writes[place] = each.read / each.samples, each.written / each.samples
        return Bandwidth(end * STRETCH_S, tuple(reads), tuple(writes))
