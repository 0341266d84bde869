"""What a long tail costs: within which time a share of a vdev's and a pool's I/Os end, with it and without.

From histograms of disks. Whoever waits for several disks waits for the last of them: where their slow I/Os
have nothing to do with each other, all have answered within a time as often as the product of what each says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final

from zconsole.analysis.slow_disks.peers import LONE, MIRROR, PeerGroups
from zconsole.model.pools.slow_disk import READ, Cost
from zconsole.zfs.iostat.histogram_numbers import POWERS

Within = tuple[float, ...]  # of the I/Os, by the power of two of nanoseconds within which they ended

_ALL: Final[Within] = (1.0,) * POWERS


def tail_cost(
    layout: PeerGroups, counts: Sequence[Sequence[int]], disk: int, operation: str, share: float
) -> Cost | None:
    """For a disk that has I/Os, of all disks' I/Os by bucket; None where its peers have none."""
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
    """How many the vdev had: each disk's, or as many as the disk that was in most."""
    of_disks = [sum(counts[disk]) for disk in layout.vdevs[vdev]]
    return sum(of_disks) if _waits_for_one(layout, vdev, operation) else max(of_disks)


def _vdev(
    layout: PeerGroups,
    vdev: int,
    counts: Sequence[Sequence[int]],
    operation: str,
    answers: Mapping[int, Within],
) -> Within:
    """How soon the vdev's operations end, by how soon its disks answer."""
    disks = [disk for disk in layout.vdevs[vdev] if disk in answers]
    if _waits_for_one(layout, vdev, operation):
        return _mean([answers[disk] for disk in disks], [sum(counts[disk]) for disk in disks])
    last = _ALL
    for disk in disks:
        last = tuple(before * within for before, within in zip(last, answers[disk], strict=True))
    return last


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
    """Nanoseconds: the upper end of the first bucket within which so many have ended."""
    power = next((power for power, reached in enumerate(within) if reached >= share), POWERS - 1)
    return 2.0**power
