"""Comparison of the cells of a column with what was typed: `used>10G`, `age<30d`, `state=ONLINE`.

The unit of what was typed and that of the cells must be of one kind. A cell is read by the same grammar;
where the value that the table is sorted by is the same but for rounding, that one counts.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import field
from typing import Final

from zconsole.analysis.search.query_terms import Word
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import (
    parse_count,
    parse_duration,
    parse_number,
    parse_percent,
    parse_size,
)

UNKNOWN: Final = frozenset({"", "·", "-"})
_NEAR: Final = 0.06  # part by which a shown number is rounded
_SCALES: Final = (1.0, 100.0, 1e-3, 1e-6, 1e-9)  # of what is sorted by: parts as percent, ns as seconds
_OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
_KINDS: Final = (
    ("percent", re.compile(r"\A\d{1,24}(\.\d{1,12})?%", re.ASCII)),
    ("size", re.compile(r"\A\d{1,24}(\.\d{1,12})? ?([KMGTPE]iB|[kMGTPE]?B)", re.ASCII)),
    ("time", re.compile(r"\A(\d{1,24}(\.\d{1,12})? ?(ns|us|ms|s|min|mo|m|h|days?|d|w|y)){1,4}", re.ASCII)),
    ("number", re.compile(r"\A\d{1,24}(\.\d{1,12})?[kMGT]?x?", re.ASCII)),
)
_EXAMPLES: Final = {
    "percent": "a percentage, such as 80%", "size": "a size, such as 10G", "time": "a time, such as 30d",
    "number": "a number, such as 5",
}  # fmt: skip
_TITLE_UNIT: Final = re.compile(r"(?<![/\w])([KMGT]iB|[kMGTP]B|ms)\b")


@dataclass(slots=True)
class ColumnTest:
    """One comparison; `problem` says what is wrong with it for the cells that were seen."""

    column: str
    title: str
    sign: str  # : = != > >= < <=
    typed: str
    problem: str = ""
    is_used: bool = False  # some cell could be compared
    _limits: dict[str, float | None] = field(default_factory=dict)
    _unit: str = ""

    def __post_init__(self) -> None:
        found = _TITLE_UNIT.search(self.title)
        self._unit = found[1] if found is not None else ""

    def fits(self, text: str, sort: float | str | None) -> bool:
        """Whether a cell fits, by its text and by what it is sorted by. What is not known fits nothing."""
        if self.sign == ":":
            return self._has(text, sort)
        if text in UNKNOWN:
            return False
        shown = self._amount(text, sort)
        limit = None if shown is None else self._limit(shown[0])
        if shown is not None and limit is not None:
            self.is_used = True
            _, told, exact = shown
            if self.sign in _OPERATORS:
                return _OPERATORS[self.sign](exact, limit)
            return (limit in {told, exact}) == (self.sign == "=")
        if self.sign not in _OPERATORS:
            is_same = text.lower() == self.typed.lower()
            self.is_used |= is_same or shown is None or not self._is_of_another_kind(shown[0])
            return is_same == (self.sign == "=")
        if shown is None and not self.problem:
            self.problem = f"{self.column} shows no quantity to compare with {self.typed!r}"
        return False

    @property
    def said(self) -> str:
        """What is wrong with it; nothing while it is of use."""
        return "" if self.is_used else self.problem

    def _has(self, text: str, sort: float | str | None) -> bool:
        """Whether a cell has what was typed; a quantity of another kind is in none."""
        is_in = self.typed.lower() in text.lower()
        self.is_used |= is_in
        if not self.is_used and not self.problem and text not in UNKNOWN:
            shown = self._amount(text, sort)
            if shown is not None and self._is_of_another_kind(shown[0]):
                self._limit(shown[0])
        return is_in

    def _is_of_another_kind(self, kind: str) -> bool:
        """Whether a quantity with a unit was typed that is none of the kind of the cells."""
        typed_as = next((each for each, pattern in _KINDS if pattern.fullmatch(self.typed)), "number")
        return typed_as not in {"number", kind} and self._limit(kind) is None

    def _amount(self, text: str, sort: float | str | None) -> tuple[str, float, float] | None:
        """The kind of quantity that a cell shows, how much it tells, and how much it is."""
        number = float(sort) if isinstance(sort, int | float) else None
        kind = next((kind for kind, pattern in _KINDS if pattern.fullmatch(text)), None)
        if kind == "number" and self._unit and text[-1].isdigit():
            kind, text = ("time" if self._unit == "ms" else "size"), f"{text}{self._unit}"
        try:
            shown = None if kind is None else _read(kind, text.removesuffix("x"))
        except UsageError:  # digits without end, or what only looks like a time
            shown = None
        if kind is None or shown is None:
            return None if number is None else ("number", number, number)
        if number is not None:
            for scale in _SCALES:
                if abs(number * scale - shown) <= _NEAR * shown:
                    return kind, shown, number * scale
        return kind, shown, shown

    def _limit(self, kind: str) -> float | None:
        """What was typed, as a quantity of that kind; None where it is none."""
        if kind not in self._limits:
            try:
                self._limits[kind] = _read(kind, self.typed, self._unit)
            except UsageError as error:
                self._limits[kind] = None
                is_other = any(_can_read(each, self.typed) for each, _ in _KINDS if each != kind)
                if is_other and kind in _EXAMPLES and "ambiguous" not in error.message:
                    self.problem = f"{self.title} is {_EXAMPLES[kind]}; {self.typed!r} is none"
                else:
                    self.problem = f"{error.message}. {error.hint}"
        return self._limits[kind]


def column_test(word: Word, title: str, compared: tuple[str, str, str]) -> ColumnTest:
    """The test of a comparison. Raises FilterError where more or less than no quantity is asked for."""
    column, sign, typed = compared
    if sign not in {":", "=", "!="} and not any(_can_read(kind, typed) for kind, _ in _KINDS):
        raise word.error(f"{typed!r} is not a quantity", "Such as 10G, 30d, 80% or 5.")
    return ColumnTest(column, title, sign, typed)


def _can_read(kind: str, typed: str) -> bool:
    try:
        _read(kind, typed)
    except UsageError as error:
        return "ambiguous" in error.message
    return True


def _read(kind: str, text: str, bare: str = "") -> float:
    match kind:
        case "size":
            return float(parse_size(text, bare=bare).size_bytes)
        case "time":
            return parse_duration(text, bare=bare)
        case "percent":
            return float(parse_percent(text))
        case _:
            return float(parse_count(text)) if text[-1:].isalpha() else float(parse_number(text))
