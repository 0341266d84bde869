"""Places of the disks of pools: where each was seen now, and last, when it is gone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.analysis.vdevs.disk_identity_and_links import serial_in_name
from zconsole.analysis.vdevs.enclosure_bays import Bays, slot_in_path
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import GONE_STATES, Vdev

WAS: Final = "was "  # before the path of a missing leaf, in ZFS's note
_KEPT_NAMES: Final = ("/dev/disk/", "/dev/mapper/")  # of udev and multipath: a disk has them at each boot
_PARTITION: Final = re.compile(r"-part\d{1,3}$")


def seen_places(state: HostState, now: float) -> Iterator[DiskPlace]:
    """The place of each disk that the host sees and a pool uses; `now` in epoch seconds."""
    inventory = state.inventory.value
    if inventory is None or inventory.links_problem:
        return
    bays = Bays(inventory)
    for of in state.pools:
        pool = of.pool.value
        if pool is None or pool.guid is None:
            continue
        for leaf in (each for top in pool.vdevs for each in top.leaves()):
            name = inventory.kernel_name(leaf.path) if leaf.path is not None else None
            disk = inventory.disk_of(name) if name is not None else None
            # A path that names a slot leads to whatever disk is in it.
            if disk is not None and leaf.guid is not None and leaf.state not in GONE_STATES:
                path = leaf.phys_path or disk.hctl
                yield DiskPlace(pool.guid, leaf.guid, disk.serial, disk.model, bays.name(disk), path, now)


def bay_told_by_zfs(leaf: Vdev, bays: Bays, enclosure_path: str = "") -> str:
    """The bay in a leaf's by-vdev path, or at the enclosure's path that ZFS has; empty otherwise."""
    enclosure = leaf.enclosure_path or enclosure_path
    return slot_in_path(path_before(leaf)) or (bays.name_at(enclosure) if enclosure else "")


def path_before(leaf: Vdev) -> str:
    """The path of a leaf; of one that ZFS calls by its guid the path that it had."""
    was = leaf.note.removeprefix(WAS) if leaf.note.startswith(WAS) else ""
    return leaf.path or was


def name_to_find(leaf: Vdev) -> str:
    """The name of a leaf; of one that ZFS calls by its guid the last part of the path that it had.

    A kernel's name may be another disk's now, and is told as what it was.
    """
    path = path_before(leaf) if leaf.name.isdecimal() else ""
    if path.startswith(_KEPT_NAMES):
        return _PARTITION.sub("", path.rpartition("/")[2])
    return f"{leaf.name} ({WAS}{path})" if path else leaf.name


def serial_of_leaf(leaf: Vdev) -> str:
    """The serial number in a leaf's name, path or devid; empty where none has it."""
    path = path_before(leaf).rpartition("/")[2] if leaf.name.isdecimal() else ""  # it is called by its guid
    return next(filter(None, map(serial_in_name, (leaf.name, leaf.devid or "", path))), "")


def own_disk(leaf: Vdev, at_path: Disk | None, last: DiskPlace | None) -> Disk | None:
    """The disk of a leaf: the one at its path, unless that is known to be another one in its slot."""
    if at_path is None or leaf.state == "ONLINE" or not at_path.serial:
        return at_path
    known = (last.serial if last is not None else "") or serial_in_name(leaf.devid or "")
    is_same = not known or at_path.serial.endswith(known) or known.endswith(at_path.serial)
    return at_path if is_same else None


def is_bay_taken(bay: str, serial: str, inventory: Inventory, bays: Bays) -> bool:
    """Whether another disk than the one with that serial number is in the bay now."""
    return bool(bay) and any(bays.name(disk) == bay and disk.serial != serial for disk in inventory.disks)


def merged_places(before: Iterable[DiskPlace], seen: Iterable[DiskPlace]) -> tuple[DiskPlace, ...]:
    """The newest place of each device."""
    found: dict[tuple[int, int], DiskPlace] = {}
    for each in (*before, *seen):
        known = found.get(each.key)
        if known is None or each.at >= known.at:
            found[each.key] = each
    return tuple(found[key] for key in sorted(found))
