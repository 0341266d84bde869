"""What is said of disks that are slower than their like. Times in nanoseconds, samples counted from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zconsole.model.finding import Finding

READ: Final = "read"
WRITE: Final = "write"
SYNC: Final = "sync"  # writes that somebody waits for
SLOW: Final = "slow"
STALLING: Final = "stalling"
LONG_TAIL: Final = "long tail"  # as fast as its peers in the mean, but not the slowest of its I/Os
WRITE_COLLAPSE: Final = "write collapse"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One operation of a slow disk beside what the disks like it took, over the samples that speak for it."""

    operation: str  # READ or WRITE
    mean_ns: float
    reference_ns: float
    operations: float
    samples: int
    score: float  # of the evidence; a verdict needs THRESHOLD

    @property
    def ratio(self) -> float:
        """How many times slower."""
        return self.mean_ns / self.reference_ns if self.reference_ns else 1.0


@dataclass(frozen=True, slots=True)
class Quantile:
    """Within which time a share of a disk's I/Os ended at the disk in the last minute, and of its peers'.

    From buckets of powers of two: each is the upper bound of its bucket, so at most twice too long.
    """

    operation: str  # READ or WRITE
    share: float  # 0.99: so many of them
    value_ns: float
    reference_ns: float
    operations: int  # of the disk
    is_far: bool  # beyond what chance, buckets and load explain

    @property
    def ratio(self) -> float:
        """How many times longer."""
        return self.value_ns / self.reference_ns if self.reference_ns else 1.0

    @property
    def one_in(self) -> int:
        """Of so many I/Os one is beyond it: 100 at a share of 0.99."""
        return round(1 / (1 - self.share))


@dataclass(frozen=True, slots=True)
class Cost:
    """How long an operation takes with the disk as it is, and would take if it were like its peers.

    In the mean, or the time within which a share of all operations ends: then each is the upper bound of a
    bucket.
    """

    operation: str
    vdev_with_ns: float
    vdev_without_ns: float
    pool_with_ns: float
    pool_without_ns: float
    share: float | None = None  # None: in the mean


@dataclass(frozen=True, slots=True)
class Stalls:
    """How often a disk did not answer for a second or longer while its peers did."""

    count: int
    longest_ns: float


@dataclass(frozen=True, slots=True)
class SlowDiskVerdict:
    """A disk that is slower than its like, with all that this rests on.

    `first_sample` is where it is thought to have begun, `decided_sample` where it was certain enough to be
    said, `last_sample` the last that spoke for it.
    """

    disk: str
    vdev: str  # the top-level vdev; a disk that is one itself is its own
    shape: str  # of that vdev: mirror, raidz, draid, or lone
    kind: str  # SLOW, STALLING, WRITE_COLLAPSE or LONG_TAIL
    operations: tuple[str, ...]  # READ, WRITE, SYNC
    ratio: float  # how many times slower than its peers, on the operation where that is most
    confidence: float  # 0 to 1
    first_sample: int
    decided_sample: int
    last_sample: int
    first_at: float  # epoch seconds, of the host's clock
    last_at: float
    is_ongoing: bool
    peers: tuple[str, ...]  # those in its vdev first
    compared: tuple[Comparison, ...] = ()
    costs: tuple[Cost, ...] = ()
    quantiles: tuple[Quantile, ...] = ()  # where histograms were read
    stalls: Stalls | None = None
    busy: float | None = None  # 0 to 1, mean of the samples that speak for it
    peers_busy: float | None = None
    queued: float | None = None  # operations at the disk or waiting for it, likewise
    peers_queued: float | None = None

    @property
    def furthest(self) -> Quantile | None:
        """The quantile that is furthest from that of the peers; None where none is far."""
        far = (one for one in self.quantiles if one.is_far)
        return max(far, key=lambda one: (one.ratio, -one.share), default=None)

    @property
    def is_pair(self) -> bool:
        """Whether it was held against one disk only: the two differ, and this is the slower."""
        return len(self.peers) == 1


@dataclass(frozen=True, slots=True)
class SitOuts:
    """What autosit (OpenZFS 2.4) does, by guid: top-level vdevs that have it on, disks that rest now."""

    autosit: tuple[tuple[int, bool], ...] = ()
    sitting: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Undecided:
    """A disk of which nothing can be said, and why."""

    disk: str
    vdev: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """All that can be said of a pool's disks after some samples."""

    pool: str
    samples: int
    disks: int  # that were looked at
    verdicts: tuple[
        SlowDiskVerdict, ...
    ] = ()  # in the order in which they were decided; those that ended as well
    undecided: tuple[Undecided, ...] = ()
    findings: tuple[Finding, ...] = ()  # on the layout, on whole vdevs, on what was withdrawn

    @property
    def is_too_little(self) -> bool:
        """Whether fewer than half of the disks could be judged."""
        return 2 * (self.disks - len(self.undecided)) < self.disks or not self.disks
