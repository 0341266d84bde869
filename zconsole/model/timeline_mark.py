"""A moment that a user wants to find again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """Epoch seconds of the host's clock, and the user's words."""

    at: float
    words: str
