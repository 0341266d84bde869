"""Thresholds of findings."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass

LAST_PERCENT: Final = 95.0  # of used space: from here on it is said what happens at 100


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Default thresholds; the configuration can change each."""

    used_warning_percent: float = 80.0  # of usable space
    used_critical_percent: float = 90.0
    scrub_overdue_days: float = 35.0  # a monthly scrub plus some days of grace
    scan_stalled_minutes: float = 10.0
