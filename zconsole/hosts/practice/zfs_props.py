"""The properties of datasets: which kinds have them, their values, where the values come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from zconsole.hosts.practice.dataset import Account, Bookmark, Dataset, Snapshot, accounts, clones_of, lineage
from zconsole.hosts.practice.nice import nicebytes, nicenum, short_date, words
from zconsole.hosts.practice.tree import Pool

Value = int | str | None  # None: this kind has no such property

FILESYSTEM, VOLUME, SNAPSHOT, BOOKMARK = "filesystem", "volume", "snapshot", "bookmark"
_F, _V, _S, _B, _Z = "f", "v", "s", "b", "z"  # s: snapshots of filesystems, z: snapshots of volumes
_KINDS: Final = """
type:fvszb creation:fvszb used:fvsz available:fv referenced:fvszb compressratio:fvsz mounted:f origin:fv
quota:f reservation:fv volsize:vz volblocksize:v recordsize:f mountpoint:f sharenfs:f checksum:fv
compression:fv atime:f devices:fs exec:fs setuid:fs readonly:fv zoned:f snapdir:f aclmode:f aclinherit:f
createtxg:fvszb canmount:f xattr:fs copies:fv version:fs utf8only:fs normalization:fs casesensitivity:fs
vscan:f nbmand:fs sharesmb:f refquota:f refreservation:fv guid:fvszb primarycache:fvsz secondarycache:fvsz
usedbysnapshots:fv usedbydataset:fv usedbychildren:fv usedbyrefreservation:fv defer_destroy:sz userrefs:sz
logbias:fv objsetid:fvsz dedup:fv mlslabel:fvsz sync:fv dnodesize:f refcompressratio:fvsz written:fvsz
clones:sz logicalused:fv logicalreferenced:fvszb volmode:fv filesystem_limit:f snapshot_limit:fv
filesystem_count:f snapshot_count:fv snapdev:fv acltype:fs context:fvsz fscontext:fvsz defcontext:fvsz
rootcontext:fvsz relatime:f redundant_metadata:fv overlay:f encryption:fvsz encryptionroot:fvsz
keylocation:fv keyformat:fv keystatus:fvsz pbkdf2iters:fv special_small_blocks:fv snapshots_changed:fv
prefetch:fvsz direct:f longname:f volthreading:v defaultuserquota:fs defaultgroupquota:fs
defaultprojectquota:fs defaultuserobjquota:fs defaultgroupobjquota:fs defaultprojectobjquota:fs
"""
APPLIES: Final = {name: frozenset(kinds) for name, kinds in (entry.split(":") for entry in _KINDS.split())}
ORDER: Final = tuple(APPLIES)
ALIASES: Final = {
    "avail": "available",
    "refer": "referenced",
    "ratio": "compressratio",
    "refratio": "refcompressratio",
    "usedsnap": "usedbysnapshots",
    "usedds": "usedbydataset",
    "usedchild": "usedbychildren",
    "usedrefreserv": "usedbyrefreservation",
    "lused": "logicalused",
    "lrefer": "logicalreferenced",
    "compress": "compression",
    "recsize": "recordsize",
    "volblock": "volblocksize",
    "reserv": "reservation",
    "refreserv": "refreservation",
    "rdonly": "readonly",
    "casesens": "casesensitivity",
}
HEADERS: Final = {full: short.upper() for short, full in ALIASES.items() if full != "readonly"} | {
    "readonly": "RDONLY",
    "casesensitivity": "CASE",
    "usedbyrefreservation": "USEDREFRESERV",
    "encryptionroot": "ENCROOT",
    "snapshot_limit": "SSLIMIT",
    "filesystem_limit": "FSLIMIT",
}
_DEFAULTS: Final[dict[str, int | str]] = {
    "quota": 0,
    "reservation": 0,
    "recordsize": 131072,
    "volblocksize": 16384,
    "sharenfs": "off",
    "checksum": "on",
    "compression": "on",
    "atime": "on",
    "devices": "on",
    "exec": "on",
    "setuid": "on",
    "readonly": "off",
    "zoned": "off",
    "snapdir": "hidden",
    "aclmode": "discard",
    "aclinherit": "restricted",
    "canmount": "on",
    "xattr": "sa",
    "copies": 1,
    "vscan": "off",
    "nbmand": "off",
    "sharesmb": "off",
    "refquota": 0,
    "refreservation": 0,
    "primarycache": "all",
    "secondarycache": "all",
    "logbias": "latency",
    "dedup": "off",
    "mlslabel": "none",
    "sync": "standard",
    "dnodesize": "legacy",
    "volmode": "default",
    "filesystem_limit": "none",
    "snapshot_limit": "none",
    "filesystem_count": "none",
    "snapshot_count": "none",
    "snapdev": "hidden",
    "acltype": "off",
    "context": "none",
    "fscontext": "none",
    "defcontext": "none",
    "rootcontext": "none",
    "relatime": "on",
    "redundant_metadata": "all",
    "overlay": "on",
    "encryption": "off",
    "keylocation": "none",
    "keyformat": "none",
    "pbkdf2iters": 0,
    "special_small_blocks": 0,
    "prefetch": "all",
    "direct": "standard",
    "longname": "off",
    "volthreading": "on",
}
_NOT_INHERITED: Final = frozenset(
    words("""
        quota reservation refquota refreservation canmount volsize volblocksize encryption keyformat
    """)
)
_NUMBERS: Final = frozenset(name for name, value in _DEFAULTS.items() if isinstance(value, int)) | {"volsize"}
_FIXED: Final[dict[str, int | str]] = {
    "version": 5,
    "utf8only": "off",
    "normalization": "none",
    "casesensitivity": "sensitive",
    **{f"default{who}{what}": 0 for who in ("user", "group", "project") for what in ("quota", "objquota")},
}
_SIZES: Final = frozenset(
    words("""
        used available referenced usedbysnapshots usedbydataset usedbychildren usedbyrefreservation
        written logicalused logicalreferenced volsize recordsize volblocksize quota reservation refquota
        refreservation special_small_blocks
    """)
)
_NONE_WHEN_ZERO: Final = frozenset({"quota", "reservation", "refquota", "refreservation"})
RATIOS: Final = frozenset({"compressratio", "refcompressratio"})


@dataclass(frozen=True)
class Space:
    """A pool's datasets with their accounts, worked out once a command."""

    pool: Pool

    @cached_property
    def accounts(self) -> dict[str, Account]:
        """What each dataset takes."""
        return accounts(self.pool.datasets, self.pool.usable)

    @cached_property
    def clones(self) -> dict[str, list[str]]:
        """The clones of each snapshot."""
        return clones_of(self.pool.datasets)


@dataclass(frozen=True, slots=True)
class Item:
    """A row of `zfs list`: a dataset, one of its snapshots, or one of its bookmarks."""

    space: Space
    dataset: Dataset
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


def is_property(name: str) -> bool:
    """Whether datasets have it; user properties hold a colon."""
    return name in APPLIES or ":" in name or name == "name"


def value_of(item: Item, name: str) -> tuple[Value, str]:
    """A property's value and source; None where this kind has none."""
    if name == "name":
        return item.name, "-"
    if ":" in name:
        return _user(item, name)
    if item.letter not in APPLIES[name]:
        return None, "-"
    if name in _FIXED:
        return _FIXED[name], "-"
    if name in _DEFAULTS or name in {"volsize", "mountpoint"}:
        return _settable(item, name)
    if item.snapshot is not None:
        return _OF_SNAPSHOTS[name](item, item.snapshot), "-"
    if item.bookmark is not None:
        return _OF_BOOKMARKS[name](item.bookmark), "-"
    return _COMPUTED[name](item), "-"


def _ratio(logical: int, physical: int) -> str:
    return f"{max(1.0, logical / physical) if physical else 1.0:.2f}"


def _account(item: Item) -> Account:
    return item.space.accounts[item.dataset.name]


def _changed(item: Item) -> Value:
    return max((snapshot.creation for snapshot in item.dataset.snapshots), default=None)


def _encryption_root(item: Item) -> Value:
    for name in lineage(item.dataset.name):
        if "keyformat" in item.space.pool.datasets[name].properties:
            return name
    return None


_OF_SNAPSHOTS: Final[dict[str, Callable[[Item, Snapshot], Value]]] = {
    "type": lambda _, snapshot: SNAPSHOT,  # noqa: ARG005
    "creation": lambda _, snapshot: snapshot.creation,
    "used": lambda _, snapshot: snapshot.used,
    "referenced": lambda _, snapshot: snapshot.referenced,
    "compressratio": lambda _, snapshot: _ratio(snapshot.logical, snapshot.referenced),
    "refcompressratio": lambda _, snapshot: _ratio(snapshot.logical, snapshot.referenced),
    "createtxg": lambda _, snapshot: snapshot.createtxg,
    "guid": lambda _, snapshot: snapshot.guid,
    "defer_destroy": lambda _, snapshot: "on" if snapshot.defer_destroy else "off",
    "userrefs": lambda _, snapshot: len(snapshot.holds),
    "objsetid": lambda _, snapshot: snapshot.objset,
    "written": lambda _, snapshot: snapshot.written,
    "clones": lambda item, _: ",".join(item.space.clones.get(item.name, ())) or None,
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
_COMPUTED: Final[dict[str, Callable[[Item], Value]]] = {
    "type": lambda item: item.dataset.kind,
    "creation": lambda item: item.dataset.creation,
    "used": lambda item: _account(item).used,
    "available": lambda item: _account(item).available,
    "referenced": lambda item: item.dataset.referenced,
    "compressratio": lambda item: _ratio(item.dataset.logical, item.dataset.referenced),
    "refcompressratio": lambda item: _ratio(item.dataset.logical, item.dataset.referenced),
    "mounted": lambda item: "yes" if item.dataset.is_mounted else "no",
    "origin": lambda item: item.dataset.origin,
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


def _settable(item: Item, name: str) -> tuple[Value, str]:
    if name == "mountpoint":
        return _mountpoint(item)
    if name == "volsize":
        return item.dataset.volsize, "local"
    datasets = item.space.pool.datasets
    for place in lineage(item.dataset.name):
        owner = datasets.get(place)
        if owner is not None and name in owner.properties:
            raw = owner.properties[name]
            value: Value = int(raw) if name in _NUMBERS and raw.isdigit() else raw
            if place == item.dataset.name and item.snapshot is None:
                return value, "-" if name == "encryption" else "local"
            return value, f"inherited from {place}"
        if name in _NOT_INHERITED and name != "encryption":
            break
    return _DEFAULTS[name], "default"


def _mountpoint(item: Item) -> tuple[Value, str]:
    below: list[str] = []
    for place in lineage(item.dataset.name):
        owner = item.space.pool.datasets.get(place)
        if owner is not None and "mountpoint" in owner.properties:
            root = owner.properties["mountpoint"]
            if root in {"none", "legacy"}:
                return root, "local" if not below else f"inherited from {place}"
            path = "/".join([root.rstrip("/"), *below]) or "/"
            return path, "local" if not below else f"inherited from {place}"
        below.insert(0, place.rpartition("/")[2])
    return "/" + item.dataset.name, "default"


def _user(item: Item, name: str) -> tuple[Value, str]:
    if item.snapshot is not None and name in item.snapshot.properties:
        return item.snapshot.properties[name], "local"
    if item.bookmark is not None:
        return None, "-"
    for place in lineage(item.dataset.name):
        owner = item.space.pool.datasets.get(place)
        if owner is not None and name in owner.properties:
            here = place == item.dataset.name and item.snapshot is None
            return owner.properties[name], "local" if here else f"inherited from {place}"
    return None, "-"


def user_properties(item: Item) -> list[str]:
    """The names of the user properties that an item has."""
    if item.bookmark is not None:
        return []
    found = set(item.snapshot.properties if item.snapshot else ())
    for place in lineage(item.dataset.name):
        owner = item.space.pool.datasets.get(place)
        if owner is not None:
            found.update(name for name in owner.properties if ":" in name)
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
    if value == 0 and name in _NONE_WHEN_ZERO:
        return "none"
    return nicebytes(value) if name in _SIZES else nicenum(value) if name == "userrefs" else str(value)
