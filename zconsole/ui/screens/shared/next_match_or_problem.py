"""Next row of a list that matches its filter, or that shows a problem."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Final

from zconsole.views.layout.styled_text import Line, Lines

PROBLEMS: Final = frozenset({"bad", "warn"})  # styles
MOST: Final = 20_000  # rows that are drawn to find a problem: a key answers at once in any list


def shows_problem(spans: Line) -> bool:
    """Whether a line has a word in the style of a problem."""
    return any(span.style in PROBLEMS and not span.text.isspace() for span in spans)


def next_place(lines: Lines, start: int, step: int, fits: Callable[[int], bool]) -> int | None:
    """The index of the next line that fits, from `start` on in the direction of `step`, around the end.

    At most `MOST` lines are looked at, and `start` itself last.
    """
    count = len(lines)
    if step > 0:
        places = chain(range(start + 1, count), range(min(start + 1, count)))
    else:
        places = chain(range(start - 1, -1, -1), range(count - 1, max(start - 1, -1), -1))
    for number, place in enumerate(places):
        if number >= MOST:
            return None
        if lines.is_selectable(place) and fits(place):
            return place
    return None
