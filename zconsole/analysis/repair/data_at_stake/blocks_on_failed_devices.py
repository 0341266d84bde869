"""Devices that are out of use while blocks are damaged on the others: they may have these whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import PARTS_OF_OTHERS, CauseFound
from zconsole.analysis.repair.not_opened.notes_of_devices import is_split_off, label_problem
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import ALIVE_STATES, is_vital, newcomers
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import NotNow, RepairTrouble

OFFLINE: Final = "OFFLINE"
GOOD_COPIES: Final = "good-copies"  # id of the reason


def damage_in_words(pool: Pool) -> str:
    """`1 permanent data error`, `12 permanent data errors`; empty without one."""
    errors = pool.data_errors
    return f"{errors} permanent data error{'s' if errors != 1 else ''}" if errors else ""


def devices_with_damaged_blocks(pool: Pool) -> tuple[Vdev, ...]:
    """Devices out of use that may have whole what the others cannot return; empty without such blocks."""
    if not pool.data_errors:
        return ()
    vital = [top for top in pool.vdevs if is_vital(top)]
    counting = [top for top in vital if _counts_errors(top)]  # elsewhere each block was returned whole
    leaves = (leaf for top in counting or vital for leaf in top.leaves())
    types = ("replacing", "spare") if pool.is_resilvering else ("replacing",)
    new = set(map(id, newcomers(pool, types)))  # filled from the others, if at all
    return tuple(
        leaf
        for leaf in leaves
        if leaf.state not in ALIVE_STATES
        and id(leaf) not in new
        and not is_split_off(leaf)
        and not label_problem(pool, leaf)  # neither online nor clear makes a label
    )


def may_have_damaged_blocks(pool: Pool, top: Vdev) -> bool:
    """Whether a device of a vdev that is out of use may have damaged blocks whole."""
    out = devices_with_damaged_blocks(pool)
    return any(leaf in out for leaf in top.leaves())


def copies_away(pool: Pool, top: Vdev) -> tuple[Vdev, ...]:
    """Devices that come back before the errors of a vdev are cleared: a scrub has their copies then too."""
    offline = tuple(leaf for leaf in top.leaves() if leaf.state == OFFLINE)
    return devices_with_damaged_blocks(pool) or (() if pool.is_resilvering else offline)


def _counts_errors(top: Vdev) -> bool:
    """Whether a device of a vdev that serves, or the vdev as a whole, has errors."""
    serving = (leaf for leaf in top.leaves() if leaf.state in ALIVE_STATES)
    return any(each.has_errors for each in (top, *serving))


def blocks_may_be_on_failed_devices(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """ZFS reads a damaged block from a device that comes back; one that was replaced has it no more."""
    del trouble, cause
    out = devices_with_damaged_blocks(facts.pool)
    if not may_have_damaged_blocks(facts.pool, place.top):
        return
    names = joined_by_and([facts.identity(leaf).label for leaf in out])
    yield NotNow(
        GOOD_COPIES,
        f"{damage_in_words(facts.pool)}: {names} may have these blocks whole",
        f"bring {names} back: check cable, slot and power ({PARTS_OF_OTHERS}), then clear or online; "
        "pull, detach and replace nothing, clear no other errors and delete no file before that; if "
        f"{'it is' if len(out) == 1 else 'one is'} dead, replace it all the same",
    )
