"""How fast a person types."""

from __future__ import annotations

from typing import Final

AT_ONCE_S: Final = 0.06  # three keys within that were not typed: the fastest typists take twice as long
TOGETHER_S: Final = (
    0.02  # two letters of a word that confirms within that came in one piece, or by one stroke
)
