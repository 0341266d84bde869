"""Guests of which only the name and the state are known, in words: what is told of storage lacks theirs."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.base.quantities import grouped
from zconsole.model.guests.guest import Guest


def number_not_looked_at(guests: Iterable[Guest]) -> int:
    """How many guests have no definition that was read."""
    return sum(bool(each.unread) for each in guests)


def not_looked_at(guests: Iterable[Guest]) -> str:
    """That some were not looked at, as a sentence without a full stop; empty where all were."""
    number = number_not_looked_at(guests)
    if not number:
        return ""
    return (
        f"{grouped(number)} {'guest' if number == 1 else 'guests'} not looked at: what they have is not known"
    )
