"""A resilver that ended with errors: what it filled may lack blocks, which other devices still have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import PARTS_OF_OTHERS, CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import ALIVE_STATES, ended_badly, is_vital, redundancy_in_pool
from zconsole.analysis.vdevs.scan_eta import how_it_ended
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import NotNow, RepairTrouble

RESILVER_ERRORS: Final = "resilver-errors"  # id of the reason


def may_lack_blocks(pool: Pool, top: Vdev) -> bool:
    """Whether the last resilver did not fill all that it was for."""
    return ended_badly(pool.scan) and is_vital(top)


def last_resilver_had_errors(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """No device goes out of a vdev while another one of it may lack blocks."""
    del trouble, cause
    scan, member = facts.pool.scan, place.member
    if scan is None or not may_lack_blocks(facts.pool, place.top):
        return
    redundancy = redundancy_in_pool(facts.pool, place.top)
    if member.state not in ALIVE_STATES and redundancy is not None and redundancy.left <= 0:
        label = facts.identity(member).label
        yield NotNow(
            RESILVER_ERRORS,
            f"the last resilver {how_it_ended(scan)}: what the others lack {label} may have",
            f"bring {label} back first (slot, cable, power, {PARTS_OF_OTHERS}; then clear or online): a "
            "resilver goes on with it; if it is dead, replace it all the same",
        )
        return
    yield NotNow(
        RESILVER_ERRORS,
        f"the last resilver {how_it_ended(scan)}: what it filled may lack blocks",
        f"start it again (zpool resilver {facts.pool.name}) or scrub, and take no device of {place.top.name} "
        "away before that",
    )
