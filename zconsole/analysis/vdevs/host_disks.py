"""Disks of a host with all that is known of each: its vdev, its health, its speed; worst first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from typing import Final

from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import (
    bay_told_by_zfs,
    is_bay_taken,
    serial_of_leaf,
)
from zconsole.analysis.vdevs.enclosure_bays import Bays, DiskBay
from zconsole.analysis.vdevs.kernel_evidence_on_disk import KernelEvidence, KernelLog, evidence_in
from zconsole.analysis.vdevs.smart_assessment import Complaint, complaints
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev
from zconsole.model.pools.shelf_and_disk_path import DiskPath
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.model.pools.smart_health import DiskHealth, HealthAnswer, HealthRecord

OFFLINE: Final = "OFFLINE"
BESIDE_THE_DATA: Final = frozenset({"log", "cache", "spare"})
_KINDS: Final = frozenset({"disk", "mpath"})
_NO_DISKS: Final = ("zd", "loop", "ram", "sr", "fd")


class Trouble(IntEnum):
    """How urgent a disk is; the list is sorted by it."""

    NONE = 0
    NOTED = 1
    WARNING = 2
    SLOW = 3
    FAILING = 4  # by its own SMART data, or with errors counted by ZFS
    FAILED = 5  # ZFS no longer uses it, or it is gone


@dataclass(frozen=True, slots=True)
class HostDisk:
    """One disk. `pool`, `top` and `leaf` are where it serves; `disk` is None for one that is gone.

    `known` is the newest SMART data, older than `health` where the disk sleeps or does not answer;
    `io` and `busy` are of the last sample of its pool. Of a disk that is gone `known`, `complaints` and
    `kernel` are of the time before.
    """

    disk: Disk | None
    pool: Pool | None = None
    top: Vdev | None = None
    leaf: Vdev | None = None
    health: HealthAnswer | None = None  # None: not read
    complaints: tuple[Complaint, ...] = ()
    slow: SlowDiskVerdict | None = None
    known: DiskHealth | None = None
    known_at: float | None = None  # epoch seconds
    crc_since: float | None = None  # the same of the first reading with the present number of CRC errors
    io: IoRow | None = None
    busy: float | None = None  # 0 to 1
    bay: str = ""  # where to look for it
    place: DiskBay | None = None  # in its enclosure
    path: DiskPath | None = None
    kernel: KernelEvidence | None = None  # trouble in the kernel's messages
    last: DiskPlace | None = None  # where a disk that is gone was seen
    is_bay_taken: bool = False  # of a disk that is gone: another one is in its bay now

    @property
    def identity(self) -> tuple[str, ...]:
        """What stays the same while the disk is there, and where it serves when it is gone."""
        if self.disk is not None:
            return disk_identity(self.disk)
        return ("gone", *(each.name for each in (self.pool, self.top, self.leaf) if each is not None))

    @property
    def serial(self) -> str:
        """The serial number; the name of the vdev, or of the device, where it is unknown."""
        if self.disk is not None:
            return self.disk.serial or self.disk.name
        if self.last is not None and self.last.serial:
            return self.last.serial
        return (serial_of_leaf(self.leaf) or self.leaf.name) if self.leaf is not None else ""

    @property
    def errors(self) -> int | None:
        """Read, write and checksum errors that ZFS counted; None where it serves no pool."""
        if self.leaf is None:
            return None
        counted = (self.leaf.read_errors, self.leaf.write_errors, self.leaf.checksum_errors)
        return sum(each.value for each in counted if each is not None)

    @property
    def trouble(self) -> Trouble:
        """The worst that is known of it."""
        worst = max((each.severity for each in self.complaints), default=None)
        if self.leaf is not None and self.leaf.state not in HEALTHY_STATES | {OFFLINE, "DEGRADED"}:
            return Trouble.FAILED
        if worst is Severity.CRITICAL or (
            self.leaf is not None and (self.leaf.state == "DEGRADED" or self.leaf.has_errors)
        ):
            return Trouble.FAILING
        if self.slow is not None:
            return Trouble.SLOW
        if worst is Severity.WARNING or (self.leaf is not None and self.leaf.state == OFFLINE):
            return Trouble.WARNING
        return Trouble.NONE if worst is None else Trouble.NOTED


def host_disks(state: HostState) -> tuple[HostDisk, ...]:
    """Every disk of a host and every leaf whose disk is gone, worst first; several paths count once."""
    inventory = state.inventory.value or Inventory()
    records = {each.disk: each for each in state.smart.value or ()}
    bays = Bays(inventory)
    departed = _Departed(state, inventory, bays)
    serving: dict[tuple[str, ...], HostDisk] = {}
    gone: list[HostDisk] = []
    slow = {(pool.name, verdict.disk): verdict for pool in state.pools for verdict in pool.slow}
    for pool, load, top, leaf in _leaves(state):
        row, busy = load.of(leaf)
        verdict = slow.get((pool.name, leaf.name))
        disk = _disk_at(leaf.path, inventory)
        here = HostDisk(disk, pool, top, leaf, slow=verdict, io=row, busy=busy)
        if disk is not None:  # a spare in use stands beside the disk it replaces first
            serving.setdefault(disk_identity(disk), here)
        elif is_gone(leaf, state.inventory.value) and not any(_is_same(each, pool, leaf) for each in gone):
            gone.append(departed.known(here, leaf, (pool.guid or 0, leaf.guid or 0)))
    log = KernelLog(state.kernel.value or ())
    found = [
        _judged(_placed(serving.get(name, HostDisk(None)), disk, bays, log), records.get(name))
        for disk in whole_disks(inventory)
        for name in (disk_identity(disk),)
    ]
    return tuple(sorted((*found, *gone), key=lambda each: (-each.trouble, _place(each))))


def _is_same(known: HostDisk, pool: Pool, leaf: Vdev) -> bool:
    """Whether a leaf is that disk in a second place: a spare in use is also among the spares."""
    return known.pool is pool and known.leaf is not None and known.leaf.path == leaf.path


def is_gone(leaf: Vdev, inventory: Inventory | None) -> bool:
    """Whether the host has no disk for a leaf; False as well where that is not known."""
    if inventory is None or leaf.path is None or not leaf.path.startswith("/dev/"):
        return False
    return _disk_at(leaf.path, inventory) is None and not inventory.links_problem


def whole_disks(inventory: Inventory) -> Iterator[Disk]:
    """Each disk once, however many paths lead to it; no volumes of pools, loops or optical drives."""
    seen: set[tuple[str, ...]] = set()
    for disk in inventory.disks:
        identity = disk_identity(disk)
        if disk.type in _KINDS and not disk.name.startswith(_NO_DISKS) and identity not in seen:
            seen.add(identity)
            yield disk


def _placed(serving: HostDisk, disk: Disk, bays: Bays, log: KernelLog) -> HostDisk:
    path = bays.path(disk)
    kernel = log.evidence(disk, path)
    return replace(serving, disk=disk, bay=bays.name(disk), place=bays.place(disk), path=path, kernel=kernel)


def _judged(disk: HostDisk, record: HealthRecord | None) -> HostDisk:
    """The disk with its SMART data; what a sleeping disk said before still holds."""
    if record is None:
        return disk
    found = complaints(record.known, record.earlier) if record.known is not None else ()
    return replace(
        disk,
        health=record.answer,
        complaints=found,
        known=record.known,
        known_at=record.known_at,
        crc_since=record.crc_since,
    )


def _disk_at(path: str | None, inventory: Inventory) -> Disk | None:
    """The whole disk behind a path or link."""
    name = inventory.kernel_name(path) if path is not None else None
    return inventory.disk_of(name) if name is not None else None


class _Departed:
    """What is known of disks that the host does not see any more."""

    def __init__(self, state: HostState, inventory: Inventory, bays: Bays) -> None:
        self._places = {each.key: each for each in state.places}
        self._evidence = {each.key: each for each in state.evidence}
        self._inventory, self._bays = inventory, bays

    def known(self, disk: HostDisk, leaf: Vdev, key: tuple[int, int]) -> HostDisk:
        """The disk of a leaf with its last bay, and with the evidence on it from before."""
        last, before = self._places.get(key), self._evidence.get(key)
        bay = (last.bay if last is not None else "") or bay_told_by_zfs(leaf, self._bays)
        placed = replace(disk, last=last, bay=bay)
        is_taken = is_bay_taken(bay, placed.serial, self._inventory, self._bays)
        record = before.record if before is not None else None
        if before is None or record is None or record.known is None:
            return replace(placed, is_bay_taken=is_taken)
        return replace(
            placed,
            is_bay_taken=is_taken,
            complaints=complaints(record.known, record.earlier),
            known=record.known,
            known_at=record.known_at,
            kernel=evidence_in(before.kernel),
        )


class _Load:
    """The last sample of a pool, by the names of its vdevs."""

    def __init__(self, pool: PoolState) -> None:
        self._sample = pool.sample
        names = () if self._sample is None else self._sample.names
        self._places = {name: at for at, name in enumerate(names) if at}

    def of(self, leaf: Vdev) -> tuple[IoRow | None, float | None]:
        sample, at = self._sample, self._places.get(leaf.name)
        if sample is None or at is None or at >= len(sample.rows):
            return None, None
        return sample.rows[at], sample.busy[at] if at < len(sample.busy) else None


def _leaves(state: HostState) -> Iterator[tuple[Pool, _Load, Vdev, Vdev]]:
    for of in state.pools:
        pool, load = of.pool.value, _Load(of)
        if pool is None:
            continue
        for top in pool.vdevs:
            for leaf in top.leaves():
                yield pool, load, top, leaf


def _place(each: HostDisk) -> tuple[bool, str, bool, str, str]:
    """Disks that serve by pool and vdev, spares and caches behind them, then the unused ones."""
    if each.pool is None or each.top is None:
        return True, "", False, "", each.serial
    return False, each.pool.name, each.top.vdev_class in BESIDE_THE_DATA, each.top.name, each.serial
