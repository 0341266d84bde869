"""Repairs of other devices and vdevs that come before this one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import trouble_of
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.several_failed_devices import failed_in, state_in_words
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.repair.wrong_disk_pulled import meant_instead
from zconsole.analysis.vdevs.redundancy import (
    has_all_data,
    in_words,
    is_vital,
    redundancy_in_pool,
)
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import NotNow, RepairTrouble

ASKED_FOR: Final = {RepairTrouble.TOO_SMALL, RepairTrouble.UNMIRRORED}
_BY_CHOICE: Final = {RepairTrouble.SLOW, RepairTrouble.WARNED, RepairTrouble.REPLACING, *ASKED_FOR}
_COMES_FIRST: Final = {
    RepairTrouble.FAILED, RepairTrouble.NEW_DISK_FAILED, RepairTrouble.FAILING, RepairTrouble.OFFLINE,
    RepairTrouble.SPARE_IN_USE,
}  # fmt: skip
_CURED_BY: Final = {
    RepairTrouble.TOO_SMALL: RepairTrouble.OFFLINE,  # taken out of its bay for the larger one
    RepairTrouble.UNMIRRORED: RepairTrouble.FAILING,  # a second copy is what it needs
}


def another_vdev_is_worse_off(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """The vdev that survives the fewest further failures goes first."""
    del cause
    own = redundancy_in_pool(facts.pool, place.top)
    left = own.left if own is not None else 0
    if not is_vital(place.top):
        return
    for top in facts.pool.vdevs:
        other = redundancy_in_pool(facts.pool, top)
        if top is place.top or other is None or not is_vital(top) or not other.is_used_up:
            continue
        if left > 0 or trouble in _BY_CHOICE:
            yield NotNow(
                "other-vdev-first",
                f"{in_words(other)}: one more failure there loses the pool, and a resilver here delays it",
                f"repair {', '.join(_incomplete(facts, top)) or top.name} first",
            )


def _incomplete(facts: PoolFacts, top: Vdev) -> Iterator[str]:
    """The members of a vdev that lack data, as they are labelled."""
    for each in places(facts.pool):
        if each.top is top and not has_all_data(each.holder):
            yield facts.identity(each.member).label


def a_repair_comes_first(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """What is asked for on a sound vdev waits for the repairs of its devices."""
    del cause
    for other in places(facts.pool) if trouble in ASKED_FOR else ():
        found = trouble_of(other, facts.devices)
        is_own = other.member is place.member and found is _CURED_BY[trouble]
        if other.top is place.top and found in _COMES_FIRST and not is_own:
            label = facts.identity(other.member).label
            words = f"{label} of {place.top.name}: {found.value}"
            yield NotNow("repair-first", words, f"repair {label} first")


def another_of_the_vdev_comes_first(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """One device of a vdev at a time: the new disk is for the one that failed first."""
    del cause
    failed = failed_in(facts, place)
    is_first = not failed or failed[0].member is place.member
    if is_first or facts.pool.is_resilvering or place.newcomer is not None:
        return
    if trouble in ASKED_FOR or trouble is RepairTrouble.SPARE_IN_USE or meant_instead(facts, place):
        return
    label = facts.identity(failed[0].member).label
    yield NotNow(
        "same-vdev-first",
        f"{label} of the same {place.top.name} {state_in_words(failed[0].member)}: it comes first",
        f"repair {label} first",
    )
