"""I/O samples of one pool's last hour: exact, compressed, with an index of latencies."""

from __future__ import annotations

import threading
import zlib
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.history.numeric_text_packing import LEVEL, pack, unpack
from zconsole.model.past_states_and_latency_strips import Strip, Strips, TimelineSpan
from zconsole.model.pools.iostat import IoSample, LazyRows
from zconsole.zfs.iostat.row_parser import RowParser
from zconsole.zfs.iostat.row_to_scripted_line import lines_of

BLOCK: Final = 16
_DISK_READ, _DISK_WRITE = 9, 10  # fields of a line
_STEPS: Final = 8  # codes for each doubling of a latency
_LEAST_NS: Final = 1000.0  # code 1: this latency or less
_EDGES: Final = (  # lower bounds of codes 1, 2, ...
    1.0,
    *(_LEAST_NS * 2 ** ((code - 0.5) / _STEPS) for code in range(1, 255)),
)
_NOT_KNOWN: Final = 255  # utilization unknown
_BUSY_STEPS: Final = 200
_TRIM: Final = 64  # codes dropped at a time


@dataclass(frozen=True, slots=True)
class TimedSample:
    """Sample and its arrival on the reader's clock."""

    sample: IoSample
    came_at: float


@dataclass(frozen=True, slots=True)
class _Block:
    names: tuple[str, ...]
    at: array[float]
    came_at: array[float]
    lines: bytes
    busy: bytes
    has_busy: tuple[bool, ...]

    @property
    def size_bytes(self) -> int:
        return len(self.lines) + len(self.busy) + 16 * len(self.at)


@dataclass(frozen=True, slots=True)
class _Loose:
    """Sample not yet in a compressed block."""

    names: tuple[str, ...]
    at: float
    came_at: float
    lines: list[bytes]
    codes: bytes  # one per line
    busy: tuple[float | None, ...]


class SampleHistory:
    """I/O samples of one pool. Written by one thread, read by any."""

    def __init__(self, pool: str, keep_s: float) -> None:
        self.pool = pool
        self._keep_s = keep_s
        self._lock = threading.Lock()
        self._blocks: deque[_Block] = deque()
        self._open: list[_Loose] = []
        self._bytes = 0  # size of the blocks
        self._open_bytes = 0
        self._codes = _Codes()
        self._coded = 0  # number of open samples already in the strips

    @property
    def size_bytes(self) -> int:
        """Memory of the samples in bytes, without object overhead."""
        return self._bytes + self._open_bytes + self._codes.size_bytes

    def add(self, sample: IoSample, came_at: float) -> bool:
        """Add a sample, and drop those that are too old. Returns whether a block was compressed."""
        names = sample.names
        lines = lines_of(sample.rows)
        loose = _Loose(names, sample.at, came_at, lines, _codes(lines), sample.busy)
        with self._lock:
            is_full = bool(self._open) and (self._open[-1].names != names or len(self._open) == BLOCK)
            if is_full:
                self._close_block()
                self._forget(sample.at - self._keep_s)
            self._open.append(loose)
            self._open_bytes += sum(map(len, loose.lines))
        return is_full

    def drop_oldest(self) -> int:
        """Drop the oldest block to free memory; returns the bytes freed."""
        with self._lock:
            if not self._blocks:
                return 0
            before = self.size_bytes
            self._bytes -= self._blocks.popleft().size_bytes
            self._codes.forget(self._blocks[0].at[0] if self._blocks else self._open[0].at)
            return before - self.size_bytes

    @property
    def oldest_at(self) -> float | None:
        """Epoch seconds of the oldest sample."""
        with self._lock:
            if self._blocks:
                return self._blocks[0].at[0]
            return self._open[0].at if self._open else None

    def span(self) -> TimelineSpan | None:
        """Times of the first and last sample; None without samples."""
        with self._lock:
            if not self._open:
                return None
            first = self._blocks[0].at[0] if self._blocks else self._open[0].at
            count = sum(len(block.at) for block in self._blocks) + len(self._open)
            return TimelineSpan(first, self._open[-1].at, count)

    def times(self) -> array[float]:
        """Epoch seconds of every sample, oldest first."""
        with self._lock:
            found = array("d")
            for block in self._blocks:
                found += block.at
            found.extend(each.at for each in self._open)
            return found

    def until(self, epoch: float, most: int) -> tuple[TimedSample, ...]:
        """The last samples up to a time, oldest first; the oldest sample where all are later."""
        blocks, loose = self._all()
        found: list[TimedSample] = [kept for kept in self._loose(loose) if kept.sample.at <= epoch]
        for block in reversed(blocks):
            if len(found) >= most:
                break
            if block.at[0] <= epoch:
                found[:0] = [kept for kept in self._read(block) if kept.sample.at <= epoch]
        if not found:
            return tuple(self.walk(1))
        return tuple(found[-most:])

    def walk(self, most: int | None = None) -> Iterator[TimedSample]:
        """All samples, oldest first, or the first `most`."""
        blocks, loose = self._all()
        for number, kept in enumerate(chain((k for b in blocks for k in self._read(b)), self._loose(loose))):
            if number == most:
                return
            yield kept

    def strips(self, *, until: float, seconds: float, columns: int) -> Strips:
        """Largest latency of each vdev in each of `columns` intervals."""
        with self._lock:
            self._code_open()
            return self._codes.strips(until, seconds, columns)

    def _all(self) -> tuple[list[_Block], list[_Loose]]:
        with self._lock:
            return list(self._blocks), list(self._open)

    def _code_open(self) -> None:
        """Add the latencies of new samples to the strips."""
        fresh = self._open[self._coded :]
        if fresh:
            self._codes.add(fresh[0].names, [each.at for each in fresh], [each.codes for each in fresh])
        self._coded = len(self._open)

    def _close_block(self) -> None:
        self._code_open()
        loose, self._open, self._open_bytes, self._coded = self._open, [], 0, 0
        begins = [len(head) for head in _heads(loose[0].names)]
        by_row = [
            line[begin:]
            for begin, lines in zip(begins, zip(*(each.lines for each in loose), strict=True), strict=True)
            for line in lines
        ]
        block = _Block(
            loose[0].names,
            array("d", [each.at for each in loose]),
            array("d", [each.came_at for each in loose]),
            pack(by_row),
            zlib.compress(b"".join(_packed(each.busy) for each in loose), LEVEL),
            _once(tuple([bool(each.busy) for each in loose])),
        )
        self._blocks.append(block)
        self._bytes += block.size_bytes

    def _forget(self, before: float) -> None:
        while self._blocks and self._blocks[0].at[-1] < before:
            self._bytes -= self._blocks.popleft().size_bytes
        self._codes.forget(before)

    def _read(self, block: _Block) -> Iterator[TimedSample]:
        count, rows = len(block.at), len(block.names)
        lines, busy = unpack(block.lines), zlib.decompress(block.busy)
        heads, parser, taken = _heads(block.names), RowParser(), 0
        for number in range(count):
            own: tuple[float | None, ...] = ()
            if block.has_busy[number]:
                own, taken = _unpacked(busy[taken : taken + rows]), taken + rows
            named = [head + line for head, line in zip(heads, lines[number::count], strict=True)]
            made = LazyRows(block.names, named, parser.row)
            yield TimedSample(IoSample(self.pool, block.at[number], made, own), block.came_at[number])

    def _loose(self, loose: Sequence[_Loose]) -> Iterator[TimedSample]:
        parser = RowParser()
        for each in loose:
            rows, busy = LazyRows(each.names, each.lines, parser.row), _unpacked(_packed(each.busy))
            yield TimedSample(IoSample(self.pool, each.at, rows, busy), each.came_at)


@lru_cache(maxsize=64)
def _once(has_busy: tuple[bool, ...]) -> tuple[bool, ...]:
    """The same flags, once in memory: those of nearly all blocks are equal."""
    return has_busy


def _packed(busy: Sequence[float | None]) -> bytes:
    return bytes(_NOT_KNOWN if share is None else round(share * _BUSY_STEPS) for share in busy)


def _unpacked(busy: bytes) -> tuple[float | None, ...]:
    return tuple(None if share == _NOT_KNOWN else share / _BUSY_STEPS for share in busy)


def _heads(names: Sequence[str]) -> list[bytes]:
    """Line prefixes, restored when a block is read: name and tab."""
    return [name.encode("utf-8", "surrogateescape") + b"\t" for name in names]


class _Codes:
    """Largest mean latency of each row and sample, one byte each: 0 is none, then logarithmic steps."""

    def __init__(self) -> None:
        self._at = array("d")
        self._names: tuple[str, ...] = ()
        self._rows: dict[tuple[str, int], bytearray] = {}  # by name, and index among rows of that name
        self._keys: list[tuple[str, int]] = []

    @property
    def size_bytes(self) -> int:
        return 8 * len(self._at) + sum(map(len, self._rows.values()))

    def add(self, names: tuple[str, ...], times: Sequence[float], codes: Sequence[bytes]) -> None:
        """Add samples that have the same rows."""
        if names is not self._names:
            self._arrange(names)
        self._at.extend(times)
        for key, of_row in zip(self._keys, zip(*codes, strict=True), strict=True):
            self._rows[key] += bytes(of_row)
        count = len(self._at)
        for row in self._rows.values():
            if len(row) < count:
                row.extend(bytes(count - len(row)))

    def forget(self, before: float) -> None:
        if len(self._at) > _TRIM and self._at[_TRIM - 1] < before:
            del self._at[:_TRIM]
            for key, row in list(self._rows.items()):
                del row[:_TRIM]
                if key not in self._keys and not any(row):
                    del self._rows[key]

    def strips(self, until: float, seconds: float, columns: int) -> Strips:
        edges = [
            bisect_right(self._at, until - seconds * (columns - column)) for column in range(columns + 1)
        ]
        parts = list(pairwise(edges))
        rows = (
            Strip(key[0], tuple([_latency(max(row[low:high], default=0)) for low, high in parts]))
            for key in self._keys
            for row in (self._rows[key],)
        )
        return Strips(until, seconds, tuple(rows))

    def _arrange(self, names: tuple[str, ...]) -> None:
        seen: dict[str, int] = {}
        self._names, self._keys = names, []
        for name in names:
            number = seen[name] = seen.get(name, -1) + 1
            self._keys.append((name, number))
            self._rows.setdefault((name, number), bytearray(len(self._at)))


def _codes(lines: Sequence[bytes]) -> bytes:
    """Latency code per line, of the slower of reads and writes; 0 without I/O."""
    fields = b"\t".join(lines).split(b"\t")  # equally many per line: each column is a slice
    width, rest = divmod(len(fields), max(1, len(lines)))
    if rest:  # except for a row not kept as printed
        return b"".join(_codes([line]) for line in lines)
    if width <= _DISK_WRITE:
        return bytes(len(lines))
    slowest = map(max, _waits(fields[_DISK_READ::width]), _waits(fields[_DISK_WRITE::width]))
    return bytes(map(partial(bisect_right, _EDGES), slowest))


def _waits(column: Sequence[bytes]) -> list[int]:
    """Waits in nanoseconds; 0 without I/O."""
    try:
        return list(map(int, column))
    except ValueError:
        return [int(wait) if wait.isdigit() else 0 for wait in column]


def _latency(code: int) -> float | None:
    return None if not code else _LEAST_NS * 2 ** ((code - 1) / _STEPS)
