"""Durations and ages in sentences: `2 hours and 5 minutes`, `41 days`. Cells of tables have `formatting`."""

from __future__ import annotations

import math
from typing import Final

from zconsole.base.quantities import DAY_S, HOUR_S, MINUTE_S

UNKNOWN: Final = "an unknown time"
LONGEST_S: Final = 1e11  # 3000 years; a clock that is off tells more
_PRECISE_DAYS: Final = 2  # up to which hours are told beside days


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
