"""Ratios that power-of-two buckets leave open, within the bound that the same watch has for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.model.pools.slow_disk import READ, WRITE, LatencyBound, SlightlySlowerDisk

KINDS: Final = {READ: READS, WRITE: WRITES}
IsResolved = Callable[[int, str], bool]  # READS or WRITES, and the name of a disk or vdev


def within_bounds(
    one: SlightlySlowerDisk, bounds: Sequence[LatencyBound], is_resolved: IsResolved
) -> SlightlySlowerDisk:
    """With the bound of its ratio; within a step of buckets only where buckets can hide that much.

    Buckets hide nothing where the latencies of the disk, and of most of its peers, spread over more than two.
    """
    ratios = {each.operation: each.ratio for each in bounds}
    operations = [each.operation for each in one.compared]
    known = [ratios[each] for each in operations if each in ratios]
    at_most = max(one.ratio, *known) if len(known) == len(operations) > 0 else None
    resolved = all(
        is_resolved(KINDS[each], one.disk)
        and 2 * sum(is_resolved(KINDS[each], peer) for peer in one.peers) >= len(one.peers)
        for each in operations
    )
    return replace(one, at_most=at_most, is_within_a_step=one.is_within_a_step and not resolved)
