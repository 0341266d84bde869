"""Numbers and times as the ZFS commands write them for people."""

from __future__ import annotations

import time
from typing import Final

_POWERS: Final = ("", "K", "M", "G", "T", "P", "E")
_BYTES: Final = ("B", "K", "M", "G", "T", "P", "E")
_TIMES: Final = ("ns", "us", "ms", "s", "?", "?", "?")
_WIDTH: Final = 5  # characters that such a number may take


def nicenum(number: int) -> str:
    """A count: `0`, `999`, `5.60K`, `22.1G`."""
    return _scaled(number, 1024, _POWERS, (2, 1, 0))


def nicebytes(number: int) -> str:
    """Bytes: `0B`, `10M`, `65.1M`."""
    return _scaled(number, 1024, _BYTES, (2, 1, 0))


def nicetime(nanoseconds: int) -> str:
    """A latency: `10us`, `25ms`, or `-` for none."""
    return _scaled(nanoseconds, 1000, _TIMES, ()) if nanoseconds else "-"


def rawtime(nanoseconds: int) -> str:
    """A latency in nanoseconds for `-p`, or `-` for none."""
    return str(nanoseconds) if nanoseconds else "-"


def _scaled(number: int, step: int, units: tuple[str, ...], decimals: tuple[int, ...]) -> str:
    index, whole = 0, number
    while whole >= step and index < len(units) - 1:
        whole, index = whole // step, index + 1
    unit = units[index]
    if index == 0 or number % step**index == 0 or not decimals:
        return f"{whole}{unit}"
    value = number / step**index
    text = ""
    for places in decimals:
        text = f"{value:.{places}f}{unit}"
        if len(text) <= _WIDTH:
            break
    return text


def ctime(epoch: float) -> str:
    """A moment of UTC in the classic form: `Fri Nov 20 23:55:03 2026`."""
    return time.asctime(time.gmtime(epoch))


def short_date(epoch: float) -> str:
    """A moment as `zfs list` writes it: `Fri Nov 20 23:49 2026`."""
    moment = time.gmtime(epoch)
    day, rest = time.strftime("%a %b", moment), time.strftime("%M %Y", moment)
    return f"{day} {moment.tm_mday:2d} {moment.tm_hour:2d}:{rest}"


def clock_time(seconds: int) -> str:
    """A duration as scans are timed: `00:00:17`, `1 days 02:03:04`."""
    days, rest = divmod(max(0, seconds), 86400)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days} days {text}" if days else text


def words(text: str) -> tuple[str, ...]:
    """The words of a text, for long tables of names."""
    return tuple(text.split())
