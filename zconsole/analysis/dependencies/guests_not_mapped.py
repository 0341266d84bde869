"""Guests that may use storage without it being known, in words, for the plans of that storage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.base.name_lists import shortened

NAMED: Final = 5


def guests_not_mapped(unmapped: Iterable[tuple[str, str, str]]) -> tuple[str, ...]:
    """One sentence of all: a guest, what of it, and why nothing is known of that; none without any."""
    told = [f"{guest} {what} ({why})" for guest, what, why in dict.fromkeys(unmapped)]
    if not told:
        return ()
    return (f"whether guests are on it is not known of: {shortened(told, NAMED)}",)
