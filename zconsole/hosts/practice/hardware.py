"""Drives that are pulled and put back, and what that makes of the states above them."""

from __future__ import annotations

from typing import Final

from zconsole.hosts.practice.tree import Disk, Pool, Vdev
from zconsole.hosts.practice.world import Named, World

STATE_NUMBERS: Final = {
    "OFFLINE": 2,
    "REMOVED": 3,
    "UNAVAIL": 4,
    "FAULTED": 5,
    "DEGRADED": 6,
    "ONLINE": 7,
}


def unplug(world: World, disk: Disk) -> None:
    """Pull a drive."""
    if not disk.is_present:
        return
    disk.is_present = False
    served = world.leaf_of(disk)
    if served is not None:
        set_state(world, *served, "REMOVED")


def plug(world: World, disk: Disk) -> None:
    """Put a drive back; ZFS takes it up again."""
    if disk.is_present:
        return
    disk.is_present = True
    served = world.leaf_of(disk)
    if served is not None and served[1].state == "REMOVED":
        set_state(world, *served, "ONLINE")


def set_state(world: World, pool: Pool, leaf: Vdev, state: str, aux: str | None = None) -> None:
    """Change the state of a device, tell of it, and work out the states above."""
    before, leaf.state, leaf.aux = leaf.state, state, aux
    disk = leaf.disk
    world.report(
        pool,
        "resource.fs.zfs.statechange",
        ("vdev_guid", leaf.guid),
        ("vdev_state", Named(state, STATE_NUMBERS[state])),
        ("vdev_path", leaf.path),
        ("vdev_devid", f"{disk.devid}-part1" if disk else ""),
        ("vdev_physpath", disk.phys_path if disk else ""),
        ("vdev_laststate", Named(before, STATE_NUMBERS[before])),
    )
    derive_states(pool)


def derive_states(pool: Pool) -> None:
    """Work out the state of everything above the devices; a pool that lost data is suspended."""
    for top in pool.root.children:
        _derive(top)
    states = [top.state for top in pool.root.children]
    lost = any(top.state == "UNAVAIL" for top in pool.tops("normal", "special", "dedup"))
    pool.root.state = "ONLINE" if set(states) <= {"ONLINE"} else "DEGRADED"
    pool.is_suspended = lost


def _derive(vdev: Vdev) -> None:
    if vdev.is_leaf:
        return
    for child in vdev.children:
        _derive(child)
    unusable = sum(not child.is_usable for child in vdev.children)
    spared = vdev.parity if vdev.kind == "raidz" else len(vdev.children) - 1
    vdev.aux = None
    if unusable > spared:
        vdev.state, vdev.aux = "UNAVAIL", "NO_REPLICAS"
    elif all(child.state == "ONLINE" for child in vdev.children):
        vdev.state = "ONLINE"
    else:
        vdev.state = "DEGRADED"
