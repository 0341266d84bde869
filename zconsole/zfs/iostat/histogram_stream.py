"""`zpool iostat -w` and `-r` as streams: histograms of each vdev of one pool per interval.

A pool with hundreds of disks prints ten thousand lines per interval, of which a screen shows few: lines are
validated on arrival, and parsed when their vdev is accessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat
from typing import Final, NoReturn, overload

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.pools.histograms import HistogramRow, HistogramSample
from zconsole.model.pools.iostat import Histogram
from zconsole.zfs.iostat.iostat_stream import EPOCH_DIGITS

TOOL: Final = "zpool iostat"
LATENCY_COLUMNS: Final = (  # of -w, after the bucket's upper bound; 2.1 has no rebuild
    *("total_read", "total_write", "disk_read", "disk_write"),
    *("syncq_read", "syncq_write", "asyncq_read", "asyncq_write"),
    *("scrub", "trim", "rebuild"),
)
SIZE_COLUMNS: Final = tuple(  # of -r, after the bucket's lower bound; 2.1 has no rebuild
    f"{queue}_{kind}"
    for queue in ("sync_read", "sync_write", "async_read", "async_write", "scrub", "trim", "rebuild")
    for kind in ("individual", "aggregated")
)
INTERVAL_S: Final = 0.5  # ZFS rounds counts per second down: a single slow I/O in 1.01 s would print 0
_MAX_DIGITS: Final = 20  # of 64 bits
MAX_SAMPLE_BYTES: Final = 16 * 1024 * 1024
MAX_LINE_BYTES: Final = 1024
_STAMP: Final = re.compile(rb"\n(\d{1,12})\n\n")  # a bucket's bound is followed by counts
_IMPLAUSIBLE: Final = b"0" * 16  # digits; such a rate is the difference of counters of two vdevs
_AS_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_ALLOWED: Final = b"0123456789\t\n"
_EMPTY_FIELDS: Final = (b"\t\t", b"\t\n", b"\n\t")


@dataclass(frozen=True, slots=True)
class HistogramKind:
    """Histogram type: its option letter, and the columns after the bucket's bound."""

    letter: str
    columns: tuple[str, ...]
    widths: tuple[int, int]  # column counts: without rebuild (2.1) and with it
    has_lower_bounds: bool


LATENCIES: Final = HistogramKind(
    "w", LATENCY_COLUMNS, (len(LATENCY_COLUMNS) - 1, len(LATENCY_COLUMNS)), False
)
SIZES: Final = HistogramKind("r", SIZE_COLUMNS, (len(SIZE_COLUMNS) - 2, len(SIZE_COLUMNS)), True)


def stream(kind: HistogramKind, pool: str, interval_s: float = INTERVAL_S) -> Command:
    """Print the histograms of a pool's vdevs every interval, endlessly."""
    return Command(("zpool", "iostat", "-T", "u", f"-{kind.letter}Hpvy", pool, f"{interval_s:g}"))


class LazyHistograms(Sequence[HistogramRow]):
    """Rows parsed on access, from validated lines."""

    __slots__ = ("_blocks", "_rows", "kind", "names")

    def __init__(self, kind: HistogramKind, names: tuple[str, ...], blocks: list[bytes]) -> None:
        self.names = names
        self.kind = kind
        self._blocks = blocks
        self._rows: dict[int, HistogramRow] = {}

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> HistogramRow: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[HistogramRow, ...]: ...
    def __getitem__(self, place: int | slice) -> HistogramRow | tuple[HistogramRow, ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        at = range(len(self))[place]
        row = self._rows.get(at)
        if row is None:
            row = self._rows[at] = _row(self.kind, self.names[at], self._blocks[at])
        return row

    def __iter__(self) -> Iterator[HistogramRow]:
        return (self[place] for place in range(len(self)))

    def body(self, place: int) -> bytes:
        """The raw lines of a row, one per bucket."""
        return self._blocks[place]


class HistogramReader:
    """Incremental parser of such a stream into samples.

    The first sample ends when the next one begins; later ones end after the same number of lines. ZFS
    subtracts two readings by position, so a sample whose vdevs differ from those of the previous one is
    invalid and is dropped.
    """

    def __init__(self, kind: HistogramKind, pool: str, interval_s: float = INTERVAL_S) -> None:
        self.left_out = 0  # invalid samples
        self._kind = kind
        self._pool = pool
        self._interval_s = interval_s
        self._text = b""  # of the current sample, from its stamp on
        self._line_no = 0  # before the current sample
        self._lines = 0  # of the previous sample
        self._is_given = False  # the current sample has been returned
        self._names: tuple[str, ...] | None = None
        self._bounds: tuple[bytes, ...] = ()

    def feed(self, chunk: bytes) -> list[HistogramSample]:
        """The samples completed by this chunk."""
        scanned = max(1, len(self._text) - 16)
        self._text += chunk
        samples: list[HistogramSample] = []
        while (found := _STAMP.search(self._text, scanned)) is not None:
            ended, self._text = self._text[: found.start(1)], self._text[found.start(1) :]
            samples += self._end(ended)
            self._line_no += ended.count(b"\n")
            self._is_given, scanned = False, 1
        is_whole = self._text.endswith(b"\n") and self._text.count(b"\n") == self._lines
        if is_whole and not self._is_given:
            samples += self._end(self._text)
            self._is_given = True
        if len(self._text) > MAX_SAMPLE_BYTES:
            self._refuse(self._text[:MAX_LINE_BYTES], "the sample does not end")
        return samples

    def _end(self, text: bytes) -> list[HistogramSample]:
        """The sample of these lines, if it is valid and was not returned before."""
        stamp, *blocks = text.rstrip(b"\n").replace(b"\n\n\n", b"\n\n").split(b"\n\n")
        if not (stamp.isdigit() and len(stamp) <= EPOCH_DIGITS):
            self._refuse(stamp, "neither a time nor a vdev")
        lines, before = text.count(b"\n"), self._lines
        if not blocks or (self._is_given and lines == before):  # without vdevs: the sample suppressed by `-y`
            return []
        self._lines = lines
        names, bodies = [], []
        for block in blocks:
            name, _, body = block.partition(b"\n")
            self._check(name, body)
            names.append(name.decode("utf-8", "replace"))
            bodies.append(body)
        known, printed = self._names, tuple(names)
        if printed[0] != self._pool:
            self._refuse(blocks[0], f"it is not of {self._pool}")
        self._names = known if printed == known else printed
        if self._is_given:  # with extra rows after it: the pool has grown
            return []
        if known not in {None, printed} or _IMPLAUSIBLE in text.translate(_AS_ZEROS):
            self.left_out += 1
            return []
        rows = LazyHistograms(self._kind, self._names or printed, bodies)
        return [HistogramSample(float(stamp), self._interval_s, rows)]

    def _check(self, name: bytes, body: bytes) -> None:
        """Validate a histogram, so that parsing it later cannot fail."""
        lines = body.split(b"\n")
        tabs, framed = lines[0].count(b"\t"), b"\n" + body + b"\n"
        if (
            body.translate(None, _ALLOWED)
            or any(empty in framed for empty in _EMPTY_FIELDS)
            or tabs not in self._kind.widths
            or {*map(bytes.count, lines, repeat(b"\t"))} != {tabs}
            or max(map(len, lines)) > MAX_LINE_BYTES
        ):
            self._refuse(name + b"\n" + body[:MAX_LINE_BYTES], "not a histogram")
        bounds = tuple([line[: line.find(b"\t")] for line in lines])
        if bounds != self._bounds:
            if max(map(len, bounds)) > _MAX_DIGITS or any(
                low >= high for low, high in pairwise(map(int, bounds))
            ):
                self._refuse(name, "a bucket out of place")
            self._bounds = bounds

    def _refuse(self, text: bytes, reason: str) -> NoReturn:
        raise ParseError(TOOL, self._line_no + 1, text.decode("utf-8", "replace"), reason)


def _row(kind: HistogramKind, name: str, body: bytes) -> HistogramRow:
    bounds, *counts = zip(*(map(int, line.split(b"\t")) for line in body.split(b"\n")), strict=True)
    upper = tuple(2 * bound - 1 for bound in bounds) if kind.has_lower_bounds else bounds
    histograms = {column: Histogram(upper, of) for column, of in zip(kind.columns, counts, strict=False)}
    return HistogramRow(name, histograms)
