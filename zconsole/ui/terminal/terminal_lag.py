"""Terminal lag: whether the terminal keeps up, measured by its replies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import inf
from typing import Final

LATE_S: Final = 1.0  # beyond the usual time: the link is stalled
SLOWEST_S: Final = 2.0  # longer answers do not count as usual


class Answering:
    """Answer times of one terminal: None until it has answered once."""

    def __init__(self, ask: Callable[[], None], is_behind: Callable[[], bool]) -> None:
        """`ask` sends the question; `is_behind` tells whether frames wait, the only sign of a mute one."""
        self.usual_s: float | None = None
        self.asked_at = -inf
        self._ask = ask
        self._is_behind = is_behind
        self._open: deque[float] = deque()
        self._seen_until = -inf
        self._behind_since: float | None = None

    def forget(self) -> None:
        """Discard pending questions; an answer may have been lost."""
        self._open.clear()

    def ask(self, now: float) -> None:
        """Send a question."""
        self.asked_at = now
        self._open.append(now)
        self._ask()

    def answered(self, at: float) -> float:
        """Take an answer at a moment. Returns how many seconds slower it was than the previous one."""
        if not self._open:
            return 0.0
        self._seen_until = self._open.popleft()
        took_s, before_s = at - self._seen_until, self.usual_s
        self.usual_s = min(took_s, SLOWEST_S)
        return 0.0 if before_s is None else max(0.0, took_s - before_s)

    def late_s(self, now: float) -> float:
        """Seconds beyond the usual without an answer, or of a mute terminal without reading."""
        if self.usual_s is None:
            since = self._stuck_since(now)
            return 0.0 if since is None else now - since
        return max(0.0, now - self._open[0] - self.usual_s) if self._open else 0.0

    def seen_until(self, now: float) -> float:
        """The moment up to which all output was shown; inf for a mute terminal that reads."""
        if self.usual_s is None:
            since = self._stuck_since(now)
            return inf if since is None else since
        return self._seen_until

    def _stuck_since(self, now: float) -> float | None:
        if not self._is_behind():
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = now
        return self._behind_since
