"""Whole numbers as tools print them: ASCII digits, of which there are only so many."""

from __future__ import annotations

from typing import Final

MOST_DIGITS: Final = 20  # 2 ** 64 has so many


def natural(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """The number; None for anything but digits, and for more of them."""
    is_number = text.isascii() and text.isdigit() and len(text) <= most_digits
    return int(text) if is_number else None
