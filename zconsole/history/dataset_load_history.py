"""I/O of datasets in the last hour, in bounded memory: the busiest of each reading, the others as a sum."""

from __future__ import annotations

import struct
import threading
import zlib
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import field, replace
from heapq import nlargest
from math import isnan, nan
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.dataset_io import DatasetIo, DatasetIoSample, OtherDatasets

KEPT_ROWS: Final = 50  # busiest datasets of a reading
MAX_BYTES: Final = 3 * 1024 * 1024  # for all hosts together; enough for an hour of 2000 busy datasets
_MOST_NAMES: Final = 4096  # per list; then a new list begins, and the old one is freed with its last reading
_NAME_BYTES: Final = 120  # memory per name, beside its characters
_READING_BYTES: Final = 160  # memory per reading, beside its packed rows
_LEVEL: Final = 1
_HEAD: Final = struct.Struct("=dd3I4f")  # at, seconds, rows, idle, active, and the I/O of the others
_COLUMNS: Final = 6


@dataclass(slots=True)
class _Names:
    """Names by their number."""

    known: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    size_bytes: int = 0

    def number(self, name: str) -> int:
        """Number of a name, assigned at the first call."""
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.known)
            self.known.append(name)
            self.size_bytes += len(name) + _NAME_BYTES
        return number


@dataclass(frozen=True, slots=True)
class _Reading:
    at: float
    packed: bytes
    names: _Names


class _PoolLoads:
    """Dataset I/O readings of one pool."""

    def __init__(self) -> None:
        self.readings: deque[_Reading] = deque()
        self._names: deque[_Names] = deque([_Names()])
        self._packed_bytes = 0

    @property
    def size_bytes(self) -> int:
        """Memory used, in bytes."""
        return self._packed_bytes + sum(names.size_bytes for names in self._names)

    def add(self, sample: DatasetIoSample) -> None:
        """Add a reading."""
        if len(self._names[-1].known) >= _MOST_NAMES:
            self._names.append(_Names())
        names = self._names[-1]
        reading = _Reading(sample.at, _packed(busiest(sample, KEPT_ROWS), names), names)
        self.readings.append(reading)
        self._packed_bytes += len(reading.packed) + _READING_BYTES

    def drop_oldest(self) -> None:
        """Drop the oldest reading, and names used by no other."""
        self._packed_bytes -= len(self.readings.popleft().packed) + _READING_BYTES
        while self.readings and self._names[0] is not self.readings[0].names:
            self._names.popleft()


class LoadHistory:
    """Dataset I/O readings of all hosts and pools. Written on the collecting loop; read from any thread."""

    def __init__(self, *, keep_s: float, max_bytes: int = MAX_BYTES) -> None:
        self._keep_s = keep_s
        self._max_bytes = max_bytes
        self._pools: dict[tuple[str, str], _PoolLoads] = {}
        self._lock = threading.Lock()

    @property
    def size_bytes(self) -> int:
        """Approximate memory used, in bytes."""
        with self._lock:
            return self._size()

    def add(self, host: str, pool: str, sample: DatasetIoSample) -> None:
        """Add a reading; drop readings that are too old or exceed the memory bound."""
        if self._keep_s <= 0:
            return
        with self._lock:
            self._pools.setdefault((host, pool), _PoolLoads()).add(sample)
            self._forget(sample.at - self._keep_s)
            while self._size() > self._max_bytes:
                min(self._pools.values(), key=lambda each: each.readings[0].at).drop_oldest()
                self._forget(-1.0)

    def times(self, host: str, pool: str) -> Sequence[float]:
        """Epoch seconds of every reading, oldest first."""
        with self._lock:
            kept = self._pools.get((host, pool))
            return array("d", [each.at for each in kept.readings] if kept is not None else [])

    def until(self, host: str, pool: str, epoch: float, most: int) -> tuple[DatasetIoSample, ...]:
        """The last readings up to a time, oldest first."""
        with self._lock:
            kept = self._pools.get((host, pool))
            readings = list(kept.readings) if kept is not None else []
        end = bisect_right(readings, epoch, key=lambda each: each.at)
        return tuple(_unpacked(each) for each in readings[max(0, end - most) : end])

    def _size(self) -> int:
        return sum(each.size_bytes for each in self._pools.values())

    def _forget(self, before: float) -> None:
        """Drop older readings, and pools without readings."""
        for key, kept in tuple(self._pools.items()):
            while kept.readings and kept.readings[0].at < before:
                kept.drop_oldest()
            if not kept.readings:
                del self._pools[key]


def busiest(sample: DatasetIoSample, most: int) -> DatasetIoSample:
    """Active datasets: the busiest by name, and the sum of the others."""
    active = [row for row in sample.rows if row.is_active]
    operations = sum(row.read_ops + row.write_ops for row in active) or 1.0
    moved = sum(row.read_bytes + row.write_bytes for row in active) or 1.0

    def share(at: int) -> float:
        row = active[at]
        return max((row.read_ops + row.write_ops) / operations, (row.read_bytes + row.write_bytes) / moved)

    best = set(range(len(active)) if len(active) <= most else nlargest(most, range(len(active)), key=share))
    rest = [row for at, row in enumerate(active) if at not in best]
    others = OtherDatasets(
        idle=len(sample.rows) - len(active),
        active=len(rest),
        read_ops=sum(row.read_ops for row in rest),
        write_ops=sum(row.write_ops for row in rest),
        read_bytes=sum(row.read_bytes for row in rest),
        write_bytes=sum(row.write_bytes for row in rest),
    )
    return replace(sample, rows=tuple(row for at, row in enumerate(active) if at in best), others=others)


def _packed(sample: DatasetIoSample, names: _Names) -> bytes:
    rows, others = sample.rows, sample.others or OtherDatasets()
    head = _HEAD.pack(
        sample.at,
        sample.interval_s,
        len(rows),
        others.idle,
        others.active,
        others.read_ops,
        others.write_ops,
        others.read_bytes,
        others.write_bytes,
    )
    numbers = array("H", [names.number(row.name) for row in rows])
    columns = array("f")
    columns.extend(row.read_ops for row in rows)
    columns.extend(row.write_ops for row in rows)
    columns.extend(row.read_bytes for row in rows)
    columns.extend(row.write_bytes for row in rows)
    columns.extend(row.unlinked for row in rows)
    columns.extend(nan if row.commits is None else row.commits for row in rows)
    return zlib.compress(head + numbers.tobytes() + columns.tobytes(), _LEVEL)


def _unpacked(reading: _Reading) -> DatasetIoSample:
    text = zlib.decompress(reading.packed)
    at, interval_s, count, idle, active, *did = _HEAD.unpack_from(text)
    numbers, columns = array("H"), array("f")
    numbers.frombytes(text[_HEAD.size : _HEAD.size + 2 * count])
    columns.frombytes(text[_HEAD.size + 2 * count :])
    by_column = [columns[column * count : (column + 1) * count] for column in range(_COLUMNS)]
    rows = (
        DatasetIo(
            reading.names.known[number],
            read_ops,
            write_ops,
            read_bytes,
            write_bytes,
            unlinked,
            None if isnan(commits) else commits,
        )
        for number, read_ops, write_ops, read_bytes, write_bytes, unlinked, commits in zip(
            numbers, *by_column, strict=True
        )
    )
    return DatasetIoSample(at, interval_s, tuple(rows), others=OtherDatasets(idle, active, *did))
