"""Alike disks of which half or more are slower than the others: these are compared with the faster ones.

The median of the other disks does not show them: it is that of a slow one, or of one of each. So disks are
parted at the widest gap between their recent latencies. Only the samples after that speak for it or against
it (CUSUM): a gap that chance made is not there again in the next ones.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field
from statistics import median
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import (
    LEAST_OPERATIONS,
    READS,
    THRESHOLD,
    WRITES,
    Track,
)
from zconsole.analysis.slow_disks.bucket_resolution import can_be_equal
from zconsole.analysis.slow_disks.latency_offsets import LEAST_NS, TYPICAL_SHARE
from zconsole.analysis.slow_disks.load.load_in_a_queue import DiskLoad, queueing
from zconsole.analysis.slow_disks.peer_groups import HDD, PeerGroups
from zconsole.analysis.slow_disks.peer_score import FEW_BYTES, FEW_OPERATIONS, MOST, discount, excess, weight
from zconsole.analysis.slow_disks.sample_comparison import Round
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.slow_disk import READ, WRITE

APART: Final = 1.0  # doublings between the slow and the fast ones: the gap is the widest of many
LEAST_DISKS: Final = 3  # of two one is the slower
LEAST_SAMPLES: Final = 5.0  # seconds' worth of samples in which they are apart
_STRAY: Final = 10  # of so many disks one may be out of its side in a sample
_NAMES: Final = {READS: READ, WRITES: WRITE}


@dataclass(frozen=True, slots=True)
class Sides:
    """Two sides of disks that are alike, as member numbers, and the latencies that part them."""

    group: tuple[int, ...]
    slow: tuple[int, ...]
    fast: tuple[int, ...]
    operation: str  # READ or WRITE, that with the larger ratio
    slow_ns: float  # mean of the slowest of the slow ones,
    fast_ns: float  # and of all fast ones

    @property
    def ratio(self) -> float:
        """Of the slowest disk to the fast ones."""
        return self.slow_ns / self.fast_ns if self.fast_ns else 1.0

    @property
    def is_majority(self) -> bool:
        """Whether more are slow than fast."""
        return len(self.slow) > len(self.fast)


@dataclass(slots=True)
class _Sum:
    operations: float = 0.0
    ns: float = 0.0

    @property
    def mean(self) -> float:
        return self.ns / self.operations if self.operations else 0.0


@dataclass(slots=True)
class _Parted:
    """Reads or writes of a group; disks are known by their place in it."""

    slow: frozenset[int] = frozenset()
    fast: frozenset[int] = frozenset()
    track: Track = field(default_factory=Track)
    sums: dict[int, _Sum] = field(default_factory=dict)

    def drop(self) -> None:
        """Forget the sides."""
        self.slow = self.fast = frozenset()
        self.sums = {}
        self.track.forget()


class FasterAndSlower:
    """The sides of one pool's disks; knowledge of groups outlives changes of the layout."""

    def __init__(self) -> None:
        self._layout: PeerGroups | None = None
        self._groups: list[tuple[tuple[int, ...], tuple[_Parted, _Parted]]] = []

    def take_in(self, moment: SampleContext, rounds: Sequence[Round]) -> None:
        """Take in a sample, after its comparisons."""
        if moment.layout is not self._layout:
            self._rearrange(moment.layout)
        for each in rounds:
            if each.medians is None:
                continue
            did = {
                disk: (operations, latency)
                for disk, operations, latency, _ in each.did
                if operations >= LEAST_OPERATIONS
            }
            for group, parted in self._groups:
                of = parted[each.kind]
                if of.slow:
                    _judge(moment, group, of, did)
                if not of.track.score:
                    _part(moment, group, of, each.kind, each.medians.values)

    def forget(self) -> None:
        """Drop all sides."""
        for _, parted in self._groups:
            for each in parted:
                each.drop()

    def known(self, pace: float) -> Iterator[Sides]:
        """Sides that are certain, of the larger groups first; not again those of a group within."""
        told: set[int] = set()
        for group, parted in self._groups:
            sides = max(_certain(group, parted, pace), key=lambda one: one.ratio, default=None)
            if sides is not None and not told.issuperset(sides.slow):
                told.update(sides.slow)
                yield sides

    def _rearrange(self, layout: PeerGroups) -> None:
        def keys(of: PeerGroups, group: tuple[int, ...]) -> Hashable:
            return tuple(of.members[at].key for at in group)

        before = self._layout
        known = {} if before is None else {keys(before, group): parted for group, parted in self._groups}
        groups = dict.fromkeys((*layout.kin, *layout.classes, *layout.siblings))
        self._layout = layout
        self._groups = [
            (group, known.get(keys(layout, group)) or (_Parted(), _Parted()))
            for group in sorted(groups, key=len, reverse=True)
            if len(group) >= LEAST_DISKS
        ]


def _certain(group: tuple[int, ...], parted: Sequence[_Parted], pace: float) -> Iterator[Sides]:
    for kind, of in enumerate(parted):
        suspicion = of.track.suspicion
        if suspicion is None or of.track.score <= THRESHOLD or suspicion.samples * pace < LEAST_SAMPLES:
            continue
        fast = [of.sums[at] for at in of.fast if at in of.sums]
        operations = sum(each.operations for each in fast)
        yield Sides(
            group,
            tuple(group[at] for at in sorted(of.slow)),
            tuple(group[at] for at in sorted(of.fast)),
            _NAMES[kind],
            max(of.sums[at].mean for at in of.slow if at in of.sums),
            sum(each.ns for each in fast) / operations if operations else 0.0,
        )


def _part(
    moment: SampleContext, group: tuple[int, ...], of: _Parted, kind: int, values: Sequence[float | None]
) -> None:
    """Part the disks at the widest gap of their recent latencies, if half or more are far above it."""
    of.drop()
    present = [value for disk in group if (value := values[disk]) is not None]
    if len(present) < LEAST_DISKS:
        return
    low = min(present)
    far = 2**APART * (low + _offset(moment, group[0], low)) - _offset(moment, group[0], low)
    if 2 * sum(value > far for value in present) < len(present):
        return
    recent = sorted(
        (took, at)
        for at, disk in enumerate(group)
        if disk not in moment.left_out
        and (took := moment.disks[disk].tracks[kind].recent_ns(moment.number)) is not None
    )
    gaps = [
        (_doublings(moment, group[0], recent[first][0], recent[first - 1][0]), first)
        for first in range(1, len(recent) // 2 + 1)
    ]
    widest, first = max(gaps, default=(0.0, 0))
    if widest >= APART and len(recent) >= LEAST_DISKS:
        of.fast = frozenset(at for _, at in recent[:first])
        of.slow = frozenset(at for _, at in recent[first:])


def _judge(
    moment: SampleContext, group: tuple[int, ...], of: _Parted, did: dict[int, tuple[float, float]]
) -> None:
    """Hold a sample for or against the sides."""
    slow = {at: did[group[at]] for at in of.slow if group[at] in did}
    fast = {at: did[group[at]] for at in of.fast if group[at] in did}
    if 2 * len(slow) < len(of.slow) or 2 * len(fast) < len(of.fast):
        return
    own = sorted(latency for _, latency in slow.values())[len(slow) // _STRAY]
    reference = sorted(latency for _, latency in fast.values())[-1 - len(fast) // _STRAY]
    above = excess(own, reference, _offset(moment, group[0], reference))
    if above > 0:
        above = 0.0 if can_be_equal(own, reference) else above - _load(moment, group, of)
    share = moment.pace * min(
        weight(median(operations for operations, _ in side.values())) for side in (slow, fast)
    )
    of.track.add(moment.number, moment.at, share * max(-MOST, min(MOST, above)))
    for at, (operations, latency) in (slow | fast).items():
        seen = of.sums.setdefault(at, _Sum())
        seen.operations += operations
        seen.ns += operations * latency


def _load(moment: SampleContext, group: tuple[int, ...], of: _Parted) -> float:
    """Doublings of latency explained by more load of the slow ones."""
    slow, fast = (
        [moment.disks[group[at]].carried(moment.number) for at in side] for side in (of.slow, of.fast)
    )
    far = max(
        discount(median(one[which] for one in slow), median(one[which] for one in fast), few)
        for which, few in enumerate((FEW_OPERATIONS, FEW_BYTES))
    )
    busier, others = ([moment.load_of(group[at]) for at in side] for side in (of.slow, of.fast))
    operations, outstanding = (median(one[which] for one in busier) for which in (0, 1))
    return max(far, queueing(DiskLoad(operations, outstanding), others))


def _doublings(moment: SampleContext, disk: int, own: float, reference: float) -> float:
    offset = _offset(moment, disk, reference)
    return math.log2((own + offset) / (reference + offset))


def _offset(moment: SampleContext, disk: int, reference: float) -> float:
    """The difference far below which latencies do not count: by the faster ones, not by the typical ones."""
    layout = moment.layout
    usual = layout.offsets_ns[disk]
    return usual if layout.members[disk].kind == HDD else min(usual, max(LEAST_NS, TYPICAL_SHARE * reference))
