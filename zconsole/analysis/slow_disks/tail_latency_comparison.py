"""Latency tails: the slowest I/Os of each disk compared with its peers, invisible in means.

Fed with histograms while they are read. They are collected in blocks of some seconds; quantiles are over one
minute of blocks. Buckets are powers of two, so one bucket of difference means nothing.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import field
from statistics import median
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.peer_groups import PeerGroups
from zconsole.analysis.slow_disks.peer_score import FEW_OPERATIONS, discount
from zconsole.analysis.slow_disks.sample_comparison import Medians
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.tail_latency_cost import tail_cost
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.slow_disk import READ, WRITE, Cost, Quantile
from zconsole.zfs.iostat.disk_wait_histogram import POWERS, ended_at_disk

BLOCK_S: Final = 5.0  # longer than a typical stall, so that one stall is in at most two blocks
BLOCKS: Final = 12
SHARES: Final = (0.99, 0.999)
HALF: Final = 0.5
LEAST_BEYOND: Final = 5.0  # I/Os beyond a quantile, of each compared disk
FAR: Final = 2.0  # buckets beyond the peers' quantile, and
FAR_DOUBLINGS: Final = 1.5  # doublings of latency, after adding a harmless offset to both, and
FAR_TIMES: Final = 4.0  # times as many I/Os beyond as the peers have, and
FAR_DEVIATIONS: Final = 4.0  # standard deviations above chance
LEAST_EXPECTED: Final = 3.0  # expected I/Os beyond in a block, from which their absence counts
DECIDED: Final = 4  # supporting blocks less opposing blocks
CEILING: Final = 6
GAP_S: Final = 30.0  # between two samples, after which the previous minute is dropped
_NAMES: Final = (READ, WRITE)


@dataclass(slots=True)
class Tail:
    """One disk and operation: the last minute, and the evidence."""

    counts: list[int] = field(default_factory=lambda: [0] * POWERS)
    total: int = 0
    blocks: deque[dict[int, int]] = field(default_factory=deque)
    score: int = 0
    is_slow: bool = False
    first: int = 0  # samples
    first_at: float = 0.0
    last: int = 0
    last_at: float = 0.0
    spoke: int = 0  # blocks

    def push(self, block: dict[int, int]) -> None:
        """Add a block of I/Os by bucket, and drop the oldest."""
        for power, number in block.items():
            self.counts[power] += number
            self.total += number
        self.blocks.append(block)
        if len(self.blocks) > BLOCKS:
            for power, number in self.blocks.popleft().items():
                self.counts[power] -= number
                self.total -= number

    def quantile(self, share: float) -> float | None:
        """Bucket of a quantile; None with too few I/Os."""
        most = (1 - share) * self.total
        if not self.total or most < LEAST_BEYOND:
            return None
        beyond = 0
        for power in range(POWERS - 1, 0, -1):
            beyond += self.counts[power]
            if beyond > most:
                return float(power)
        return 0.0

    def beyond(self, power: int) -> int:
        """Number of I/Os in this bucket or later ones."""
        return sum(self.counts[power:])

    def clear(self) -> None:
        """Drop the minute, keep the evidence."""
        self.counts, self.total = [0] * POWERS, 0
        self.blocks.clear()

    def speak(self, moment: SampleContext) -> None:
        """Count a supporting block."""
        if not self.score:
            self.first = max(0, moment.number - round(moment.samples(BLOCK_S)) + 1)
            self.first_at = moment.at - (moment.number - self.first) * moment.interval_s
            self.spoke = 0
        self.score = min(CEILING, self.score + 1)
        self.is_slow = self.is_slow or self.score >= DECIDED
        self.last, self.last_at = moment.number, moment.at
        self.spoke += 1

    def relent(self) -> None:
        """Count an opposing block."""
        self.score = max(0, self.score - 1)
        self.is_slow = self.is_slow and self.score > 0


class Tails:
    """Tails of a pool's disks, numbered as in its layout."""

    def __init__(self, layout: PeerGroups) -> None:
        self._layout = layout
        self._tails = [(Tail(), Tail()) for _ in layout.members]
        self._fresh = self._nothing()
        self._left_out: set[int] = set()
        self._fresh_s = 0.0
        self._last_at: float | None = None
        self._known: dict[tuple[int, float], Medians] = {}  # since the last block
        self._moment: SampleContext | None = None  # while a block is judged
        self._explained: dict[int, float] = {}  # doublings that a queue explains, at the last block
        self.heard = 0  # the sample at which the last histograms arrived

    def rearrange(self, layout: PeerGroups, places: Sequence[int | None]) -> None:
        """Renumber the disks; `places` has each disk's previous number."""
        self._tails = [(Tail(), Tail()) if old is None else self._tails[old] for old in places]
        self._layout = layout
        self._known, self._explained = {}, {}
        self._fresh, self._left_out, self._fresh_s = self._nothing(), set(), 0.0

    def take_in(self, sample: HistogramSample, moment: SampleContext) -> None:
        """Add the histograms of an interval, whose rows are those of `moment`."""
        if self._last_at is not None and not 0 <= sample.at - self._last_at <= GAP_S:
            for pair in self._tails:
                for tail in pair:
                    tail.clear()
            self._fresh, self._fresh_s = self._nothing(), 0.0
        self._last_at, self.heard = sample.at, moment.number
        self._left_out |= moment.left_out
        reads, writes = self._fresh
        for disk, ended in enumerate(ended_at_disk(sample.rows, self._layout.places)):
            for power, read, written in ended:
                if read:
                    reads[disk][power] = reads[disk].get(power, 0) + _operations(read, sample.interval_s)
                if written:
                    writes[disk][power] = writes[disk].get(power, 0) + _operations(written, sample.interval_s)
        self._fresh_s += sample.interval_s
        if self._fresh_s >= BLOCK_S:
            self._end_block(moment)

    def slow(self, disk: int) -> dict[int, Tail]:
        """Tails, by READS and WRITES, for which a disk counts as slow."""
        return {kind: tail for kind, tail in enumerate(self._tails[disk]) if tail.is_slow}

    def suspects(self) -> list[int]:
        """Disks with such a tail, unless they are half of their kind or more."""
        found = [at for at, pair in enumerate(self._tails) if any(tail.is_slow for tail in pair)]
        return [at for at in found if not self._is_common(at, found)]

    def forget(self, disk: int) -> None:
        """Drop all suspicion."""
        for tail in self._tails[disk]:
            tail.score, tail.is_slow = 0, False

    def quantiles(self, disk: int) -> Iterator[Quantile]:
        """Median and higher quantiles of a disk's reads and writes, if known for its peers too."""
        for kind, name in enumerate(_NAMES):
            tail = self._tails[disk][kind]
            for share in (HALF, *SHARES):
                medians = self._medians(kind, share)
                own, reference = medians.values[disk], medians.reference(disk)
                if own is None or not reference:
                    continue
                is_far = share != HALF and self._far(disk, kind, medians) is not None
                yield Quantile(name, share, _bound(own), _bound(reference), tail.total, is_far)

    def costs(self, quantiles: Sequence[Quantile], disk: int) -> Iterator[Cost]:
        """Cost of a disk's tails, by each operation's farthest quantile."""
        for kind, name in enumerate(_NAMES):
            far = [one for one in quantiles if one.is_far and one.operation == name]
            if far:
                share = max(far, key=lambda one: (one.ratio, -one.share)).share
                counts = [pair[kind].counts for pair in self._tails]
                cost = tail_cost(self._layout, counts, disk, name, share)
                if cost is not None:
                    yield cost

    def _nothing(self) -> tuple[list[dict[int, int]], list[dict[int, int]]]:
        return [{} for _ in self._layout.members], [{} for _ in self._layout.members]

    def _is_common(self, disk: int, slow: Sequence[int]) -> bool:
        kin = self._layout.kin[self._layout.kin_of[disk]]
        beside = [at for at in slow if self._layout.kin_of[at] == self._layout.kin_of[disk]]
        known = sum(1 for at in kin if any(tail.total for tail in self._tails[at]))
        return len(beside) > 1 and 2 * len(beside) >= known

    def _end_block(self, moment: SampleContext) -> None:
        fresh, self._fresh, self._fresh_s = self._fresh, self._nothing(), 0.0
        for kind in (READS, WRITES):
            for disk, block in enumerate(fresh[kind]):
                self._tails[disk][kind].push({} if disk in self._left_out else block)
        self._known, self._explained, self._moment = {}, {}, moment
        for kind in (READS, WRITES):
            self._judge(kind, moment)
        self._moment = None
        self._left_out = set()

    def _judge(self, kind: int, moment: SampleContext) -> None:
        medians = [self._medians(kind, share) for share in SHARES]
        for disk, pair in enumerate(self._tails):
            tail = pair[kind]
            if disk in self._layout.exempt:
                tail.score, tail.is_slow = 0, False
                continue
            block = tail.blocks[-1]
            far = next((found for of in medians if (found := self._far(disk, kind, of)) is not None), None)
            if far is None:
                if block and tail.score and medians[0].values[disk] is not None:
                    tail.relent()
                continue
            if any(power >= far for power in block):
                tail.speak(moment)
            elif sum(block.values()) * tail.beyond(far) >= LEAST_EXPECTED * tail.total:
                tail.relent()

    def _medians(self, kind: int, share: float) -> Medians:
        """Quantiles of the others, as of the last block."""
        known = self._known.get((kind, share))
        if known is None:
            values = [
                None if disk in self._layout.exempt else pair[kind].quantile(share)
                for disk, pair in enumerate(self._tails)
            ]
            known = self._known[kind, share] = Medians(self._layout, values, [])
        return known

    def _far(self, disk: int, kind: int, medians: Medians) -> int | None:
        """Bucket from which a disk has far more I/Os than its peers; None if it has not."""
        own, reference = medians.values[disk], medians.reference(disk)
        if own is None or not reference or own - reference < FAR:
            return None
        offset = self._layout.offsets_ns[disk]
        if math.log2((_bound(own) + offset) / (_bound(reference) + offset)) < FAR_DOUBLINGS:
            return None
        peers = [
            pair[kind]
            for at, pair in enumerate(self._tails)
            if at != disk and self._is_peer(disk, at) and medians.values[at] is not None
        ]
        tail = self._tails[disk][kind]
        load = discount(tail.total, median(peer.total for peer in peers), FEW_OPERATIONS)
        load = max(load, self._queueing(disk))
        far = math.ceil(reference + FAR + load)
        if own < far:
            return None
        expected = tail.total * median(peer.beyond(far) / peer.total for peer in peers)
        beyond = tail.beyond(far)
        is_chance = beyond - expected < FAR_DEVIATIONS * math.sqrt(expected + 1)
        return None if is_chance or beyond < FAR_TIMES * expected else far

    def _queueing(self, disk: int) -> float:
        if disk not in self._explained and self._moment is not None:
            self._explained[disk] = self._moment.queueing(disk)
        return self._explained.get(disk, 0.0)

    def _is_peer(self, disk: int, other: int) -> bool:
        layout = self._layout
        return (
            layout.siblings_of[disk] == layout.siblings_of[other]
            or layout.class_of[disk] == layout.class_of[other]
        )


def _operations(rate: int, interval_s: float) -> int:
    """Number of I/Os: ZFS prints a rate, rounded down."""
    return math.ceil(rate * interval_s)


def _bound(power: float) -> float:
    """Upper bound of a bucket, in nanoseconds."""
    return math.exp2(power)
