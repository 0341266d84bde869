"""Detector of slow disks in one pool: samples in, verdicts out.

Needs every sample. Its cost grows with the number of active disks, not with time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS, THRESHOLD, WRITES, Track
from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.latency_offsets import LatencyOffsets
from zconsole.analysis.slow_disks.latency_ratio_upper_bound import LatencyBounds
from zconsole.analysis.slow_disks.media.media_by_latency import media_by_latency, unlike_media
from zconsole.analysis.slow_disks.media.media_by_reads import hardly_read, media_by_reads
from zconsole.analysis.slow_disks.peer_groups import PeerGroups, with_kinds
from zconsole.analysis.slow_disks.sample_comparison import Round
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.slightly_slower.bounded_ratios import within_bounds
from zconsole.analysis.slow_disks.slightly_slower.disks_slower_in_most_seconds import (
    hidden_by_buckets,
    leaning,
    pair_seconds,
    perhaps_slower,
    slightly_slower,
)
from zconsole.analysis.slow_disks.slightly_slower.vdevs_slower_in_most_seconds import PairedVdevs
from zconsole.analysis.slow_disks.slow_episodes import SlowEpisodes
from zconsole.analysis.slow_disks.slow_together.all_slow_alike import AllSlowAlike
from zconsole.analysis.slow_disks.slow_together.faster_and_slower_disks import FasterAndSlower, Sides
from zconsole.analysis.slow_disks.slow_together.pauses_together import PausesTogether
from zconsole.analysis.slow_disks.slow_together.slow_together_findings import (
    are_not_answering,
    beside,
    half_are_slow,
    has_all_of,
    most_are_slow,
    vdev_is_slow,
)
from zconsole.analysis.slow_disks.stalled_disks import (
    hang,
    nothing_done,
    paused_alone,
    trims_held,
    watch,
)
from zconsole.analysis.slow_disks.tail_latency_comparison import Tails
from zconsole.analysis.slow_disks.verdict_from_evidence import (
    LAPSES_S,
    LEAST_SAMPLES,
    DiskEvidence,
    SlowDiskCase,
    has_lapsed,
    is_enough,
    opened,
    peers_of,
    stalls_of,
    verdict,
)
from zconsole.analysis.slow_disks.without_queues.quiet_disks import QuietDisks
from zconsole.base.fixed_width_formatting import duration
from zconsole.model.finding import Finding
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.slow_disk import (
    VDEV_SLOW,
    Judgement,
    Pause,
    SlightlySlowerDisk,
    SlowDiskVerdict,
    Undecided,
)
from zconsole.zfs.iostat.disk_wait_histogram import names_of

Arrange = Callable[[IoSample], PeerGroups]
LEAST_JUDGED: Final = 5.0  # seconds' worth of compared I/O before a disk counts as healthy
_PAIR: Final = 2
_MEDIA_EVERY: Final = 5  # samples
_KEPT: Final = 1000  # ended verdicts kept


class Detector:
    """Judges one pool. `arrange` provides the layout of a sample whose rows changed.

    With `has_bounds` it also knows how much slower than its peers no disk is, at the cost of comparing all.
    """

    def __init__(self, arrange: Arrange, interval_s: float = 1.0, *, has_bounds: bool = False) -> None:
        self._arrange = arrange
        self._interval_s = interval_s
        self._names: tuple[str, ...] | None = None
        self._layout = PeerGroups(())
        self._disks: list[DiskMemory] = []
        self._vdevs: list[list[Track]] = [[], []]  # reads and writes, by sibling group
        self._cases: dict[int, SlowDiskCase] = {}
        self._ended: list[SlowDiskVerdict] = []
        self._were_slightly: list[SlightlySlowerDisk] = []
        # with the last sample that supported it
        self._findings: dict[tuple[str, str], tuple[Finding, int]] = {}
        self._tails: Tails | None = None  # None until histograms arrive
        self._bounds = LatencyBounds() if has_bounds else None
        self._all_slow = AllSlowAlike()
        self._quiet = QuietDisks()
        self._vdev_bounds = LatencyBounds()  # of those that are like each other
        self._episodes = SlowEpisodes()
        self._paired_vdevs = PairedVdevs()
        self._faster_and_slower = FasterAndSlower()
        self._pauses = PausesTogether()
        self._sides: Sequence[Sides] = ()  # of which half or more are slow, now
        self._offsets = LatencyOffsets()
        self._media: Mapping[
            tuple[str, str], str
        ] = {}  # kinds of disks that their reads or latencies have told
        self._is_latency_looked_at = False  # media are told by it once, from the first seconds
        self._unlike: tuple[Finding, ...] = ()
        self._half_slow: Collection[int] = ()  # disk kinds of which half or more are slow at once
        self._moment: SampleContext | None = None
        self._next = 0

    def rearrange(self, arrange: Arrange) -> None:
        """Replace the layout, after a change of the pool's status."""
        self._arrange, self._names = arrange, None

    def feed(self, sample: IoSample, number: int | None = None) -> tuple[SlowDiskVerdict, ...]:
        """Process a sample and return the current verdicts. `number` is its position if some are missing."""
        if number is not None:
            self._next = max(self._next, number)
        if sample.names is not self._names and sample.names != self._names:
            self._lay_out(sample)
        elif self._next % _MEDIA_EVERY == 0:
            self._tell_media_apart(sample)
        self._names = sample.names
        offsets = self._offsets.of(self._layout, self._disks, self._next)
        moment = SampleContext(self._next, sample, self._layout, self._disks, self._interval_s, offsets)
        self._moment = moment
        self._next += 1
        rounds = [Round(moment, kind, self._vdevs[kind]) for kind in (READS, WRITES)]
        for each in rounds:
            each.compare()
            if self._bounds is not None:
                keys, compared = [member.key for member in self._layout.members], tuple(each.compared())
                for disk, operations, latency, reference in compared:
                    self._disks[disk].whole[each.kind].add(operations, latency, reference)
                self._bounds.take_in(moment.number, each.kind, keys, compared, self._layout.compared_with)
                self._episodes.take_in(moment, keys, compared)
                self._vdev_bounds.take_in(
                    moment.number, each.kind, self._layout.sibling_keys, each.compared_vdevs()
                )
        if self._bounds is not None:
            self._paired_vdevs.take_in(moment, rounds)
            self._all_slow.take_in(moment)
            if not moment.work.has_queues:
                self._quiet.take_in(moment)
        self._pauses.take_in(moment, watch(moment, rounds))
        self._faster_and_slower.take_in(moment, rounds)
        self._sides = tuple(self._faster_and_slower.known(moment.pace))
        ended = pair_seconds(moment, rounds)
        self._decide(moment)
        if ended:
            known = self._known_otherwise()
            self._were_slightly += [one for at, one in ended if at not in known]
            del self._were_slightly[:-_KEPT]
        return tuple(self._ongoing(moment))

    def hear(self, histograms: HistogramSample) -> None:
        """Process histograms of the pool, if they are read; the next sample uses them.

        Histograms whose rows differ from the last sample's are ignored.
        """
        if self._moment is None or names_of(histograms.rows) != self._names:
            return
        if self._tails is None:
            self._tails = Tails(self._layout)
        self._tails.take_in(histograms, self._moment)

    def judgement(self) -> Judgement:
        """The judgement so far, with ended verdicts."""
        moment = self._moment
        if moment is None:
            return Judgement("", 0, 0)
        left_out = self._known_otherwise()
        bounds = () if self._bounds is None else self._bounds.known()
        vdev_bounds = () if self._bounds is None else self._vdev_bounds.known(self._is_vdev_resolved)
        slightly = tuple(
            within_bounds(one, bounds, self._is_disk_resolved)
            for one in slightly_slower(self._layout, self._disks, left_out)
        )
        pauses = tuple(self._known_pauses(moment))
        said = (
            are_not_answering(moment.sample.pool, one) for one in pauses if one.is_sure and one.is_of_several
        )
        findings = (*self._said_of_late(moment, slightly), *said)
        slow_vdevs = {str(each.evidence["vdev"]) for each in findings if each.id == VDEV_SLOW}
        verdicts = sorted((*self._ended, *self._ongoing(moment)), key=lambda one: one.decided_sample)
        known = {one.disk for one in slightly} | {one.disk for one in verdicts}
        known |= {self._layout.members[at].disk for sides in self._sides for at in sides.slow}
        return Judgement(
            moment.sample.pool,
            self._next,
            len(self._disks),
            tuple(verdicts),
            tuple(self._undecided(moment)),
            findings,
            bounds,
            sum(1 for group in self._layout.siblings if len(group) > 1),
            vdev_bounds,
            slightly,
            tuple(_last_of_each(self._were_slightly, known)),
            tuple(one for one in self._episodes.known(self._kin_keys()) if one.disk not in known),
            tuple(
                within_bounds(one, vdev_bounds, self._is_named_vdev_resolved)
                for one in self._paired_vdevs.known(slow_vdevs)
            ),
            tuple(
                one for one in perhaps_slower(self._layout, self._disks, left_out) if one.disk not in known
            ),
            self._tails is not None,
            tuple(
                within_bounds(one, bounds, self._is_disk_resolved)
                for one in hidden_by_buckets(self._layout, self._disks, left_out)
                if one.disk not in known
            ),
            pauses,
            moment.work.has_queues,
            tuple(one for one in self._quiet.known() if one.disk not in {each.disk for each in verdicts}),
            self._all_slow.known(len(self._disks), self._next * moment.interval_s),
        )

    def _known_pauses(self, moment: SampleContext) -> Iterator[Pause]:
        """What disks left unanswered: together, and each alone where no verdict says it."""
        window = float(self._next) if self._bounds is not None else moment.samples(LAPSES_S)
        together = tuple(self._pauses.known(self._layout, moment.number, window, moment.interval_s))
        yield from together
        told = {disk for one in together for disk in one.disks}
        told |= {one.disk for one in self._ended if one.stalls is not None}
        told |= {self._layout.members[at].disk for at, case in self._cases.items() if case.unanswered}
        alone = [at for at, member in enumerate(self._layout.members) if member.disk not in told]
        yield from paused_alone(self._layout, self._disks, alone, moment.number)
        yield from trims_held(self._layout, self._disks, moment.number)

    def _kin_keys(self) -> Iterator[list[tuple[str, str]]]:
        """The keys of disks of one role and kind."""
        for kin in self._layout.kin:
            yield [self._layout.members[at].key for at in kin]

    def _is_disk_resolved(self, kind: int, disk: str) -> bool:
        """Whether the latencies of a disk are in more than two buckets."""
        resolved = () if self._bounds is None else self._bounds.resolved(kind)
        return any(member.key in resolved for member in self._layout.members if member.disk == disk)

    def _is_named_vdev_resolved(self, kind: int, vdev: str) -> bool:
        keys = zip(self._layout.siblings, self._layout.sibling_keys, strict=True)
        return any(
            self._is_vdev_resolved(kind, key)
            for group, key in keys
            if self._layout.members[group[0]].vdev == vdev
        )

    def _is_vdev_resolved(self, kind: int, key: Hashable) -> bool:
        """Whether the latencies of most disks of a vdev are in more than two buckets."""
        layout = self._layout
        if self._bounds is None or key not in layout.sibling_keys:
            return False
        resolved = self._bounds.resolved(kind)
        group = layout.siblings[layout.sibling_keys.index(key)]
        return 2 * sum(layout.members[at].key in resolved for at in group) >= len(group)

    def _lay_out(self, sample: IoSample) -> None:
        """Renumber the disks; knowledge of remaining ones is kept."""
        layout = with_kinds(sample.pool, self._arrange(sample), self._media)
        before = self._layout
        known = {member.key: at for at, member in enumerate(before.members)}
        places = [known.pop(member.key, None) for member in layout.members]
        now_at = {old: new for new, old in enumerate(places) if old is not None}
        for at, case in list(self._cases.items()):
            if at not in now_at and self._moment is not None:
                self._end(case, self._moment)
        joined = self._next if before.members else 0
        self._disks = [DiskMemory(self._next, joined) if old is None else self._disks[old] for old in places]
        self._cases = {now_at[at]: case for at, case in self._cases.items() if at in now_at}
        for at, case in self._cases.items():
            case.disk, case.peers = at, peers_of(at, layout, self._disks)
        vdevs = dict(zip(before.sibling_keys, zip(*self._vdevs, strict=True), strict=True))
        kept = [vdevs.get(key) or (Track(), Track()) for key in layout.sibling_keys]
        self._vdevs = [[tracks[kind] for tracks in kept] for kind in (READS, WRITES)]
        self._layout = layout
        if self._tails is not None:
            self._tails.rearrange(layout, places)

    def _tell_media_apart(self, sample: IoSample) -> None:
        """Compare disks of two kinds no longer, and forget what was held against them."""
        if self._media:
            return
        self._media = media_by_reads(self._layout, self._disks)
        self._unlike = tuple(hardly_read(sample.pool, self._layout, self._disks, self._media))
        if not self._media and not self._is_latency_looked_at:
            found = media_by_latency(self._layout, self._disks, self._next)
            self._is_latency_looked_at = found is not None
            self._media = found or {}
            self._unlike = tuple(
                unlike_media(sample.pool, self._layout, self._disks, self._media, self._next)
            )
        if not self._media:
            return
        for state in self._disks:
            state.paired = state.paired_reads = None
            for track in state.tracks:
                track.forget()
                track.judged = 0.0
        if self._bounds is not None:
            self._bounds, self._vdev_bounds = LatencyBounds(), LatencyBounds()
        self._episodes, self._paired_vdevs = SlowEpisodes(), PairedVdevs()
        self._cases.clear()
        self._findings.clear()
        self._faster_and_slower.forget()
        self._lay_out(sample)

    def _decide(self, moment: SampleContext) -> None:
        """Open cases with sufficient evidence, update open ones, and close them."""
        long_tailed = self._long_tailed(moment)
        suspects = [
            at
            for at, state in enumerate(moment.disks)
            if state.tracks[READS].score
            or state.tracks[WRITES].score
            or state.stalls
            or at in self._cases
            or at in long_tailed
        ]
        common = self._half_slow = self._common(moment, suspects)
        together = self._together(moment)
        for at in suspects:
            state, case = moment.disks[at], self._cases.get(at)
            for track in state.tracks:
                if at in self._layout.exempt or has_lapsed(track, moment):
                    track.forget()
            against = self._against(at, long_tailed, moment, is_open=case is not None)
            is_common = self._layout.kin_of[at] in common or at in together
            if case is None:
                if not is_common and (against.is_any or is_enough(state, moment.pace)):
                    self._cases[at] = opened(at, state, moment, against)
                continue
            if case.is_over(state, against):
                self._end(case, moment)
                continue
            case.is_withdrawn = is_common
            case.update(state, against)
        self._judge_vdevs(moment)

    def _long_tailed(self, moment: SampleContext) -> Collection[int]:
        """Disks whose slowest I/Os are far slower than their peers'."""
        tails = self._tails
        if tails is None:
            return ()
        found = tails.suspects()
        if moment.number - tails.heard <= moment.samples(LAPSES_S):
            return found
        for at in found:
            tails.forget(at)
        return ()

    def _against(
        self, disk: int, long_tailed: Collection[int], moment: SampleContext, *, is_open: bool
    ) -> DiskEvidence:
        """Evidence of stalls and tails against a disk."""
        state, tails = self._disks[disk], self._tails
        stalls = stalls_of(state, moment)
        if tails is None or not (is_open or disk in long_tailed):
            return DiskEvidence(stalls, hang(state))
        quantiles = tuple(tails.quantiles(disk))
        if disk not in long_tailed:
            return DiskEvidence(stalls, hang(state), quantiles=quantiles)
        costs = tuple(tails.costs(quantiles, disk))
        return DiskEvidence(stalls, hang(state), tails.slow(disk), quantiles, costs)

    def _common(self, moment: SampleContext, suspects: Sequence[int]) -> set[int]:
        """Disk kinds of which half or more are slow at once: caused by the layout or the load."""
        leaning: dict[int, list[int]] = {}
        for at in suspects:
            if moment.disks[at].score > THRESHOLD / 2:
                leaning.setdefault(self._layout.kin_of[at], []).append(at)
        common: set[int] = set()
        for kin, slow in leaning.items():
            if len(slow) < _PAIR:
                continue
            judged = sum(1 for at in self._layout.kin[kin] if moment.disks[at].judged)
            if 2 * len(slow) < judged or (len(slow) == _PAIR < judged and self._were_healthy(slow)):
                continue
            common.add(kin)
            sides = next((each for each in self._sides if {*slow} <= {*each.slow}), None)
            if len(slow) < judged and any(is_enough(moment.disks[at], moment.pace) for at in slow):
                found = half_are_slow(moment, slow, judged, sides)
                known = self._findings.get((found.id, found.subject))
                is_told = known is not None and has_all_of(known[0], found)
                self._say(known[0] if known is not None and is_told else found)
        return common

    def _together(self, moment: SampleContext) -> set[int]:
        """Tell sides with more slow disks than fast ones; those whose reference is between both."""
        between: set[int] = set()
        for sides in self._sides:
            if sides.is_majority:
                self._say(most_are_slow(moment, sides))
            if len(sides.slow) == len(sides.fast) + 1:
                between.update(sides.slow)
        return between

    def _known_otherwise(self) -> set[int]:
        """Disks that are not said to be slightly slower: they are slow, or half of their kind are."""
        groups: dict[int, list[int]] = {}
        for at in leaning(self._disks):
            groups.setdefault(self._layout.kin_of[at], []).append(at)
        left_out = set(self._cases).union(*(sides.slow for sides in self._sides))
        for kin in self._half_slow:
            left_out.update(at for at in self._layout.kin[kin] if self._disks[at].score > THRESHOLD / 2)
        for kin, slower in groups.items():
            judged = sum(1 for at in self._layout.kin[kin] if self._disks[at].judged)
            if len(slower) >= _PAIR and 2 * len(slower) >= judged:
                left_out.update(slower)
        return left_out

    def _were_healthy(self, disks: list[int]) -> bool:
        """Whether disks were seen to be as fast as the others before."""
        return all(
            any(
                track.suspicion is not None and track.suspicion.judged_before >= LEAST_JUDGED
                for track in self._disks[at].tracks
            )
            for at in disks
        )

    def _judge_vdevs(self, moment: SampleContext) -> None:
        for reads, writes, group in zip(*self._vdevs, self._layout.siblings, strict=True):
            if reads.score + writes.score <= THRESHOLD:
                continue
            strongest = max((reads, writes), key=lambda track: track.score).suspicion
            if strongest is not None and strongest.samples * moment.pace >= LEAST_SAMPLES:
                self._say(
                    vdev_is_slow(
                        moment, group, strongest, "reads" if reads.score >= writes.score else "writes"
                    )
                )

    def _say(self, finding: Finding) -> None:
        """Keep one finding per key, with the last numbers."""
        self._findings[finding.id, finding.subject] = (finding, self._next)

    def _said_of_late(
        self, moment: SampleContext, slightly: Sequence[SlightlySlowerDisk]
    ) -> Iterator[Finding]:
        """Findings on the layout, and others supported in the last minutes."""
        told = {each.subject for each in self._unlike}
        yield from (each for each in self._layout.findings if each.subject not in told)
        yield from self._unlike
        slow = (self._layout.members[at] for at, case in self._cases.items() if not case.is_withdrawn)
        named = {one.vdev: one.disk for one in slightly} | {one.vdev: one.disk for one in slow}
        for finding, said in self._findings.values():
            if self._next - said > moment.samples(LAPSES_S):
                continue
            yield beside(finding, named)

    def _end(self, case: SlowDiskCase, moment: SampleContext) -> None:
        del self._cases[case.disk]
        if not case.is_withdrawn:
            self._ended.append(verdict(case, self._disks[case.disk], moment, is_ongoing=False))
            del self._ended[:-_KEPT]

    def _ongoing(self, moment: SampleContext) -> Iterator[SlowDiskVerdict]:
        for at, case in self._cases.items():
            if not case.is_withdrawn:
                yield verdict(case, self._disks[at], moment, is_ongoing=True)

    def _undecided(self, moment: SampleContext) -> Iterator[Undecided]:
        """Disks with too little data, and why; without those found slow."""
        named = {one.disk for one in self._ended}
        for at, (member, state) in enumerate(zip(self._layout.members, self._disks, strict=True)):
            if at in self._cases or member.disk in named:
                continue
            if member.exemption:
                yield Undecided(member.disk, member.vdev, member.exemption)
            elif state.silent > 1 and state.judged < LEAST_JUDGED:
                waited = duration((state.silent - 1) * moment.interval_s)
                yield Undecided(
                    member.disk, member.vdev, f"it holds I/O and completed none of it for {waited} or more"
                )
            elif state.silent:
                continue  # it has I/O to wait for: how long is told as a pause
            elif why := nothing_done(self._layout, self._disks, at, self._next, moment.interval_s):
                yield Undecided(member.disk, member.vdev, why)
            elif state.judged < LEAST_JUDGED:
                yield _not_compared(member.disk, member.vdev, state, self._next, moment.interval_s)


def _last_of_each(
    ended: Sequence[SlightlySlowerDisk], known: Collection[str]
) -> Iterator[SlightlySlowerDisk]:
    """The last time of each disk; not of those that are told anyway."""
    last = {one.disk: one for one in ended}
    yield from (one for disk, one in last.items() if disk not in known)


def _not_compared(disk: str, vdev: str, state: DiskMemory, samples: int, interval_s: float) -> Undecided:
    if state.passed:
        why, passed = max(state.passed.items(), key=lambda each: each[1])
        if passed * min(1.0, interval_s) >= LEAST_JUDGED:
            return Undecided(disk, vdev, f"not compared in {passed} of {samples} samples: {why}")
    seen = [(track.operations, track.samples) for track in state.tracks]
    operations, busy = sum(one for one, _ in seen), max(count for _, count in seen)
    has_no_peer = busy * min(1.0, interval_s) >= LEAST_JUDGED and state.judged < LEAST_JUDGED / 2
    reason = "no similar disk had I/O to compare with" if has_no_peer else "too little I/O to tell"
    done = f"{operations:.0f} operations in {busy} of {samples} samples"
    return Undecided(disk, vdev, f"{reason}: {done}", has_no_peer)
