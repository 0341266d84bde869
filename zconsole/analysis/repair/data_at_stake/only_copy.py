"""A device with errors that has the only copy of its data: what can be read is copied before all else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.bay_to_put_back_into import put_back_in_words
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import SHARED_CAUSES, CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import is_vital, redundancy_in_pool
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import NotNow, RepairTrouble

ONLY_COPY: Final = "only-copy"  # id of the reason


def has_only_copy(pool: Pool, top: Vdev) -> bool:
    """Whether the pool's data depends on a vdev that has no redundancy by design."""
    redundancy = redundancy_in_pool(pool, top)
    return redundancy is not None and redundancy.by_design == 0 and is_vital(top)


def only_copies_with_errors(pool: Pool) -> tuple[Vdev, ...]:
    """Devices that count errors and have the only copy of their data."""
    bare = (leaf for top in pool.vdevs if has_only_copy(pool, top) for leaf in top.leaves())
    return tuple(leaf for leaf in bare if leaf.has_errors)


def only_copies_gone(facts: PoolFacts) -> tuple[Vdev, ...]:
    """Devices with the only copy of their data that the host does not see.

    ZFS may go on to call the last device of a pool ONLINE, and tries again for ever.
    """
    bare = (leaf for top in facts.pool.vdevs if has_only_copy(facts.pool, top) for leaf in top.leaves())
    return tuple(leaf for leaf in bare if facts.identity(leaf).is_present is False)


def copy_comes_first(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A scrub repairs nothing here but metadata; where the cable is to blame that is cured first."""
    if trouble is not RepairTrouble.FAILING or cause.cause in SHARED_CAUSES or place.newcomer is not None:
        return
    label = facts.identity(place.member).label
    if place.member in only_copies_gone(facts):
        yield NotNow(
            ONLY_COPY,
            f"the host does not see {label}, which has the only copy of its data: nothing can be read off it",
            f"{put_back_in_words(facts, place.member)}, then clear and copy what matters off it; errors of "
            "the time when it was out go with a scrub after that",
        )
    elif has_only_copy(facts.pool, place.top) and place.member.has_errors:
        is_fixed = facts.pool.has_checkpoint or facts.pool.running_removal is not None
        attach = "" if is_fixed else ", or attach a second disk to it, which takes what can be read"
        yield NotNow(
            ONLY_COPY,
            f"{label} counts errors and has the only copy of its data",
            f"copy what matters off {label}{attach}; "
            "clear and scrub after that: a scrub reads all of it, and has nothing to repair data from",
        )
