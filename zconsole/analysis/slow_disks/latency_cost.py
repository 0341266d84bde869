"""Cost of a slow disk: I/O latency with it, and with a disk like its peers."""

from __future__ import annotations

from zconsole.analysis.slow_disks.accumulated_evidence import Suspicion
from zconsole.analysis.slow_disks.peer_groups import LONE, MIRROR
from zconsole.model.pools.slow_disk import READ, Cost


def cost(shape: str, operation: str, seen: Suspicion) -> Cost:
    """Compute the cost from means.

    A write to a mirror or raidz, and a full-stripe read of a raidz, waits for the slowest disk; a read of a
    mirror, and all I/O of a single disk, waits for one. Each block of the pool is in one vdev.
    """
    own, like_peers = seen.mean_ns, seen.mean_reference_ns
    beside = seen.others_ns / seen.others_operations if seen.others_operations else like_peers
    if shape == LONE:
        with_it, without_it = own, like_peers
    elif shape == MIRROR and operation == READ:
        share = seen.noted_operations / max(1.0, seen.noted_operations + seen.others_operations)
        with_it = share * own + (1 - share) * beside
        without_it = share * like_peers + (1 - share) * beside
    else:
        with_it, without_it = max(own, beside), max(like_peers, beside)
    in_vdev = max(1.0, seen.noted_operations + seen.others_operations)
    share = in_vdev / (in_vdev + seen.pool_operations)
    elsewhere = seen.pool_ns / seen.pool_operations if seen.pool_operations else 0.0
    return Cost(
        operation,
        with_it,
        without_it,
        share * with_it + (1 - share) * elsewhere,
        share * without_it + (1 - share) * elsewhere,
    )
