"""Disk of a missing device that the host sees again, under its own or another name."""

from __future__ import annotations

from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.not_opened.notes_of_devices import label_problem
from zconsole.analysis.vdevs.disk_identity_and_links import serial_in_name, stable_link
from zconsole.analysis.vdevs.host_disks import whole_disks
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import ZFS_MEMBER, Disk
from zconsole.model.pools.pool import GONE_STATES, Vdev

_WWN: Final = "wwn-"


@dataclass(frozen=True, slots=True)
class ReturnedDisk:
    """A disk that bears the pool's label. `is_certain`: its serial number or WWN is the missing one's."""

    label: str  # its serial number or kernel name
    device: str  # its best name now
    is_under_its_name: bool
    is_certain: bool


def returned_disk(facts: PoolFacts, leaf: Vdev) -> ReturnedDisk | None:
    """The disk of a leaf that ZFS lost, as far as the inventory shows it."""
    if leaf.state not in GONE_STATES or label_problem(facts.pool, leaf) or facts.inventory is None:
        return None
    own = facts.of_leaf(leaf).disk
    if own is not None:
        return _found(own, is_own=True, is_certain=True) if _bears(own, facts.pool.guid) else None
    serving = {each.disk.name for each in facts.devices.values() if each.disk is not None}
    strays = [
        disk
        for disk in whole_disks(facts.inventory)
        if disk.name not in serving and _bears(disk, facts.pool.guid)
    ]
    certain = [disk for disk in strays if _is_named(disk, leaf.name)]
    if certain:
        return _found(certain[0], is_own=False, is_certain=True)
    missing = [each for each in facts.devices.values() if each.vdev.state in GONE_STATES]
    if len(strays) == 1 and len(missing) == 1 and not _names_another(leaf.name):
        return _found(strays[0], is_own=False, is_certain=False)
    return None


def _bears(disk: Disk, pool_guid: int | None) -> bool:
    """Whether a disk has a label of the pool; blkid gives the pool's guid as the UUID."""
    return any(
        part.fstype == ZFS_MEMBER and pool_guid is not None and part.uuid == str(pool_guid)
        for part in disk.walk()
    )


def _is_named(disk: Disk, name: str) -> bool:
    serial = serial_in_name(name)
    if serial:
        return disk.serial == serial
    return bool(disk.wwn) and name.startswith(f"{_WWN}{disk.wwn}")


def _names_another(name: str) -> bool:
    """Whether a name tells which disk is missing, so that a stray with another identity is not it."""
    return bool(serial_in_name(name)) or name.startswith(_WWN)


def _found(disk: Disk, *, is_own: bool, is_certain: bool) -> ReturnedDisk:
    return ReturnedDisk(disk.serial or disk.name, stable_link(disk) or disk.path, is_own, is_certain)
