"""Shapes of growth: as much each day, a percentage, a rate that rises or falls, seasons; with their weights.

The rates of equal stretches of a history are compared with what each shape makes of them. A shape has the
weight of its prior and of how well it fits (Bayes, with its rate and the width of the noise integrated out).
A history that cannot tell leaves the weights near their priors, and a forecast from it covers all shapes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import Point, paces
from zconsole.analysis.forecast.rates_of_windows import GrowthRate
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.forecast import GrowthShape

STRETCHES: Final = 12
FEWEST_IN_STRETCH: Final = 3
FEWEST_STRETCHES: Final = 5
PRIOR_LINE: Final = 0.3
PRIOR_CHANGED: Final = 0.15  # a line with another rate since some day
PRIOR_PERCENT: Final = 0.4
PRIOR_BENT: Final = 0.4
PRIOR_YEARLY: Final = 0.12
BENDS: Final = tuple(step / 10 for step in range(-40, 41) if step)  # powers of e over the history
YEAR_DAYS: Final = 365.25
SEASONS: Final = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6)  # shares of the mean rate by which the rate swings
PHASES: Final = 32
KNOWN_TO: Final = 0.05  # fraction of the rates below which a difference tells nothing of the shape
MOST_EXPONENT: Final = 60.0
NEGLIGIBLE: Final = 0.0005  # of the weights


@dataclass(frozen=True, slots=True)
class Growth:
    """One shape of growth with its weight and rate; a line has the rates of the windows of its history.

    `bend` is the share of itself by which the rate changes per day. `swing` is the share of the mean rate by
    which it swings once a year, and `phase` its angle now; the rate is then that mean.
    """

    shape: GrowthShape
    weight: float
    pace: GrowthRate | None = None
    bend: float = 0.0
    swing: float = 0.0
    phase: float = 0.0
    bends_for_days: float = math.inf  # from then on the rate stays

    def added(self, per_day: float, days: float) -> float:
        """Bytes added within so many days at a rate."""
        if self.swing:
            turned = 2 * math.pi * days / YEAR_DAYS + self.phase
            swung = YEAR_DAYS / (2 * math.pi) * (math.cos(self.phase) - math.cos(turned))
            return per_day * (days + self.swing * swung)
        bent_days = min(days, self.bends_for_days)
        exponent = min(MOST_EXPONENT, self.bend * bent_days)
        if abs(exponent) < 1e-9:
            return per_day * days
        return per_day * (math.expm1(exponent) / self.bend + math.exp(exponent) * (days - bent_days))

    def rate_now(self, per_day: float) -> float:
        """Bytes a day now."""
        return per_day * (1 + self.swing * math.sin(self.phase))


@dataclass(frozen=True, slots=True)
class _Fit:
    """What a shape makes of the rates of stretches: logarithm of its likelihood, rate now, squares left."""

    logarithm: float
    per_day: float
    variance: float


def shapes(points: Sequence[Point]) -> tuple[Growth, ...]:
    """The shapes that a series of (days from now, bytes) may have, with weights that add up to 1.

    Of lines only the weight is told.
    """
    parts = min(STRETCHES, len(points) // FEWEST_IN_STRETCH)
    rates = paces(points, parts) if parts >= FEWEST_STRETCHES else []
    floor = KNOWN_TO**2 * fmean(rate * rate for rate in rates) if rates else 0.0
    if len(rates) < FEWEST_STRETCHES or not floor:
        return (Growth(GrowthShape.LINE, 1.0),)
    found = [
        *_lines(rates, floor),
        *_percents(points, rates, floor),
        *_bends(points, rates, floor),
        *_seasons(points, rates, floor),
    ]
    best = max(fit.logarithm for _, fit in found)
    weights = [growth.weight * math.exp(fit.logarithm - best) for growth, fit in found]
    kept = [weight if weight > NEGLIGIBLE * sum(weights) else 0.0 for weight in weights]
    length = (points[-1][0] - points[0][0]) / len(rates)
    return tuple(
        replace(
            growth,
            weight=weight / sum(kept),
            pace=None
            if growth.shape is GrowthShape.LINE
            else GrowthRate(fit.per_day, fit.variance, len(rates), length),
        )
        for (growth, fit), weight in zip(found, kept, strict=True)
        if weight
    )


_Weighed = tuple[Growth, _Fit]  # with the prior as its weight


def _lines(rates: Sequence[float], floor: float) -> Iterator[_Weighed]:
    """The same rate always, or another one since the end of some stretch."""
    yield Growth(GrowthShape.LINE, PRIOR_LINE), _fit(rates, [1.0] * len(rates), floor)
    splits = range(2, len(rates) - 1)
    for split in splits:
        left = sum(_squares(part) for part in (rates[:split], rates[split:]))
        logarithm = _logarithm(left, rates, floor) - math.log(len(rates)) / 2
        yield Growth(GrowthShape.LINE, PRIOR_CHANGED / len(splits)), _Fit(logarithm, 0.0, 0.0)


def _percents(points: Sequence[Point], rates: Sequence[float], floor: float) -> Iterator[_Weighed]:
    """Rates that are a share of what was used then."""
    now = points[-1][1]
    levels = [
        fmean(used for _, used in points[round(a) : round(b) + 1])
        for a, b in _stretches(len(points), len(rates))
    ]
    if now <= 0 or min(levels) < 0:
        return
    fit = _fit(rates, [level / now for level in levels], floor)
    yield Growth(GrowthShape.PERCENT, PRIOR_PERCENT, bend=fit.per_day / now), fit


def _bends(points: Sequence[Point], rates: Sequence[float], floor: float) -> Iterator[_Weighed]:
    """Rates that rose or fell by a share of themselves each day; large changes are less likely."""
    span = points[-1][0] - points[0][0]
    before = [(index + 0.5) / len(rates) for index in reversed(range(len(rates)))]  # now, in spans
    whole = sum(1 / (4 + bend * bend) for bend in BENDS)
    for bend in BENDS:
        fit = _fit(rates, [math.exp(-bend * each) for each in before], floor)
        shape = GrowthShape.RISING if bend > 0 else GrowthShape.FALLING
        yield Growth(shape, PRIOR_BENT / (4 + bend * bend) / whole, bend=bend / span), fit


def _seasons(points: Sequence[Point], rates: Sequence[float], floor: float) -> Iterator[_Weighed]:
    """Rates that swing about their mean once a year."""
    turn = 2 * math.pi / YEAR_DAYS
    length = (points[-1][0] - points[0][0]) / len(rates)
    before = [(index + 0.5) * length * turn for index in reversed(range(len(rates)))]
    for swing in SEASONS:
        for step in range(PHASES):
            phase = 2 * math.pi * step / PHASES
            fit = _fit(rates, [1 + swing * math.sin(phase - each) for each in before], floor)
            weight = PRIOR_YEARLY / len(SEASONS) / PHASES
            yield Growth(GrowthShape.YEARLY, weight, swing=swing, phase=phase), fit


def _stretches(values: int, parts: int) -> Iterator[tuple[float, float]]:
    length = (values - 1) / parts
    return ((part * length, (part + 1) * length) for part in range(parts))


def _fit(rates: Sequence[float], shape: Sequence[float], floor: float) -> _Fit:
    """Least squares of rates that are a multiple of a shape; the shape is 1 now."""
    per_day = sum(a * b for a, b in zip(rates, shape, strict=True)) / sum(each * each for each in shape)
    left = sum((rate - per_day * each) ** 2 for rate, each in zip(rates, shape, strict=True))
    return _Fit(_logarithm(left, rates, floor), per_day, left / (len(rates) - 1))


def _logarithm(left: float, rates: Sequence[float], floor: float) -> float:
    """Of the likelihood of a shape that leaves these squares, with the width of the noise integrated out."""
    return -len(rates) / 2 * math.log(left / floor + len(rates))


def _squares(rates: Sequence[float]) -> float:
    middle = fmean(rates)
    return sum((rate - middle) ** 2 for rate in rates)
