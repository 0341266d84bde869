"""Whether a hot spare in use is still needed beside the device that it stands in for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.analysis.vdevs.redundancy import (
    ended_badly,
    has_all_data,
    has_good_copy,
    is_unmarked_by_checkpoint,
)
from zconsole.analysis.vdevs.resilver_targets import DISTRIBUTED_SPARE
from zconsole.analysis.vdevs.smart_assessment import Complaint, against_the_disk
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.pools.slow_disk import SlowDiskVerdict


class Need(Enum):
    """Why the spare stays."""

    LACKS_DATA = "lacks data"  # the original is dead, or has not all the data
    ERRORS = "errors"  # it works, with errors counted or degraded for them: the spare is the good copy
    RESILVER = (
        "resilver"  # one runs, and may not have come to the device, or not be the one that it waits for
    )
    NOT_SHOWN = "not shown"  # imported read-only, or resilvered under a checkpoint: ZFS marks nothing there
    GAPS = "gaps"  # the last resilver ended with errors, or was canceled
    REBUILT = "rebuilt"  # of a dRAID: another distributed spare was rebuilt, and no scrub has ended since
    SUSPECT = "suspect"  # it has all its data, and SMART or its latency speaks against the disk


def need_of_spare(pool: Pool, original: Vdev, *, is_suspect: bool = False) -> Need | None:
    """Why the spare of a device is needed; None where nothing speaks against the device.

    `is_suspect` is what is known of the disk besides the pool (`is_suspect_disk`).
    """
    if not has_all_data(original):
        return Need.LACKS_DATA
    if not has_good_copy(original):
        return Need.ERRORS
    if pool.is_resilvering and not pool.is_read_only:
        return Need.RESILVER
    if _is_not_shown(pool, original):
        return Need.NOT_SHOWN
    if ended_badly(pool.scan):
        return Need.GAPS
    if _was_beside_a_rebuild(pool, original):
        return Need.REBUILT
    return Need.SUSPECT if is_suspect else None


def _is_not_shown(pool: Pool, original: Vdev) -> bool:
    """Whether ZFS does not show that a device lacks data: read-only, or resilvered under a checkpoint."""
    tops = (top for top in pool.vdevs if any(each is original for each in top.walk()))
    return pool.is_read_only or any(is_unmarked_by_checkpoint(pool, top) for top in tops)


def _was_beside_a_rebuild(pool: Pool, original: Vdev) -> bool:
    """Whether what was rebuilt onto another distributed spare may be on the spare of a device alone.

    Releases before 2.2.10, 2.3.7 and 2.4.2 do not copy it to the device that came back (openzfs/zfs#18286);
    packages may have the fix under an old number, and a scrub, which has it copied, does no harm.
    """
    scan = pool.scan
    if scan is not None and scan.function == "scrub" and scan.state == "finished":
        return False
    for top in pool.vdevs:
        held = [each for each in top.walk() if each.type == "spare" and _has_distributed_spare(each)]
        if len(held) > 1 and any(each.children[0] is original for each in held):
            return True
    return False


def _has_distributed_spare(holder: Vdev) -> bool:
    return any(leaf.type == DISTRIBUTED_SPARE for leaf in holder.leaves())


def is_suspect_disk(complaints: Sequence[Complaint], slow: SlowDiskVerdict | None) -> bool:
    """Whether SMART warns of the disk itself, by more than old numbers that stand still, or it is slow."""
    return slow is not None or any(not each.is_steady for each in against_the_disk(complaints))


def suspects_beside_spares(state: HostState, pool: Pool) -> frozenset[str]:
    """Names of the pool's devices that a spare stands in for, and that SMART warns of or that are slow."""
    held = {leaf.name for vdev in pool.walk() if vdev.type == "spare" for leaf in vdev.leaves()}
    if not held:
        return frozenset()
    slow = {verdict.disk for each in state.pools if each.name == pool.name for verdict in each.slow}
    warned = {
        disk.leaf.name
        for disk in host_disks(state)
        if disk.leaf is not None and disk.pool is pool and is_suspect_disk(disk.complaints, disk.slow)
    }
    return frozenset(held & (slow | warned))
