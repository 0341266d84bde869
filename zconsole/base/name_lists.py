"""Lists of names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def shortened(names: Sequence[str], most: int) -> str:
    """The first names, and the number of the others: `tank, bulk and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def joined_by_and(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
