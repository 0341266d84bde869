"""Evidence of a disk that is a little slower than its peers in most seconds: a paired sequential test.

Each second pairs the disk's latency with that of its peers, so that what they share (load, noise of the host)
cancels. A bet is placed on the disk being slower; under the null hypothesis, that the mean of its bounded
log-ratio is at most `MARGIN` whatever happened before, no bet gains on average. Bets begin with a second that
is clearly slower, and again after a loss. The wealth can be looked at after each second: it is at most the
sum of the wealths of bets begun at every second (Shiryaev-Roberts), and that sum grows by the money of each
beginning, so the mean time to a false alarm is at least `ENOUGH` seconds of I/O, and `SURE` seconds to one
that becomes a finding (Shin, Ramdas and Rinaldo, "E-detectors", 2023).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.bucket_resolution import are_in_one_bucket_each, can_be_equal
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.slow_disk import READ, WRITE, Comparison

MARGIN: Final = math.log2(1.05)  # disks of one model differ by this much
FULL_BET: Final = 0.3  # doublings beyond the margin at which a bet is not raised further
SMALL_BET: Final = 0.5  # share of the wealth, for seconds that differ much from each other,
LARGE_BET: Final = 0.9  # and for seconds that do not
ENOUGH: Final = 2.0**16  # wealth: 18 hours, as there is one beginning a second at most; told by one who looks
SURE: Final = 30 * 86400.0  # wealth of a finding, which nobody asked for: a month
CEILING: Final = 16 * SURE  # so that a disk that has recovered is cleared within minutes
ALONE: Final = 4.0  # times as much for reads alone, which are looked at beside all: a false alarm in 73 hours
LEAST_RATIO: Final = 1.2  # a smaller difference is true, and does not matter
LASTING_S: Final = (
    300.0  # time for which a finding must have lasted: the noise of some disks lasts for seconds
)
OPENS_AT: Final = (
    1.25  # ratio of a second with which evidence begins; smaller ones are left out, which is safe
)
EXCUSED_FROM: Final = 16.0  # wealth from which load is looked at: it takes time, and chance brings less
_NAMES: Final = {READS: READ, WRITES: WRITE}
_HALF: Final = math.sqrt(SURE)  # half of the evidence, in doublings
_LARGEST: Final = 2.0  # doublings of one second that count for the mean ratio
_NEARLY_ALL: Final = 0.9
PERHAPS: Final = 2.0**7  # wealth with which a disk is said to be perhaps slower,
PERHAPS_RATIO: Final = 1.5  # by at least this much,
PERHAPS_SECONDS: Final = 20  # where there were no more seconds than these with I/O, all of them slower
_FLOOR: Final = 1.0  # wealth below which the evidence is forgotten: the stake
_BOTH: Final = 4  # index into the wealths: two of reads, two of writes, two of both
_ALL_EQUAL: Final = [1.0] * 6
_PARTS: Final = 8.0  # of the money: half is on both, so that each wealth of these counts twice


@dataclass(slots=True)
class PairedSums:
    """Numbers of one disk's reads or writes beside its peers', added up over the comparisons."""

    operations: float = 0.0
    own_ns: float = 0.0
    reference_ns: float = 0.0
    doublings: float = 0.0
    comparisons: int = 0


@dataclass(slots=True)
class PairedSeconds:
    """One disk's seconds beside its peers', since its evidence began."""

    first: int  # sample
    first_at: float  # epoch seconds
    decided: int | None = None  # sample at which the wealth sufficed
    is_sure: bool = False  # whether the wealth has sufficed for a finding
    wealth: float = 1.0  # mean of all bets
    seconds: int = 0  # in which it was compared
    slower: int = 0  # of these, those in which it was slower
    narrow: int = 0  # comparisons of I/Os that were nearly all in one bucket each, or in neighbouring ones
    close: int = 0  # comparisons of means that one border between buckets can explain
    times: float = 1.0  # evidence that is needed, in times of ENOUGH and of SURE
    last: int = 0  # the last sample in which it was compared
    last_at: float = 0.0  # epoch seconds
    reads: PairedSums | None = None
    writes: PairedSums | None = None
    _wealths: list[float] = field(default_factory=_ALL_EQUAL.copy)
    _present: int = -1  # sample of the second that is being compared,
    _above: float = 0.0  # and its doublings so far

    def add(self, sample: int, kind: int, operations: float, latency: float, reference: float) -> None:
        """Note the numbers of a comparison; `bet` goes with it."""
        doublings = math.log2(latency / reference)
        sums = self.sums(kind)
        if sums is None:
            sums = PairedSums()
            if kind == WRITES:
                self.writes = sums
            else:
                self.reads = sums
        sums.operations += operations
        sums.own_ns += operations * latency
        sums.reference_ns += operations * reference
        sums.doublings += max(-_LARGEST, min(_LARGEST, doublings))
        sums.comparisons += 1
        self.narrow += are_in_one_bucket_each(latency, reference)
        self.close += can_be_equal(latency, reference)
        self.last = sample
        if sample == self._present:
            self.slower -= self._above > 0
            self._above += doublings
        else:
            self._present, self._above = sample, doublings
            self.seconds += 1
        self.slower += self._above > 0

    def bet(self, kind: int, above: float, share: float) -> None:
        """Bet on a comparison: `above` is in doublings beyond the margin, `share` a weight from 0 to 1."""
        outcome = share * max(-1.0, min(1.0, above / FULL_BET))
        small, large, of = 1.0 + SMALL_BET * outcome, 1.0 + LARGE_BET * outcome, self._wealths
        at = 2 * kind
        of[at] *= small
        of[at + 1] *= large
        of[_BOTH] *= small
        of[_BOTH + 1] *= large
        self.wealth = (of[0] + of[1] + of[2] + of[3] + 2.0 * (of[4] + of[5])) / _PARTS
        self.is_sure = self.is_sure or self.wealth >= SURE * self.times
        if self.wealth > CEILING:
            self._wealths = [min(CEILING, each) for each in of]
            self.wealth = CEILING

    def sums(self, kind: int) -> PairedSums | None:
        """The numbers of READS or of WRITES, if there were any."""
        return self.writes if kind == WRITES else self.reads

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left of the evidence; once it was enough, whether half of it is lost."""
        return self.wealth < (_FLOOR if self.decided is None else _HALF)

    @property
    def ratio(self) -> float:
        """Geometric mean of the ratios of all comparisons."""
        return _ratio([each for each in (self.reads, self.writes) if each is not None])

    @property
    def ratio_where_slower(self) -> float:
        """The same of those operations in which it is slower by itself."""
        return _ratio([sums for _, sums in self.compared()])

    @property
    def is_enough(self) -> bool:
        """Whether the disk is slower beyond chance, by a difference that matters and is no bucket's border.

        Latencies that hardly vary are printed as the middle of their bucket: on both sides of its border a
        difference of a few percent looks like one of two times.
        """
        return self._is_beyond_chance and 2 * self.narrow <= self._comparisons

    @property
    def is_hidden(self) -> bool:
        """Whether it is slower beyond chance, and by how much is hidden by the buckets."""
        return self._is_beyond_chance and 2 * self.narrow > self._comparisons

    @property
    def is_perhaps(self) -> bool:
        """Whether it was clearly slower in all of the few seconds that there were."""
        return (
            self.wealth >= PERHAPS
            and self.ratio >= PERHAPS_RATIO
            and self.slower == self.seconds <= PERHAPS_SECONDS
            and PERHAPS_SECONDS * self.narrow <= self._comparisons
        )

    @property
    def is_within_a_step(self) -> bool:
        """Whether one border between buckets can explain nearly all of it."""
        return self.close >= _NEARLY_ALL * self._comparisons

    @property
    def _is_beyond_chance(self) -> bool:
        return self.wealth >= ENOUGH * self.times and self.ratio >= LEAST_RATIO

    @property
    def _comparisons(self) -> int:
        return sum(each.comparisons for each in (self.reads, self.writes) if each is not None)

    @property
    def leans(self) -> bool:
        """Whether half of the evidence for a slower disk is there."""
        return self.wealth >= _HALF and self.ratio >= LEAST_RATIO

    def compared(self) -> tuple[tuple[int, PairedSums], ...]:
        """READS, WRITES or both, with their numbers: those in which it is slower by itself."""
        all_of_them = tuple((kind, sums) for kind in (READS, WRITES) if (sums := self.sums(kind)) is not None)
        slower = tuple(
            (kind, sums) for kind, sums in all_of_them if sums.doublings >= MARGIN * sums.comparisons
        )
        return slower or all_of_them

    def comparisons(self) -> tuple[Comparison, ...]:
        """`compared` as it is told, with the evidence in doublings."""
        return tuple(
            Comparison(
                _NAMES[kind],
                sums.own_ns / sums.operations,
                sums.reference_ns / sums.operations,
                sums.operations,
                sums.comparisons,
                math.log2(self.wealth),
            )
            for kind, sums in self.compared()
        )


def _ratio(of: Sequence[PairedSums]) -> float:
    number = sum(each.comparisons for each in of)
    return math.exp2(sum(each.doublings for each in of) / number) if number else 1.0
