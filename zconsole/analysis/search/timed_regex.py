"""Regular expressions that a user typed, with a limit on the CPU time that matching may take.

Python's own engine cannot be interrupted and holds the interpreter meanwhile: `(a|aa)+$` on one name of 60
letters would stop every screen. The engine used here looks at the clock while it backtracks.
"""

from __future__ import annotations

import re
import warnings
from time import process_time
from typing import Any, AnyStr, Final, Generic

STEP_S: Final = 0.02  # of CPU for one batch of names; the screen draws nothing meanwhile
LONGEST_PATTERN: Final = 1000  # characters; longer ones take long to compile, which no limit interrupts
MOST_UNROLLED: Final = 20_000  # pieces: the engine writes out `x{n}` as n copies before it looks at any clock
_PIECE: Final = re.compile(  # a set that never ends is one to the end
    r"""\\.  |  \[\^?\]?(?:\\.|[^]\\])*+(?:\]|\Z|\\\Z)  |  \{\s*+(?P<least>\d++)[^{}]*+\}  |  .""",
    re.VERBOSE | re.DOTALL,
)


class BadPatternError(ValueError):
    """A text is no regular expression that can be used; says why."""


class TimeLimit:
    """CPU time that the expressions of one filter may take together, from `begin` on."""

    def __init__(self) -> None:
        self._until = process_time() + STEP_S

    def begin(self, limit_s: float = STEP_S) -> None:
        """Start a new batch, which has so many seconds."""
        self._until = process_time() + limit_s

    def left_s(self) -> float:
        """Seconds that are left, more than 0. Raises TimeoutError."""
        left = self._until - process_time()
        if left <= 0:
            raise TimeoutError
        return left


class TimedPattern(Generic[AnyStr]):
    """A compiled expression; what it is asked raises TimeoutError when the limit is reached."""

    pattern: AnyStr

    def __init__(self, pattern: AnyStr, limit: TimeLimit, *, is_multiline: bool = False) -> None:
        """Compile. Raises BadPatternError."""
        import regex  # noqa: PLC0415  # 17 ms that a console without a filter does not pay

        if len(pattern) > LONGEST_PATTERN:
            raise BadPatternError(f"it is longer than {LONGEST_PATTERN} characters")
        if _unrolled(pattern) > MOST_UNROLLED:
            raise BadPatternError("it repeats something too many times")
        flags = regex.IGNORECASE | (regex.MULTILINE if is_multiline else 0)
        try:
            with warnings.catch_warnings():  # what it thinks of the style is kept off the terminal
                warnings.simplefilter("ignore")
                self._compiled: Any = regex.compile(pattern, flags)
        except (
            regex.error,
            ValueError,
            KeyError,
            IndexError,
            OverflowError,
            RecursionError,
            MemoryError,
        ) as error:
            raise BadPatternError(str(error) or type(error).__name__) from error
        self.pattern = pattern
        self._limit = limit

    def search(self, text: AnyStr) -> bool:
        """Whether it fits anywhere in the text."""
        return self._compiled.search(text, timeout=self._limit.left_s()) is not None

    def sub(self, mark: AnyStr, text: AnyStr) -> AnyStr:
        """The text with a mark in each place that it fits."""
        marked: AnyStr = self._compiled.sub(mark, text, timeout=self._limit.left_s())
        return marked


def _unrolled(pattern: str | bytes) -> int:
    """How many pieces it has once what is repeated is written out as often as it must at least be there."""
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    outer: list[int] = []  # of the groups that are open, what is before them
    total = last = 0  # of this group: all, and what a repetition would be of
    for piece in _PIECE.finditer(text):
        if piece["least"] is not None:
            times = max(1, int(piece["least"]))
            total, last = total + last * (times - 1), last * times
        elif piece[0] == "(":
            outer.append(total)
            total = last = 0
        elif piece[0] == ")" and outer:
            last = total + 1
            total = outer.pop() + last
        else:
            total, last = total + 1, 1
        if total > MOST_UNROLLED:
            break
    return total
