"""Terminal lag: whether the terminal keeps up, measured by its replies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import inf
from typing import Final

LATE_S: Final = 1.0  # more than it takes as a rule: the link stands still
SLOWEST_S: Final = 2.0  # what takes longer is no rule


class Answering:
    """What one terminal was asked, and how long it takes to answer: None until it has answered once."""

    def __init__(self, ask: Callable[[], None], is_behind: Callable[[], bool]) -> None:
        """`ask` has it asked; `is_behind` is whether frames wait for it, all that is known of a mute one."""
        self.usual_s: float | None = None
        self.asked_at = -inf
        self._ask = ask
        self._is_behind = is_behind
        self._open: deque[float] = deque()
        self._seen_until = -inf
        self._behind_since: float | None = None

    def forget(self) -> None:
        """No answer is awaited any more; one may have got lost."""
        self._open.clear()

    def ask(self, now: float) -> None:
        """Have it answer."""
        self.asked_at = now
        self._open.append(now)
        self._ask()

    def answered(self, at: float) -> float:
        """It has answered at that moment. Returns by how many seconds later than before."""
        if not self._open:
            return 0.0
        self._seen_until = self._open.popleft()
        took_s, before_s = at - self._seen_until, self.usual_s
        self.usual_s = min(took_s, SLOWEST_S)
        return 0.0 if before_s is None else max(0.0, took_s - before_s)

    def late_s(self, now: float) -> float:
        """For how long it has not answered, or a mute one not read, beyond what is usual."""
        if self.usual_s is None:
            since = self._stuck_since(now)
            return 0.0 if since is None else now - since
        return max(0.0, now - self._open[0] - self.usual_s) if self._open else 0.0

    def seen_until(self, now: float) -> float:
        """Up to which moment it has shown all; inf for a mute one that reads."""
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
