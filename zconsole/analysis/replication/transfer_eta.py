"""Rate and remaining time of a stream: a range, as wide as the recent rate has varied."""

from __future__ import annotations

from collections import deque
from typing import Final

from zconsole.analysis.vdevs.scan_eta import time_left
from zconsole.base.fixed_width_formatting import bandwidth, duration, size
from zconsole.base.size_units import used_units
from zconsole.model.run import TransferProgress

LATELY_S: Final = 10.0  # window of the rate
KEPT_S: Final = 120.0  # window of the range
LEAST_S: Final = 5.0  # minimum time before an estimate
EVERY_S: Final = 1.0
QUIET_S: Final = 10.0  # time without a byte that is reported


def in_words(moved: TransferProgress) -> str:
    """Progress of a stream: `1.20 GiB of about 24.3 GiB (5%), 118 MiB/s, 3m-4m left`; - is unknown."""
    total, rate = moved.total_bytes, moved.rate
    share = f" of about {size(total)} ({min(99, 100 * moved.bytes // total)}%)" if total else ""
    pace = bandwidth(rate) if rate is not None else f"- {used_units().rate}"
    left = time_left(*moved.left_s) if moved.left_s is not None else "- left"
    quiet = f", nothing for {duration(moved.quiet_s)}" if moved.quiet_s >= QUIET_S else ""
    return f"{size(moved.bytes)}{share}, {pace}, {left}{quiet}"


class Pace:
    """Byte counts with their times, in monotonic seconds."""

    def __init__(self, total_bytes: int | None) -> None:
        """`total_bytes` is an estimate, or None."""
        self._total = total_bytes
        self._points: deque[tuple[float, int]] = deque()
        self._changed_at = 0.0

    def moved(self, now: float, count: int) -> TransferProgress:
        """The progress."""
        points = self._points
        if not points or count != points[-1][1]:
            self._changed_at = now
        if not points or now - points[-1][0] >= EVERY_S:
            points.append((now, count))
        while len(points) > 2 and points[1][0] < now - KEPT_S:
            points.popleft()
        rate = self._rate(now, count)
        return TransferProgress(
            count, self._total, rate, self._left_s(now, count), quiet_s=now - self._changed_at
        )

    def _rate(self, now: float, count: int) -> float | None:
        """Recent bytes per second; None while too early."""
        since = next(((at, had) for at, had in self._points if at >= now - LATELY_S), None)
        if since is None or now - since[0] < LEAST_S:
            return None
        return (count - since[1]) / (now - since[0])

    def _left_s(self, now: float, count: int) -> tuple[float, float] | None:
        """Remaining seconds at the fastest and slowest recent rate, and at the mean rate; or None."""
        if self._total is None or count >= self._total:
            return None  # an exceeded estimate is useless
        first, paces = self._points[0], list(self._paces(now, count))
        if not paces or now - first[0] < LEAST_S:
            return None
        paces.append((count - first[1]) / (now - first[0]))
        left = self._total - count
        if min(paces) <= 0:
            return None  # stalled: unknown
        return left / max(paces), left / min(paces)

    def _paces(self, now: float, count: int) -> list[float]:
        """Rates of consecutive stretches of `LATELY_S`, and of the last one."""
        points = [*self._points, (now, count)]
        found: list[float] = []
        start = 0
        for at, had in points:
            while at - points[start][0] > LATELY_S:
                start += 1
            took = at - points[start][0]
            if took >= LEAST_S:
                found.append((had - points[start][1]) / took)
        return found
