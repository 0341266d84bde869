"""Where a number starts to matter: the limits that findings are judged by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Defaults as the manual states them; the configuration can move each."""

    used_warning_percent: float = 80.0  # of usable space
    used_critical_percent: float = 90.0
    scrub_overdue_days: float = 35.0  # a monthly scrub, and some days of grace
    scan_stalled_minutes: float = 10.0
