"""Pools whose operations are made one by one, and averaged by the middles of buckets as ZFS does."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from tests.analysis.slow_disks.streams import AT, IDLE, MS, Did, row
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.slow_disk import Judgement


@dataclass(frozen=True)
class Pool:
    """A raidz2 of so many disks; the last ones have a mean of their own, or the second half as a vdev."""

    disks: int
    sigma: float  # of the logarithm of one operation
    peers_ns: float
    own_ns: float = 0.0
    own_writes_ns: float = 0.0  # if they differ from its reads
    seed: int = 1
    operations: int = 30
    is_vdev_slow: bool = False
    slow: int = 1  # how many of the last disks, where it is no vdev

    def mean(self, dice: random.Random, mean_ns: float, operations: int) -> float:
        """The mean of a second, as ZFS prints it."""
        of = math.log(mean_ns) - self.sigma * self.sigma / 2
        took = (dice.lognormvariate(of, self.sigma) for _ in range(operations))
        return int(sum(1.5 * 2 ** math.floor(math.log2(each)) for each in took) / operations)


def watch(pool: Pool, seconds: int = 60) -> Judgement:
    """The judgement of so many seconds, with bounds."""
    dice, detector = random.Random(f"{pool}"), Detector(inferred_layout, has_bounds=True)  # noqa: S311
    half = pool.disks // 2
    vdevs = [range(half), range(half, pool.disks)] if pool.is_vdev_slow else [range(pool.disks)]
    slow = set(vdevs[-1]) if pool.is_vdev_slow else set(range(pool.disks - pool.slow, pool.disks))
    for number in range(seconds):
        rows = [row("tank", IDLE, is_top=True)]
        for at, vdev in enumerate(vdevs):
            rows.append(row(f"raidz2-{at}", IDLE, is_top=True))
            for disk in vdev:
                is_slow = disk in slow and pool.own_ns
                read_ns = pool.own_ns if is_slow else pool.peers_ns
                write_ns = (pool.own_writes_ns or pool.own_ns) if is_slow else pool.peers_ns
                number_of = pool.operations
                reads = pool.mean(dice, read_ns, number_of) / MS
                writes = pool.mean(dice, write_ns, number_of) / MS
                rows.append(row(f"d{disk}", Did(number_of, reads, number_of, writes)))
        detector.feed(IoSample("tank", AT + number, tuple(rows)))
    return detector.judgement()
