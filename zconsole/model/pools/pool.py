"""A pool as ZFS describes it: its vdev tree, its scan, its activities, its space.

`None` is *unknown* everywhere, never zero. Words that ZFS prints (states, types, classes) are
kept as ZFS prints them, so that a newer ZFS is shown and not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

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
DESTROYED: Final = "(DESTROYED)"  # what `zpool import -D` says behind the state
OF_ANOTHER_HOST: Final = "ZFS-8000-EY"  # ZFS's message of pools that another host has, or may have


@dataclass(frozen=True, slots=True)
class Count:
    """A count of errors; `is_rounded` when ZFS printed it abbreviated (`1.10K`)."""

    value: int
    is_rounded: bool = False

    def __bool__(self) -> bool:
        return self.value != 0


@dataclass(frozen=True, slots=True)
class VdevProgress:
    """A background activity of one vdev: `kind` is initialize or trim."""

    kind: str
    state: str  # active, suspended, complete, canceled; otherwise as ZFS says
    percent: float | None = None
    at: int | None = None  # epoch seconds: when it started, was suspended, or ended


@dataclass(frozen=True, slots=True)
class Vdev:
    """One line of the tree of `zpool status`. The root is not a Vdev: its values are the Pool's."""

    name: str  # as `zpool status` prints it without flags
    type: str  # disk, file, mirror, raidz1..3, draid1..3, spare, replacing, dspare, indirect, ...
    vdev_class: str  # one of CLASSES; otherwise as ZFS says
    state: str
    guid: int | None = None
    path: str | None = None
    phys_path: str | None = None
    devid: str | None = None
    read_errors: Count | None = None
    write_errors: Count | None = None
    checksum_errors: Count | None = None
    slow_ios: Count | None = None
    note: str = ""  # what ZFS says behind the counters: `was /dev/sdb1`, `external device fault`
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
        """Whether this is a device, not a group of them."""
        return not self.children

    @property
    def has_errors(self) -> bool:
        """Whether any error counter is above zero."""
        return any((self.read_errors, self.write_errors, self.checksum_errors))

    def walk(self) -> Iterator[Vdev]:
        """This vdev and all below it, in the order of `zpool status`."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self) -> Iterator[Vdev]:
        """The devices of this vdev."""
        return (vdev for vdev in self.walk() if vdev.is_leaf)


@dataclass(frozen=True, slots=True)
class Scan:
    """A scrub or resilver, running or the last one. Bytes; times in epoch seconds."""

    function: str  # scrub, resilver, error scrub; otherwise as ZFS says, lower case
    state: str  # scanning, paused, finished, canceled; otherwise as ZFS says, lower case
    start: int | None = None
    end: int | None = None
    percent: float | None = None  # of issued bytes
    to_examine_bytes: int | None = None
    examined_bytes: int | None = None
    issued_bytes: int | None = None
    to_issue_bytes: int | None = None  # what will have been issued at the end
    repaired_bytes: int | None = None
    errors: int | None = None
    vdev: str | None = None  # of a sequential resilver: the top-level vdev that it is of

    @property
    def is_running(self) -> bool:
        """Whether it moves now; a paused one does not."""
        return self.state == "scanning"


@dataclass(frozen=True, slots=True)
class PoolActivity:
    """Work of the pool in the background, besides the scan; of initialize and trim what is not over."""

    kind: str  # removal, raidz_expand, checkpoint_discard, initialize, trim
    vdev: str | None
    state: str  # active, suspended, finished, canceled; otherwise as ZFS says, lower case
    percent: float | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool, imported here. `allocated`, `free`, `size` are of `zpool list`: parity included."""

    name: str
    state: str
    guid: int | None = None
    vdevs: tuple[Vdev, ...] = ()  # top-level vdevs of all classes, in the order of `zpool status`
    read_errors: Count | None = None
    write_errors: Count | None = None
    checksum_errors: Count | None = None
    scan: Scan | None = None
    activities: tuple[PoolActivity, ...] = ()
    status: str = ""  # ZFS's own words, on one line
    action: str = ""
    see: str = ""
    error_count: int | None = None
    error_files: tuple[str, ...] = ()
    checkpoint_bytes: int | None = None  # None as well where there is no checkpoint
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

    @property
    def usable_bytes(self) -> int | None:
        """What files can fill, after parity and slop: USED + AVAIL of the root dataset."""
        if self.usable_used_bytes is None or self.usable_available_bytes is None:
            return None
        return self.usable_used_bytes + self.usable_available_bytes

    @property
    def used_percent(self) -> float | None:
        """Used part of what is usable, which fills before `zpool list` says 100."""
        usable = self.usable_bytes
        if not usable or self.usable_used_bytes is None:
            return None
        return 100 * self.usable_used_bytes / usable

    @property
    def is_suspended(self) -> bool:
        """Whether I/O waits for an administrator."""
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
    """A pool that `zpool import` found and that is not imported here."""

    name: str
    guid: int
    state: str
    status: str = ""
    action: str = ""
    last_host: str | None = None
    last_access: str | None = None
    devices: tuple[str, ...] = ()
    vdevs: tuple[Vdev, ...] = ()
    see: str = ""  # the address of ZFS's article on its status
    last_hostid: str | None = None  # hexadecimal
    is_active_elsewhere: bool = False  # with multihost: another host writes to it at this moment
    wants_hostid: bool = False  # with multihost: this host has no hostid of its own

    @property
    def is_destroyed(self) -> bool:
        """Whether it was destroyed, and can be had back while its devices are untouched."""
        return self.state.endswith(DESTROYED)

    @property
    def is_of_another_host(self) -> bool:
        """Whether ZFS says that another host used it last and did not export it."""
        return self.see.endswith(OF_ANOTHER_HOST) and not self.wants_hostid
