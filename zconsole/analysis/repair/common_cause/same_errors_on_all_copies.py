"""Blocks that are wrong on every disk of a vdev: they may have been wrong before they were written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import ALIVE_STATES
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import Certainty, NotNow, RepairCause, RepairTrouble

SAME_ERRORS: Final = "same-errors"  # id of the reason
MIRROR: Final = "mirror"
PARITY_TYPES: Final = ("raidz", "draid")
RAIDZ_SHARE: Final = 0.8  # of the most errors of a disk: small blocks are on fewer disks


def same_errors_in(pool: Pool, top: Vdev) -> tuple[int, int]:
    """The least and the most checksum errors of a disk, where all count the same and blocks are lost.

    Zeros where that is not so. ZFS reads a block with a wrong checksum from each copy of a mirror, and counts
    one for each (`vdev_mirror_io_done`); of a raidz it counts one on every disk of a block that no
    combination restores (`vdev_raidz_io_done_unrecoverable`), and blocks may be on fewer disks than all.
    """
    leaves = tuple(top.leaves())
    counts = [0 if leaf.checksum_errors is None else leaf.checksum_errors.value for leaf in leaves]
    is_other = any(bool(leaf.read_errors) or bool(leaf.write_errors) for leaf in leaves)
    if len(leaves) < 2 or is_other or not pool.data_errors:
        return (0, 0)
    share = 1.0 if top.type == MIRROR else RAIDZ_SHARE if top.type.startswith(PARITY_TYPES) else None
    least, most = min(counts), max(counts)
    return (least, most) if share is not None and least >= share * most else (0, 0)


def counted_on_every_disk(pool: Pool, leaf: Vdev) -> bool:
    """Whether the checksum errors of a disk of a raidz are those of blocks that ZFS could not restore.

    Every disk that serves counts them then, and they blame none.
    """
    top = top_of(pool, leaf)
    if not top.type.startswith(PARITY_TYPES) or not pool.data_errors:
        return False
    serving = [each for each in top.leaves() if each.state in ALIVE_STATES]
    counts = [0 if each.checksum_errors is None else each.checksum_errors.value for each in serving]
    return bool(counts) and min(counts) > 0 and min(counts) >= RAIDZ_SHARE * max(counts)


def damage_before_the_write(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The cause where every copy of the same blocks is wrong."""
    top = top_of(facts.pool, leaf)
    least, most = same_errors_in(facts.pool, top)
    if not most:
        return None
    if top.type == MIRROR:
        return CauseFound(
            RepairCause.UNKNOWN,
            Certainty.LIKELY,
            f"each disk of {top.name} counts the same {most} checksum errors, and blocks are lost: these "
            "were wrong before they were written (memory, processor, controller), and no disk is to blame",
        )
    count = str(most) if least == most else f"{least} to {most}"
    return CauseFound(
        RepairCause.UNKNOWN,
        Certainty.UNCLEAR,
        f"each disk of {top.name} counts {count} checksum errors, and blocks are lost: ZFS counts one on "
        "every disk of a block that it cannot restore, so they blame none of them; such blocks are often "
        "wrong before they are written (memory, processor, controller)",
    )


def memory_comes_first(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """Another disk gets the same wrong blocks."""
    if trouble is RepairTrouble.FAILING and cause == damage_before_the_write(facts, place.member):
        yield NotNow(
            SAME_ERRORS,
            f"every disk of {place.top.name} counts the same errors: another disk would get them too",
            "test the memory of the host, restore the damaged files, then clear and scrub; replace no disk "
            "for this alone",
        )
