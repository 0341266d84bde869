"""Bandwidth of one pool in its last hour: a mean of every ten seconds; of the last minutes each sample."""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.past_states_and_latency_strips import STRETCH_S, Bandwidth
from zconsole.model.pools.iostat import IoSample

RECENT: Final = 600  # samples that are kept one by one: ten minutes of one each second


@dataclass(slots=True)
class _Stretch:
    """Sums over the samples of one stretch, of bytes per second; and the largest wait."""

    number: int  # since the epoch
    samples: int = 0
    read: float = 0.0
    written: float = 0.0
    wait: float | None = None

    def add(self, read: float, written: float, wait: float | None) -> None:
        """Add what one sample says."""
        self.samples += 1
        self.read += read
        self.written += written
        self._take_wait(wait)

    def merge(self, other: _Stretch) -> None:
        """Add the samples of another stretch."""
        self.samples += other.samples
        self.read += other.read
        self.written += other.written
        self._take_wait(other.wait)

    def _take_wait(self, wait: float | None) -> None:
        if wait is not None:
            self.wait = wait if self.wait is None else max(self.wait, wait)


@dataclass(frozen=True, slots=True)
class _Recent:
    """One sample: bytes per second, and the longer mean wait of reads and writes in nanoseconds."""

    at: float
    read: float
    written: float
    wait: float | None


class BandwidthHistory:
    """Bandwidth of one pool. Written by one thread, read by any; at most `keep_s` / STRETCH_S stretches."""

    def __init__(self, keep_s: float) -> None:
        self._stretches: deque[_Stretch] = deque(maxlen=max(1, int(keep_s // STRETCH_S)))
        self._recent: deque[_Recent] = deque(maxlen=RECENT)
        self._lock = threading.Lock()

    def add(self, sample: IoSample) -> None:
        """Add the first row of a sample, which is the pool's own."""
        if not sample.rows:
            return
        row, number = sample.rows[0], int(sample.at // STRETCH_S)
        wait = max(filter(None, (row.latency.disk_read, row.latency.disk_write)), default=None)
        with self._lock:
            if not self._stretches or self._stretches[-1].number < number:
                self._stretches.append(_Stretch(number))
            self._stretches[-1].add(row.read_bytes, row.write_bytes, wait)
            self._recent.append(_Recent(sample.at, row.read_bytes, row.write_bytes, wait))

    def until(self, epoch: float, columns: int, seconds: float = STRETCH_S) -> Bandwidth:
        """The last complete stretches before a time (epoch seconds), oldest first.

        `seconds` is less than STRETCH_S, or a multiple of it.
        """
        end = int(epoch // seconds)
        with self._lock:
            known = self._short(seconds) if seconds < STRETCH_S else self._long(int(seconds // STRETCH_S))
        reads: list[float | None] = [None] * columns
        writes: list[float | None] = [None] * columns
        waits: list[float | None] = [None] * columns
        for each in reversed(known):
            place = columns - (end - each.number)
            if place < 0:
                break
            if place < columns:
                reads[place], writes[place] = each.read / each.samples, each.written / each.samples
                waits[place] = each.wait
        is_short = seconds < STRETCH_S
        return Bandwidth(
            end * seconds, tuple(reads), tuple(writes), seconds, tuple(waits) if is_short else ()
        )

    def _long(self, merged: int) -> list[_Stretch]:
        """Stretches of so many kept ones each."""
        if merged == 1:
            return list(self._stretches)
        found: list[_Stretch] = []
        for each in self._stretches:
            number = each.number // merged
            if not found or found[-1].number < number:
                found.append(_Stretch(number))
            found[-1].merge(each)
        return found

    def _short(self, seconds: float) -> list[_Stretch]:
        """Stretches of the recent samples; one between two samples has what the later one says of it."""
        found: list[_Stretch] = []
        for each in self._recent:
            number = int(each.at // seconds)
            if found and found[-1].number == number - 2:
                found.append(_Stretch(number - 1))
                found[-1].add(each.read, each.written, each.wait)
            if not found or found[-1].number < number:
                found.append(_Stretch(number))
            found[-1].add(each.read, each.written, each.wait)
        return found
