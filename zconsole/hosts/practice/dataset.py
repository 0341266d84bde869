"""Datasets, snapshots and bookmarks of the practice world, and the space that they account for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["filesystem", "volume"]


@dataclass(slots=True, eq=False)
class Snapshot:
    """A snapshot; `used` is what only it keeps."""

    name: str  # behind the @
    guid: int
    createtxg: int
    creation: int
    referenced: int
    used: int = 0
    written: int = 0
    logical: int = 0
    objset: int = 0
    holds: dict[str, int] = field(default_factory=dict)  # tag to epoch seconds
    defer_destroy: bool = False
    properties: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Bookmark:
    """What is left of a snapshot for incremental sends."""

    name: str  # behind the #
    guid: int
    createtxg: int
    creation: int
    referenced: int
    logical: int = 0


@dataclass(slots=True, eq=False)
class Dataset:
    """A filesystem or volume."""

    name: str
    kind: Kind
    guid: int
    createtxg: int
    creation: int
    objset: int = 0
    referenced: int = 98304
    own: int = 98304  # usedbydataset: referenced and not shared with the origin
    shared_by_snapshots: int = 0  # what several snapshots keep together
    logical: int = 43520  # logicalreferenced
    written: int = 0
    origin: str | None = None
    volsize: int | None = None
    is_mounted: bool = True
    key_status: str | None = None  # available, unavailable
    properties: dict[str, str] = field(default_factory=dict)  # set here
    snapshots: list[Snapshot] = field(default_factory=list)
    bookmarks: list[Bookmark] = field(default_factory=list)
    share: tuple[float, float] = (0.0, 0.0)  # of the pool's reads and writes
    hourlies: int = 0  # hourly snapshots that are kept

    @property
    def used_by_snapshots(self) -> int:
        """What would come free if all its snapshots went."""
        return self.shared_by_snapshots + sum(snapshot.used for snapshot in self.snapshots)

    def number(self, name: str) -> int:
        """A size that was set here; 0 when it was not."""
        return int(self.properties.get(name, "0"))

    @property
    def used_by_refreservation(self) -> int:
        """What the reservation keeps beyond what is there."""
        return max(0, self.number("refreservation") - self.own)


@dataclass(frozen=True, slots=True)
class Account:
    """What a dataset takes and may still take."""

    used: int
    available: int
    by_children: int
    logical: int


def parent_name(name: str) -> str:
    """The dataset above; empty for a pool's root."""
    return name.rpartition("/")[0]


def lineage(name: str) -> Iterator[str]:
    """The dataset itself and everything above it."""
    while name:
        yield name
        name = parent_name(name)


def accounts(datasets: Mapping[str, Dataset], usable: int) -> dict[str, Account]:
    """The space of every dataset of a pool."""
    by_children = dict.fromkeys(datasets, 0)
    logical = {
        name: dataset.logical - (dataset.referenced - dataset.own) for name, dataset in datasets.items()
    }
    used: dict[str, int] = {}
    for name in sorted(datasets, key=lambda name: -name.count("/")):
        dataset = datasets[name]
        own = dataset.own + dataset.used_by_snapshots + dataset.used_by_refreservation + by_children[name]
        used[name] = own
        logical[name] = max(0, logical[name]) + dataset.used_by_snapshots
        above = parent_name(name)
        if above in by_children:
            by_children[above] += max(own, dataset.number("reservation"))
            logical[above] += logical[name]
    available: dict[str, int] = {}
    for name in sorted(datasets, key=lambda name: name.count("/")):
        dataset = datasets[name]
        room = available.get(parent_name(name), usable - used[name])
        quota = dataset.number("quota")
        available[name] = max(0, min(room, quota - used[name]) if quota else room)
    return {
        name: Account(
            used=used[name],
            available=available[name] + datasets[name].used_by_refreservation,
            by_children=by_children[name],
            logical=logical[name],
        )
        for name in datasets
    }


def clones_of(datasets: Mapping[str, Dataset]) -> dict[str, list[str]]:
    """The clones of every snapshot that has some, by the snapshot's full name."""
    clones: dict[str, list[str]] = {}
    for name, dataset in datasets.items():
        if dataset.origin:
            clones.setdefault(dataset.origin, []).append(name)
    return clones
