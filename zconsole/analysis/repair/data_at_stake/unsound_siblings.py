"""A failed device whose vdev relies on others with errors: it may have what these cannot return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import PARTS_OF_OTHERS, SHARED_CAUSES, CauseFound
from zconsole.analysis.repair.not_opened.notes_of_devices import label_problem
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import has_all_data, is_vital, redundancy_in_pool
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import Certainty, NotNow, RepairCause, RepairTrouble

UNSOUND_SIBLINGS: Final = "unsound-siblings"  # id of the reason
FAULTED: Final = "FAULTED"


def relied_on_with_errors(pool: Pool, top: Vdev) -> tuple[Vdev, ...]:
    """The devices on which a vdev without redundancy relies, and that returned wrong data or none.

    Of one that failed to write ZFS itself notes that it lacks data (`vdev_stat_update`).
    """
    redundancy = redundancy_in_pool(pool, top)
    if redundancy is None or not redundancy.is_used_up or not is_vital(top):
        return ()
    return tuple(
        leaf
        for leaf in top.leaves()
        if has_all_data(leaf)
        and (leaf.state == "DEGRADED" or leaf.has_errors)  # what failed to be written is missing there
    )


def failed_one_may_have_what_they_lack(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """With the failed device in use again ZFS has a second source for each block while it resilvers."""
    member = place.member
    if trouble is not RepairTrouble.FAILED or label_problem(facts.pool, member):
        return
    if place.newcomer is not None or facts.pool.is_resilvering or facts.pool.data_errors:
        return  # nothing is to be chosen any more, or the damaged blocks say what comes first
    is_dying = cause.cause is RepairCause.DISK and cause.certainty is Certainty.SURE
    if cause.cause in SHARED_CAUSES:
        return  # that is checked first, and clear brings all of them back
    if is_dying or not (unsound := relied_on_with_errors(facts.pool, place.top)):
        return
    label = facts.identity(member).label
    names = joined_by_and([facts.identity(leaf).label for leaf in unsound])
    verb = "counts" if len(unsound) == 1 else "count"
    why = (
        f"{place.top.name} relies on {names}, which {verb} errors: {label} may have what these cannot return"
    )
    if facts.identity(member).is_present is False:
        yield NotNow(
            UNSOUND_SIBLINGS,
            why,
            f"put {label} back, or reconnect it (slot, cable, power; {PARTS_OF_OTHERS}), before it is "
            f"replaced: ZFS copies what was written meanwhile, and repairs {names} from it; if it is dead, "
            "replace it all the same",
        )
    elif member.state == FAULTED:
        yield NotNow(
            UNSOUND_SIBLINGS,
            why,
            f"clear {label} while it still answers, and replace it with all of them in place; if it is "
            "FAULTED again, replace it all the same",
        )
