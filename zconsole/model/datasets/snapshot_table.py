"""Column store of snapshots, for pools with millions. Row numbers run over all datasets."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import accumulate

from zconsole.base.lazy_dataclass import dataclass

Numbers = Sequence[int]  # an array, or a memory-mapped view


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotColumns:
    """The snapshots of one dataset, oldest first."""

    names: bytes = b""  # the part after the @, each name followed by a line break
    ends: Numbers = field(
        default_factory=lambda: array("I")
    )  # offsets of the names' ends, line breaks included
    guids: Numbers = field(default_factory=lambda: array("Q"))
    createtxgs: Numbers = field(default_factory=lambda: array("Q"))

    def __len__(self) -> int:
        return len(self.guids)

    def name(self, place: int) -> str:
        """The snapshot's name after the @."""
        start = self.ends[place - 1] if place else 0
        return self.names[start : self.ends[place] - 1].decode("ascii")

    def text(self, start: int, end: int) -> str:
        """The names from `start` up to but not including `end`, separated by line breaks."""
        if start >= end:
            return ""
        first = self.ends[start - 1] if start else 0
        return self.names[first : self.ends[end - 1] - 1].decode("ascii")

    def lines(self, start: int, end: int) -> bytes:
        """The same as stored bytes, each name followed by a line break."""
        first = self.ends[start - 1] if start else 0
        return self.names[first : self.ends[end - 1]] if start < end else b""

    def place(self, name: str) -> int | None:
        """Index of the snapshot with this name; None when there is none."""
        needle = name.encode("utf-8", "surrogateescape") + b"\n"
        if b"\n" in needle[:-1] or not name:
            return None
        at = 0 if self.names.startswith(needle) else self.names.find(b"\n" + needle) + 1
        return None if at == 0 and not self.names.startswith(needle) else bisect_right(self.ends, at)


@dataclass(frozen=True, slots=True, eq=False)
class DatasetSnapshots:
    """File system or volume with its snapshots."""

    name: str
    guid: int
    createtxg: int
    origin: str | None = None
    changed: int | None = None  # epoch seconds: `snapshots_changed`
    listed_at: float = 0.0  # epoch seconds; 0 when its snapshots have never been listed
    snapshots: SnapshotColumns = field(default_factory=SnapshotColumns)
    type: str = ""  # filesystem or volume


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotTable:
    """All snapshots of a pool."""

    pool: str
    guid: int
    datasets: tuple[DatasetSnapshots, ...] = ()
    taken_at: float = 0.0  # epoch seconds of the last comparison with the pool
    _starts: tuple[int, ...] = field(init=False)  # row of the first snapshot of each dataset, and the total
    _by_name: Mapping[str, DatasetSnapshots] = field(init=False)

    def __post_init__(self) -> None:
        starts = (0, *accumulate(len(each.snapshots) for each in self.datasets))
        object.__setattr__(self, "_starts", starts)
        object.__setattr__(self, "_by_name", {each.name: each for each in self.datasets})

    def __len__(self) -> int:
        return self._starts[-1]

    def dataset(self, name: str) -> DatasetSnapshots | None:
        """The dataset with this name."""
        return self._by_name.get(name)

    def name(self, row: int) -> str:
        """Full name of the snapshot in a row."""
        at, place = self.place(row)
        dataset = self.datasets[at]
        return f"{dataset.name}@{dataset.snapshots.name(place)}"

    def guid_of(self, row: int) -> int:
        """Guid of the snapshot in a row."""
        at, place = self.place(row)
        return self.datasets[at].snapshots.guids[place]

    def createtxg(self, row: int) -> int:
        """Transaction group in which the snapshot in a row was created."""
        at, place = self.place(row)
        return self.datasets[at].snapshots.createtxgs[place]

    def place(self, row: int) -> tuple[int, int]:
        """The dataset's index and the snapshot's index in it."""
        if not 0 <= row < len(self):
            raise IndexError(row)
        at = bisect_right(self._starts, row) - 1
        return at, row - self._starts[at]

    def clones(self) -> Mapping[str, tuple[str, ...]]:
        """Clones by the full name of their origin snapshot; ZFS lists the origin of each clone."""
        found: dict[str, list[str]] = {}
        for each in self.datasets:
            if each.origin is not None:
                found.setdefault(each.origin, []).append(each.name)
        return {name: tuple(clones) for name, clones in found.items()}

    def unlisted(self) -> Iterator[DatasetSnapshots]:
        """Datasets whose snapshots have never been listed."""
        return (each for each in self.datasets if not each.listed_at)
