"""Whole numbers as tools print them: a bounded number of ASCII digits."""

from __future__ import annotations

from typing import Final

MOST_DIGITS: Final = 20  # digits of 2 ** 64


def natural(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """The number, or None when the text is not digits only or has more than `most_digits`."""
    is_number = text.isascii() and text.isdigit() and len(text) <= most_digits
    return int(text) if is_number else None
