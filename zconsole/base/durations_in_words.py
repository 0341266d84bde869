"""Durations and ages in sentences: `2 hours and 5 minutes`, `41 days`. Cells of tables have `formatting`."""

from __future__ import annotations

import math
from typing import Final

from zconsole.base.quantities import DAY_S, HOUR_S, MINUTE_S

UNKNOWN: Final = "an unknown time"
LONGEST_S: Final = 1e11  # 3000 years; a clock that is off tells more
_PRECISE_DAYS: Final = 2  # up to which hours are told beside days
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
    """A duration in its two largest units, cut and not rounded: `45 seconds`, `1 hour and 50 minutes`."""
    if seconds is None or not math.isfinite(seconds) or seconds > LONGEST_S:
        return UNKNOWN
    from datetime import timedelta  # noqa: PLC0415  # for humanize, as late

    from humanize.time import precisedelta  # noqa: PLC0415  # 35 ms that the first frame does not pay

    whole = max(0, int(seconds))
    if whole < HOUR_S:
        unit, unit_s = "seconds", 1
    elif whole < DAY_S:
        unit, unit_s = "minutes", MINUTE_S
    elif whole < _PRECISE_DAYS * DAY_S:
        unit, unit_s = "hours", HOUR_S
    else:
        unit, unit_s = "days", DAY_S
    told = precisedelta(
        timedelta(seconds=whole // unit_s * unit_s), minimum_unit=unit, suppress=("months",), format="%d"
    )
    return str(told)


def estimated(least_s: float, most_s: float) -> str:
    """An estimate with no more precision than it has: `a few seconds`, `about 10 seconds to 1 minute`.

    The lower bound is cut and the upper one raised to a step of 1, 2, 5, 10 ... of a unit.
    """
    if most_s <= MOMENT_S:
        return "a few seconds"
    upper = next((step for step in _STEPS if step >= most_s), None)
    if upper is None:
        return f"more than {lasting(_STEPS[-1])}"
    least = lasting(upper)
    lower = max((step for step in _STEPS if step <= least_s), default=None)
    if lower is None:
        return f"up to about {least}"
    if lower == upper:
        return f"about {least}"
    first, unit = lasting(lower), least.partition(" ")[2].rstrip("s")
    return f"about {first.partition(' ')[0] if unit in first else first} to {least}"
