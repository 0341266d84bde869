"""Values and sources of dataset properties."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.nicenum_and_times import nicebytes, nicenum, short_date
from zconsole.practice.world.datasets import (
    Account,
    Bookmark,
    PracticeDataset,
    Snapshot,
    accounts,
    clones_of,
    lineage,
)
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import chain, uniques, writings, written_since
from zconsole.practice.zfs.properties import (
    APPLIES,
    BOOKMARK,
    DEFAULTS,
    FILESYSTEM,
    FIXED,
    NONE_WHEN_ZERO,
    NOT_INHERITED,
    NUMBERS,
    RATIOS,
    SIZES,
    SNAPSHOT,
)

Value = int | str | None  # None: this kind has no such property

_SINCE: Final = "written@"
_NEVER: Final = frozenset({"redact_snaps"})  # no stream is redacted here

_F, _V, _S, _B, _Z = "f", "v", "s", "b", "z"  # s: snapshots of filesystems, z: snapshots of volumes


@dataclass(frozen=True)
class Space:
    """A pool's datasets with their accounts, worked out once a command."""

    pool: PracticePool

    @cached_property
    def accounts(self) -> dict[str, Account]:
        """The account of each dataset."""
        return accounts(self.pool.datasets, self.pool.usable)

    @cached_property
    def clones(self) -> dict[Snapshot, list[PracticeDataset]]:
        """The clones of each snapshot."""
        return clones_of(self.pool.datasets)

    @cached_property
    def uniques(self) -> Callable[[PracticeDataset], dict[Snapshot, int]]:
        """Of a dataset: the bytes that only one snapshot keeps, by snapshot."""
        return cache(uniques)

    @cached_property
    def writings(self) -> Callable[[PracticeDataset], dict[Snapshot, int]]:
        """Of a dataset: the bytes written before each snapshot and after the one before it."""
        return cache(writings)


@dataclass(frozen=True, slots=True)
class ListedObject:
    """A row of `zfs list`: a dataset, one of its snapshots, or one of its bookmarks."""

    space: Space
    dataset: PracticeDataset
    snapshot: Snapshot | None = None
    bookmark: Bookmark | None = None

    @property
    def name(self) -> str:
        """The full name."""
        if self.snapshot is not None:
            return f"{self.dataset.name}@{self.snapshot.name}"
        if self.bookmark is not None:
            return f"{self.dataset.name}#{self.bookmark.name}"
        return self.dataset.name

    @property
    def kind(self) -> str:
        """Filesystem, volume, snapshot or bookmark."""
        if self.snapshot is not None:
            return SNAPSHOT
        return BOOKMARK if self.bookmark is not None else self.dataset.kind

    @property
    def letter(self) -> str:
        """The kind, as the table of properties knows it."""
        if self.bookmark is not None:
            return _B
        if self.snapshot is not None:
            return _S if self.dataset.kind == FILESYSTEM else _Z
        return _F if self.dataset.kind == FILESYSTEM else _V

    @property
    def createtxg(self) -> int:
        """The transaction group that made it."""
        return (self.snapshot or self.bookmark or self.dataset).createtxg


def value_of(item: ListedObject, name: str) -> tuple[Value, str]:
    """A property's value and source; None where this kind has none."""
    if name == "name":
        return item.name, "-"
    if name.startswith(_SINCE):
        return _written_since(item, name.removeprefix(_SINCE)), "-"
    if ":" in name:
        return _user(item, name)
    if item.letter not in APPLIES[name]:
        return None, "-"
    if name in _NEVER:
        return None, "-"
    if name == "receive_resume_token":
        partial = item.dataset.partial
        return (partial.token if partial and not item.dataset.is_receiving else None), "-"
    if name in FIXED:
        return FIXED[name], "-"
    if name in DEFAULTS or name in {"volsize", "mountpoint"}:
        return _settable(item, name)
    if item.snapshot is not None:
        return _OF_SNAPSHOTS[name](item, item.snapshot), "-"
    if item.bookmark is not None:
        return _OF_BOOKMARKS[name](item.bookmark), "-"
    return _COMPUTED[name](item), "-"


def _ratio(logical: int, physical: int) -> str:
    return f"{max(1.0, logical / physical) if physical else 1.0:.2f}"


def _account(item: ListedObject) -> Account:
    return item.space.accounts[item.dataset.name]


def _changed(item: ListedObject) -> Value:
    newest = max((snapshot.creation for snapshot in item.dataset.snapshots), default=None)
    return item.dataset.snapshots_changed or newest


def _encryption_root(item: ListedObject) -> Value:
    root = item.dataset.encryption_root
    return root.name if root else None


def _clones(item: ListedObject, snapshot: Snapshot) -> Value:
    return ",".join(clone.name for clone in item.space.clones.get(snapshot, ())) or None


_OF_SNAPSHOTS: Final[dict[str, Callable[[ListedObject, Snapshot], Value]]] = {
    "type": lambda _, snapshot: SNAPSHOT,  # noqa: ARG005
    "creation": lambda _, snapshot: snapshot.creation,
    "used": lambda item, snapshot: item.space.uniques(item.dataset)[snapshot],
    "referenced": lambda _, snapshot: snapshot.referenced,
    "compressratio": lambda _, snapshot: _ratio(snapshot.logical, snapshot.referenced),
    "refcompressratio": lambda _, snapshot: _ratio(snapshot.logical, snapshot.referenced),
    "createtxg": lambda _, snapshot: snapshot.createtxg,
    "guid": lambda _, snapshot: snapshot.guid,
    "defer_destroy": lambda _, snapshot: "on" if snapshot.defer_destroy else "off",
    "userrefs": lambda _, snapshot: len(snapshot.holds),
    "objsetid": lambda _, snapshot: snapshot.objset,
    "written": lambda item, snapshot: item.space.writings(item.dataset)[snapshot],
    "clones": _clones,
    "numclones": lambda item, snapshot: len(item.space.clones.get(snapshot, ())),
    "logicalreferenced": lambda _, snapshot: snapshot.logical,
    "keystatus": lambda item, _: item.dataset.key_status,
    "encryptionroot": lambda item, _: _encryption_root(item),
}
_OF_BOOKMARKS: Final[dict[str, Callable[[Bookmark], Value]]] = {
    "type": lambda _: BOOKMARK,
    "creation": lambda bookmark: bookmark.creation,
    "referenced": lambda bookmark: bookmark.referenced,
    "createtxg": lambda bookmark: bookmark.createtxg,
    "guid": lambda bookmark: bookmark.guid,
    "logicalreferenced": lambda bookmark: bookmark.logical,
}
_COMPUTED: Final[dict[str, Callable[[ListedObject], Value]]] = {
    "type": lambda item: item.dataset.kind,
    "creation": lambda item: item.dataset.creation,
    "used": lambda item: _account(item).used,
    "available": lambda item: _account(item).available,
    "referenced": lambda item: item.dataset.referenced,
    "compressratio": lambda item: _ratio(item.dataset.logical, item.dataset.referenced),
    "refcompressratio": lambda item: _ratio(item.dataset.logical, item.dataset.referenced),
    "mounted": lambda item: "yes" if item.dataset.is_mounted else "no",
    "origin": lambda item: item.dataset.origin.full_name if item.dataset.origin else None,
    "createtxg": lambda item: item.dataset.createtxg,
    "guid": lambda item: item.dataset.guid,
    "usedbysnapshots": lambda item: item.dataset.used_by_snapshots,
    "usedbydataset": lambda item: item.dataset.own,
    "usedbychildren": lambda item: _account(item).by_children,
    "usedbyrefreservation": lambda item: item.dataset.used_by_refreservation,
    "objsetid": lambda item: item.dataset.objset,
    "written": lambda item: item.dataset.written,
    "logicalused": lambda item: _account(item).logical,
    "logicalreferenced": lambda item: item.dataset.logical,
    "keystatus": lambda item: item.dataset.key_status,
    "encryptionroot": _encryption_root,
    "snapshots_changed": _changed,
}


def _written_since(item: ListedObject, name: str) -> Value:
    """Bytes written since a snapshot, named with or without its dataset."""
    if item.bookmark is not None:
        return None
    full_name = name if "@" in name else f"{item.dataset.name}@{name}"
    older = next((kept for kept in chain(item.dataset) if kept.full_name == full_name), None)
    return None if older is None else written_since(item.dataset, item.snapshot, older)


def _settable(item: ListedObject, name: str) -> tuple[Value, str]:
    if name == "mountpoint":
        return mountpoint_of(item.space.pool, item.dataset)
    if name == "volsize":
        return item.dataset.volsize, "local"
    found = _nearest(item, name)
    if found is None:
        return DEFAULTS[name], "default"
    raw, source = found
    value: Value = int(raw) if name in NUMBERS and raw.isdigit() else raw
    return value, "-" if name == "encryption" and not source.startswith("inherited") else source


def _nearest(item: ListedObject, name: str) -> tuple[str, str] | None:
    """The value that counts, set or received here or above, and its source."""
    for place in lineage(item.dataset.name):
        owner = item.space.pool.datasets.get(place)
        found = owner.setting(name) if owner else None
        if found is not None:
            here = place == item.dataset.name and item.snapshot is None
            return found[0], found[1] if here else f"inherited from {place}"
        if name in NOT_INHERITED and name != "encryption":
            break
    return None


def mountpoint_of(pool: PracticePool, dataset: PracticeDataset) -> tuple[str, str]:
    """Where a dataset is mounted, or would be, and the source of that."""
    below: list[str] = []
    altroot = pool.properties.get("altroot", "").rstrip("/")
    for place in lineage(dataset.name):
        owner = pool.datasets.get(place)
        found = owner.setting("mountpoint") if owner else None
        if found is not None:
            root, source = found
            source = f"inherited from {place}" if below else source
            if root in {"none", "legacy"}:
                return root, source
            return altroot + ("/".join([root.rstrip("/"), *below]) or "/"), source
        below.insert(0, place.rpartition("/")[2])
    return f"{altroot}/{dataset.name}", "default"


def _user(item: ListedObject, name: str) -> tuple[Value, str]:
    if item.snapshot is not None and name in item.snapshot.properties:
        return item.snapshot.properties[name], "local"
    if item.bookmark is not None:
        return None, "-"
    return _nearest(item, name) or (None, "-")


def received_value(item: ListedObject, name: str) -> str:
    """The received value of a property, or a dash."""
    return item.dataset.received.get(name, "-") if item.snapshot is None and item.bookmark is None else "-"


def user_properties(item: ListedObject) -> list[str]:
    """The names of the user properties that an item has."""
    if item.bookmark is not None:
        return []
    found = set(item.snapshot.properties if item.snapshot else ())
    for place in lineage(item.dataset.name):
        owner = item.space.pool.datasets.get(place)
        if owner is not None:
            found.update(name for name in (*owner.properties, *owner.received) if ":" in name)
    return sorted(found)


def written(name: str, value: Value, *, exact: bool) -> str:
    """A value as text."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value + "x" if name in RATIOS and not exact else value
    if exact:
        return str(value)
    if name == "creation":
        return short_date(value)
    if value == 0 and name in NONE_WHEN_ZERO:
        return "none"
    if name in SIZES or name.startswith(_SINCE):
        return nicebytes(value)
    return nicenum(value) if name == "userrefs" else str(value)
