"""Changes of the vdev tree of a pool: attach, replace, detach, and what ZFS detaches by itself."""

from __future__ import annotations

from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import REDUNDANT, PracticePool, PracticeVdev

_OF_TOP_LEVEL = (
    *("vdev_class", "vdev_id", "asize", "allocated", "fragmentation", "checkpoint_space"),
    *("ratio", "ashift", "ms_shift", "rebuild", "is_removing"),
)


def top_of(pool: PracticePool, vdev: PracticeVdev) -> PracticeVdev | None:
    """The top-level vdev that a vdev is or belongs to; None for caches and idle spares."""
    return next((top for top in pool.root.children if any(vdev is each for each in top.walk())), None)


def is_required(pool: PracticePool, leaf: PracticeVdev) -> bool:
    """Whether a device holds the only copy of some data, so that ZFS keeps it."""
    top = top_of(pool, leaf)
    if top is None:
        return False
    return top is leaf or has_outage(top, leaf)


def has_outage(vdev: PracticeVdev, without: PracticeVdev | None = None) -> bool:
    """Whether some data of a vdev could not be read, if `without` was not there."""
    if vdev is without:
        return True
    if vdev.is_leaf:
        return not vdev.is_current
    lost = sum(has_outage(child, without) for child in vdev.children)
    return lost == len(vdev.children) if vdev.kind in REDUNDANT else lost > vdev.parity


def number(vdev: PracticeVdev) -> None:
    """Number the children of a group."""
    for index, child in enumerate(vdev.children):
        child.vdev_id = index


def put_above(pool: PracticePool, old: PracticeVdev, group: PracticeVdev) -> None:
    """Replace a vdev by a group whose first child it becomes."""
    above = pool.root.parent_of(old)
    if above is None:
        raise LookupError(old.path)
    above.children[_index(above, old)] = group
    group.vdev_id = old.vdev_id
    group.vdev_class = old.vdev_class if above is pool.root else "normal"
    if above is pool.root:
        _hand_over(old, group)
    group.children = [old]
    number(group)


def take_out(pool: PracticePool, leaf: PracticeVdev) -> None:
    """Take a device out of its group; a group that keeps only one vdev makes way for it."""
    group = pool.root.parent_of(leaf)
    if group is None:
        raise LookupError(leaf.path)
    group.children.pop(_index(group, leaf))
    number(group)
    if len(group.children) > 1 or group.kind not in REDUNDANT:
        return
    above, left = pool.root.parent_of(group), group.children[0]
    if above is None:
        raise LookupError(group.kind)
    above.children[_index(above, group)] = left
    left.vdev_id = group.vdev_id
    if above is pool.root:
        _hand_over(group, left)
        left.guid = group.guid  # ZFS keeps the guid of the top-level vdev
    elif left.vdev_class == "spare" and all(left.guid != spare.guid for spare in pool.spares):
        left.vdev_class = "normal"


def _index(group: PracticeVdev, wanted: PracticeVdev) -> int:
    return next(index for index, child in enumerate(group.children) if child is wanted)


def _hand_over(old: PracticeVdev, new: PracticeVdev) -> None:
    """Copy the fields that only a top-level vdev has."""
    for name in _OF_TOP_LEVEL:
        setattr(new, name, getattr(old, name))


def _release(disk: PracticeDisk | None, pool: PracticePool, *, is_readable: bool) -> None:
    """A drive leaves a pool: its label goes, unless ZFS could not write to it any more."""
    if disk is not None:
        disk.left_label = None if is_readable else (pool.name, pool.guid)


def settle(world: World, pool: PracticePool) -> None:
    """Detach replaced devices, and spares whose device is back."""
    changed = True
    while changed:
        changed = False
        for vdev in [vdev for top in pool.root.children for vdev in top.walk()]:
            gone = _superfluous(vdev)
            if gone is not None:
                detach(world, pool, gone)
                changed = True
                break


def _superfluous(vdev: PracticeVdev) -> PracticeVdev | None:
    if vdev.kind == "replacing" and vdev.children[-1].is_leaf and vdev.children[-1].is_current:
        return vdev.children[0]
    if vdev.kind == "spare" and vdev.children[0].is_leaf and vdev.children[0].is_current:
        stand_in = vdev.children[-1]
        return None if stand_in.is_resilvering else stand_in
    return None


def detach(world: World, pool: PracticePool, leaf: PracticeVdev) -> None:
    """Detach a device from its group, and report it."""
    group = pool.root.parent_of(leaf)
    is_spare = any(spare.guid == leaf.guid for spare in pool.spares)
    if group is not None and group.kind == "spare" and not is_spare:
        _keep_spare(pool, group)
    take_out(pool, leaf)
    if is_spare:
        _return_spare(pool, leaf)
    else:
        _release(leaf.disk, pool, is_readable=leaf.is_usable)
    world.vdev_event(pool, "vdev_remove", leaf)
    pool.txg += 1.0
    world.history_event(pool, "detach", f"vdev={leaf.path}")


def _return_spare(pool: PracticePool, leaf: PracticeVdev) -> None:
    """A spare that is no longer needed waits again."""
    for spare in pool.spares:
        if spare.guid == leaf.guid:
            spare.state = "ONLINE" if leaf.is_usable else leaf.state


def _keep_spare(pool: PracticePool, group: PracticeVdev) -> None:
    """The device that a spare stood in for is gone: the spare becomes an ordinary device."""
    for kept in group.children:
        if any(spare.guid == kept.guid for spare in pool.spares):
            pool.spares = [spare for spare in pool.spares if spare.guid != kept.guid]
            kept.vdev_class = "normal"
