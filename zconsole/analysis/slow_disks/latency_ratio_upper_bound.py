"""Upper bound on how much slower than its peers a disk can be whose latency looks like theirs.

The larger of two one-sided confidence bounds, from the means of blocks of seconds, since neighbouring
seconds depend on each other: of the mean of log(latency / reference), which is what most blocks show, and of
the ratio of both means over the watch (Cochran, "Sampling Techniques", 6.4), which a few long pauses raise.
It holds for all disks and operations together (Bonferroni). Where the latencies of a disk or of its peers may
lie in two buckets or one, it is wider by what these hide.

The reference of a second is the median of the peers. Where about half of them are slower than the others it
is the largest of the faster ones, which is too high by chance: the bound is wider by as much as the mean of
the reference is above the median of the peers' means over the watch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from statistics import NormalDist, median
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.bucket_resolution import MOST_ABOVE, MOST_BELOW, BucketSpread
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.slow_disk import READ, WRITE, LatencyBound

CONFIDENCE: Final = 0.95
BLOCK_SAMPLES: Final = 5
LEAST_BLOCKS: Final = 5
LEAST_OPERATIONS: Final = 10.0  # of a block
LEAST_RATIO: Final = 1.1  # smaller bounds are not claimed: means of buckets are not as exact
_FEW: Final = 4.0  # operations of a second below which its mean says little of how they spread
_NAMES: Final = {READS: READ, WRITES: WRITE}

Key = Hashable
Compared = tuple[int, float, float, float]  # disk, operations, latency, latency of its peers


@dataclass(slots=True)
class _Ratios:
    """Logarithms of one disk's latency to its peers', by block."""

    block: int = 0
    operations: float = 0.0  # of the present block
    own_ns: float = 0.0
    reference_ns: float = 0.0
    total: float = 0.0  # operations of all blocks that count
    blocks: int = 0
    sum: float = 0.0
    squares: float = 0.0
    own_total: float = 0.0  # nanoseconds of the operations that count, and below of as many of its peers
    peers_total: float = 0.0
    own_squares: float = 0.0
    peers_squares: float = 0.0
    products: float = 0.0
    spread: BucketSpread = field(default_factory=BucketSpread)

    def add(self, block: int, operations: float, latency: float, reference: float) -> None:
        if block != self.block:
            self.close()
            self.block = block
        if operations >= _FEW:
            self.spread.add(operations, latency)
        self.operations += operations
        self.own_ns += operations * latency
        self.reference_ns += operations * reference

    def close(self) -> None:
        """Count the present block, if it has enough operations."""
        if self.operations >= LEAST_OPERATIONS and self.own_ns > 0 and self.reference_ns > 0:
            ratio = math.log(self.own_ns / self.reference_ns)
            self.total += self.operations
            self.blocks += 1
            self.sum += ratio
            self.squares += ratio * ratio
            self.own_total += self.own_ns
            self.peers_total += self.reference_ns
            self.own_squares += self.own_ns**2
            self.peers_squares += self.reference_ns**2
            self.products += self.own_ns * self.reference_ns
        self.operations = self.own_ns = self.reference_ns = 0.0

    def upper(self, risk: float) -> float:
        """The bound of the ratio that is exceeded with this probability at most."""
        mean, blocks = self.sum / self.blocks, self.blocks
        wide = student(1 - risk, blocks - 1)
        variance = max(0.0, (self.squares - self.sum * mean) / (blocks - 1))
        typical = math.exp(mean + wide * math.sqrt(variance / blocks))
        ratio = self.own_total / self.peers_total
        residuals = self.own_squares - 2 * ratio * self.products + ratio**2 * self.peers_squares
        error = math.sqrt(max(0.0, residuals) * blocks / (blocks - 1)) / self.peers_total
        return max(typical, ratio + wide * error)


class LatencyBounds:
    """Bounds of one pool. Disks are known by their keys, which outlive changes of the layout."""

    def __init__(self) -> None:
        self._ratios: dict[int, dict[Key, _Ratios]] = {READS: {}, WRITES: {}}
        self._groups: dict[Key, Sequence[Hashable]] = {}

    def take_in(
        self,
        number: int,
        kind: int,
        keys: Sequence[Key],
        compared: Iterable[Compared],
        groups: Sequence[Sequence[Hashable]] = (),
    ) -> None:
        """Add the comparisons of one sample; `keys` and `groups` are those of the disks."""
        if groups:
            self._groups = dict(zip(keys, groups, strict=True))
        ratios, block = self._ratios[kind], number // BLOCK_SAMPLES
        for disk, operations, latency, reference in compared:
            found = ratios.get(keys[disk])
            if found is None:
                found = ratios[keys[disk]] = _Ratios(block)
            found.add(block, operations, latency, reference)

    def resolved(self, kind: int) -> Collection[Key]:
        """Those of which the means of READS or of WRITES are not of two buckets alone."""
        return {key for key, each in self._ratios[kind].items() if each.spread.is_resolved}

    def known(self, is_resolved: Callable[[int, Key], bool] | None = None) -> tuple[LatencyBound, ...]:
        """The largest bound of any, for reads and for writes; without those that did too little.

        `is_resolved` tells of which the latencies are in three buckets or more, if their means do not.
        """
        for ratios in self._ratios.values():
            for each in ratios.values():
                each.close()
        counted = {
            kind: {key: each for key, each in ratios.items() if each.blocks >= LEAST_BLOCKS}
            for kind, ratios in self._ratios.items()
        }
        risk = (1 - CONFIDENCE) / max(1, sum(map(len, counted.values())))
        found: list[LatencyBound] = []
        for kind, ratios in counted.items():
            if not ratios:
                continue
            resolved = {
                key: each.spread.is_resolved if is_resolved is None else is_resolved(kind, key)
                for key, each in ratios.items()
            }
            hidden = 1.0 if 2 * sum(resolved.values()) >= len(ratios) else MOST_BELOW  # by those of the peers
            biased = self._biased(ratios)
            widened = {key: hidden * (1.0 if resolved[key] else MOST_ABOVE) for key in ratios}
            bounds = {key: each.upper(risk) * widened[key] * biased[key] for key, each in ratios.items()}
            worst = max(bounds, key=lambda key: bounds[key])
            found.append(
                LatencyBound(
                    _NAMES[kind],
                    max(LEAST_RATIO, bounds[worst]),
                    CONFIDENCE,
                    len(ratios),
                    int(min(each.total for each in ratios.values())),
                    widened[worst],
                    apart=self._apart(ratios),
                    mean_ns=sum(each.own_total for each in ratios.values())
                    / sum(each.total for each in ratios.values()),
                )
            )
        return tuple(found)

    def _apart(self, ratios: Mapping[Key, _Ratios]) -> float:
        """The slowest mean of the watch relative to the fastest, of disks with common peers."""
        means: dict[Hashable, list[float]] = {}
        for key, each in ratios.items():
            for group in self._groups.get(key, ()):
                means.setdefault(group, []).append(each.own_total / each.total)
        return max((max(of) / min(of) for of in means.values()), default=1.0)

    def _biased(self, ratios: Mapping[Key, _Ratios]) -> dict[Key, float]:
        """By what the mean of a disk's reference exceeds the median of its peers' means; at least 1."""
        means = {key: each.own_total / each.total for key, each in ratios.items()}
        members: dict[Hashable, list[Key]] = {}
        for key in ratios:
            for group in self._groups.get(key, ()):
                members.setdefault(group, []).append(key)
        found: dict[Key, float] = {}
        for key, each in ratios.items():
            peers = [
                [means[other] for other in members[group] if other != key]
                for group in self._groups.get(key, ())
            ]
            reference = max((median(one) for one in peers if one), default=0.0)
            found[key] = max(1.0, each.peers_total / each.total / reference) if reference else 1.0
        return found


def student(probability: float, freedom: int) -> float:
    """Quantile of Student's t, by its expansion about the normal quantile (Abramowitz and Stegun 26.7.5)."""
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / math.pow(freedom, power) for power, term in enumerate(terms, start=1))
