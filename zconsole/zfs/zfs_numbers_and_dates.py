"""Numbers and dates as ZFS prints them: `3.21K`, `13.1M`, `Fri Nov 20 23:52:16 2026`, `00:02:25`."""

from __future__ import annotations

import calendar
import re
from typing import Final, NamedTuple

from zconsole.model.pools.pool import Count

UNKNOWN: Final = "-"  # printed for a value that does not exist
# of ctime, independent of the locale
DATE: Final = r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}"
WHOLE: Final = 100.0
LARGEST_ASHIFT: Final = 63
MOST: Final = 2**64  # upper limit of rounded 64-bit counters
_MAX_DIGITS: Final = 20  # digits of 2 ** 64
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "Z": 7}
_NICE: Final = re.compile(r"(\d{1,20})(?:\.(\d{1,3}))?([KMGTPEZ]?)B?", re.ASCII)
_DATE: Final = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})",
    re.ASCII,
)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CLOCK: Final = re.compile(r"(?:(\d{1,7}) days? )?(\d{1,7}):(\d\d):(\d\d)", re.ASCII)
_HOURS: Final = re.compile(r"(?:(\d{1,7})h)?(\d{1,7})m(?:(\d{1,7})s)?", re.ASCII)
_PERCENT: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)", re.ASCII)


class Number(NamedTuple):
    """Number and whether it was printed abbreviated."""

    value: int
    is_rounded: bool


def number(word: str) -> Number:
    """Parse `408`, `0B` or `1.10K`, in powers of 1024; raises ValueError."""
    found = _NICE.fullmatch(word)
    if found is None:
        raise ValueError(f"{word!r} is not a number")
    whole, fraction, unit = found[1], found[2] or "", found[3]
    if fraction and not unit:
        raise ValueError(f"{word!r} is not a whole number")
    scale = 10 ** len(fraction)
    value = (int(whole + fraction) * 1024 ** _POWERS[unit] + scale // 2) // scale
    if value > MOST:
        raise ValueError(f"{word!r} exceeds 64 bits")
    return Number(value, bool(unit))


def exact_number(text: str) -> int:
    """Parse a non-negative whole number as `-p` prints it; raises ValueError."""
    if not (text.isascii() and text.isdigit()) or len(text) > _MAX_DIGITS:
        raise ValueError(f"not a count: {text!r}")
    if (value := int(text)) >= MOST:
        raise ValueError(f"exceeds 64 bits: {text!r}")
    return value


def integer(word: str) -> int | None:
    """Parse a number in any format; None for `-`; raises ValueError."""
    return None if word == UNKNOWN else number(word).value


def count(word: str) -> Count | None:
    """Parse an error counter; None for `-`; raises ValueError."""
    return None if word == UNKNOWN else Count(*number(word))


def ashift(word: str) -> int | None:
    """Parse an ashift; None for `-`; raises ValueError."""
    value = integer(word)
    if value is not None and value > LARGEST_ASHIFT:
        raise ValueError(f"{word!r} is not an ashift")
    return value


def epoch(words: str) -> int:
    """Epoch seconds of a date printed with TZ=UTC; raises ValueError."""
    found = _DATE.fullmatch(words)
    if found is None or found[1] not in _MONTHS:
        raise ValueError(f"{words!r} is not a date")
    day, hour, minute, second, year = (int(part) for part in found.groups()[1:])
    month = _MONTHS.index(found[1]) + 1
    if year < 1970 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise ValueError(f"{words!r} is not a date")
    if hour > 23 or minute > 59 or second > 60:
        raise ValueError(f"{words!r} is not a time of day")
    return calendar.timegm((year, month, day, hour, minute, second))


def duration(words: str) -> int:
    """Seconds of `00:02:25`, `1 days 02:03:04`, `5h4m`; raises ValueError."""
    if found := _CLOCK.fullmatch(words):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    if found := _HOURS.fullmatch(words):
        hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return (hours * 60 + minutes) * 60 + seconds
    raise ValueError(f"{words!r} is not a duration")


def percent(word: str) -> float | None:
    """Parse `71.31`, at most 100; None if not a number, as when ZFS divides by zero (`-nan`).

    The scan of a pool that is written to may issue more than planned: ZFS prints `101.61`.
    """
    return min(WHOLE, float(word)) if _PERCENT.fullmatch(word) else None


def share(part: int | None, whole: int | None) -> float | None:
    """The percentage of `whole` that `part` is, at most 100; None when unknown."""
    if part is None or not whole:
        return None
    return min(WHOLE, 100 * part / whole)


def prose(words: str) -> str:
    """A sentence of ZFS joined to one line."""
    return " ".join(words.split())
