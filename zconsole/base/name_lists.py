"""Lists of names in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from typing import Final

from zconsole.base.bounded_int import natural

MOST_COMPARED: Final = 20_000  # each costs some 10 µs
MOST_MEANT: Final = 3


def shortened(names: Sequence[str], most: int) -> str:
    """The first names, and the number of the others: `tank, bulk and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def joined_by_and(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def in_ranges(names: Sequence[str]) -> str:
    """Numbers in order, those that follow each other as a range, then the other names: `1, 5-8, A`."""
    numbers = sorted({number for each in names if (number := natural(each)) is not None})
    runs = (list(run) for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]))
    spans = [(run[0][1], run[-1][1]) for run in runs]
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    return ", ".join((*shown, *dict.fromkeys(each for each in names if natural(each) is None)))


def meant_by(name: str, known: Iterable[str]) -> str:
    """`Did you mean tank/home?`; empty where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415  # where something was not found

    near = get_close_matches(name, tuple(islice(known, MOST_COMPARED)), n=MOST_MEANT, cutoff=0.75)
    return f"Did you mean {' or '.join(near)}?" if near else ""
