"""How many disks may fail? For certain, and with what odds beyond that, counted and not estimated.

All sets of failed disks of a size are taken as equally likely, and nothing is repaired in between.
A mirror survives while one of its disks does, a raidz or draid as many failures as it has parity.
The groups of a draid are spread over all of its disks by some thousand permutations, so that any failure
more than its parity meets in some group: it is counted as one raidz of all its disks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from zconsole.analysis.pool_layouts.layout import Layout, VdevShape

MOST_FAILURES: Final = 64  # that odds are given for


@dataclass(frozen=True, slots=True)
class Survival:
    """`any_failures` are survived whichever they are.

    `odds[f]` is the chance to survive the next failure when f disks have failed and the pool has survived
    them; the list ends with the first 0.
    """

    any_failures: int
    odds: tuple[Fraction, ...]


def survival(layout: Layout) -> Survival:
    """Return what a pool of this layout survives. Log, cache and spare disks do not matter for it."""
    return survival_of([vdev.shape for vdev in layout.keepers])


def survival_of(shapes: Sequence[VdevShape]) -> Survival:
    """Return what a pool of top-level vdevs of these shapes survives."""
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
    """In how many ways can so many disks fail with the pool surviving? By number of failures.

    The product of the polynomials of the vdevs: failures of different vdevs combine freely.
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
