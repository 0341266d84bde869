"""The words for what a set of snapshots frees and for what stays, wherever they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.analysis.snapshots.freed_space import Chain, Freed
from zconsole.analysis.snapshots.retention_locks import LockedSnapshot
from zconsole.base.formatting import moment, size

MINUTES: Final = "%Y-%m-%d %H:%M"
DAYS: Final = "%Y-%m-%d"


def freed_words(freed: Freed) -> str:
    """How much comes free: a size, or between which."""
    if freed.is_exact:
        return size(freed.least_bytes)
    return f"{size(freed.least_bytes)} to {size(freed.most_bytes)}"


def span_words(chain: Chain, places: Sequence[int], form: str) -> str:
    """From when to when some snapshots of a dataset are; `form` is that of strftime, in UTC."""

    def taken(place: int) -> str:
        at = chain.snapshots[place].creation
        return "of unknown age" if at is None else moment(at, form)

    first, last = min(places), max(places)
    return taken(first) if first == last else f"{taken(first)} to {taken(last)}"


def kept_words(kept: Iterable[LockedSnapshot], most: int) -> Iterator[tuple[str, str]]:
    """Each reason with the snapshots that stay for it; `most` of a reason are named."""
    by_reason: dict[str, list[LockedSnapshot]] = {}
    for each in kept:
        by_reason.setdefault(each.reason, []).append(each)
    for reason, several in by_reason.items():
        named = "; ".join(f"{each.name} ({each.detail})" for each in several[:most])
        yield reason, f"{named}; and {len(several) - most} more" if len(several) > most else named
