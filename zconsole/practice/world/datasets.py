"""Datasets, snapshots and bookmarks of the practice world, and the space that they account for.

What a dataset refers to is kept as ZFS keeps it: bytes by birth, and with every snapshot and every live
dataset a deadlist, the bytes that the one before it refers to and it does not. All sizes follow from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Final, Literal

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import parent_of

Kind = Literal["filesystem", "volume"]
Births = dict[int, int]  # bytes by the txg of the last snapshot before they were written, 0 for none

EMPTY_FILESYSTEM: Final = 98304  # bytes that each takes at once
EMPTY_VOLUME: Final = 57344


@dataclass(frozen=True, slots=True)
class GrantedPermissions:
    """Permissions that `zfs allow` gave."""

    who: str  # user, group, everyone
    name: str
    permissions: frozenset[str]
    is_local: bool = True  # on the dataset itself
    is_descendent: bool = True  # on what is below it


@dataclass(frozen=True, slots=True)
class FileNode:
    """A file, folder or link; `-` is one that is gone."""

    type: str  # f, d, l, -
    inode: int
    size: int
    mtime_ns: int


class _Nothing(dict[str, Any]):
    """An empty dictionary that thousands of snapshots share, and that stays empty."""

    def __setitem__(self, key: str, value: object) -> None:
        raise TypeError("it is of all snapshots: assign another one")


NO_HOLDS: Final[Mapping[str, int]] = _Nothing()
NO_FILES: Final[Mapping[str, FileNode]] = _Nothing()
Tree = dict[str, FileNode]  # by path, without the mountpoint


@dataclass(slots=True, eq=False)
class Snapshot:
    """A snapshot of a dataset."""

    dataset: PracticeDataset = field(repr=False)
    name: str  # behind the @
    guid: int
    createtxg: int
    creation: int
    referenced: int
    logical: int = 0
    objset: int = 0
    dead: Births = field(default_factory=dict)  # what the snapshot before refers to, and it does not
    holds: Mapping[str, int] = field(default_factory=lambda: NO_HOLDS)  # tag to epoch seconds
    defer_destroy: bool = False
    properties: dict[str, str] = field(default_factory=dict)
    files_at: float | None = None  # whose moment its files have, where that is not its own
    touched: Mapping[str, FileNode] = field(default_factory=lambda: NO_FILES)  # copied or moved until then

    @property
    def full_name(self) -> str:
        """With the name of its dataset."""
        return f"{self.dataset.name}@{self.name}"


@dataclass(slots=True, eq=False)
class Bookmark:
    """A bookmark: guid and txg of a snapshot, for incremental sends."""

    name: str  # behind the #
    guid: int
    createtxg: int
    creation: int
    referenced: int
    logical: int = 0

    @classmethod
    def of(cls, kept: Snapshot | Bookmark, name: str) -> Bookmark:
        """A bookmark of a snapshot, or of another bookmark."""
        return cls(name, kept.guid, kept.createtxg, kept.creation, kept.referenced, kept.logical)


@dataclass(frozen=True, slots=True)
class Partial:
    """The resumable state of an interrupted receive."""

    to_guid: int
    received: int  # bytes of blocks
    token: str
    is_all: bool  # the dataset is nothing but that


@dataclass(slots=True, eq=False)
class PracticeDataset:
    """A filesystem or volume."""

    name: str
    kind: Kind
    guid: int
    createtxg: int
    creation: int
    objset: int = 0
    live: Births = field(default_factory=lambda: {0: EMPTY_FILESYSTEM})  # what it refers to
    dead: Births = field(default_factory=dict)  # what its newest snapshot refers to, and it does not
    logical: int = 43520  # logicalreferenced
    origin: Snapshot | None = None
    volsize: int | None = None
    is_mounted: bool = True
    is_busy: bool = False  # somebody works in it, or has the volume open
    is_shared: bool = False
    encryption_root: PracticeDataset | None = field(
        default=None, repr=False
    )  # itself, or one above or beside
    key_status: str | None = None  # available, unavailable
    key: str | None = field(default=None, repr=False)  # of an encryption root
    properties: dict[str, str] = field(default_factory=dict)  # set here
    received: dict[str, str] = field(default_factory=dict)  # came with a stream
    disowned: set[str] = field(default_factory=set)  # received, but inherited all the same
    snapshots: list[Snapshot] = field(default_factory=list)  # oldest first
    bookmarks: list[Bookmark] = field(default_factory=list)
    delegations: list[GrantedPermissions] = field(default_factory=list)
    snapshots_changed: int | None = None  # epoch seconds
    share: tuple[float, float] = (0.0, 0.0)  # of the pool's reads and writes
    hourlies: int = 0  # hourly snapshots that are kept
    seed: int = 0  # of its files; 0 is an empty file system
    files_at: float | None = None  # when they came to rest; None where people work in them
    touched: Tree = field(default_factory=dict)  # files that were copied or moved
    partial: Partial | None = None
    is_receiving: bool = False
    _kept: int | None = field(default=None, init=False, repr=False)  # sum over the snapshots' deadlists

    def snapshots_differ(self) -> None:
        """Drop cached sums over the snapshots; to be called when the snapshots or the origin change."""
        self._kept = None

    @property
    def origin_txg(self) -> int:
        """The txg of the origin; blocks born before it belong to the dataset of the origin."""
        return self.origin.createtxg if self.origin else 0

    @property
    def newest(self) -> Snapshot | None:
        """The snapshot that its deadlist is about: the newest one, or the origin."""
        return self.snapshots[-1] if self.snapshots else self.origin

    @property
    def last_txg(self) -> int:
        """The txg of the newest snapshot or the origin; later blocks are in no snapshot."""
        return self.newest.createtxg if self.newest else 0

    @property
    def referenced(self) -> int:
        """Bytes that it refers to."""
        return sum(self.live.values())

    @property
    def own(self) -> int:
        """usedbydataset: referenced, and not by the origin."""
        return born_after(self.live, self.origin_txg)

    @property
    def used_by_snapshots(self) -> int:
        """Bytes that destroying all its snapshots would free."""
        txg = self.origin_txg
        if self._kept is None:
            self._kept = sum(born_after(snapshot.dead, txg) for snapshot in self.snapshots)
        return born_after(self.dead, txg) + self._kept

    @property
    def written(self) -> int:
        """Bytes that no snapshot refers to."""
        return born_after(self.live, self.last_txg)

    @property
    def used_by_refreservation(self) -> int:
        """Bytes of the refreservation that are not written since the newest snapshot."""
        reserved = self.number("refreservation")
        return max(0, reserved - self.written) if reserved else 0

    def setting(self, name: str) -> tuple[str, str] | None:
        """A property that was set or received here, and which of both."""
        if name in self.properties:
            return self.properties[name], "local"
        if name in self.received and name not in self.disowned:
            return self.received[name], "received"
        return None

    def keep(self, name: str, guid: int, *, txg: int, at: int, objset: int) -> Snapshot:
        """Add a snapshot of the dataset as it is, which takes over its deadlist."""
        taken = Snapshot(self, name, guid, txg, at, self.referenced, self.logical, objset, self.dead)
        self.dead = {}
        self.snapshots.append(taken)
        self.snapshots_differ()
        return taken

    def number(self, name: str) -> int:
        """A size that was set here; 0 when it was not."""
        text = self.properties.get(name)
        if text is None:
            text = self.received.get(name, "0") if name not in self.disowned else "0"
        return int(text) if text.isdigit() else 0

    def snapshot(self, name: str) -> Snapshot | None:
        """A snapshot by the name behind the @."""
        return next((kept for kept in self.snapshots if kept.name == name), None)

    def bookmark(self, name: str) -> Bookmark | None:
        """A bookmark by the name behind the #."""
        return next((kept for kept in self.bookmarks if kept.name == name), None)


def born_after(births: Births, txg: int) -> int:
    """Bytes that were written after a snapshot of that txg."""
    if not txg:
        return sum(births.values())
    return sum(size for birth, size in births.items() if birth >= txg)


@dataclass(frozen=True, slots=True)
class Account:
    """Used and available space of a dataset."""

    used: int
    available: int
    by_children: int
    logical: int


def lineage(name: str) -> Iterator[str]:
    """The dataset itself and everything above it."""
    while name:
        yield name
        name = parent_of(name)


def accounts(datasets: Mapping[str, PracticeDataset], usable: int) -> dict[str, Account]:
    """The space of every dataset of a pool."""
    by_children = dict.fromkeys(datasets, 0)
    logical: dict[str, int] = {}
    used: dict[str, int] = {}
    for name in sorted(datasets, key=lambda name: -name.count("/")):
        dataset = datasets[name]
        own, snapshots = dataset.own, dataset.used_by_snapshots
        used[name] = own + snapshots + dataset.used_by_refreservation + by_children[name]
        shared = dataset.referenced - own
        logical[name] = max(0, dataset.logical - shared) + snapshots + logical.get(name, 0)
        above = parent_of(name)
        if above in by_children:
            by_children[above] += max(used[name], dataset.number("reservation"))
            logical[above] = logical.get(above, 0) + logical[name]
    available: dict[str, int] = {}
    for name in sorted(datasets, key=lambda name: name.count("/")):
        dataset = datasets[name]
        room = available.get(parent_of(name), usable - used[name])
        room += max(0, dataset.number("reservation") - used[name])
        quota = dataset.number("quota")
        available[name] = max(0, min(room, quota - used[name]) if quota else room)
    return {
        name: Account(
            used=used[name],
            available=_within_refquota(datasets[name], available[name]),
            by_children=by_children[name],
            logical=logical[name],
        )
        for name in datasets
    }


def _within_refquota(dataset: PracticeDataset, room: int) -> int:
    """Space available to a dataset itself, with its refreservation and within its refquota."""
    room += dataset.used_by_refreservation
    quota = dataset.number("refquota")
    return max(0, min(room, quota - dataset.referenced)) if quota else room


def clones_of(datasets: Mapping[str, PracticeDataset]) -> dict[Snapshot, list[PracticeDataset]]:
    """The clones of every snapshot that has some."""
    clones: dict[Snapshot, list[PracticeDataset]] = {}
    for dataset in datasets.values():
        if dataset.origin:
            clones.setdefault(dataset.origin, []).append(dataset)
    return clones
