"""How far syncoid is, from what it prints: the stream that it sends, about how large, and what went by.

It runs `pv` in its pipe where that is installed. Asked for numbers (`-n -b`), pv prints the bytes of its
stream so far each second, a line of digits on stderr, whether or not a terminal is there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

PV_NUMBERS: Final = "--pv-options=-n -b"  # since syncoid 2.1.0
_COUNT_LINE: Final = re.compile(rb"^\d{1,18}\n", re.MULTILINE)
_STREAM: Final = re.compile(
    r"^.*\(~ (?:(?P<value>\d{1,9}(?:\.\d)?) (?P<unit>[KMG]B)|UNKNOWN)(?: remaining)?\).*$",
    re.MULTILINE | re.ASCII,
)
_UNITS: Final = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}  # as its readablebytes() divides


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """One stream on its way. `total_bytes` is None where syncoid does not know it."""

    words: str
    total_bytes: int | None


def last_stream(stdout: str) -> StreamProgress | None:
    """The stream that was named last; None before the first."""
    named = list(_STREAM.finditer(stdout))
    if not named:
        return None
    found = named[-1]
    value, unit = found["value"], found["unit"]
    return StreamProgress(found[0].strip(), None if value is None else round(float(value) * _UNITS[unit]))


@dataclass(frozen=True, slots=True)
class Counted:
    """Bytes of the stream that is on its way, and of those before it that are still told of."""

    bytes: int
    before_bytes: int


def counted(stderr: bytes) -> Counted | None:
    """What pv counted; None where it counted nothing. With each stream it begins anew."""
    found = [int(each) for each in _COUNT_LINE.findall(stderr)]
    if not found:
        return None
    return Counted(found[-1], sum(one for one, then in pairwise(found) if then < one))


def without_counts(stderr: bytes) -> bytes:
    """What was said beside the numbers."""
    return _COUNT_LINE.sub(b"", stderr)
