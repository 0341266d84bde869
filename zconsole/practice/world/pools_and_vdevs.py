"""Vdevs and pools of the practice world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.io.io_counters import Meter
from zconsole.practice.world import space_formulas
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.drives import DriveKind, PracticeDisk
from zconsole.practice.world.scan_trim_removal_expansion_states import (
    Expansion,
    LeafActivity,
    PracticeScan,
    Rebuild,
    Removal,
)

STATE_NUMBERS: Final = {  # vdev_state_t
    "OFFLINE": 2,
    "REMOVED": 3,
    "UNAVAIL": 4,
    "FAULTED": 5,
    "DEGRADED": 6,
    "ONLINE": 7,
}
MOST_HISTORY: Final = 2000  # records of a pool's history, in which new ones take the place of old ones
LEAVES: Final = frozenset({"disk", "dspare"})
REDUNDANT: Final = frozenset({"mirror", "replacing", "spare"})  # one child is enough
CLASS_HEADINGS: Final = (("dedup", "dedup"), ("special", "special"), ("log", "logs"))  # in ZFS's order


@dataclass(frozen=True, slots=True)
class Draid:
    """The layout of a draid beside its parity: data devices of a group, and distributed spares."""

    data: int
    spares: int


@dataclass(slots=True, eq=False)
class PracticeVdev:
    """A node of a pool's tree."""

    kind: str  # root, mirror, raidz, draid, disk, dspare, spare, replacing, indirect
    guid: int
    children: list[PracticeVdev] = field(default_factory=list)
    parity: int = 0
    draid: Draid | None = None
    vdev_class: str = "normal"  # normal, special, dedup, log, l2cache, spare
    state: str = "ONLINE"
    aux: str | None = None  # EXTERNAL, ERR_EXCEEDED, SPARED, BAD_LABEL
    disk: PracticeDisk | None = None
    path: str = ""
    vdev_id: int = 0
    read_errors: int = 0
    write_errors: int = 0
    checksum_errors: int = 0
    slow_ios: int = 0
    scan_processed: int = 0
    is_resilvering: bool = False
    asize: int = 0  # of a top-level vdev or a cache device
    allocated: int = 0
    fragmentation: int = 0
    checkpoint_space: int = 0
    ratio: int = 512  # deflate ratio of a top-level vdev
    ashift: int = 12
    ms_shift: int = 0  # of the metaslabs of a top-level vdev, set for good when it is made
    is_not_present: bool = False  # was not there when the pool was imported
    is_offline: bool = False  # taken offline by the administrator
    is_forgotten: bool = False  # that state does not outlive an export (-t)
    is_deferred: bool = False  # waits for the running resilver to end
    is_removing: bool = False
    is_expanding: bool = False
    missed: int = 0  # bytes that were written without it; a device that misses any is no replica
    left_at: float = 0.0  # simulated second at which it became unusable
    rebuild: Rebuild | None = None
    rebuilt: int = 0  # bytes that a running rebuild has written to it
    properties: dict[str, str] = field(default_factory=dict)
    initialize: LeafActivity | None = None
    trim: LeafActivity | None = None
    meter: Meter = field(default_factory=Meter)

    @property
    def is_leaf(self) -> bool:
        """Whether it is a device: a disk or a distributed spare."""
        return self.kind in LEAVES

    @property
    def can_trim(self) -> bool:
        """Whether its drive can be trimmed."""
        if self.kind == "dspare":
            return False
        return self.disk is None or self.disk.drive is not DriveKind.HDD

    @property
    def size(self) -> int:
        """Bytes of a top-level vdev's metaslabs."""
        shift = self.ms_shift or space_formulas.metaslab_shift(self.asize)
        return self.asize >> shift << shift

    @property
    def is_usable(self) -> bool:
        """Whether I/O can go to it."""
        return self.state in {"ONLINE", "DEGRADED"}

    @property
    def is_there(self) -> bool:
        """Whether its drive is plugged in."""
        return self.disk is not None and self.disk.is_present

    @property
    def devid(self) -> str:
        """The devid of its partition, empty without a drive."""
        return f"{self.disk.devid}-part1" if self.disk is not None else ""

    @property
    def phys_path(self) -> str:
        """The physical path of its drive, empty without one."""
        return self.disk.phys_path if self.disk is not None else ""

    @property
    def has_errors(self) -> bool:
        """Whether a read, write or checksum error is counted."""
        return bool(self.read_errors or self.write_errors or self.checksum_errors)

    def clear_errors(self) -> None:
        """Reset the error counters."""
        self.read_errors = self.write_errors = self.checksum_errors = self.slow_ios = 0

    @property
    def is_current(self) -> bool:
        """Whether a device holds all that it should."""
        return self.is_usable and not self.missed and not self.is_resilvering

    @property
    def data_columns(self) -> int:
        """Devices of a stripe that hold data; 1 where every device holds everything."""
        if self.draid is not None:
            return self.draid.data
        return max(1, len(self.children) - self.parity) if self.kind == "raidz" else 1

    @property
    def native_block(self) -> int:
        """Bytes that the drive behind a device writes at once."""
        return self.disk.sectors[1] if self.disk is not None else 0

    @property
    def is_misaligned(self) -> bool:
        """Whether a device is made to write less than its drive writes at once."""
        return self.native_block > 1 << self.ashift

    def leaves(self) -> Iterator[PracticeVdev]:
        """The devices beneath, in order."""
        if not self.children:
            return iter((self,) if self.is_leaf else ())
        found = [self] if self.is_leaf else []
        for child in self.children:
            found += child.leaves() if child.children else (child,) if child.is_leaf else ()
        return iter(found)

    def walk(self) -> Iterator[PracticeVdev]:
        """Itself and everything beneath."""
        yield self
        for child in self.children:
            yield from child.walk()

    def parent_of(self, wanted: PracticeVdev) -> PracticeVdev | None:
        """The parent of a vdev."""
        return next((vdev for vdev in self.walk() if wanted in vdev.children), None)


@dataclass(slots=True, eq=False)
class PracticePool:
    """A pool: its tree, its datasets, its history."""

    name: str
    root: PracticeVdev
    created: int
    spares: list[PracticeVdev] = field(default_factory=list)
    caches: list[PracticeVdev] = field(default_factory=list)
    datasets: dict[str, PracticeDataset] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)  # set by the administrator
    first_txg: int = 4
    txg: float = 4.0
    config_txg: int = 4
    load_guid: int = 0
    next_object: int = 54
    scan: PracticeScan | None = None
    checkpoint: tuple[int, int] | None = None  # epoch seconds, bytes
    discarding: int | None = None  # bytes of a checkpoint that are still to be freed
    removal: Removal | None = None
    expansion: Expansion | None = None
    label_state: str = "ACTIVE"  # what its labels say: ACTIVE, EXPORTED, DESTROYED
    hostname: str = ""  # of the host that wrote them last
    hostid: int = 0
    accessed_at: int = 0  # epoch seconds
    is_readonly: bool = False
    disabled_features: frozenset[str] = frozenset()
    error_count: int = 0
    error_files: list[str] = field(default_factory=list)
    is_suspended: bool = False
    history: list[History] = field(default_factory=list)
    imported_at: float = 0.0  # simulated seconds; counters run from then
    active_features: frozenset[str] = frozenset()
    last_scrubbed_txg: int = 0
    load: Load | None = None
    unallocated: float = 0.0  # bytes of growth that do not make a sector yet
    logical_reads: float = 0.0
    logical_read_bytes: float = 0.0
    logical_writes: float = 0.0
    logical_write_bytes: float = 0.0

    @property
    def guid(self) -> int:
        """The pool's guid is that of its root."""
        return self.root.guid

    @property
    def state(self) -> str:
        """ONLINE, DEGRADED, UNAVAIL or SUSPENDED."""
        return "SUSPENDED" if self.is_suspended else self.root.state

    def remember(self, record: History) -> None:
        """Add a record to the history. Of a full one the oldest goes, but for that of the pool's creation."""
        self.history.append(record)
        if len(self.history) > MOST_HISTORY:
            del self.history[1]

    def tops(self, *classes: str) -> list[PracticeVdev]:
        """Top-level vdevs of these classes, without indirect ones."""
        return [top for top in self.root.children if top.vdev_class in classes and top.kind != "indirect"]

    def sections(self) -> Iterator[tuple[str, list[PracticeVdev]]]:
        """Top-level vdevs of the classes beside the normal one, under ZFS's headings."""
        for vdev_class, heading in CLASS_HEADINGS:
            if tops := self.tops(vdev_class):
                yield heading, tops

    def top(self, number: int) -> PracticeVdev:
        """The top-level vdev of that number, also an indirect one."""
        return next(top for top in self.root.children if top.vdev_id == number)

    @property
    def present(self) -> list[PracticeVdev]:
        """All top-level vdevs that have devices."""
        return [top for top in self.root.children if top.kind != "indirect"]

    def leaves(self) -> Iterator[PracticeVdev]:
        """Every device, cache and idle spares included."""
        yield from self.root.leaves()
        yield from self.caches
        yield from (spare for spare in self.spares if not self.is_in_use(spare))

    def is_in_use(self, spare: PracticeVdev) -> bool:
        """Whether a hot spare is in use."""
        return any(leaf.guid == spare.guid for leaf in self.root.leaves())

    def spare_state(self, spare: PracticeVdev) -> str:
        """INUSE, AVAIL, or the state of a hot spare that is not online."""
        return "INUSE" if self.is_in_use(spare) else "AVAIL" if spare.state == "ONLINE" else spare.state

    @property
    def resilver(self) -> PracticeScan | None:
        """The running resilver."""
        scan = self.scan
        return scan if scan is not None and scan.is_running and scan.function == "RESILVER" else None

    @property
    def is_rebuilding(self) -> bool:
        """Whether a sequential resilver runs."""
        return any(top.rebuild is not None and top.rebuild.is_running for top in self.present)

    @property
    def is_removing(self) -> bool:
        """Whether a top-level vdev is being evacuated."""
        return self.removal is not None and self.removal.is_running

    @property
    def is_expanding(self) -> bool:
        """Whether a raidz is being widened."""
        return self.expansion is not None and self.expansion.is_running

    @property
    def size(self) -> int:
        """Bytes of all metaslabs but those of the log."""
        return sum(top.size for top in self.tops("normal", "special", "dedup"))

    @property
    def allocated(self) -> int:
        """Bytes allocated, log left out."""
        return sum(top.allocated for top in self.tops("normal", "special", "dedup"))

    @property
    def usable(self) -> int:
        """USED plus AVAIL of the root dataset."""
        normal = self.tops("normal")
        embedded = sum(space_formulas.embedded_log(top.asize, top.ratio) for top in normal)
        dspace = sum((top.size >> 9) * top.ratio for top in normal) - embedded
        special = sum((top.allocated >> 9) * top.ratio for top in self.tops("special", "dedup"))
        checkpoint = self.checkpoint[1] if self.checkpoint else 0
        return space_formulas.usable(dspace, embedded) + special - checkpoint


@dataclass(frozen=True, slots=True)
class Load:
    """The average load of a pool a second."""

    reads: float
    read_bytes: int
    writes: float
    write_bytes: int
    sync_writes: float = 0.0
    sync_bytes: int = 16384
    metadata: float = 0.0  # share of the reads that special vdevs serve
    swing: float = 0.3  # how far it swings over a day
    quiet_s: float = 10800.0  # the second of the day at which it is quietest
    growth: float = 0.0  # bytes a second
    grows: str = ""  # the dataset that keeps them


@dataclass(frozen=True, slots=True)
class History:
    """A line of a pool's history; internal ones have a txg."""

    at: int
    text: str
    txg: int | None = None
    user: tuple[int, str] = (0, "root")  # of a command
