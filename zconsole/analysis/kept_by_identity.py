"""Results of a function of one frozen value, kept for the last values: found by identity, not by contents."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

T = TypeVar("T")
R = TypeVar("R")
MOST: Final = 8  # values: the pools of one host, on which many questions are asked one behind the other


def kept_by_identity(function: Callable[[T], R]) -> Callable[[T], R]:
    """Decorate a function of a value that never changes, and that is costly to compare or to hash."""
    known: dict[int, tuple[T, R]] = {}

    @wraps(function)
    def found(value: T) -> R:
        kept = known.get(id(value))
        if kept is not None and kept[0] is value:
            return kept[1]
        result = function(value)
        if len(known) >= MOST:
            known.clear()
        known[id(value)] = value, result
        return result

    return found
