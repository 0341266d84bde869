"""Values of Lua: tables, calls, loops, and the operators of expressions.

Values are None, bool, int, str, `Table`, and callables that take and give tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

Value = Any
Scope = dict[str, list[Value]]
Evaluate = Callable[[Scope], tuple[Value, ...]]


class LuaError(Exception):
    """An error that ends a program, with Lua's message."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class LuaTable:
    """A table: keys are strings or whole numbers."""

    def __init__(self, values: dict[Value, Value] | None = None) -> None:
        self.values = values or {}

    def __len__(self) -> int:
        """The length: keys from 1 on, up to the first gap."""
        count = 0
        while count + 1 in self.values:
            count += 1
        return count


def first(values: tuple[Value, ...]) -> Value:
    """The first of some values, or nil."""
    return values[0] if values else None


def truth(value: Value) -> bool:
    """Whether a value counts as true."""
    return value is not None and value is not False


def constant(value: Value) -> Evaluate:
    """An expression with a fixed value."""
    return lambda _: (value,)


def counted(given: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    """The numbers of a `for` that counts: first, last, step."""
    first, last, step = (*given, 1)[:3]
    yield from ((number,) for number in range(first, last + (1 if step > 0 else -1), step))


def iterated(given: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    """The values of a `for ... in`: an iterator, its state, where it begins."""
    step, state, control = (*given, None, None)[:3]
    while True:
        values = call(step, (state, control))
        if first(values) is None:
            return
        yield values
        control = values[0]


def call(function: Value, given: tuple[Value, ...]) -> tuple[Value, ...]:
    """The results of a call. Raises LuaError for a value that is no function."""
    if not callable(function):
        raise LuaError("attempt to call a value that is no function")
    found = function(*given)
    return found if isinstance(found, tuple) else (found,)


def called(function: Evaluate, given: Evaluate) -> Evaluate:
    """An expression that calls the value of another."""
    return lambda scope: call(first(function(scope)), given(scope))


def indexed(table: Evaluate, key: Evaluate) -> Evaluate:
    """The value in a table under a key."""

    def look_up(scope: Scope) -> tuple[Value, ...]:
        found = first(table(scope))
        if not isinstance(found, LuaTable):
            raise LuaError("attempt to index a value that is no table")
        return (found.values.get(first(key(scope))),)

    return look_up


def binary(word: str, left: Evaluate, right: Evaluate) -> Evaluate:
    """An operator between two expressions; `and` and `or` look at the second where need be."""
    if word == "and":
        return lambda scope: right(scope) if truth(value := first(left(scope))) else (value,)
    if word == "or":
        return lambda scope: (value,) if truth(value := first(left(scope))) else right(scope)
    work = _WORK[word]
    return lambda scope: (work(first(left(scope)), first(right(scope))),)


def _joined(left: Value, right: Value) -> str:
    for each in (left, right):
        if isinstance(each, bool) or not isinstance(each, str | int):
            raise LuaError("attempt to concatenate a value that is no text")
    return f"{left}{right}"


_WORK: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
    "==": lambda left, right: type(left) is type(right) and left == right,
    "~=": lambda left, right: type(left) is not type(right) or left != right,
    "..": _joined,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right,  # channel programs have whole numbers only
    "%": lambda left, right: left % right,
}


def iterator(values: Sequence[Value]) -> Callable[..., tuple[Value, ...]]:
    """A function that gives one value after the other, and nil behind the last."""
    rest = iter(values)

    def step(*_: Value) -> tuple[Value, ...]:
        return (next(rest, None),)

    return step
