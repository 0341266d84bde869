"""How fast a stream goes, and when it will be through: a range, as wide as the pace of late has varied."""

from __future__ import annotations

from collections import deque
from typing import Final

from zconsole.analysis.vdevs.scan_eta import time_left
from zconsole.base.formatting import duration, size
from zconsole.model.run import Moved

LATELY_S: Final = 10.0  # the rate is that of so long
KEPT_S: Final = 120.0  # the range is that of the paces in so long
LEAST_S: Final = 5.0  # before that nothing is said
EVERY_S: Final = 1.0
QUIET_S: Final = 10.0  # without a byte it is worth a word


def in_words(moved: Moved) -> str:
    """How far a stream is: `1.20 GiB of about 24.3 GiB (5%), 118 MiB/s, 3m-4m left`; - is not known."""
    total, rate = moved.total_bytes, moved.rate
    share = f" of about {size(total)} ({min(99, 100 * moved.bytes // total)}%)" if total else ""
    pace = f"{size(round(rate))}/s" if rate is not None else "- MiB/s"
    left = time_left(*moved.left_s) if moved.left_s is not None else "- left"
    quiet = f", nothing for {duration(moved.quiet_s)}" if moved.quiet_s >= QUIET_S else ""
    return f"{size(moved.bytes)}{share}, {pace}, {left}{quiet}"


class Pace:
    """Takes how many bytes have gone by when, in seconds that never run back."""

    def __init__(self, total_bytes: int | None) -> None:
        """`total_bytes` is an estimate, or None."""
        self._total = total_bytes
        self._points: deque[tuple[float, int]] = deque()
        self._changed_at = 0.0

    def moved(self, now: float, count: int) -> Moved:
        """How far it is."""
        points = self._points
        if not points or count != points[-1][1]:
            self._changed_at = now
        if not points or now - points[-1][0] >= EVERY_S:
            points.append((now, count))
        while len(points) > 2 and points[1][0] < now - KEPT_S:
            points.popleft()
        rate = self._rate(now, count)
        return Moved(count, self._total, rate, self._left_s(now, count), quiet_s=now - self._changed_at)

    def _rate(self, now: float, count: int) -> float | None:
        """Bytes a second of late; None before there was time enough."""
        since = next(((at, had) for at, had in self._points if at >= now - LATELY_S), None)
        if since is None or now - since[0] < LEAST_S:
            return None
        return (count - since[1]) / (now - since[0])

    def _left_s(self, now: float, count: int) -> tuple[float, float] | None:
        """Seconds to go at the fastest and at the slowest pace of late, and at that of all; or None."""
        if self._total is None or count >= self._total:
            return None  # an estimate that is exceeded tells nothing
        first, paces = self._points[0], list(self._paces(now, count))
        if not paces or now - first[0] < LEAST_S:
            return None
        paces.append((count - first[1]) / (now - first[0]))
        left = self._total - count
        if min(paces) <= 0:
            return None  # it stood still: nobody knows
        return left / max(paces), left / min(paces)

    def _paces(self, now: float, count: int) -> list[float]:
        """The pace of each stretch of `LATELY_S` in what is kept, and of the last one."""
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
