"""Durations and ages in sentences: `2h05m`, `41d`, as in the cells of tables; and estimates of them."""

from __future__ import annotations

import math
from typing import Final

from zconsole.base.fixed_width_formatting import duration
from zconsole.base.quantities import DAY_S, HOUR_S, MINUTE_S

UNKNOWN: Final = "an unknown time"
LONGEST_S: Final = 1e11  # 3000 years; a clock that is off tells more
MOMENT_S: Final = 5  # what is shorter is told as `a few seconds`
_STEPS: Final = tuple(
    count * unit_s
    for unit_s, counts in (
        (1, (5, 10, 15, 20, 30)),
        (MINUTE_S, (1, 2, 3, 5, 7, 10, 15, 20, 30)),
        (HOUR_S, (1, 2, 3, 5, 7, 10, 15)),
        (DAY_S, (1, 2, 5, 10, 20, 50, 100)),
    )
    for count in counts
)


def lasting(seconds: float | None) -> str:
    """A duration as in cells, cut and not rounded: `45s`, `1h50m`."""
    if seconds is None or not math.isfinite(seconds) or seconds > LONGEST_S:
        return UNKNOWN
    return duration(seconds)


def estimated(least_s: float, most_s: float) -> str:
    """An estimate with no more precision than it has: `a few seconds`, `about 10s to 1m`.

    The lower bound is cut and the upper one raised to a step of 1, 2, 5, 10 ... of a unit.
    """
    if most_s <= MOMENT_S:
        return "a few seconds"
    upper = next((step for step in _STEPS if step >= most_s), None)
    if upper is None:
        return f"more than {lasting(_STEPS[-1])}"
    lower = max((step for step in _STEPS if step <= least_s), default=None)
    if lower is None:
        return f"up to about {lasting(upper)}"
    if lower == upper:
        return f"about {lasting(upper)}"
    return f"about {lasting(lower)} to {lasting(upper)}"
