"""A pool that ZFS could not open: nothing of it can be replaced; without its log alone it can be opened."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.model.pools.pool import DEAD_STATES, Pool
from zconsole.model.repair import NotNow, RepairTrouble


def missing_log(pool: Pool) -> tuple[str, ...]:
    """The log devices without which ZFS does not open a pool whose other vdevs are there (ZFS-8000-K4)."""
    vital = [top for top in pool.vdevs if is_vital(top)]
    if pool.state not in DEAD_STATES or not vital or any(top.state in DEAD_STATES for top in vital):
        return ()
    dead = [top for top in pool.of_class("log") if top.state in DEAD_STATES]
    return tuple(leaf.name for top in dead for leaf in top.leaves() if leaf.state in DEAD_STATES)


def pool_is_not_open(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """What is missing comes back, or the log is given up."""
    del trouble, cause
    if facts.pool.state not in DEAD_STATES:
        return
    label = facts.identity(place.member).label
    yield NotNow(
        "not-open",
        f"{facts.pool.name} is not open: nothing of it can be replaced",
        f"bring {label} back, or clear {facts.pool.name}, which drops its log and the last sync writes"
        if place.member.name in missing_log(facts.pool)
        else f"bring {label} back: cable, slot and power",
    )
