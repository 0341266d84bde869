"""What the kernel counts: operations, bytes, power-of-two histograms and queue depths."""

from __future__ import annotations

from typing import Final

LATENCY_BUCKETS: Final = 37
SIZE_BUCKETS: Final = 25
LATENCIES: Final = 11  # total r w, disk r w, sync queue r w, async queue r w, scrub, trim, rebuild
SIZES: Final = 14  # individual and aggregated of each of the seven priorities
QUEUES: Final = 14  # pending and active of each of the seven priorities

Numbers = tuple[int, ...]  # reads, writes, bytes read, bytes written, 11 counts, 11 weights


class Meter:
    """Counters of one leaf vdev since its pool was imported."""

    __slots__ = (
        "carry",
        "counts",
        "latencies",
        "queues",
        "read_bytes",
        "reads",
        "sizes",
        "weights",
        "write_bytes",
        "writes",
    )

    def __init__(self) -> None:
        self.reads = 0
        self.writes = 0
        self.read_bytes = 0
        self.write_bytes = 0
        self.latencies = [[0] * LATENCY_BUCKETS for _ in range(LATENCIES)]
        self.counts = [0] * LATENCIES
        self.weights = [0] * LATENCIES
        self.sizes = [[0] * SIZE_BUCKETS for _ in range(SIZES)]
        self.queues = [0] * QUEUES
        self.carry = [0.0] * 5

    def numbers(self) -> Numbers:
        """Everything that `zpool iostat -l` needs of a moment."""
        return (self.reads, self.writes, self.read_bytes, self.write_bytes, *self.counts, *self.weights)


class BlockIo:
    """What /proc/diskstats counts for a block device."""

    __slots__ = (
        "busy_ms",
        "flush_ms",
        "flushes",
        "in_flight",
        "read_ms",
        "read_sectors",
        "reads",
        "write_ms",
        "write_sectors",
        "writes",
    )

    def __init__(self) -> None:
        self.reads = 0
        self.read_sectors = 0
        self.read_ms = 0.0
        self.writes = 0
        self.write_sectors = 0
        self.write_ms = 0.0
        self.busy_ms = 0.0
        self.in_flight = 0
        self.flushes = 0
        self.flush_ms = 0.0
