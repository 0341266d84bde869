"""Spares that a detach makes free for a failed device: redundancy is back sooner than with a new disk."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import is_dead, trouble_of
from zconsole.analysis.repair.need_of_spare import need_of_spare
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.analysis.vdevs.resilver_targets import DISTRIBUTED_SPARE
from zconsole.analysis.vdevs.spare_fit import spare_objections
from zconsole.analysis.vdevs.topology_after_change import detached
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import RepairTrouble


@dataclass(frozen=True, slots=True)
class FreedSpare:
    """What is detached first, and the spare that stands in then."""

    detached: tuple[Vdev, ...]
    spare: Vdev  # its entry among the pool's spares
    whole: Vdev | None = (
        None  # the device that a returned spare stands beside; None: failed ones are detached
    )


def spare_freed_first(facts: PoolFacts, place: DevicePlace) -> FreedSpare | None:
    """The spare of a failed device that no spare serves, where one has to be detached before; else None.

    ZFS attaches nothing but spares beside a spare in use, and a failed one keeps its place until it is
    detached (`spa_vdev_attach`). A spare beside a device that is whole again serves nobody.
    """
    is_without = place.newcomer is None and all(map(is_dead, place.spares))
    if not is_vital(place.top) or not is_dead(place.member) or not is_without:
        return None
    if place.spares:
        after = facts.pool
        for spare in place.spares:
            after = detached(after, spare)
        free = next(_free_for(after, place.member), None)
        return None if free is None else FreedSpare(place.spares, _entry_of(facts.pool, free))
    return next(_returned(facts, place), None)


def _returned(facts: PoolFacts, place: DevicePlace) -> Iterator[FreedSpare]:
    """Spares of other devices that are not needed there. One that waits is taken at once, but in a draid.

    There ZFS before 2.2.10, 2.3.7 and 2.4.2 copies to the device that is back nothing of what is rebuilt
    onto another distributed spare (openzfs/zfs#18286): its spare is returned first.
    """
    waiting = next(_free_for(facts.pool, place.member), None)
    for other in places(facts.pool):
        spare = other.spare
        if spare is None or is_dead(spare) or not _can_go(facts, other):
            continue
        is_same_draid = other.top is place.top and spare.type == DISTRIBUTED_SPARE
        if waiting is not None and not (is_same_draid and waiting.type == DISTRIBUTED_SPARE):
            continue
        free = _free_for(detached(facts.pool, spare), place.member)
        if any(_is_same(each, spare) for each in free):
            yield FreedSpare((spare,), _entry_of(facts.pool, spare), other.member)


def _can_go(facts: PoolFacts, other: DevicePlace) -> bool:
    known = facts.of_leaf(other.member)
    is_whole = trouble_of(other, facts.devices) is RepairTrouble.SPARE_IN_USE
    return is_whole and need_of_spare(facts.pool, other.member, is_suspect=known.is_suspect) is None


def _free_for(pool: Pool, member: Vdev) -> Iterator[Vdev]:
    """The spares that could stand in for a device, as the pool is."""
    old = next(
        leaf
        for top in pool.vdevs
        if top.vdev_class != "spare"
        for leaf in top.leaves()
        if _is_same(leaf, member)
    )
    return (each for each in pool.of_class("spare") if next(spare_objections(pool, old, each), None) is None)


def _entry_of(pool: Pool, spare: Vdev) -> Vdev:
    return next(each for each in pool.of_class("spare") if _is_same(each, spare))


def _is_same(one: Vdev, other: Vdev) -> bool:
    return (one.guid, one.name) == (other.guid, other.name)
