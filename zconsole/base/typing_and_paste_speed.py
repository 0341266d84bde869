"""Detection of pasted text by the time between keys."""

from __future__ import annotations

from typing import Final

AT_ONCE_S: Final = 0.06  # three keys within this time were not typed: the fastest typists take twice as long
TOGETHER_S: Final = (
    0.02  # seconds; two letters of a confirmation within this time were pasted or sent by one key
)
