"""Reads the planner's numbers as people write them: factors, percentages, growth a year. Exact fractions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Final

from zconsole.analysis.capacity.space_budget import EXACT_UNITS, LARGEST_BYTES, yearly_growth
from zconsole.base.errors import UsageError
from zconsole.base.quantities import parse_size

MOST_YEARS: Final = 50
USUAL_YEARS: Final = 5  # that hardware is kept
_LONGEST: Final = 12  # characters of a number


def number(text: str) -> Fraction:
    """A decimal number, taken exactly: 1.1 is eleven tenths. Raises UsageError."""
    try:
        value = Decimal(text)
    except ArithmeticError:
        value = Decimal("NaN")
    if not value.is_finite() or len(text) > _LONGEST:
        raise UsageError(f"{text!r} is no number")
    return Fraction(value)


def whole(text: str) -> int:
    """A whole number. Raises UsageError."""
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > _LONGEST:
        raise UsageError(f"{text!r} is no whole number")
    return int(text)


def percent(text: str) -> float:
    """A percentage, with its sign or without."""
    return float(number(text.removesuffix("%")))


def cost(text: str) -> float:
    """A price or power. Raises UsageError below 0."""
    value = float(number(text))
    if value < 0:
        raise UsageError(f"{text!r} is below 0")
    return value


def amount(text: str, what: str) -> int:
    """Bytes of data or drives. Raises UsageError for none, and for more than there can be."""
    size = parse_size(text).size_bytes
    if not 0 < size <= LARGEST_BYTES:
        raise UsageError(f"{text!r}: there is no such amount of {what}")
    return size


def units(text: str) -> Fraction:
    """TB per TiB, or the word `exact`."""
    return EXACT_UNITS if text == "exact" else number(text)


def free_space(text: str) -> Fraction:
    """The factor of a percentage at which a pool is full: 80 % is 1.25. Raises UsageError."""
    full = number(text.removesuffix("%"))
    if not 0 < full <= 100:
        raise UsageError(f"{text!r}: a pool is full at some percent from 1 to 100")
    return 100 / full


def growth(text: str, years: str | None = None) -> Fraction:
    """The factor that data grows by: as it is, or of so many percent a year (of 5). Raises UsageError."""
    if not text.endswith("%"):
        return number(text)
    yearly = number(text.removesuffix("%"))
    if yearly < 0:
        raise UsageError(f"{text!r}: data that shrinks needs no plan", hint="0% is no growth.")
    span = USUAL_YEARS if years is None else whole(years)
    if not 1 <= span <= MOST_YEARS:
        raise UsageError(f"{span} years are not from 1 to {MOST_YEARS}")
    return yearly_growth(yearly, span)
