"""The one grammar of quantities: sizes, times, counts, percentages, as people type them everywhere.

`GB` is decimal, as drives are sold; `G` and `GiB` are binary, as in zfs(8). `5m`, `5min`, `1h30m` and `2w`
are times. What is ambiguous is refused with both readings. docs/command-line.md describes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import floor, log10
from typing import Final

from zconsole.base.errors import UsageError, shortened
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.size_units import used_units

GB: Final = 10**9
GIB: Final = 2**30
TB: Final = 10**12
TIB: Final = 2**40
MINUTE_S: Final = 60
HOUR_S: Final = 3600
DAY_S: Final = 86400
LEAST_BLOCK: Final = 512
MOST_BLOCK: Final = 16 << 20  # SPA_MAXBLOCKSIZE; zfs_max_recordsize may be lower
_PREFIXES: Final = "KMGTPE"
_NUMBER: Final = r"\d{1,24}(?:\.\d{1,12})?"
_WITH_UNIT: Final = re.compile(rf"({_NUMBER})\s*([A-Za-z%]*)", re.ASCII)
_PART: Final = re.compile(rf"({_NUMBER})\s*([A-Za-z]*)\s*", re.ASCII)
_COMMA: Final = re.compile(r"(\d{1,24}),(\d{1,24})(.*)", re.ASCII)
_UNITS: Final = {
    "": 1,
    "b": 1,
    **{prefix.lower(): 1024**power for power, prefix in enumerate(_PREFIXES, 1)},
    **{f"{prefix}B".lower(): 1000**power for power, prefix in enumerate(_PREFIXES, 1)},
    **{f"{prefix}iB".lower(): 1024**power for power, prefix in enumerate(_PREFIXES, 1)},
}
_TIMES: Final[Mapping[str, Fraction]] = {
    unit: Fraction(seconds)
    for units, seconds in (
        ("ns", Fraction(1, 10**9)),
        ("us", Fraction(1, 10**6)),
        ("ms", Fraction(1, 10**3)),
        ("s sec secs second seconds", 1),
        ("m min mins minute minutes", MINUTE_S),
        ("h hr hrs hour hours", HOUR_S),
        ("d day days", DAY_S),
        ("w week weeks", 7 * DAY_S),
        ("mo month months", 30 * DAY_S),
        ("y year years", 365 * DAY_S),
    )
    for unit in units.split()
}
_COUNTS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_MOST_SHOWN: Final = 60  # characters of a wrong text
_MOST_DECIMALS: Final = 24
LEAST_AMOUNT: Final = 1 << 20  # bytes that a number without a unit may mean
SIZE_HINT: Final = (
    "As in 500GB (10^9), 500G or 500GiB (2^30 bytes, as zfs counts), or in bytes: 4000787030016."
)
BARE_SIZE_HINT: Final = (
    "As in 500GB (10^9), 500G or 500GiB (2^30 bytes, as zfs counts); 500 alone is 500{bare}."
)
TIMES: Final = ("90s", "5m", "12h", "30d", "2w", "6mo", "1y", "1h30m")  # examples
TIME_HINT: Final = f"As in {', '.join(TIMES[:-1])} or {TIMES[-1]}."


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes, and whether the unit was decimal (TB, GB)."""

    size_bytes: int
    is_decimal: bool = False


def grouped(number: int) -> str:
    """A long count in a sentence: `2,636`."""
    from humanize import intcomma  # noqa: PLC0415  # 35 ms that the first frame does not pay

    return intcomma(number)


def parse_size(text: str, *, bare: str = "") -> Size:
    """Read `12TB`, `10.5TiB`, `500G`, `4000787030016`; `bare` is the unit of a number without one.

    Raises UsageError.
    """
    number, unit = _parted(text, "size", SIZE_HINT)
    unit = unit or bare
    factor = _UNITS.get(unit.lower())
    if factor is None:
        raise UsageError(
            f"{unit!r} is not a unit of size in {_shown(text)}",
            hint="Units are B, kB, MB, GB, TB, PB, and K, M, G, T, P or KiB, MiB, GiB, TiB, PiB.",
        )
    exact = Fraction(number) * factor
    if exact.denominator != 1 and factor == 1:
        raise UsageError(f"{_shown(text)} is not a whole number of bytes", hint=SIZE_HINT)
    return Size(int(exact), is_decimal=len(unit) == len("TB"))


def parse_sold_size(text: str) -> Size:
    """Read the size of drives, which are sold in TB. Raises UsageError for `12T`, which may mean either."""
    size = parse_size(text)
    number, unit = _parted(text, "size", SIZE_HINT)
    if len(unit) == 1 and unit.upper() in _PREFIXES:
        letter, power = unit.upper(), _PREFIXES.index(unit.upper()) + 1
        raise UsageError(
            f"{_shown(text)} is ambiguous",
            hint=f"Write {number}{letter}B (powers of ten: 10^{3 * power} bytes, as drives are sold) "
            f"or {number}{letter}iB (powers of two: 2^{10 * power} bytes, as ZFS counts).",
        )
    return size


def parse_amount(text: str) -> int:
    """Read the size of data or space. Raises UsageError, also for a number alone that would be few bytes."""
    found = parse_bytes(text)
    if found < LEAST_AMOUNT and text.strip().replace(".", "", 1).isdigit():
        number = text.strip()
        raise UsageError(
            f"{_shown(text)} alone is {number} bytes, which is hardly meant",
            hint=f"Write the unit: {number}G, {number}TiB or {number}TB.",
        )
    return found


def parse_bytes(text: str, *, least: int = 1, bare: str = "") -> int:
    """Read a size of at least so many bytes; `bare` is the unit of a bare number. Raises UsageError."""
    hint = SIZE_HINT if not bare else BARE_SIZE_HINT.format(bare=bare)
    try:
        found = parse_size(text, bare=bare).size_bytes
    except UsageError as error:
        raise UsageError(error.message, hint=hint if error.hint == SIZE_HINT else error.hint) from None
    if found < least:
        raise UsageError(f"{_shown(text)} is too small", hint=hint)
    return found


def parse_block_size(text: str) -> int:
    """Read a recordsize or volblocksize: a power of two, `8K`, `128K`, `1M`, `16384`. Raises UsageError."""
    size = parse_size(text).size_bytes
    if not LEAST_BLOCK <= size <= MOST_BLOCK or size.bit_count() != 1:
        raise UsageError(f"{_shown(text)} is not a block size", hint="A power of two from 512 to 16M.")
    return size


def parse_duration(text: str, *, bare: str = "", least: str = "", most: str = "") -> float:
    """Read `90s`, `5m`, `5min`, `2w`, `1h30m` in seconds; `bare` is the unit of a number without one.

    Raises UsageError, also for what is not from `least` to `most`; its examples are times that are taken.
    """
    low, high = (parse_duration(each) if each else None for each in (least, most))
    try:
        seconds = _seconds(text, bare)
    except UsageError as error:
        if error.hint != TIME_HINT:
            raise
        raise UsageError(error.message, hint=_time_hint(low, high)) from error
    if not _is_within(seconds, low, high):
        raise UsageError(f"{_shown(text)} is not a time from {least} to {most}", hint=_time_hint(low, high))
    return seconds


def _is_within(seconds: float, low: float | None, high: float | None) -> bool:
    return (low is None or seconds >= low) and (high is None or seconds <= high)


def _time_hint(low: float | None, high: float | None) -> str:
    taken = [each for each in TIMES if _is_within(_seconds(each, ""), low, high)]
    *others, last = taken or TIMES
    return f"As in {', '.join(others)} or {last}." if others else f"As in {last}."


def _seconds(text: str, bare: str) -> float:
    parts = _time_parts(text)
    if len(parts) == 1 and not parts[0][1]:
        parts = [(parts[0][0], bare)]
    total, before = Fraction(0), ""
    for number, unit in parts:
        total += Fraction(number) * _time_unit(text, number, unit, before)
        before = unit
    return float(total)


def parse_count(text: str, *, least: int = 0, most: int = 10**9) -> int:
    """Read a whole number: `20`, `20k`. Raises UsageError for what is not from `least` to `most`."""
    hint = f"A whole number from {least} to {most}, as in 20."
    number, unit = _parted(text, "whole number", hint)
    factor = _COUNTS.get(unit.lower())
    exact = Fraction(number) * (factor or 1)
    if factor is None or exact.denominator != 1:
        raise UsageError(f"{_shown(text)} is not a whole number", hint=hint)
    if not least <= exact <= most:
        raise UsageError(f"{_shown(text)} is not from {least} to {most}", hint=hint)
    return int(exact)


def parse_number(text: str) -> Fraction:
    """Read a decimal number without a unit, exactly: 1.1 is eleven tenths. Raises UsageError."""
    number, unit = _parted(text, "number", "As in 2 or 1.3, without a unit.")
    if unit:
        raise UsageError(f"{_shown(text)} is not a number", hint=f"Without a unit: {number}.")
    return Fraction(number)


def parse_percent(text: str) -> Fraction:
    """Read `80%`, `1.5%` or `80`. Raises UsageError; also for `0.8`, which may mean 80% or 0.8%."""
    number, unit = _parted(text, "percentage", "As in 80%.")
    value = Fraction(number)
    if unit not in {"", "%"}:
        raise UsageError(f"{_shown(text)} is not a percentage", hint=f"As in {number}%.")
    if not unit and 0 < value < 1:
        more = _decimal_text(value * 100)
        raise UsageError(f"{_shown(text)} is ambiguous", hint=f"Write {more}% or {number}%, with the sign.")
    return value


def both(size_bytes: float) -> str:
    """Format a size in TB and TiB: `47.80 TB (43.48 TiB)`."""
    return f"{decimal(size_bytes)} ({binary(size_bytes)})"


def decimal(size_bytes: float) -> str:
    """Format a size in powers of ten, as drives are sold: `47.80 TB`."""
    return _scaled(size_bytes, 1000)


def binary(size_bytes: float) -> str:
    """Format a size in powers of two, as ZFS counts: `43.48 TiB`."""
    return _scaled(size_bytes, 1024)


def in_used_units(size_bytes: float) -> str:
    """Format a size in the units that the user has chosen: `43.48 TiB`, `47.80 TB`."""
    return _scaled(size_bytes, used_units().base)


def with_digits(value: float, digits: int = 4) -> str:
    """Format a number with so many digits that count, without zeros at its end: `0.6115`, `71.5`, `12`."""
    number = float(value)
    before = 0 if not number else floor(log10(abs(number))) + 1
    text = f"{number:.{max(0, digits - before)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def block_size(size_bytes: int) -> str:
    """Format a block size, a power of two: `512 B`, `16 KiB`, `1 MiB`."""
    if size_bytes < 1024:
        return f"{size_bytes} B"
    kib = size_bytes // 1024
    return f"{kib} KiB" if kib < 1024 else f"{kib // 1024} MiB"


def _scaled(size_bytes: float, base: int) -> str:
    value, power = float(size_bytes), 0
    limit = base if base == 1000 else 1000  # at most three digits before the decimal point
    while abs(value) >= limit - 0.005 and power < len(_PREFIXES):
        value, power = value / base, power + 1
    if power == 0:
        return f"{value:.0f} B"
    prefix = _PREFIXES[power - 1] if base == 1024 or power > 1 else "k"
    return f"{value:.2f} {prefix}{'i' if base == 1024 else ''}B"


def _decimal_text(number: Fraction) -> str:
    """A number with a finite decimal expansion, in full: `0.0015`, `80`."""
    whole, rest = divmod(number, 1)
    digits = ""
    while rest and len(digits) < _MOST_DECIMALS:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
    return f"{whole}.{digits}" if digits else str(whole)


def _parted(text: str, what: str, hint: str) -> tuple[str, str]:
    """The number and the unit that a text is made of. Raises UsageError."""
    found = _WITH_UNIT.fullmatch(text.strip())
    if found is None:
        raise _no_number(text, what, hint)
    return found[1], found[2]


def _no_number(text: str, what: str, hint: str) -> UsageError:
    comma = _COMMA.fullmatch(text.strip())
    if comma is not None:
        before, behind, unit = comma.groups()
        return UsageError(
            f"{_shown(text)} is ambiguous",
            hint=f"Write {before}.{behind}{unit} or {before}{behind}{unit}.",
        )
    is_negative = text.strip().startswith("-") and _WITH_UNIT.fullmatch(text.strip()[1:])
    return UsageError(f"{_shown(text)} is {'below 0' if is_negative else f'not a {what}'}", hint=hint)


def _time_parts(text: str) -> list[tuple[str, str]]:
    """The numbers of a time with their units; only the last one may lack its unit. Raises UsageError."""
    stripped, at, parts = text.strip(), 0, list[tuple[str, str]]()
    while at < len(stripped):
        found = _PART.match(stripped, at)
        if found is None or (parts and not parts[-1][1]):
            raise _no_number(text, "time", TIME_HINT)
        parts.append((found[1], found[2]))
        at = found.end()
    if not parts:
        raise _no_number(text, "time", TIME_HINT)
    return parts


def _time_unit(text: str, number: str, unit: str, before: str) -> Fraction:
    """The seconds of a unit, which is shorter than the one before it. Raises UsageError."""
    if unit == "M":
        raise UsageError(
            f"{_shown(text)} is ambiguous",
            hint=f"Write {number}m (minutes) or {number}mo (months).",
        )
    if not unit:
        ways = ("m", "s") if before else ("s", "m", "h", "d")
        told = ", ".join(f"{text.strip()}{each}" for each in ways[:-1])
        raise UsageError(
            f"{_shown(text)} is ambiguous",
            hint=f"Write its unit: {told} or {text.strip()}{ways[-1]}.",
        )
    found = _TIMES.get(unit.lower())
    if found is None:
        raise UsageError(
            f"{unit!r} is not a unit of time in {_shown(text)}",
            hint="Units are s, m or min, h, d, w, mo and y.",
        )
    if before and found >= _TIMES[before.lower()]:
        raise UsageError(f"{_shown(text)} is not a time: units go from long to short", hint=TIME_HINT)
    return found


def _shown(text: str) -> str:
    return repr(shortened(text.strip(), _MOST_SHOWN)) if text.strip() else "nothing"
