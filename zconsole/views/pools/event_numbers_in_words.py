"""Numbers in the fields of an event, which ZFS prints in hexadecimal, in words: errors, times, counters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.fixed_width_formatting import latency, significant
from zconsole.model.pools.event import Event

_SECOND_NS: Final = 1_000_000_000
_MOST_CHARACTERS: Final = 18  # `0x` and 64 bits
_DELAYS: Final = ("ereport.fs.zfs.delay", "ereport.fs.zfs.deadman")
_COUNTERS: Final = {
    "vdev_read_errors": "read error",
    "vdev_write_errors": "write error",
    "vdev_cksum_errors": "checksum error",
    "vdev_delays": "slow I/O",
}
# Numbers of Linux. EBADE is where ZFS has its ECKSUM.
_ERRORS: Final = {
    1: ("EPERM", "operation not permitted"),
    2: ("ENOENT", "no such file or device"),
    4: ("EINTR", "interrupted"),
    5: ("EIO", "I/O error"),
    6: ("ENXIO", "no such device"),
    11: ("EAGAIN", "to be tried again"),
    12: ("ENOMEM", "out of memory"),
    13: ("EACCES", "permission denied"),
    16: ("EBUSY", "device busy"),
    19: ("ENODEV", "no such device"),
    22: ("EINVAL", "invalid argument"),
    28: ("ENOSPC", "no space left"),
    30: ("EROFS", "read-only device"),
    52: ("ECKSUM", "checksum mismatch"),
    61: ("ENODATA", "sector cannot be read"),
    62: ("ETIME", "time expired"),
    67: ("ENOLINK", "link to the device cut"),
    84: ("EILSEQ", "integrity check failed"),
    95: ("EOPNOTSUPP", "operation not supported"),
    110: ("ETIMEDOUT", "timed out"),
    121: ("EREMOTEIO", "I/O error of the device"),
}


def field_words(name: str, value: str) -> str:
    """What the number of a field means; nothing for a field without such a number, and for 0."""
    number = _number(value)
    if not number:
        return ""
    if name == "zio_err":
        known = _ERRORS.get(number)
        return f"error {number}" if known is None else f"{known[1]} ({known[0]})"
    if name == "zio_delay":
        return f"I/O took {_time(number)}"
    if (counter := _COUNTERS.get(name)) is not None:
        return f"{number} {counter}" if number == 1 else f"{number} {counter}s"
    return ""


def number_words(event: Event) -> Iterator[str]:
    """The error, the counters and the latency of an event; how long an I/O took only where that is told."""
    is_of_delay = event.event_class in _DELAYS
    for name in ("zio_err", *_COUNTERS, "zio_delay"):
        value = event.field(name) or ""
        if name != "zio_delay" or is_of_delay or (_number(value) or 0) >= _SECOND_NS:
            yield from filter(None, (field_words(name, value),))


def _number(text: str) -> int | None:
    """A number as ZFS prints it, `0x1f` or `31`."""
    if len(text) > _MOST_CHARACTERS or not text.isascii() or not text.isalnum():
        return None
    try:
        return int(text, 16 if text.startswith("0x") else 10)
    except ValueError:
        return None


def _time(nanoseconds: int) -> str:
    is_long = nanoseconds >= _SECOND_NS
    return f"{significant(nanoseconds / _SECOND_NS)} s" if is_long else latency(nanoseconds)
