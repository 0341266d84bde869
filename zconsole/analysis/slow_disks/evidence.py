"""The evidence against one disk on one operation, as it grows and fades.

A cumulative sum (CUSUM, Page 1954): each sample adds how much slower the disk was than is noticed, or takes
away how much it was not; below zero it does not fall. So it takes several samples to come to a verdict, the
clearer the fewer, and as many to take one back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

THRESHOLD: Final = 8.0  # four samples of the clearest evidence, and more
CEILING: Final = 1.5 * THRESHOLD  # so that what has been slow for hours is forgiven within some samples
MEMORY: Final = 0.8  # of a mean, from sample to sample: what a peer took some samples ago still counts
LEAST_OPERATIONS: Final = 2.0  # in a mean that others are held against
_FADED: Final = 32  # samples after which nothing is left of a mean
_FADING: Final = tuple(MEMORY**age for age in range(_FADED))


@dataclass(slots=True)
class Suspicion:
    """What speaks against a disk since its score last left zero; sums over the samples that do."""

    first: int
    first_at: float
    judged_before: float  # weight of the samples that were held against others until then
    last: int = 0
    last_at: float = 0.0
    samples: int = 0
    weight: float = 0.0  # seconds' worth of evidence
    sync_weight: float = 0.0  # from synchronous writes alone
    operations: float = 0.0
    own_ns: float = 0.0
    reference_ns: float = 0.0
    bytes: float = 0.0
    noted_operations: float = 0.0  # of its own, in the samples in which what follows was noted
    others_operations: float = 0.0  # of the other disks of its vdev
    others_ns: float = 0.0
    pool_operations: float = 0.0  # of the disks of other vdevs
    pool_ns: float = 0.0
    measured: int = 0  # samples in which the queues were noted
    queued: float = 0.0
    peers_queued: float = 0.0
    busy_samples: int = 0
    busy: float = 0.0
    peers_busy: float = 0.0

    @property
    def mean_ns(self) -> float:
        """How long an operation took."""
        return self.own_ns / self.operations if self.operations else 0.0

    @property
    def mean_reference_ns(self) -> float:
        """How long it took the peers, in the same samples and weighed likewise."""
        return self.reference_ns / self.operations if self.operations else 0.0


@dataclass(slots=True)
class Track:
    """One disk, one operation (reads or writes)."""

    score: float = 0.0
    suspicion: Suspicion | None = None  # exactly while the score is above zero
    judged: float = 0.0  # weight of all samples that were held against others
    operations: float = 0.0  # in all samples
    samples: int = 0  # with any
    healthy_bytes: float = 0.0  # in samples without suspicion
    healthy_samples: int = 0
    last_sample: int = 0  # in which there was any
    _operations: float = 0.0  # these fade
    _total_ns: float = 0.0
    _bytes: float = 0.0

    def learn(self, sample: int, operations: float, latency_ns: float, size: float) -> None:
        """Take in what the disk did; `size` is in bytes."""
        age = sample - self.last_sample
        kept = _FADING[age] if age < _FADED else 0.0
        self._operations = self._operations * kept + operations
        self._total_ns = self._total_ns * kept + operations * latency_ns
        self._bytes = self._bytes * kept + size
        self.last_sample = sample
        self.operations += operations
        self.samples += 1

    def recent_ns(self, sample: int) -> float | None:
        """What an operation took of late; None when there were too few."""
        age = sample - self.last_sample
        if age >= _FADED or self._operations * _FADING[age] < LEAST_OPERATIONS:
            return None
        return self._total_ns / self._operations

    def carried(self, sample: int) -> tuple[float, float]:
        """Operations and bytes of late, in sums that fade as the means do."""
        age = sample - self.last_sample
        kept = _FADING[age] if age < _FADED else 0.0
        return self._operations * kept, self._bytes * kept

    @property
    def last_ns(self) -> float | None:
        """What an operation took when there last was any."""
        return self._total_ns / self._operations if self._operations else None

    def add(self, sample: int, at: float, step: float) -> Suspicion | None:
        """Add to the score; returns the suspicion that the step speaks for, if it does."""
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
        """Let go of all suspicion."""
        self.score, self.suspicion = 0.0, None
