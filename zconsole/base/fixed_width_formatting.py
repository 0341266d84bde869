"""Fixed-width formatting of bytes, rates and times. Unknown is `·`, never 0."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Final

from zconsole.base.size_units import BINARY, UnitNames, in_megabytes, used_units

UNKNOWN: Final = "·"
DAY: Final = "%Y-%m-%d"  # of an estimate, and of what counts days
MINUTE: Final = "%Y-%m-%d %H:%M"  # of what was made, begun or ended
DAY_AND_MINUTE: Final = "%d %H:%M"  # where there is no room for MINUTE
SECOND: Final = "%Y-%m-%d %H:%M:%S"  # of what is compared with the log of a host: events, commands, evidence
KIB: Final = 1024
NS_PER_MS: Final = 1_000_000
_NS_PER_US: Final = 1000
_MICROSECONDS_BELOW_NS: Final = 995_000  # more is a millisecond, rounded to two digits
_DECIMAL: Final = ("", "k", "M", "G", "T", "P")
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400
_MANY_DAYS: Final = 10  # from which hours are not told
SMALLEST_CHANCE: Final = 1e-9  # smaller ones are given as a bound: no model of failures is so exact
_ALL: Final = 100.0
_ALMOST_ALL: Final = 99.5  # percent, from which rounding would say all
_HALF: Final = 0.5
_MOST_PLACES: Final = 3  # of a percentage near 0 or 100


def significant(value: float) -> str:
    """Three significant digits without an exponent: 5.31, 12.9, 441."""
    if value < 9.995:
        return f"{value:.2f}"
    if value < 99.95:
        return f"{value:.1f}"
    return f"{value:.0f}"


def size(size_bytes: int | None) -> str:
    """Format bytes in the units that the user has chosen: `14.4 TiB` or `15.8 TB`, `512 B`."""
    return UNKNOWN if size_bytes is None else _in(used_units(), size_bytes)


def zfs_size(size_bytes: int | None) -> str:
    """Format bytes as ZFS counts, whatever the user has chosen: block sizes, and values of properties.

    ZFS takes 10G, 10GB and 10GiB all for 10 times 2^30 bytes: in other units it would be another value.
    """
    return UNKNOWN if size_bytes is None else _in(BINARY, size_bytes)


def _in(units: UnitNames, size_bytes: int) -> str:
    value, power = _as_float(size_bytes), 0
    while abs(value) >= 999.5 and power < len(units.names) - 1:
        value, power = value / units.base, power + 1
    if power == 0:
        return f"{size_bytes} B"
    sign = "-" if value < 0 else ""
    return f"{sign}{significant(abs(value))} {units.names[power]}"


def of_each_giga(ratio: float) -> str:
    """What data takes, by the ratio of it to its size: `1 GiB of data takes 1.33 GiB`, or GB."""
    giga = used_units().names[3]
    return f"1 {giga} of data takes {significant(ratio)} {giga}"


def as_sold(size_bytes: int) -> str:
    """The size of a disk as it is printed on it, and as ZFS prints it: `4.00 TB (3.64 TiB)`."""
    decimal = f"{size_bytes / 1e12:.2f} TB" if size_bytes >= 1e12 else f"{size_bytes / 1e9:.0f} GB"
    return f"{decimal} ({zfs_size(size_bytes)})"


def count(value: float | None) -> str:
    """Format a count, shortened: `0`, `890`, `1.2k`, `35k`, `1.1M`."""
    if value is None:
        return UNKNOWN
    scaled, unit = _as_float(value), 0
    while scaled >= 999.5 and unit < len(_DECIMAL) - 1:
        scaled, unit = scaled / 1000, unit + 1
    if unit == 0:
        return f"{scaled:.0f}"
    return f"{scaled:.1f}{_DECIMAL[unit]}" if scaled < 9.95 else f"{scaled:.0f}{_DECIMAL[unit]}"


def megabytes_per_s(bytes_per_s: float | None) -> str:
    """Format bytes per second in the unit of all columns of rates, MiB/s or MB/s: `12.8`, `0.00`."""
    return UNKNOWN if bytes_per_s is None else significant(in_megabytes(bytes_per_s))


def bandwidth(bytes_per_s: float | None) -> str:
    """Format bytes per second in a sentence: `12.8 MiB/s`, `9.66 GiB/s`, or decimal."""
    return UNKNOWN if bytes_per_s is None else f"{size(round(bytes_per_s))}/s"


def milliseconds(nanoseconds: float | None) -> str:
    """Format nanoseconds as milliseconds: `0.08`, `8.4`, `140`."""
    if nanoseconds is None:
        return UNKNOWN
    value = nanoseconds / NS_PER_MS
    if value < 0.095:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def latency(nanoseconds: float | None) -> str:
    """Format nanoseconds in a sentence, with two digits or more: `140 us`, `8.4 ms`, `140 ms`."""
    if nanoseconds is None:
        return UNKNOWN
    if nanoseconds < _MICROSECONDS_BELOW_NS:
        microseconds = nanoseconds / _NS_PER_US
        if 0 < microseconds < 9.95:
            return f"{microseconds:.1f} us"
        return f"{round(microseconds, 0 if microseconds < 99.5 else -1):.0f} us"
    return f"{milliseconds(nanoseconds)} ms"


def latency_after(before: str, nanoseconds: float) -> str:
    """A latency behind another one that is written already: their unit is written once."""
    return latency(nanoseconds).removesuffix(f" {before.rpartition(' ')[2]}")


def percent(value: float | None) -> str:
    """Format a percentage: `61%`. Less than 100 is never rounded to 100."""
    if value is None:
        return UNKNOWN
    return "99%" if _ALMOST_ALL <= value < _ALL else f"{value:.0f}%"


def used_percent(value: float | None) -> str:
    """Format how much of something is used: `93%`, rounded down: no limit is shown before it is reached.

    Capacities are shown by this alone; `zpool list` rounds them down as well.
    """
    return UNKNOWN if value is None else f"{math.floor(value)}%"


def duration(seconds: float | None) -> str:
    """Format a duration in its two largest units, without a second one of 0: `45s`, `1h50m`, `2h`, `41d`."""
    if seconds is None or not math.isfinite(seconds):
        return UNKNOWN
    whole = max(0, int(seconds))
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return _two(f"{whole // _MINUTE}m", whole % _MINUTE, "02d", "s")
    if whole < _DAY:
        return _two(f"{whole // _HOUR}h", whole % _HOUR // _MINUTE, "02d", "m")
    days, hours = whole // _DAY, whole % _DAY // _HOUR
    return _two(f"{days}d", hours if days < _MANY_DAYS else 0, "d", "h")


def _two(first: str, rest: int, form: str, unit: str) -> str:
    return f"{first}{rest:{form}}{unit}" if rest else first


def moment(epoch_s: float | None, form: str) -> str:
    """Format a time in UTC by DAY, MINUTE or SECOND; `·` for a time that no calendar has."""
    if epoch_s is None:
        return UNKNOWN
    try:
        return datetime.fromtimestamp(epoch_s, UTC).strftime(form)
    except (OverflowError, OSError, ValueError):
        return UNKNOWN


def recent(epoch_s: float | None, now: float, *, has_seconds: bool = True) -> str:
    """Format a time that is mostly of today: `14:02:11` or `14:02`, and MINUTE on another day in UTC."""
    form = MINUTE
    if epoch_s is not None and moment(epoch_s, DAY) == moment(now, DAY):
        form = "%H:%M:%S" if has_seconds else "%H:%M"
    return moment(epoch_s, form)


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def odds(chance: float, digits: int = 0) -> str:
    """Format a probability: `43%`, `99.6%`. Only what is certain is 100%, and only what is impossible 0%."""
    if not 0 < chance < 1:
        return f"{chance:.{digits}%}"
    for places in range(digits, _MOST_PLACES + 1):
        words = f"{chance:.{places}%}"
        if 0 < float(words[:-1]) < _ALL:
            return words
    return "< 0.001%" if chance < _HALF else "> 99.999%"


def one_in(chance: float) -> str:
    """Format a small probability: `1 in 12,000`; below 10^-9 only the bound, for no model is so exact."""
    if chance < SMALLEST_CHANCE:
        return "< 1 in 10^9"
    if chance > 0.1:
        return odds(chance)
    times = 1 / chance
    digits = len(f"{times:.0f}")
    return f"1 in {round(times, 2 - digits):,.0f}"
