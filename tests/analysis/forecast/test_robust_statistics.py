"""A few wild values carry nothing away."""

from __future__ import annotations

import pytest

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.robust_statistics import quantile, slope, spread, thinned

NOW = 1_795_000_000.0


def at(days_ago: float) -> int:
    return int(NOW - days_ago * DAY_S)


def test_a_few_wild_values_carry_nothing_away() -> None:
    line = [(float(day), 3.0 * day) for day in range(50)]
    wild = [(at, 1e9 if at in {7, 30, 31} else value) for at, value in line]

    assert 3.0 == pytest.approx(slope(wild))
    assert 3.0 == pytest.approx(slope([(at, value) for at, value in line for _ in range(100)]))
    assert 0.0 == slope([(1.0, 5.0)])
    assert 1.4826 * 2 == pytest.approx(spread([0, 2, 4, 6, 1e12]))
    assert [0, 5, 10] == thinned(list(range(11)), 3)
    assert 5 == quantile([1, 5, 9], 0.5)
