"""Survival of disk failures: guaranteed number, and exact odds beyond.

All sets of failed disks of one size are equally likely, without repair in between. A mirror survives while
one of its disks does, a raidz or draid as many failures as its parity. A draid spreads its groups over all
disks by some thousand permutations, so that any failure beyond its parity hits some group: it counts as one
raidz of all disks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Final

from zconsole.analysis.pool_layouts.layout import Layout, VdevShape
from zconsole.base.lazy_dataclass import dataclass

MOST_FAILURES: Final = 64  # for which odds are computed


@dataclass(frozen=True, slots=True)
class Survival:
    """Failures survived: `any_failures` whichever disks fail.

    `odds[f]` is the probability of surviving the next failure after f failures were survived; the list ends
    with the first 0.
    """

    any_failures: int
    odds: tuple[Fraction, ...]


def survival(layout: Layout) -> Survival:
    """Survival of a pool of this layout. Log, cache and spare disks do not matter."""
    return survival_of([vdev.shape for vdev in layout.keepers])


def survival_of(shapes: Sequence[VdevShape]) -> Survival:
    """Survival of a pool with top-level vdevs of these shapes."""
    ways = _ways(shapes)
    disks = sum(shape.width for shape in shapes)
    odds = [
        Fraction(ways[failed + 1] * (failed + 1), ways[failed] * (disks - failed))
        for failed in range(len(ways) - 1)
    ]
    if len(ways) <= MOST_FAILURES:
        odds.append(Fraction(0))
    return Survival(min(shape.tolerates for shape in shapes), tuple(odds))


def _ways(shapes: Sequence[VdevShape]) -> list[int]:
    """Number of survivable sets of failed disks, by number of failures.

    The product of the vdevs' polynomials: failures of different vdevs combine freely.
    """
    product = [1]
    for shape in shapes:
        own = [comb(shape.width, failed) for failed in range(shape.tolerates + 1)]
        length = min(len(product) + len(own) - 1, MOST_FAILURES + 1)
        combined = [0] * length
        for left, ways in enumerate(product):
            for right, more in enumerate(own):
                if left + right >= length:
                    break
                combined[left + right] += ways * more
        product = combined
    return product
