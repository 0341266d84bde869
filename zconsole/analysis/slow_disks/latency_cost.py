"""Cost of a slow disk: I/O latency with it, and with a disk like its peers.

A read of a raidz or draid waits for the slowest of the disks that have data of the block: parity is not read
unless a disk is missing. Of a full stripe these are as many as there are data columns, in turn any of the
disks. Smaller blocks are on fewer disks, so the mean of full stripes is the most that a disk costs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import Suspicion
from zconsole.analysis.slow_disks.peer_groups import LONE, MIRROR, JudgedDisk
from zconsole.analysis.slow_disks.peer_score import NOTICED
from zconsole.model.pools.slow_disk import READ, Cost

_RAIDZ: Final = re.compile(r"raidz([123])-\d{1,9}")
_DRAID: Final = re.compile(r"draid([123]):(\d{1,4})d:(\d{1,4})c:\d{1,4}s-\d{1,9}")


def waited_for(member: JudgedDisk, disks: int, answering: int, operation: str) -> int:
    """The most disks that an operation of a vdev of so many disks waits for; all that answer if not known."""
    if (found := _RAIDZ.fullmatch(member.vdev)) is not None:
        width, parity = member.width or disks, int(found[1])
        data = width - parity
        stripe = width
    elif (found := _DRAID.fullmatch(member.vdev)) is not None:
        parity, data, width = map(int, found.groups())
        stripe = data + parity
    else:
        return answering
    needed = data if operation == READ and answering >= width else stripe
    return max(1, min(needed, answering))


def mean_of_slowest(times: Sequence[float], columns: int) -> float:
    """Mean of the longest of so many of these, where each choice of them is as likely as the others."""
    all_of = math.comb(len(times), columns)
    return math.fsum(
        time * math.comb(len(times) - place, columns - 1) / all_of
        for place, time in enumerate(sorted(times, reverse=True), start=1)
    )


def cost(member: JudgedDisk, disks: int, operation: str, seen: Suspicion) -> Cost:
    """Compute the cost from means; `disks` are those of the disk's vdev.

    A write to a mirror waits for the slowest disk; a read of a mirror, and all I/O of a single disk, waits
    for one. Each block of the pool is in one vdev.
    """
    own, like_peers = seen.mean_ns, seen.mean_reference_ns
    others = [(operations, ns / operations) for operations, ns in seen.others.values() if operations]
    others_operations = sum(operations for operations, _ in others)
    if member.shape == LONE:
        with_it, without_it = own, like_peers
    elif member.shape == MIRROR and operation == READ:
        share = seen.noted_operations / max(1.0, seen.noted_operations + others_operations)
        beside = _mean(others, like_peers)
        with_it = share * own + (1 - share) * beside
        without_it = share * like_peers + (1 - share) * beside
    else:
        late = [mean for _, mean in others if mean >= NOTICED * like_peers]  # slow disks, too
        usual = _mean([each for each in others if each[1] < NOTICED * like_peers], like_peers)
        beside_it = [*late, *([usual] * (len(others) - len(late)))]
        columns = waited_for(member, disks, len(others) + 1, operation)
        with_it, without_it = (mean_of_slowest([each, *beside_it], columns) for each in (own, like_peers))
    in_vdev = max(1.0, seen.noted_operations + others_operations)
    share = in_vdev / (in_vdev + seen.pool_operations)
    elsewhere = seen.pool_ns / seen.pool_operations if seen.pool_operations else 0.0
    return Cost(
        operation,
        with_it,
        without_it,
        share * with_it + (1 - share) * elsewhere,
        share * without_it + (1 - share) * elsewhere,
    )


def _mean(of: Sequence[tuple[float, float]], if_none: float) -> float:
    operations = sum(each for each, _ in of)
    return sum(each * mean for each, mean in of) / operations if operations else if_none
