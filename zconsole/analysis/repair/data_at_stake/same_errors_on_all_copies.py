"""Blocks that are wrong on every disk of a mirror: they were wrong before they were written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import Certainty, NotNow, RepairCause, RepairTrouble

SAME_ERRORS: Final = "same-errors"  # id of the reason
MIRROR: Final = "mirror"


def same_errors_in(pool: Pool, top: Vdev) -> int:
    """How many checksum errors each disk of a mirror counts, where all count the same and blocks are lost.

    ZFS reads a block with a wrong checksum from each copy, and counts one for each (`vdev_mirror_io_done`).
    """
    leaves = tuple(top.leaves())
    counts = {0 if leaf.checksum_errors is None else leaf.checksum_errors.value for leaf in leaves}
    is_other = any(bool(leaf.read_errors) or bool(leaf.write_errors) for leaf in leaves)
    if top.type != MIRROR or len(leaves) < 2 or len(counts) != 1 or is_other or not pool.data_errors:
        return 0
    return counts.pop()


def damage_before_the_write(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The cause where every copy of the same blocks is wrong."""
    top = top_of(facts.pool, leaf)
    errors = same_errors_in(facts.pool, top)
    if not errors:
        return None
    return CauseFound(
        RepairCause.UNKNOWN,
        Certainty.LIKELY,
        f"each disk of {top.name} counts the same {errors} checksum errors, and blocks are lost: these were "
        "wrong before they were written (memory, processor, controller), and no disk is to blame",
    )


def memory_comes_first(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """Another disk gets the same wrong blocks."""
    if trouble is RepairTrouble.FAILING and cause == damage_before_the_write(facts, place.member):
        yield NotNow(
            SAME_ERRORS,
            f"every copy in {place.top.name} has the same errors: another disk would get them too",
            "test the memory of the host, restore the damaged files, then clear and scrub; replace no disk "
            "for this alone",
        )
