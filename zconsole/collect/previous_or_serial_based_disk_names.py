"""Names of disks whose links below /dev/disk could not be read: those of before, or by serial number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity, serial_in_name, wwn_in_name
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.disk_by_id import inventory

_WWN: Final = "0x"
_PART: Final = re.compile(r"-part(\d{1,3})\Z")


def with_names(found: Inventory, pools: Sequence[PoolState], before: Inventory | None = None) -> Inventory:
    """The disks with what is known of their names: of an earlier reading, and of the leaves of pools."""
    if not found.links_problem:
        return found
    links = dict(_of_leaves(found, pools))
    links |= dict(_of_before(found, before)) if before is not None else {}
    links |= dict(found.links)
    named = inventory(found.disks, links.items())
    return replace(named, shelves=found.shelves, links_problem=found.links_problem)


def _of_before(found: Inventory, before: Inventory) -> Iterator[tuple[str, str]]:
    """Links to disks that are still the same ones."""
    for link, name in before.links:
        was, now = before.disk_of(name), found.disk_of(name)
        if was is not None and now is not None and disk_identity(was) == disk_identity(now):
            yield link, name


def _of_leaves(found: Inventory, pools: Sequence[PoolState]) -> Iterator[tuple[str, str]]:
    """Paths of leaves that name a disk by its serial number or WWN."""
    by_number = {number: disk for disk in found.disks for number in (disk.serial, disk.wwn) if number}
    for pool in pools:
        for leaf in pool.pool.value.walk() if pool.pool.value is not None else ():
            if leaf.is_leaf and leaf.path is not None and (device := _named(leaf.path, by_number)):
                yield leaf.path, device.name


def _named(path: str, by_number: dict[str, Disk]) -> Disk | None:
    """The disk or the partition that a path names."""
    name = path.rpartition("/")[2]
    wwn = wwn_in_name(name)
    disk = by_number.get(serial_in_name(name)) or by_number.get(f"{_WWN}{wwn}" if wwn else "")
    part = _PART.search(name)
    if disk is None or part is None:
        return disk
    return next((each for each in disk.children if _number(disk, each) == part[1]), None)


def _number(disk: Disk, part: Disk) -> str:
    return part.name.removeprefix(disk.name).removeprefix("p")
