"""Counters of the kernel: operations, bytes, power-of-two histograms and queue depths."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

LATENCY_BUCKETS: Final = 37
SIZE_BUCKETS: Final = 25
LATENCIES: Final = 11  # total r w, disk r w, sync queue r w, async queue r w, scrub, trim, rebuild
SIZES: Final = 14  # individual and aggregated of each of the seven priorities
QUEUES: Final = 14  # pending and active of each of the seven priorities

Numbers = tuple[int, ...]  # reads, writes, bytes read, bytes written, 11 counts, 11 weights


def _histograms(number: int, buckets: int) -> list[list[int]]:
    return [[0] * buckets for _ in range(number)]


@dataclass(slots=True, eq=False)
class Meter:
    """Counters of one leaf vdev since its pool was imported."""

    reads: int = 0
    writes: int = 0
    read_bytes: int = 0
    write_bytes: int = 0
    latencies: list[list[int]] = field(default_factory=lambda: _histograms(LATENCIES, LATENCY_BUCKETS))
    counts: list[int] = field(default_factory=lambda: [0] * LATENCIES)
    weights: list[int] = field(default_factory=lambda: [0] * LATENCIES)
    sizes: list[list[int]] = field(default_factory=lambda: _histograms(SIZES, SIZE_BUCKETS))
    queues: list[int] = field(default_factory=lambda: [0] * QUEUES)
    carry: list[float] = field(default_factory=lambda: [0.0] * 5)  # parts of an operation, by priority

    def numbers(self) -> Numbers:
        """The counters of `zpool iostat -l`."""
        return (self.reads, self.writes, self.read_bytes, self.write_bytes, *self.counts, *self.weights)


@dataclass(slots=True, eq=False)
class BlockIo:
    """The counters of /proc/diskstats for a block device."""

    reads: int = 0
    read_sectors: int = 0
    read_ms: float = 0.0
    writes: int = 0
    write_sectors: int = 0
    write_ms: float = 0.0
    busy_ms: float = 0.0
    in_flight: int = 0
    flushes: int = 0
    flush_ms: float = 0.0
