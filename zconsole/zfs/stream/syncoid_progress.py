"""Progress of syncoid from its output: the current stream, its estimated size, and the bytes sent.

It uses `pv` in its pipe if installed. With `-n -b`, pv prints the bytes of the stream so far every second, as
a line of digits on stderr, with or without a terminal.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

PV_NUMBERS: Final = "--pv-options=-n -b"  # since syncoid 2.1.0
_COUNT_LINE: Final = re.compile(rb"^\d{1,18}\n", re.MULTILINE)
_STREAM: Final = re.compile(
    r"^.*\(~ (?:(?P<value>\d{1,9}(?:\.\d)?) (?P<unit>[KMG]B)|UNKNOWN)(?: remaining)?\).*$",
    re.MULTILINE | re.ASCII,
)
_UNITS: Final = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}  # divisors as in its readablebytes()


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """Stream in progress. `total_bytes` is None when syncoid does not know it."""

    words: str
    total_bytes: int | None


def last_stream(stdout: str) -> StreamProgress | None:
    """The stream named last; None before the first."""
    named = list(_STREAM.finditer(stdout))
    if not named:
        return None
    found = named[-1]
    value, unit = found["value"], found["unit"]
    return StreamProgress(found[0].strip(), None if value is None else round(float(value) * _UNITS[unit]))


@dataclass(frozen=True, slots=True)
class Counted:
    """Bytes of the current stream, and of earlier ones still in the output."""

    bytes: int
    before_bytes: int


def counted(stderr: bytes) -> Counted | None:
    """The count of pv; None without output. It restarts with each stream."""
    found = [int(each) for each in _COUNT_LINE.findall(stderr)]
    if not found:
        return None
    return Counted(found[-1], sum(one for one, then in pairwise(found) if then < one))


def without_counts(stderr: bytes) -> bytes:
    """The output without the numbers."""
    return _COUNT_LINE.sub(b"", stderr)
