"""States of vdevs, and drives that are unplugged and plugged in."""

from __future__ import annotations

from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import World, named_state
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.start_or_abort_scrub_and_resilver import LEAST_MISSED, start_resilver
from zconsole.practice.world.vdev_tree_changes import has_outage, settle, top_of


def unplug(world: World, disk: PracticeDisk) -> None:
    """Pull a drive."""
    if not disk.is_present:
        return
    disk.is_present = False
    world.disk_events.append(("remove", disk.kname))
    served = world.leaf_of(disk)
    if served is not None and served[1].is_usable:
        set_state(world, *served, "REMOVED")


def plug(world: World, disk: PracticeDisk) -> None:
    """Put a drive back; ZFS takes it up again."""
    if disk.is_present:
        return
    disk.is_present = True
    world.disk_events.append(("add", disk.kname))
    served = world.leaf_of(disk)
    if served is not None and served[1].state == "REMOVED":
        bring_back(world, *served)


def bring_back(world: World, pool: PracticePool, leaf: PracticeVdev) -> None:
    """Bring a device online, and resilver what it missed."""
    set_state(world, pool, leaf, "ONLINE")
    start_resilver(world, pool)
    settle(world, pool)
    derive_states(pool)


def set_state(
    world: World, pool: PracticePool, leaf: PracticeVdev, state: str, aux: str | None = None
) -> None:
    """Change the state of a device, report it, and derive the states above."""
    before, was_usable, was_suspended = leaf.state, leaf.is_usable, pool.is_suspended
    was_current = leaf.is_current
    leaf.state, leaf.aux = state, aux
    if was_usable and not leaf.is_usable:
        leaf.left_at = world.elapsed
        leaf.missed = leaf.missed if was_suspended else max(leaf.missed, LEAST_MISSED)
        leaf.is_resilvering = False
    elif leaf.is_usable and not was_usable:
        leaf.is_not_present = False
        leaf.missed = _missed(world, pool, leaf)
    world.report(
        pool,
        "resource.fs.zfs.statechange",
        ("vdev_guid", leaf.guid),
        ("vdev_state", named_state(state)),
        ("vdev_path", leaf.path),
        ("vdev_devid", leaf.devid),
        ("vdev_physpath", leaf.phys_path),
        ("vdev_laststate", named_state(before)),
    )
    derive_states(pool)
    if pool.is_suspended and not was_suspended:
        leaf.missed = 0 if was_current else leaf.missed  # nothing is written without it
        world.report(pool, "ereport.fs.zfs.io_failure")


def _missed(world: World, pool: PracticePool, leaf: PracticeVdev) -> int:
    """Bytes that its vdev has written while a device was away."""
    top = top_of(pool, leaf)
    if top is None or not leaf.missed:
        return 0  # a cache or an idle spare has nothing to catch up with
    load = pool.load
    rate = load.writes * load.write_bytes if load is not None else 0.0
    written = int(rate * (world.elapsed - leaf.left_at) / max(1, len(pool.tops("normal"))))
    return min(max(leaf.missed, written), max(leaf.missed, top.allocated))


def derive_states(pool: PracticePool) -> None:
    """Work out the state of everything above the devices; a pool that lost data is suspended till cleared."""
    for top in pool.present:
        _derive(top)
    states = {top.state for top in pool.present}
    lost = any(not top.is_usable or has_outage(top) for top in pool.tops("normal", "special", "dedup"))
    pool.root.state = "ONLINE" if states <= {"ONLINE"} else "DEGRADED"
    pool.is_suspended |= lost


def _derive(vdev: PracticeVdev) -> None:
    if vdev.is_leaf:
        return
    for child in vdev.children:
        _derive(child)
    unusable = sum(not child.is_usable for child in vdev.children)
    spared = vdev.parity if vdev.kind in {"raidz", "draid"} else len(vdev.children) - 1
    vdev.aux = None
    if unusable > spared:
        vdev.state, vdev.aux = "UNAVAIL", "NO_REPLICAS"
    elif all(child.state == "ONLINE" for child in vdev.children):
        vdev.state = "ONLINE"
    else:
        vdev.state = "DEGRADED"
