"""Disks of a host with all that is known of each: its vdev, its health, its speed; worst first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from zconsole.analysis.vdevs.device_names import disk_identity
from zconsole.analysis.vdevs.disk_health import Complaint, complaints
from zconsole.model.finding import Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.disk import Disk, Inventory
from zconsole.model.pools.disk_health import DiskHealth, HealthAnswer
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev
from zconsole.model.pools.slow_disk import SlowDiskVerdict

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
    """One disk. `pool`, `top` and `leaf` are where it serves; `disk` is None for one that is gone."""

    disk: Disk | None
    pool: Pool | None = None
    top: Vdev | None = None
    leaf: Vdev | None = None
    health: HealthAnswer | None = None  # None: not read
    complaints: tuple[Complaint, ...] = ()
    slow: SlowDiskVerdict | None = None

    @property
    def serial(self) -> str:
        """The serial number; the name of the vdev, or of the device, where it is unknown."""
        if self.disk is not None:
            return self.disk.serial or self.disk.name
        return self.leaf.name if self.leaf is not None else ""

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


def host_disks(state: HostState, health: Mapping[str, HealthAnswer]) -> tuple[HostDisk, ...]:
    """Every disk of a host and every leaf whose disk is gone, worst first.

    `health` is by kernel name; several paths to one disk count once.
    """
    inventory = state.inventory.value or Inventory()
    serving: dict[str, tuple[Pool, Vdev, Vdev]] = {}
    for name, place in _serving(state, inventory):
        serving.setdefault(name, place)  # a spare in use stands beside the disk it replaces first
    slow = {verdict.disk: verdict for pool in state.pools for verdict in pool.slow}
    found = [_host_disk(disk, serving.get(disk.name), health, slow) for disk in whole_disks(inventory)]
    found += [
        HostDisk(None, pool, top, leaf)
        for pool, top, leaf in _leaves(state)
        if leaf.path is not None
        and leaf.path.startswith("/dev/")
        and inventory.kernel_name(leaf.path) is None
        and state.inventory.value is not None
    ]
    return tuple(sorted(found, key=lambda each: (-each.trouble, _place(each))))


def whole_disks(inventory: Inventory) -> Iterator[Disk]:
    """Each disk once, however many paths lead to it; no volumes of pools, loops or optical drives."""
    seen: set[tuple[str, ...]] = set()
    for disk in inventory.disks:
        identity = disk_identity(disk)
        if disk.type in _KINDS and not disk.name.startswith(_NO_DISKS) and identity not in seen:
            seen.add(identity)
            yield disk


def _host_disk(
    disk: Disk,
    place: tuple[Pool, Vdev, Vdev] | None,
    health: Mapping[str, HealthAnswer],
    slow: Mapping[str, SlowDiskVerdict],
) -> HostDisk:
    pool, top, leaf = place if place is not None else (None, None, None)
    answer = health.get(disk.name)
    found = complaints(answer) if isinstance(answer, DiskHealth) else ()
    return HostDisk(disk, pool, top, leaf, answer, found, slow.get(leaf.name) if leaf is not None else None)


def _serving(state: HostState, inventory: Inventory) -> Iterator[tuple[str, tuple[Pool, Vdev, Vdev]]]:
    for pool, top, leaf in _leaves(state):
        name = inventory.kernel_name(leaf.path) if leaf.path else None
        disk = inventory.disk_of(name) if name is not None else None
        if disk is not None:
            yield disk.name, (pool, top, leaf)


def _leaves(state: HostState) -> Iterator[tuple[Pool, Vdev, Vdev]]:
    for pool in (each.pool.value for each in state.pools if each.pool.value is not None):
        for top in pool.vdevs:
            for leaf in top.leaves():
                yield pool, top, leaf


def _place(each: HostDisk) -> tuple[bool, str, bool, str, str]:
    """Disks that serve by pool and vdev, spares and caches behind them, then the unused ones."""
    if each.pool is None or each.top is None:
        return True, "", False, "", each.serial
    return False, each.pool.name, each.top.vdev_class in BESIDE_THE_DATA, each.top.name, each.serial
