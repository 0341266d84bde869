"""User regular expressions with a CPU time limit.

Python's engine cannot be interrupted and holds the GIL: `(a|aa)+$` on one name of 60 letters would block
every screen. The engine used here checks the clock while backtracking.
"""

from __future__ import annotations

import re
import warnings
from time import process_time
from typing import Any, AnyStr, Final, Generic

STEP_S: Final = 0.02  # of CPU time per batch of names, during which the screen is blocked
LONGEST_PATTERN: Final = 1000  # characters; compilation of longer ones is slow and cannot be limited
MOST_UNROLLED: Final = 20_000  # elements: the engine expands `x{n}` into n copies before it checks the clock
_PIECE: Final = re.compile(  # an unterminated set extends to the end
    r"""\\.  |  \[\^?\]?(?:\\.|[^]\\])*+(?:\]|\Z|\\\Z)  |  \{\s*+(?P<least>\d++)[^{}]*+\}  |  .""",
    re.VERBOSE | re.DOTALL,
)


class BadPatternError(ValueError):
    """Unusable regular expression; says why."""


class TimeLimit:
    """CPU time limit shared by the expressions of one filter."""

    def __init__(self) -> None:
        self._until = process_time() + STEP_S

    def begin(self, limit_s: float = STEP_S) -> None:
        """Start a new batch with this many seconds."""
        self._until = process_time() + limit_s

    def left_s(self) -> float:
        """Remaining seconds, more than 0. Raises TimeoutError."""
        left = self._until - process_time()
        if left <= 0:
            raise TimeoutError
        return left


class TimedPattern(Generic[AnyStr]):
    """Compiled expression; its methods raise TimeoutError at the limit."""

    pattern: AnyStr

    def __init__(self, pattern: AnyStr, limit: TimeLimit, *, is_multiline: bool = False) -> None:
        """Compile. Raises BadPatternError."""
        import regex  # noqa: PLC0415  # 17 ms, needed for filters only

        if len(pattern) > LONGEST_PATTERN:
            raise BadPatternError(f"it is longer than {LONGEST_PATTERN} characters")
        if _unrolled(pattern) > MOST_UNROLLED:
            raise BadPatternError("it repeats something too many times")
        flags = regex.IGNORECASE | (regex.MULTILINE if is_multiline else 0)
        try:
            with warnings.catch_warnings():  # style warnings are kept off the terminal
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
        """Whether it matches anywhere in the text."""
        return self._compiled.search(text, timeout=self._limit.left_s()) is not None

    def sub(self, mark: AnyStr, text: AnyStr) -> AnyStr:
        """The text with every match replaced by a mark."""
        marked: AnyStr = self._compiled.sub(mark, text, timeout=self._limit.left_s())
        return marked


def _unrolled(pattern: str | bytes) -> int:
    """Number of elements after expanding minimum repetitions."""
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    outer: list[int] = []  # sums of the enclosing open groups
    total = last = 0  # of this group: total, and the size of the last repeatable element
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
