"""Simulated futures of a pool: each with a shape, a rate, a walk and jumps as its history allows.

The shorter the history, the wider all of them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from statistics import fmean
from typing import Final

from zconsole.analysis.forecast.growth_shapes import Growth
from zconsole.analysis.forecast.rates_of_windows import GrowthRate
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.forecast import GrowthShape

HORIZON_DAYS: Final = 3652.5  # ten years
FUTURES: Final = 500
DRIFT: Final = 0.06  # fraction by which the rate may change over once more the history's length
MOST_DRIFT: Final = 0.4
RECURRING: Final = 3  # jumps of one sign from which more are expected
BEND_ENDS: Final = 0.3  # share of futures in which a rate ends to rise or fall,
BENDS_FOR: Final = (0.3, 2.0)  # after so many lengths of the history
_BENT: Final = frozenset({GrowthShape.RISING, GrowthShape.FALLING})
_FIRST_DAYS: Final = 0.25
_GRID: Final = 44


@dataclass(frozen=True, slots=True)
class Jumping:
    """Frequency and sizes of jumps in one direction."""

    sizes: tuple[float, ...]
    days: float

    @property
    def per_day(self) -> float:
        """Expected bytes per day; 0 until jumps recur."""
        return sum(self.sizes) / self.days if len(self.sizes) >= RECURRING else 0.0

    def rate(self, chance: random.Random) -> float:
        """Jumps per day in one future: possibly none, or as frequent as the past allows."""
        seen = len(self.sizes)
        if not seen or chance.random() < 1 / (seen + 1):
            return 0.0
        return chance.gammavariate(seen + 0.5, 1 / self.days)


GRID: Final = tuple(
    _FIRST_DAYS * (HORIZON_DAYS / _FIRST_DAYS) ** (index / (_GRID - 1)) for index in range(_GRID)
)


class Futures:
    """Simulation of possible futures of a pool."""

    def __init__(  # noqa: PLR0913 - what a history allows
        self,
        known: Sequence[GrowthRate],
        growths: Sequence[Growth],
        ways: Sequence[Jumping],
        chance: random.Random,
        *,
        span_days: float,
        doubt: float,
    ) -> None:
        self._known = known
        self._growths = growths
        self._weights = list(accumulate(growth.weight for growth in growths))
        self._ways = ways
        self._span = span_days
        self._doubt = doubt
        self._chance = chance

    def draw(
        self, used: float, levels: Sequence[float]
    ) -> tuple[list[list[float]], list[list[float]], list[float]]:
        """Days until each level is reached (infinite: never), use at each time of GRID, and rates."""
        reached: list[list[float]] = [[] for _ in levels]
        at_times: list[list[float]] = [[] for _ in GRID]
        drawn = [self._one(used, levels, reached, at_times) for _ in range(FUTURES)]
        return reached, at_times, drawn

    def _one(
        self, used: float, levels: Sequence[float], reached: list[list[float]], at_times: list[list[float]]
    ) -> float:
        chance = self._chance
        growth, per_day, walk = self._growth()
        drift = DRIFT * chance.gauss(0, 1)
        rates = [(way, way.rate(chance)) for way in self._ways]
        passed = [math.inf] * len(levels)
        before, value, trended, walked = 0.0, used, used, 0.0
        for index, days in enumerate(GRID):
            length = days - before
            walked += math.sqrt(walk * length) * chance.gauss(0, 1)
            for way, rate in rates:
                walked += _jumped(way, rate * length, chance)
            factor = 1 + max(-MOST_DRIFT, min(MOST_DRIFT, drift * math.sqrt(days / self._span)))
            trended = used + factor * growth.added(per_day, days)
            after = trended + walked
            if after < 0:
                walked -= after
                after = 0.0
            luck = chance.random()
            for number, level in enumerate(levels):
                if passed[number] == math.inf:
                    share = _crossing(value, after, level, walk * length, luck)
                    if share is not None:
                        passed[number] = before + share * length
            at_times[index].append(after)
            before, value = days, after
        for number, days in enumerate(passed):
            reached[number].append(days)
        return growth.rate_now(per_day)

    def _growth(self) -> tuple[Growth, float, float]:
        """Shape, rate, and the walk about it (bytes squared a day)."""
        chance = self._chance
        growth = chance.choices(self._growths, cum_weights=self._weights)[0]
        pace = chance.choice(self._known) if growth.pace is None else growth.pace
        freedom = pace.parts - 1
        variance = pace.variance * freedom / max(1e-9, chance.gammavariate(freedom / 2, 2.0))
        # Not the error of their mean: parts that grow fast come together, and a future may be all like one.
        factor = math.exp(self._doubt * chance.gauss(0, 1)) if self._doubt else 1.0
        drawn = (pace.per_day + math.sqrt(variance) * chance.gauss(0, 1)) * factor
        if growth.shape is GrowthShape.PERCENT and pace.per_day:
            growth = replace(growth, bend=growth.bend * drawn / pace.per_day)
        if growth.shape in _BENT and chance.random() < BEND_ENDS:
            growth = replace(growth, bends_for_days=self._span * chance.uniform(*BENDS_FOR))
        return growth, drawn, variance * pace.part_days


def _crossing(start: float, end: float, level: float, variance: float, luck: float) -> float | None:
    """Fraction of a step at which a level is reached; a walk may have exceeded it in between."""
    if start >= level:
        return 0.0
    if end >= level:
        return (level - start) / (end - start)
    if variance > 0 and luck < math.exp(-2 * (level - start) * (level - end) / variance):
        return 0.5
    return None


def _jumped(way: Jumping, expected: float, chance: random.Random) -> float:
    """Bytes added by jumps in a step: sizes drawn from seen ones; for very many, their mean."""
    if expected <= 0:
        return 0.0
    if expected > 20:
        return expected * fmean(way.sizes)
    limit, product, count = math.exp(-expected), chance.random(), 0
    while product > limit:
        count, product = count + 1, product * chance.random()
    return sum(chance.choice(way.sizes) for _ in range(count))
