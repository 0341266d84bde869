"""Cost of a long tail: latency quantiles of a vdev and pool with the disk and without.

From histograms of disks. A request to several disks waits for the last: with independent slow I/Os, the
probability that all have answered is the product of theirs. A read of a raidz or draid waits for its data
columns alone, the mean over which disks these may be.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

from zconsole.analysis.slow_disks.latency_cost import waited_for
from zconsole.analysis.slow_disks.peer_groups import LONE, MIRROR, PeerGroups
from zconsole.model.pools.slow_disk import READ, Cost
from zconsole.zfs.iostat.disk_wait_histogram import POWERS

Within = tuple[float, ...]  # cumulative fraction of I/Os, by power of two of nanoseconds


def tail_cost(
    layout: PeerGroups, counts: Sequence[Sequence[int]], disk: int, operation: str, share: float
) -> Cost | None:
    """Cost for a disk with I/Os, from all disks' counts per bucket; None without I/Os of its peers."""
    role, own_vdev = layout.members[disk].role, layout.vdev_of[disk]
    peers = [at for at in layout.vdevs[own_vdev] if at != disk and any(counts[at])]
    peers = peers or [at for at in layout.classes[layout.class_of[disk]] if at != disk and any(counts[at])]
    if not peers or not any(counts[disk]):
        return None
    answers = {at: _within(each) for at, each in enumerate(counts) if any(each)}
    vdevs = [
        at
        for at, disks in enumerate(layout.vdevs)
        if layout.members[disks[0]].role == role and not answers.keys().isdisjoint(disks)
    ]
    weights = [_operations(layout, at, counts, operation) for at in vdevs]
    found = []
    for held in (answers, answers | {disk: _mean([answers[at] for at in peers])}):
        of_vdevs = {at: _vdev(layout, at, counts, operation, held) for at in vdevs}
        found.append((of_vdevs[own_vdev], _mean([of_vdevs[at] for at in vdevs], weights)))
    (vdev_with, pool_with), (vdev_without, pool_without) = (
        [_quantile(within, share) for within in each] for each in found
    )
    return Cost(operation, vdev_with, vdev_without, pool_with, pool_without, share)


def _waits_for_one(layout: PeerGroups, vdev: int, operation: str) -> bool:
    shape = layout.members[layout.vdevs[vdev][0]].shape
    return shape == LONE or (shape == MIRROR and operation == READ)


def _operations(layout: PeerGroups, vdev: int, counts: Sequence[Sequence[int]], operation: str) -> int:
    """Number of the vdev's operations: the sum, or the maximum over its disks."""
    of_disks = [sum(counts[disk]) for disk in layout.vdevs[vdev]]
    return sum(of_disks) if _waits_for_one(layout, vdev, operation) else max(of_disks)


def _vdev(
    layout: PeerGroups,
    vdev: int,
    counts: Sequence[Sequence[int]],
    operation: str,
    answers: Mapping[int, Within],
) -> Within:
    """Latency distribution of the vdev's operations from those of its disks."""
    disks = [disk for disk in layout.vdevs[vdev] if disk in answers]
    if _waits_for_one(layout, vdev, operation):
        return _mean([answers[disk] for disk in disks], [sum(counts[disk]) for disk in disks])
    columns = waited_for(layout.members[disks[0]], len(layout.vdevs[vdev]), len(disks), operation)
    return _all_of_some([answers[disk] for disk in disks], columns)


def _all_of_some(each: Sequence[Within], columns: int) -> Within:
    """Probability that so many of them have answered, each choice of them as likely as the others."""
    choices = math.comb(len(each), columns)
    return tuple(_products(column, columns) / choices for column in zip(*each, strict=True))


def _products(values: Sequence[float], columns: int) -> float:
    """Sum of the products of all choices of so many values (elementary symmetric polynomial)."""
    sums = [1.0, *[0.0] * columns]
    for value in values:
        for size in range(columns, 0, -1):
            sums[size] += value * sums[size - 1]
    return sums[columns]


def _within(counts: Sequence[int]) -> Within:
    total = sum(counts)
    return tuple(number / total for number in accumulate(counts))


def _mean(each: Sequence[Within], weights: Sequence[int] | None = None) -> Within:
    weights = weights or [1] * len(each)
    total = sum(weights)
    return tuple(
        sum(weight * one for weight, one in zip(weights, column, strict=True)) / total
        for column in zip(*each, strict=True)
    )


def _quantile(within: Within, share: float) -> float:
    """Nanoseconds: upper bound of the first bucket that reaches the fraction."""
    power = next((power for power, reached in enumerate(within) if reached >= share), POWERS - 1)
    return 2.0**power
