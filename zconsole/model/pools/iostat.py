"""I/O of a pool's vdevs, one sample per interval; bytes/s, operations/s, nanoseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from zconsole.base.lazy_dataclass import dataclass

Number = float | None


@dataclass(frozen=True, slots=True)
class Latency:
    """Mean waits in nanoseconds; `None` is "no I/O in the interval"."""

    total_read: Number = None
    total_write: Number = None
    disk_read: Number = None
    disk_write: Number = None
    syncq_read: Number = None
    syncq_write: Number = None
    asyncq_read: Number = None
    asyncq_write: Number = None
    scrub: Number = None
    trim: Number = None
    rebuild: Number = None


@dataclass(frozen=True, slots=True)
class Queues:
    """Operations in each I/O queue: pending, and active at the disk."""

    syncq_read_pending: int = 0
    syncq_read_active: int = 0
    syncq_write_pending: int = 0
    syncq_write_active: int = 0
    asyncq_read_pending: int = 0
    asyncq_read_active: int = 0
    asyncq_write_pending: int = 0
    asyncq_write_active: int = 0
    scrub_pending: int = 0
    scrub_active: int = 0
    trim_pending: int = 0
    trim_active: int = 0
    rebuild_pending: int = 0
    rebuild_active: int = 0


@dataclass(frozen=True, slots=True)
class IoRow:
    """One vdev's line of `zpool iostat`."""

    name: str
    allocated_bytes: int | None
    free_bytes: int | None
    read_ops: float
    write_ops: float
    read_bytes: float
    write_bytes: float
    latency: Latency = Latency()
    queues: Queues = Queues()


class LazyRows(Sequence[IoRow]):
    """Sequence that parses rows on access, since few rows of many hosts are displayed.

    `lines` keeps the raw lines; a row that was made otherwise is stored in place of its line.
    """

    __slots__ = ("_made", "_make", "lines", "names")

    def __init__(
        self, names: tuple[str, ...], lines: Sequence[IoRow | bytes], make: Callable[[bytes], IoRow]
    ) -> None:
        """`make` parses a line and cannot fail: the line was validated on arrival."""
        self.names = names
        self.lines = lines
        self._make = make
        self._made: dict[int, IoRow] = {}

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, place: int) -> IoRow: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[IoRow, ...]: ...
    def __getitem__(self, place: int | slice) -> IoRow | tuple[IoRow, ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self.lines))))
        row = self._made.get(place)
        if row is None:
            line = self.lines[place]
            row = self._made[place] = self._make(line) if isinstance(line, bytes) else line
        return row

    def __iter__(self) -> Iterator[IoRow]:
        return (self[place] for place in range(len(self.lines)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True, slots=True)
class IoSample:
    """One pool, one interval: rows in the order of `zpool iostat -v`, the pool first.

    `busy` maps a row index to the fraction (0..1) of the interval in which its disk was busy.
    """

    pool: str
    at: float  # epoch seconds, of the host's clock if the stream has it
    rows: Sequence[IoRow]
    busy: tuple[float | None, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each row; the same tuple object while the rows stay the same."""
        return self.rows.names if isinstance(self.rows, LazyRows) else tuple(row.name for row in self.rows)

    def says_the_same(self, other: IoSample) -> bool:
        """Whether nothing but the time differs."""
        these, those = self.rows, other.rows
        if isinstance(these, LazyRows) and isinstance(those, LazyRows):  # unparsed
            return these.lines == those.lines and self.busy == other.busy and self.pool == other.pool
        return these == those and self.busy == other.busy and self.pool == other.pool


@dataclass(frozen=True, slots=True)
class Histogram:
    """Operations per bucket: `counts[i]` took at most `upper_bounds[i]` (ns, or bytes for sizes)."""

    upper_bounds: tuple[int, ...]
    counts: tuple[int, ...]
