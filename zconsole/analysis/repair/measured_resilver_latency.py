"""Latency of a new disk and of the disks that it is resilvered from, over the last minute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import DEAD_STATES, Vdev
from zconsole.zfs.iostat.iostat_stream import match_rows

LONGEST_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class DiskLatency:
    """Mean time at one disk in nanoseconds, each operation counted once; None without such operations."""

    read_ns: float | None
    write_ns: float | None


@dataclass(frozen=True, slots=True)
class ResilverLatency:
    """The new disk, and the other disks of the vdev, in the order of `zpool status`; over `seconds`."""

    seconds: float
    newcomer: DiskLatency
    survivors: tuple[DiskLatency, ...]


def latency_during_resilver(facts: PoolFacts, place: DevicePlace) -> ResilverLatency | None:
    """Measured since the new disk stands in the pool, at most a minute; None where nothing was."""
    if place.newcomer is None or not facts.of.samples:
        return None
    samples = list(_same_rows(facts.of.samples))
    vdevs = match_rows(facts.pool, samples[0].rows)
    rows = {id(vdev): at for at, vdev in enumerate(vdevs) if vdev is not None}
    if id(place.newcomer) not in rows:
        return None  # the samples are of the time before it
    others = [leaf for leaf in place.top.leaves() if _is_survivor(leaf, place) and id(leaf) in rows]
    newcomer, *survivors = (_mean(samples, rows[id(leaf)]) for leaf in (place.newcomer, *others))
    return ResilverLatency(samples[0].at - samples[-1].at, newcomer, tuple(survivors))


def _same_rows(samples: Sequence[IoSample]) -> Iterator[IoSample]:
    """The newest samples with the rows of the last one, the newest first."""
    last = samples[-1]
    for each in reversed(samples):
        if last.at - each.at > LONGEST_S or each.names != last.names:
            return
        yield each


def _is_survivor(leaf: Vdev, place: DevicePlace) -> bool:
    return leaf is not place.member and leaf not in place.newcomers and leaf.state not in DEAD_STATES


def _mean(samples: Sequence[IoSample], at: int) -> DiskLatency:
    rows = [each.rows[at] for each in samples]
    return DiskLatency(
        _weighted([(row.read_ops, row.latency.disk_read) for row in rows]),
        _weighted([(row.write_ops, row.latency.disk_write) for row in rows]),
    )


def _weighted(measured: Sequence[tuple[float, float | None]]) -> float | None:
    known = [(operations, wait) for operations, wait in measured if wait is not None and operations > 0]
    total = sum(operations for operations, _ in known)
    return sum(operations * wait for operations, wait in known) / total if total else None
