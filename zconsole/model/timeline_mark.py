"""Time marked by a user."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """Mark: epoch seconds of the host's clock, and the user's text."""

    at: float
    words: str
