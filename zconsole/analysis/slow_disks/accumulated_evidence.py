"""Evidence against one disk for one operation, accumulating and decaying.

A cumulative sum (CUSUM, Page 1954): each sample adds the excess over a noticeable difference or subtracts the
shortfall, down to zero. So a verdict needs several samples, fewer with clearer evidence, and as many to be
withdrawn.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from typing import Final

from zconsole.analysis.slow_disks.bucket_resolution import MOST_ABOVE, MOST_BELOW, BucketSpread
from zconsole.base.lazy_dataclass import dataclass

READS: Final = 0  # index into what is kept by kind of operation
WRITES: Final = 1
THRESHOLD: Final = 8.0  # four samples of the clearest evidence, or more
CEILING: Final = 1.5 * THRESHOLD  # so that a disk slow for hours recovers within some samples
MEMORY: Final = 0.8  # decay factor of a mean per sample
LEAST_OPERATIONS: Final = 2.0  # minimum operations in a mean used for comparison
_FADED: Final = 32  # samples after which a mean has decayed
_FADING: Final = tuple(MEMORY**age for age in range(_FADED))


def seconds_carried(samples: int, interval_s: float) -> float:
    """Seconds that decaying sums over so many samples stand for."""
    return interval_s * (1 - MEMORY**samples) / (1 - MEMORY)


@dataclass(slots=True)
class Suspicion:
    """Evidence against a disk since its score last left zero; sums over the supporting samples."""

    first: int
    first_at: float
    judged_before: float  # weight of the samples compared until then
    last: int = 0
    last_at: float = 0.0
    samples: int = 0
    unanswered: int = 0  # samples of these in which no I/O was completed: they have no latency
    weight: float = 0.0  # in seconds of samples
    sync_weight: float = 0.0  # from synchronous writes only
    operations: float = 0.0
    own_ns: float = 0.0
    reference_ns: float = 0.0
    bytes: float = 0.0
    noted_operations: float = 0.0  # its own operations, in the samples in which the following was noted
    others: dict[Hashable, tuple[float, float]] = field(
        default_factory=dict
    )  # operations and nanoseconds of the other disks of its vdev
    pool_operations: float = 0.0  # operations of the disks of other vdevs
    pool_ns: float = 0.0
    measured: int = 0  # samples in which the queues were noted
    queued: float = 0.0
    peers_queued: float = 0.0
    did_samples: int = 0
    did: float = 0.0  # operations per second, and below those of the peers
    peers_did: float = 0.0
    busy_samples: int = 0
    busy: float = 0.0
    peers_busy: float = 0.0
    timed: int = 0  # samples of these with a latency of their own
    spread: BucketSpread = field(default_factory=BucketSpread)  # of its means, and of its peers'
    peers_spread: dict[Hashable, BucketSpread] = field(default_factory=dict)

    @property
    def mean_ns(self) -> float:
        """Mean latency of an operation."""
        return self.own_ns / self.operations if self.operations else 0.0

    @property
    def mean_reference_ns(self) -> float:
        """Mean latency of the peers, over the same samples and weights."""
        return self.reference_ns / self.operations if self.operations else 0.0

    @property
    def hidden(self) -> tuple[float, float]:
        """By what buckets may have changed the ratio: the true one is between these times it."""
        spreads = self.peers_spread.values()
        are_peers = bool(spreads) and 2 * sum(one.is_resolved for one in spreads) >= len(spreads)
        own = (1.0, 1.0) if self.spread.is_resolved else (1 / MOST_BELOW, MOST_ABOVE)
        peers = (1.0, 1.0) if are_peers else (1 / MOST_ABOVE, MOST_BELOW)
        return own[0] * peers[0], own[1] * peers[1]


@dataclass(slots=True)
class Track:
    """One disk, one operation (reads or writes)."""

    score: float = 0.0
    suspicion: Suspicion | None = None  # exactly while the score is above zero
    judged: float = 0.0  # weight of all compared samples
    operations: float = 0.0  # in all samples
    samples: int = 0  # with operations
    healthy_bytes: float = 0.0  # in samples without suspicion
    healthy_samples: int = 0
    last_sample: int = 0  # last sample with operations
    _operations: float = 0.0  # decaying sums
    _total_ns: float = 0.0
    _bytes: float = 0.0

    def learn(self, sample: int, operations: float, latency_ns: float, size: float) -> None:
        """Add a sample of the disk; `size` is in bytes."""
        age = sample - self.last_sample
        kept = _FADING[age] if age < _FADED else 0.0
        self._operations = self._operations * kept + operations
        self._total_ns = self._total_ns * kept + operations * latency_ns
        self._bytes = self._bytes * kept + size
        self.last_sample = sample
        self.operations += operations
        self.samples += 1

    def recent_ns(self, sample: int) -> float | None:
        """Recent mean latency; None with too few operations."""
        age = sample - self.last_sample
        if age >= _FADED or self._operations * _FADING[age] < LEAST_OPERATIONS:
            return None
        return self._total_ns / self._operations

    def carried(self, sample: int) -> tuple[float, float]:
        """Recent operations and bytes, as decaying sums."""
        age = sample - self.last_sample
        kept = _FADING[age] if age < _FADED else 0.0
        return self._operations * kept, self._bytes * kept

    def carried_ns(self, sample: int) -> float:
        """Time that the recent operations took, all together, as a decaying sum."""
        age = sample - self.last_sample
        return self._total_ns * _FADING[age] if age < _FADED else 0.0

    @property
    def last_ns(self) -> float | None:
        """Mean latency in the last sample with operations."""
        return self._total_ns / self._operations if self._operations else None

    def add(self, sample: int, at: float, step: float) -> Suspicion | None:
        """Add to the score; returns the suspicion if the step supports it."""
        score = self.score + step
        if score <= 0:
            self.score, self.suspicion = 0.0, None
            return None
        self.score = min(score, CEILING)
        if step <= 0:
            return None
        if self.suspicion is None:
            self.suspicion = Suspicion(sample, at, self.judged)
        self.suspicion.last, self.suspicion.last_at = sample, at
        self.suspicion.samples += 1
        return self.suspicion

    def forget(self) -> None:
        """Drop all suspicion."""
        self.score, self.suspicion = 0.0, None
