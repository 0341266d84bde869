"""Verdicts on disks that are slower than their peers. Times in nanoseconds, samples counted from 0."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding

READ: Final = "read"
WRITE: Final = "write"
STRIPED: Final = ("raidz", "draid")  # shapes of vdevs whose blocks are spread over several disks
SYNC: Final = "sync"  # writes that a program waits for
SLOW: Final = "slow"
STALLING: Final = "stalling"
LONG_TAIL: Final = "long tail"  # mean latency like its peers, but slower slowest I/Os
HALF_SLOW: Final = "half-slow"  # id of the finding on verdicts that were withdrawn
VDEV_SLOW: Final = "vdev-slow"  # id of the finding on a vdev whose disks are equally slow
WRITE_COLLAPSE: Final = "write collapse"
TRIM: Final = "trim"
AFTER_REST: Final = "after rest"  # the first I/O after a minute without any
NOT_ANSWERING: Final = "disks-not-answering"  # id of the finding on disks that pause at the same time


@dataclass(frozen=True, slots=True)
class Comparison:
    """One operation of a slow disk compared with its peers, over the samples that support the verdict."""

    operation: str  # READ or WRITE
    mean_ns: float
    reference_ns: float
    operations: float
    samples: int
    score: float  # of the evidence; a verdict needs THRESHOLD
    low: float = 1.0  # times, of the ratio: from here
    high: float = 1.0  # to here it may truly be, by what power-of-two buckets hide
    seconds: int = 0  # samples with I/O compared in the watch, or since the evidence began,
    watch_mean_ns: float = 0.0  # and the means over all of these; 0 where not known
    watch_reference_ns: float = 0.0

    @property
    def ratio(self) -> float:
        """Ratio of the disk's latency to its peers'."""
        return self.mean_ns / self.reference_ns if self.reference_ns else 1.0

    @property
    def ratios(self) -> tuple[float, float]:
        """The range in which the true ratio is."""
        return max(1.0, self.low * self.ratio), self.high * self.ratio


@dataclass(frozen=True, slots=True)
class Quantile:
    """Latency quantile of a disk and of its peers in the last minute.

    Taken from power-of-two buckets: each value is a bucket's upper bound, at most twice the true value.
    """

    operation: str  # READ or WRITE
    share: float  # 0.99: 99 % of the operations
    value_ns: float
    reference_ns: float
    operations: int  # of the disk
    is_far: bool  # larger than chance, bucket width and load explain

    @property
    def ratio(self) -> float:
        """Ratio of the disk's quantile to its peers'."""
        return self.value_ns / self.reference_ns if self.reference_ns else 1.0

    @property
    def one_in(self) -> int:
        """One in this many I/Os is slower: 100 at a share of 0.99."""
        return round(1 / (1 - self.share))


@dataclass(frozen=True, slots=True)
class Cost:
    """Latency of an operation on the pool with the slow disk, and estimated with a disk like its peers.

    A mean, or the latency quantile of `share`, which is the upper bound of a bucket.
    """

    operation: str
    vdev_with_ns: float
    vdev_without_ns: float
    pool_with_ns: float
    pool_without_ns: float
    share: float | None = None  # None: mean


@dataclass(frozen=True, slots=True)
class Stalls:
    """Number of times that a disk did not answer for a second or longer while its peers did."""

    count: int
    longest_ns: float
    outstanding: int = 0  # I/Os at it or queued for it meanwhile; 0 where some of them were completed
    is_now: bool = False  # it still does not answer
    answered: int = 0  # peers that completed I/O in each of them,
    peers: int = 0  # of so many


@dataclass(frozen=True, slots=True)
class SlowDiskVerdict:
    """Disk that is slower than its peers, with the evidence.

    `first_sample` is the estimated beginning, `decided_sample` the sample at which the evidence sufficed,
    `last_sample` the last sample that supported the verdict.
    """

    disk: str
    vdev: str  # its top-level vdev; for a single disk the disk itself
    shape: str  # type of that vdev: mirror, raidz, draid, or lone
    kind: str  # SLOW, STALLING, WRITE_COLLAPSE or LONG_TAIL
    operations: tuple[str, ...]  # READ, WRITE, SYNC
    ratio: float  # latency relative to its peers, of the operation with the largest ratio
    confidence: float  # strength of the evidence, 0 to 1; not a probability
    first_sample: int
    decided_sample: int
    last_sample: int
    first_at: float  # epoch seconds, of the host's clock
    last_at: float
    is_ongoing: bool
    peers: tuple[str, ...]  # those of the same vdev first
    compared: tuple[Comparison, ...] = ()
    costs: tuple[Cost, ...] = ()
    quantiles: tuple[Quantile, ...] = ()  # if histograms were read
    stalls: Stalls | None = None
    joined_sample: int = 0  # with which the pool got the disk; 0 if it was there from the start
    busy: float | None = None  # 0 to 1, mean over the supporting samples
    peers_busy: float | None = None
    queued: float | None = None  # operations pending or active, mean over the supporting samples
    peers_queued: float | None = None
    did: float | None = None  # operations per second, mean over the supporting samples
    peers_did: float | None = None

    @property
    def furthest(self) -> Quantile | None:
        """The quantile with the largest ratio to the peers'; None when none is far."""
        far = (one for one in self.quantiles if one.is_far)
        return max(far, key=lambda one: (one.ratio, -one.share), default=None)

    @property
    def is_slow_now(self) -> bool:
        """Whether it is ongoing, and no single pause that has ended."""
        is_over = self.stalls is not None and self.stalls.count == 1 and not self.stalls.is_now
        return self.is_ongoing and not (is_over and self.kind == STALLING)

    @property
    def load_ratio(self) -> float | None:
        """Ratio of its operations to those of its peers; None where they are not known."""
        return self.did / self.peers_did if self.did is not None and self.peers_did else None

    @property
    def is_pair(self) -> bool:
        """Whether it was compared with one disk only: the two differ, and this is the slower one."""
        return len(self.peers) == 1

    @property
    def measured_ratio(self) -> float | None:
        """`ratio`, where I/O was completed that it is the ratio of; None for a disk that did not answer."""
        return self.ratio if self.compared or self.quantiles else None

    @property
    def ratios(self) -> tuple[float, float]:
        """The range in which `ratio` truly is."""
        worst = max(self.compared, key=lambda one: one.ratio, default=None)
        low, high = (1.0, 1.0) if worst is None else (worst.low, worst.high)
        return max(1.0, low * self.ratio), high * self.ratio


@dataclass(frozen=True, slots=True)
class Pause:
    """One disk, or several at the same time, that held I/O for seconds and completed none of it.

    `longest_ns` is a lower bound: nothing is known of an I/O between two samples.
    """

    disks: tuple[str, ...]
    which: str  # those disks in words: `all 6 disks of raidz2-0`
    times: int
    longest_ns: float  # of all of them
    outstanding: int  # I/Os of all of them, in the longest; 0 where some of them were completed
    first_sample: int
    last_sample: int
    first_at: float  # epoch seconds, of the host's clock
    last_at: float
    is_ongoing: bool
    is_sure: bool = False  # long or often enough for a finding
    answered: tuple[str, ...] = ()  # disks that completed I/O meanwhile, each time
    what: str = ""  # TRIM, or AFTER_REST; empty for any I/O

    @property
    def is_of_several(self) -> bool:
        """Whether disks paused together, so that what they share explains it."""
        return len(self.disks) > 1


@dataclass(frozen=True, slots=True)
class QuietDisk:
    """Disk that completed nothing while peers did, in a recording without queues."""

    disk: str
    vdev: str
    seconds: float  # in which most of its peers completed I/O,
    peers: int  # so many
    peers_operations: float  # each
    first_sample: int
    late_ns: float = 0.0  # of its first operations then, at least, where they were late: it held them
    is_sure: bool = False  # held, and for long


@dataclass(frozen=True, slots=True)
class AllSlow:
    """All disks of a pool take far longer than such media do."""

    disks: int
    mean_ns: float
    outstanding: float  # at each disk at a time, in the mean
    is_solid: bool
    is_sure: bool  # more than a queue explains


@dataclass(frozen=True, slots=True)
class SlightlySlowerDisk:
    """Disk that is slower than its peers in most seconds, by less than a slow disk is."""

    disk: str
    vdev: str  # its top-level vdev; for a single disk the disk itself
    ratio: float  # geometric mean over the seconds of its latency relative to its peers
    slower_seconds: int  # seconds in which it was slower than its peers,
    seconds: int  # of these in which it was compared, since `first_sample`
    first_sample: int  # estimated beginning
    decided_sample: int
    first_at: float  # epoch seconds, of the host's clock
    last_at: float
    peers: tuple[str, ...]  # those of the same vdev first
    compared: tuple[Comparison, ...]  # operations in which it is slower; `score` is log2 of the evidence
    is_sure: bool = True  # enough evidence for a finding, which nobody asked for
    joined_sample: int = 0  # with which the pool got the disk; 0 if it was there from the start
    alone: str = ""  # READ where the evidence is of reads alone, and there are writes, too
    is_within_a_step: bool = (
        False  # its means are at most one bucket above: it can be 1.0x to twice the ratio
    )
    is_ongoing: bool = True  # else half of the evidence was lost again
    is_vdev: bool = False  # a whole vdev, by the faster half of its disks; `peers` are vdevs like it
    at_most: float | None = None  # the bound of the ratio; None where there was too little I/O for one

    @property
    def is_pair(self) -> bool:
        """Whether it was compared with one disk only: the two differ, and this is the slower one."""
        return len(self.peers) == 1


@dataclass(frozen=True, slots=True)
class EpisodicDisk:
    """Disk that is slow for some seconds, again and again, more often than chance brings."""

    disk: str
    vdev: str
    episodes: int
    far_seconds: int  # in which it took twice as long as its peers, or more,
    seconds: int  # of these in which it was compared
    mean_ns: float  # of the far seconds
    reference_ns: float  # of its peers, in the same seconds
    every_samples: float  # from one beginning to the next
    first_sample: int
    is_sure: bool = True  # else chance brings it in 1 of 20 watches

    @property
    def ratio(self) -> float:
        """Ratio of its latency to that of its peers in these seconds."""
        return self.mean_ns / self.reference_ns if self.reference_ns else 1.0


@dataclass(frozen=True, slots=True)
class SitOuts:
    """Autosit state (OpenZFS 2.4) by guid: top-level vdevs with autosit on, and disks that sit out now."""

    autosit: tuple[tuple[int, bool], ...] = ()
    sitting: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Undecided:
    """Disk that could not be judged, with the reason."""

    disk: str
    vdev: str
    reason: str
    has_no_peer: bool = False  # it had enough I/O, and no disk like it to be compared with


@dataclass(frozen=True, slots=True)
class LatencyBound:
    """None of `disks` disks has more than `ratio` times the mean latency of its peers, with this confidence.

    Of whole vdevs the same, and the latency is that of the faster half of their disks.
    """

    operation: str  # READ or WRITE
    ratio: float
    confidence: float  # for all disks and both operations together
    disks: int
    operations: int  # of each disk, at least
    widened: float = 1.0  # times, of the ratio: what power-of-two buckets hide of latencies that hardly vary
    mean_ns: float = 0.0  # of all of their operations
    apart: float = 1.0  # the slowest mean to the fastest: more where half of them or more are slower alike


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of a pool's disks after some samples."""

    pool: str
    samples: int
    disks: int  # number of disks examined
    verdicts: tuple[SlowDiskVerdict, ...] = ()  # in the order of decision, ended ones included
    undecided: tuple[Undecided, ...] = ()
    findings: tuple[Finding, ...] = ()  # on the layout, on whole vdevs, on withdrawn verdicts
    bounds: tuple[LatencyBound, ...] = ()  # if they were asked for, and there was enough I/O
    vdevs: int = 0  # vdevs of several disks,
    vdev_bounds: tuple[LatencyBound, ...] = ()  # and bounds of those that were compared with each other
    slightly: tuple[SlightlySlowerDisk, ...] = ()  # slightly slower now, and none of `verdicts`
    were_slightly: tuple[SlightlySlowerDisk, ...] = ()  # those that were, for a while, and none of these
    episodes: tuple[EpisodicDisk, ...] = ()  # slow for short times, sure or not, and none of `verdicts`
    slightly_vdevs: tuple[SlightlySlowerDisk, ...] = ()  # vdevs that are slightly slower as a whole
    perhaps: tuple[SlightlySlowerDisk, ...] = ()  # slower in all of a few seconds: too few to be sure
    has_tails: bool = False  # whether histograms were judged, so that tails are known
    hidden: tuple[SlightlySlowerDisk, ...] = ()  # one bucket above their peers: how much slower is not known
    pauses: tuple[Pause, ...] = ()  # of disks together, and of single ones that are none of `verdicts`
    has_queues: bool = True  # else disks that do not answer were not looked for
    quiet: tuple[QuietDisk, ...] = ()  # disks that completed nothing while peers did, if it has no queues
    all_slow: AllSlow | None = None

    @property
    def episodic(self) -> tuple[EpisodicDisk, ...]:
        """The disks that are slow for short times, beyond chance."""
        return tuple(one for one in self.episodes if one.is_sure)

    @property
    def not_answering(self) -> tuple[Pause, ...]:
        """Disks that left I/O unanswered at the same time, long or often enough to be a finding."""
        return tuple(one for one in self.pauses if one.is_sure and one.is_of_several)

    @property
    def pausing(self) -> tuple[Pause, ...]:
        """Single disks that left I/O waiting again and again, each time too short for a verdict."""
        return tuple(one for one in self.pauses if one.is_sure and not one.is_of_several)

    @property
    def without_answer(self) -> frozenset[str]:
        """Disks that hold I/O with others now and complete none."""
        return frozenset(disk for one in self.not_answering if one.is_ongoing for disk in one.disks)

    @property
    def half_slow(self) -> Finding | None:
        """Half of the disks of a kind are slower than the others, and no single one is named."""
        return next((finding for finding in self.findings if finding.id == HALF_SLOW), None)

    @property
    def slow_together(self) -> frozenset[str]:
        """The disks that are slow at once with half of those like them or more."""
        each = (finding.evidence["disks"] for finding in self.findings if finding.id == HALF_SLOW)
        return frozenset(str(disk) for disks in each if isinstance(disks, tuple) for disk in disks)

    @property
    def slow_vdevs(self) -> tuple[Finding, ...]:
        """Vdevs that are slower than those like them as a whole: none of their disks is named."""
        return tuple(finding for finding in self.findings if finding.id == VDEV_SLOW)

    @property
    def is_too_little(self) -> bool:
        """Whether fewer than half of the disks could be judged."""
        return 2 * (self.disks - len(self.undecided)) < self.disks or not self.disks

    @property
    def has_no_peers(self) -> bool:
        """Whether disks had enough I/O, and it is for want of disks like them that too few were judged."""
        alone = sum(1 for one in self.undecided if one.has_no_peer)
        return self.is_too_little and 2 * (self.disks - len(self.undecided) + alone) >= self.disks
