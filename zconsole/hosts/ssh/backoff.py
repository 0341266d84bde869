"""How long to wait before the next try of a lost connection: longer each time, never in step with others."""

from __future__ import annotations

import random
from typing import Final

FIRST_S: Final = 1.0
LONGEST_S: Final = 30.0
SPREAD: Final = 0.5  # a fleet that lost one switch must not come back in one second


def backoff_bounds(attempt: int) -> tuple[float, float]:
    """The shortest and the longest wait, in seconds, after so many tries that failed (0 = the first)."""
    longest = min(LONGEST_S, FIRST_S * 2.0 ** min(attempt, 30))
    return longest * (1.0 - SPREAD), longest


def backoff(attempt: int, *, chance: float | None = None) -> float:
    """Seconds to wait after so many tries that failed; `chance` in 0..1 picks within the bounds."""
    shortest, longest = backoff_bounds(attempt)
    share = random.random() if chance is None else chance  # noqa: S311 - spreads load, guards nothing
    return shortest + (longest - shortest) * share
