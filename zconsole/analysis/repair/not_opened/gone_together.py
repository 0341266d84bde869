"""Several disks of a pool that are gone without an error: what they share, or a hand, before any disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import PARTS_OF_OTHERS, WAY_PARTS, CauseFound
from zconsole.analysis.repair.not_opened.notes_of_devices import label_problem
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import GONE_STATES, Vdev
from zconsole.model.repair import Certainty, NotNow, RepairCause, RepairTrouble

GONE_TOGETHER: Final = "gone-together"  # ids of reasons
GONE: Final = "gone"


def gone_with(facts: PoolFacts, leaf: Vdev) -> tuple[Vdev, ...]:
    """The disks that are out of the host without an error; empty where this is the only one."""
    gone = tuple(each.vdev for each in facts.devices.values() if _is_gone(facts, each.vdev))
    return gone if len(gone) > 1 and any(each is leaf for each in gone) else ()


def shared_or_pulled(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The cause of disks that are gone together, where nothing tells what they share."""
    gone = gone_with(facts, leaf)
    if not gone:
        return None
    return CauseFound(
        RepairCause.UNKNOWN,
        Certainty.UNCLEAR,
        f"{len(gone)} disks of {facts.pool.name} are gone, and no error of them is known: what they share "
        f"{WAY_PARTS}, or a hand",
    )


def they_come_back_first(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """Disks that left together are whole but for what was written since."""
    del trouble
    gone = gone_with(facts, place.member)
    if gone and cause == shared_or_pulled(facts, place.member):
        names = joined_by_and([facts.identity(each).label for each in gone])
        yield NotNow(
            GONE_TOGETHER,
            f"{names} are gone together, and no error of them is known",
            f"put {names} back, or reconnect them, before one is replaced: ZFS copies only what was written "
            "meanwhile; if one is dead, replace it all the same",
        )


def one_that_is_gone_comes_back_first(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A disk that left the host without an error, most often by its contact, lacks only the newest data."""
    del trouble
    is_free = cause.cause is RepairCause.UNKNOWN and place.newcomer is None
    if not facts.state.has_hot_swap:
        return  # disks are changed while the host is off: nothing tells this one from one that was taken out
    if is_free and _is_gone(facts, place.member) and not gone_with(facts, place.member):
        label = facts.identity(place.member).label
        yield NotNow(
            GONE,
            f"{label} is gone, and no error of it is known",
            f"put {label} back, or reconnect it (slot, cable, power; {PARTS_OF_OTHERS}): ZFS copies only "
            "what was written meanwhile; if it is dead, replace it all the same",
        )


def _is_gone(facts: PoolFacts, leaf: Vdev) -> bool:
    known = facts.of_leaf(leaf)
    had_cause = known.before is not None and known.before.cause is not None
    is_away = leaf.state in GONE_STATES and not label_problem(facts.pool, leaf)  # UNAVAIL after a boot
    is_out = is_away and facts.identity(leaf).is_present is False
    return (
        is_out
        and not known.counted.has_errors
        and not had_cause
        and leaf.vdev_class not in {"spare", "cache"}
    )
