"""Delay between reconnects: exponential, with jitter."""

from __future__ import annotations

import random
from typing import Final

FIRST_S: Final = 1.0
LONGEST_S: Final = 30.0
SPREAD: Final = 0.5  # spreads the reconnects of many hosts after a common failure


def backoff_bounds(attempt: int) -> tuple[float, float]:
    """The shortest and longest delay in seconds after `attempt` failures (0 = the first)."""
    longest = min(LONGEST_S, FIRST_S * 2.0 ** min(attempt, 30))
    return longest * (1.0 - SPREAD), longest


def backoff(attempt: int, *, chance: float | None = None) -> float:
    """Delay in seconds after `attempt` failures; `chance` in 0..1 selects within the bounds."""
    shortest, longest = backoff_bounds(attempt)
    share = random.random() if chance is None else chance  # noqa: S311 - spreads load, guards nothing
    return shortest + (longest - shortest) * share
