"""From evidence to a verdict: operations, beginning, confidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS, THRESHOLD, WRITES, Suspicion, Track
from zconsole.analysis.slow_disks.disk_memory import DiskMemory, Stall
from zconsole.analysis.slow_disks.latency_cost import cost
from zconsole.analysis.slow_disks.peer_groups import PeerGroups
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.stalled_disks import WINDOW_S, recent
from zconsole.analysis.slow_disks.tail_latency_comparison import HALF, Tail
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.slow_disk import (
    LONG_TAIL,
    READ,
    SLOW,
    STALLING,
    SYNC,
    WRITE,
    WRITE_COLLAPSE,
    Comparison,
    Cost,
    Quantile,
    SlowDiskVerdict,
    Stalls,
)

LEAST_SAMPLES: Final = 5.0  # seconds' worth of evidence, or samples if they are further apart
NAMED_FROM: Final = 3.0  # minimum score of an operation to be named, far above chance
LAPSES_S: Final = 600.0  # time without I/O of its kind after which a verdict lapses
MOST_PEERS: Final = 32  # peers listed
_NAMES: Final = (READ, WRITE)
_SYNC_SHARE: Final = 0.25  # fraction of the evidence on writes that is from synchronous ones only
_LEAST_SYNC: Final = 2.0  # minimum in seconds
COLLAPSE_RATIO: Final = 10.0  # times slower writes with unchanged reads,
COLLAPSE_BYTES: Final = 0.25  # at this fraction of the former throughput or less,
COLLAPSE_AFTER_S: Final = 120.0  # for at least this long: suggests shingled recording (SMR)


@dataclass(frozen=True, slots=True)
class DiskEvidence:
    """Evidence against a disk besides its means."""

    stalls: Sequence[Stall] = ()
    hang: Stall | None = None  # a single one whose samples are evidence
    tails: Mapping[int, Tail] = field(default_factory=dict)  # by READS and WRITES
    quantiles: tuple[Quantile, ...] = ()  # all known ones
    costs: tuple[Cost, ...] = ()  # of the tails

    @property
    def is_any(self) -> bool:
        """Whether it suffices for a verdict by itself."""
        return bool(self.stalls or self.tails)


@dataclass(slots=True)
class SlowDiskCase:
    """Disk considered slow, until the evidence is gone."""

    disk: int
    decided: int
    first: int
    first_at: float
    peers: tuple[int, ...]  # all peers, those of its vdev first
    best: dict[int, Suspicion] = field(default_factory=dict)  # strongest suspicion, by READS and WRITES
    peaks: dict[int, float] = field(default_factory=dict)  # maximum scores
    stalls: Sequence[Stall] = ()
    hang: Stall | None = None
    tails: dict[int, Tail] = field(default_factory=dict)
    quantiles: tuple[Quantile, ...] = ()  # when farthest from the peers'
    tail_costs: tuple[Cost, ...] = ()  # at that time
    confidence: float = 0.0
    is_withdrawn: bool = False

    def update(self, state: DiskMemory, against: DiskEvidence) -> None:
        """Add the current evidence."""
        for kind, track in enumerate(state.tracks):
            suspicion = track.suspicion
            if suspicion is None:
                continue
            known = self.best.get(kind)
            if known is None or suspicion.weight >= known.weight:
                self.best[kind] = suspicion
            self.peaks[kind] = max(self.peaks.get(kind, 0.0), track.score)
        self.stalls = against.stalls or self.stalls
        if against.hang is not None and any(one.unanswered for one in self.best.values()):
            self.hang = against.hang
        self.tails.update(against.tails)
        if _furthest(against.quantiles) >= _furthest(self.quantiles):
            self.quantiles, self.tail_costs = against.quantiles, against.costs
        samples = max((one.samples for one in self.best.values()), default=0)
        samples = max(samples, 3 * len(self.stalls))
        score = max(state.score, THRESHOLD if against.stalls else 0.0)
        of_tails = (confidence(tail.score, tail.spoke, len(self.peers)) for tail in against.tails.values())
        self.confidence = max(self.confidence, confidence(score, samples, len(self.peers)), *of_tails)

    def is_over(self, state: DiskMemory, against: DiskEvidence) -> bool:
        """Whether no evidence is left for what was named."""
        if against.is_any:
            return False
        return not state.score or (self.is_tail and not self.stalls)

    @property
    def is_tail(self) -> bool:
        """Whether the evidence is only its slowest I/Os."""
        return bool(self.tails) and max(self.peaks.values(), default=0.0) < NAMED_FROM

    @property
    def unanswered(self) -> Sequence[Stall]:
        """The stalls that it is named for."""
        return self.stalls or ((self.hang,) if self.hang is not None else ())

    @property
    def is_mostly_silent(self) -> bool:
        """Whether most of the samples against it are without an answer."""
        seen = self.best.values()
        return 2 * sum(one.unanswered for one in seen) >= sum(one.samples for one in seen)

    def named(self) -> list[int]:
        """Slow operations of the disk, the worst first."""
        if not self.peaks or self.is_tail:
            return []
        worst = sorted(self.peaks, key=lambda kind: -self.peaks[kind])
        return [kind for kind in worst if self.peaks[kind] >= NAMED_FROM or kind == worst[0]]


def confidence(score: float, samples: float, peers: int) -> float:
    """Strength of the evidence, no probability: grows with score, supporting samples and number of peers.

    score / (score + 1) * samples / (samples + 1) * peers / (peers + 1/4): at the threshold with five samples
    and five peers 0.71, with one peer 0.59; never 1.
    """
    return score / (score + 1) * samples / (samples + 1) * peers / (peers + 0.25)


def is_enough(state: DiskMemory, pace: float) -> bool:
    """Whether the evidence is strong and long enough for a verdict."""
    worth = (max(one.samples * pace, one.weight) for track in state.tracks if (one := track.suspicion))
    return state.score > THRESHOLD and max(worth, default=0.0) >= LEAST_SAMPLES


def stalls_of(state: DiskMemory, moment: SampleContext) -> Sequence[Stall]:
    """The stalls that support a verdict."""
    return recent(state.stalls, moment.number, moment.samples(WINDOW_S)) if state.stalls else ()


def opened(disk: int, state: DiskMemory, moment: SampleContext, against: DiskEvidence) -> SlowDiskCase:
    """The new case of a disk with sufficient evidence."""
    suspicions = [track.suspicion for track in state.tracks if track.suspicion]
    strong = [track.suspicion for track in state.tracks if track.suspicion and track.score >= THRESHOLD / 4]
    begun = [(one.first, one.first_at) for one in strong or (() if against.is_any else suspicions)]
    begun += [(stall.first, stall.first_at) for stall in against.stalls[:1]]
    begun += [(tail.first, tail.first_at) for tail in against.tails.values()]
    first, first_at = min(begun)
    case = SlowDiskCase(disk, moment.number, first, first_at, peers_of(disk, moment.layout, moment.disks))
    case.update(state, against)
    return case


def verdict(
    case: SlowDiskCase, state: DiskMemory, moment: SampleContext, *, is_ongoing: bool
) -> SlowDiskVerdict:
    """The verdict of a case."""
    member = moment.layout.members[case.disk]
    named = case.named()
    compared = tuple(_compared(case, named, moment))
    last, last_at = max(
        [(case.best[kind].last, case.best[kind].last_at) for kind in named]
        + [(stall.last, stall.last_at) for stall in case.unanswered[-1:]]
        + [(tail.last, tail.last_at) for tail in case.tails.values()]
    )
    stalls = None
    ratio = max((one.ratio for one in compared), default=1.0)
    if case.unanswered:
        longest = max(case.unanswered, key=lambda stall: stall.longest_ns)
        is_now = is_ongoing and state.silent > 1
        peers = {moment.layout.members[at].disk for at in case.peers}
        answered = len(peers.intersection(*(stall.answered for stall in case.unanswered)))
        stalls = Stalls(
            len(case.unanswered), longest.longest_ns, longest.outstanding, is_now, answered, len(peers)
        )
        if not compared:
            ratio = longest.longest_ns / longest.reference_ns  # orders disks; it is not told
    if not compared and stalls is None:
        ratio = _furthest([one for one in case.quantiles if one.is_far]) or 1.0
    strongest = case.best[named[0]] if named else None
    is_measured = strongest is not None and strongest.busy_samples
    return SlowDiskVerdict(
        disk=member.disk,
        vdev=member.vdev,
        shape=member.shape,
        kind=_kind(case, state, moment.interval_s),
        operations=tuple(_operations(case, named)),
        ratio=ratio,
        confidence=case.confidence,
        first_sample=case.first,
        decided_sample=case.decided,
        last_sample=last,
        first_at=case.first_at,
        last_at=last_at,
        is_ongoing=is_ongoing,
        peers=tuple(moment.layout.members[at].disk for at in case.peers[:MOST_PEERS]),
        compared=compared,
        costs=tuple(_costs(case, named, moment.layout)) or case.tail_costs,
        quantiles=case.quantiles,
        stalls=stalls,
        joined_sample=state.joined,
        busy=strongest.busy / strongest.busy_samples if strongest and is_measured else None,
        peers_busy=strongest.peers_busy / strongest.busy_samples if strongest and is_measured else None,
        did=strongest.did / strongest.did_samples if strongest and strongest.did_samples else None,
        peers_did=strongest.peers_did / strongest.did_samples
        if strongest and strongest.did_samples
        else None,
        queued=strongest.queued / strongest.measured if strongest and strongest.measured else None,
        peers_queued=strongest.peers_queued / strongest.measured
        if strongest and strongest.measured
        else None,
    )


def has_lapsed(track: Track, moment: SampleContext) -> bool:
    """Whether the evidence is old without any I/O since."""
    return track.score > 0 and moment.number - track.last_sample > moment.samples(LAPSES_S)


def peers_of(disk: int, layout: PeerGroups, disks: Sequence[DiskMemory]) -> tuple[int, ...]:
    """All peers of a disk with I/O that it is compared with, those of its vdev first."""
    beside = layout.siblings[layout.siblings_of[disk]]
    alike = layout.classes[layout.class_of[disk]]
    return tuple(
        peer
        for peer in dict.fromkeys((*beside, *alike))
        if peer != disk and peer not in layout.exempt and disks[peer].is_known
    )


def _furthest(quantiles: Sequence[Quantile]) -> float:
    """Largest ratio of a quantile to the peers'."""
    return max((one.ratio for one in quantiles if one.share != HALF), default=0.0)


def _watched(moment: SampleContext, disk: int, kind: int) -> tuple[int, float, float]:
    """Samples of the watch in which it was compared, its mean and its peers'."""
    whole = moment.disks[disk].whole[kind]
    if not whole.operations:
        return 0, 0.0, 0.0
    return whole.samples, whole.own_ns / whole.operations, whole.reference_ns / whole.operations


def _compared(case: SlowDiskCase, named: Sequence[int], moment: SampleContext) -> Iterator[Comparison]:
    for kind in named:
        seen = case.best[kind]
        if not seen.operations:
            continue
        low, high = seen.hidden
        samples, own_ns, reference_ns = _watched(moment, case.disk, kind)
        yield Comparison(
            _NAMES[kind],
            seen.mean_ns,
            seen.mean_reference_ns,
            seen.operations,
            seen.timed,
            case.peaks[kind],
            low,
            high,
            samples,
            own_ns,
            reference_ns,
        )


def _costs(case: SlowDiskCase, named: Sequence[int], layout: PeerGroups) -> Iterator[Cost]:
    """Costs of the operations for which the others' work was recorded."""
    disks = len(layout.vdevs[layout.vdev_of[case.disk]])
    for kind in named:
        if case.best[kind].noted_operations:
            yield cost(layout.members[case.disk], disks, _NAMES[kind], case.best[kind])


def _operations(case: SlowDiskCase, named: Sequence[int]) -> Iterator[str]:
    for kind in sorted({*named, *case.tails}):
        yield _NAMES[kind]
        seen = case.best.get(kind)
        if (
            kind == WRITES
            and seen is not None
            and seen.sync_weight >= max(_LEAST_SYNC, _SYNC_SHARE * seen.weight)
        ):
            yield SYNC


def _kind(case: SlowDiskCase, state: DiskMemory, interval_s: float) -> str:
    if case.stalls or (case.hang is not None and case.is_mostly_silent):
        return STALLING
    if case.is_tail:
        return LONG_TAIL
    writes, track = case.best.get(WRITES), state.tracks[WRITES]
    if writes is None or not writes.operations or case.peaks.get(READS, 0.0) >= NAMED_FROM:
        return SLOW
    if not track.healthy_samples or track.healthy_samples * interval_s < COLLAPSE_AFTER_S:
        return SLOW
    is_slow = writes.mean_ns >= COLLAPSE_RATIO * writes.mean_reference_ns
    left = writes.bytes / writes.samples
    return (
        WRITE_COLLAPSE
        if is_slow and left <= COLLAPSE_BYTES * track.healthy_bytes / track.healthy_samples
        else SLOW
    )
