"""Pool as ZFS describes it: vdev tree, scan, activities, space.

`None` is *unknown* everywhere, never zero. ZFS's strings (states, types, classes) are kept as printed, so
that those of a newer ZFS are shown unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

CLASSES: Final = (
    "data",
    "special",
    "dedup",
    "log",
    "cache",
    "spare",
)  # in the order of `zpool status`
HEALTHY_STATES: Final = frozenset({"ONLINE", "AVAIL", "INUSE"})
DEAD_STATES: Final = frozenset({"FAULTED", "UNAVAIL", "REMOVED", "OFFLINE", "CANT_OPEN"})
SUSPENDED: Final = "SUSPENDED"
# of a vdev whose path may now be another disk
GONE_STATES: Final = frozenset({"UNAVAIL", "REMOVED", "CANT_OPEN"})
DESTROYED: Final = "(DESTROYED)"  # what `zpool import -D` appends to the state
OF_ANOTHER_HOST: Final = "ZFS-8000-EY"  # ZFS's message id for pools that another host uses or may use


@dataclass(frozen=True, slots=True)
class Count:
    """Error counter; `is_rounded` when ZFS printed it abbreviated (`1.10K`)."""

    value: int
    is_rounded: bool = False

    def __bool__(self) -> bool:
        return self.value != 0


@dataclass(frozen=True, slots=True)
class VdevProgress:
    """Background activity of one vdev: `kind` is initialize or trim."""

    kind: str
    state: str  # active, suspended, complete, canceled; otherwise as ZFS prints it
    percent: float | None = None
    at: int | None = None  # epoch seconds of start, suspension or end


@dataclass(frozen=True, slots=True)
class Vdev:
    """One line of the `zpool status` tree. The root is not a Vdev: its values are the Pool's."""

    name: str  # as `zpool status` prints it without flags
    type: str  # disk, file, mirror, raidz1..3, draid1..3, spare, replacing, dspare, indirect, ...
    vdev_class: str  # one of CLASSES; otherwise as ZFS prints it
    state: str
    guid: int | None = None
    path: str | None = None
    phys_path: str | None = None
    devid: str | None = None
    enclosure_path: str | None = None  # of its bay in sysfs, as ZFS last saw it
    read_errors: Count | None = None
    write_errors: Count | None = None
    checksum_errors: Count | None = None
    slow_ios: Count | None = None
    note: str = ""  # ZFS's remark after the counters: `was /dev/sdb1`, `external device fault`
    is_resilvering: bool = False
    is_removing: bool = False
    activities: tuple[VdevProgress, ...] = ()  # initialize and trim of this leaf
    size_bytes: int | None = None
    allocated_bytes: int | None = None
    free_bytes: int | None = None
    fragmentation_percent: int | None = None
    capacity_percent: int | None = None
    expandable_bytes: int | None = None
    physical_bytes: int | None = None
    configured_ashift: int | None = None
    physical_ashift: int | None = None
    children: tuple[Vdev, ...] = ()

    @property
    def is_leaf(self) -> bool:
        """Whether this is a device and not a group."""
        return not self.children

    @property
    def has_errors(self) -> bool:
        """Whether any error counter is nonzero."""
        return any((self.read_errors, self.write_errors, self.checksum_errors))

    def walk(self) -> Iterator[Vdev]:
        """This vdev and all descendants, in the order of `zpool status`."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self) -> Iterator[Vdev]:
        """The leaves of this vdev."""
        return (vdev for vdev in self.walk() if vdev.is_leaf)


@dataclass(frozen=True, slots=True)
class Scan:
    """Scrub or resilver, running or the last one. Bytes; times in epoch seconds."""

    function: str  # scrub, resilver, error scrub; otherwise as ZFS prints it, lower case
    state: str  # scanning, paused, finished, canceled; otherwise as ZFS prints it, lower case
    start: int | None = None
    end: int | None = None
    percent: float | None = None  # as ZFS counts it: `done_bytes` of `to_do_bytes`
    to_examine_bytes: int | None = None
    examined_bytes: int | None = None
    issued_bytes: int | None = None
    to_issue_bytes: int | None = None  # total to be issued by the end
    repaired_bytes: int | None = None
    errors: int | None = None
    vdev: str | None = None  # top-level vdev of a sequential resilver

    @property
    def is_running(self) -> bool:
        """Whether it is scanning; False while paused."""
        return self.state == "scanning"

    @property
    def done_bytes(self) -> int | None:
        """Its progress: what was issued; of a sequential resilver what was scanned, as in zpool."""
        return self.issued_bytes if self.vdev is None else self.examined_bytes

    @property
    def to_do_bytes(self) -> int | None:
        """What `done_bytes` is at the end."""
        return self.to_issue_bytes if self.vdev is None else self.to_examine_bytes


@dataclass(frozen=True, slots=True)
class PoolActivity:
    """Background activity of the pool besides the scan; initialize and trim only while unfinished."""

    kind: str  # removal, raidz_expand, checkpoint_discard, initialize, trim
    vdev: str | None
    state: str  # active, suspended, finished, canceled; otherwise as ZFS prints it, lower case
    percent: float | None = None
    start: int | None = None
    end: int | None = None
    mapping_bytes: int | None = None  # memory for the mapping of the moved blocks; of a removal


@dataclass(frozen=True, slots=True)
class RootSettings:
    """Properties of a pool's root dataset, which the others inherit unless they have their own."""

    compression: str
    checksum: str
    sync: str
    dedup: str
    copies: int | None
    atime: str
    relatime: str


@dataclass(frozen=True, slots=True)
class Pool:
    """Imported pool. `allocated`, `free`, `size` are of `zpool list`: parity included."""

    name: str
    state: str
    guid: int | None = None
    vdevs: tuple[Vdev, ...] = ()  # top-level vdevs of all classes, in the order of `zpool status`
    read_errors: Count | None = None
    write_errors: Count | None = None
    checksum_errors: Count | None = None
    scan: Scan | None = None  # the one that runs, or the last one
    scans_beside: tuple[Scan, ...] = ()  # sequential resilvers of other vdevs, and the last scan beside them
    activities: tuple[PoolActivity, ...] = ()
    status: str = ""  # ZFS's text, joined to one line
    action: str = ""
    see: str = ""
    error_count: int | None = None
    error_files: tuple[str, ...] = ()
    checkpoint_bytes: int | None = None  # None also without a checkpoint
    checkpoint_created: int | None = None  # epoch seconds
    size_bytes: int | None = None
    allocated_bytes: int | None = None
    free_bytes: int | None = None
    expandable_bytes: int | None = None
    fragmentation_percent: int | None = None
    capacity_percent: int | None = None
    dedup_ratio: float | None = None
    ashift: int | None = None
    altroot: str | None = None
    usable_used_bytes: int | None = None  # of the root dataset: USED
    usable_available_bytes: int | None = None  # of the root dataset: AVAIL
    creation: int | None = None  # epoch seconds, of the root dataset
    settings: RootSettings | None = None  # of the root dataset
    autotrim: str | None = None  # properties of the pool, as printed
    autoexpand: str | None = None
    failmode: str | None = None
    readonly: str | None = None  # on: imported read-only

    @property
    def is_read_only(self) -> bool:
        """Whether it was imported read-only: ZFS changes nothing of it, and no scan of it proceeds."""
        return self.readonly == "on"

    @property
    def usable_bytes(self) -> int | None:
        """Usable space, after parity and slop: USED + AVAIL of the root dataset."""
        if self.usable_used_bytes is None or self.usable_available_bytes is None:
            return None
        return self.usable_used_bytes + self.usable_available_bytes

    @property
    def used_percent(self) -> float | None:
        """Used percentage of usable space, which fills up before `zpool list` shows 100."""
        usable = self.usable_bytes
        if not usable or self.usable_used_bytes is None:
            return None
        return 100 * self.usable_used_bytes / usable

    @property
    def data_errors(self) -> int:
        """Permanent errors that ZFS counts, or of which it prints the list alone (OpenZFS 2.1)."""
        return self.error_count or len(self.error_files)

    @property
    def has_checkpoint(self) -> bool:
        """Whether the pool has a checkpoint, as far as known."""
        return self.checkpoint_bytes is not None or self.checkpoint_created is not None

    @property
    def is_discarding_checkpoint(self) -> bool:
        """Whether ZFS frees what a checkpoint held: until that ends no device is replaced or detached."""
        return any(each.kind == "checkpoint_discard" and each.state == "active" for each in self.activities)

    @property
    def running_removal(self) -> PoolActivity | None:
        """The removal of a vdev that runs: ZFS does one at a time, and attaches nothing meanwhile."""
        return next(
            (each for each in self.activities if each.kind == "removal" and each.state == "active"), None
        )

    @property
    def is_resilvering(self) -> bool:
        """Whether a resilver runs, which no scrub can join."""
        return any(each.function == "resilver" for each in self.running_scans)

    @property
    def running_scans(self) -> tuple[Scan, ...]:
        """The scans that run: one, or a sequential resilver of each of several vdevs."""
        return tuple(each for each in self._scans if each.is_running)

    @property
    def last_scrub(self) -> Scan | None:
        """The last finished scrub that ZFS tells of: a later resilver of the pool hides it."""
        ended = (each for each in self._scans if each.function == "scrub" and each.state == "finished")
        return max(ended, key=lambda each: each.end or 0, default=None)

    def scan_of(self, top: str) -> Scan | None:
        """The sequential resilver of a top-level vdev while it runs; else the scan of the pool."""
        own = (each for each in self.running_scans if each.vdev == top)
        return next(own, self.scan)

    @property
    def _scans(self) -> tuple[Scan, ...]:
        return self.scans_beside if self.scan is None else (self.scan, *self.scans_beside)

    @property
    def is_suspended(self) -> bool:
        """Whether I/O is suspended until an administrator acts."""
        return self.state == SUSPENDED

    def walk(self) -> Iterator[Vdev]:
        """Every vdev, in the order of `zpool status`."""
        for vdev in self.vdevs:
            yield from vdev.walk()

    def of_class(self, vdev_class: str) -> tuple[Vdev, ...]:
        """The top-level vdevs of one class."""
        return tuple(vdev for vdev in self.vdevs if vdev.vdev_class == vdev_class)


@dataclass(frozen=True, slots=True)
class ImportablePool:
    """Pool found by `zpool import` and not imported on this host."""

    name: str
    guid: int
    state: str
    status: str = ""
    action: str = ""
    last_host: str | None = None
    last_access: str | None = None
    devices: tuple[str, ...] = ()
    vdevs: tuple[Vdev, ...] = ()
    see: str = ""  # URL of ZFS's article on its status
    last_hostid: str | None = None  # hexadecimal
    is_active_elsewhere: bool = False  # multihost: another host is writing to it now
    wants_hostid: bool = False  # multihost: this host has no hostid

    @property
    def is_destroyed(self) -> bool:
        """Whether it was destroyed; it can be restored while its devices are untouched."""
        return self.state.endswith(DESTROYED)

    @property
    def is_of_another_host(self) -> bool:
        """Whether another host used it last and did not export it."""
        return self.see.endswith(OF_ANOTHER_HOST) and not self.wants_hostid
