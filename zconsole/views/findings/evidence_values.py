"""Names and values of a finding's evidence, for people: with units, and dates instead of epoch seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zconsole.base.fixed_width_formatting import (
    SECOND,
    bandwidth,
    duration,
    latency,
    moment,
    percent,
    size,
    zfs_size,
)

Value = float | str | tuple[str, ...] | None

_TITLES: Final = {
    "vdev_guid": "vdev GUID",
    "vdev_class": "vdev class",
    "by_design": "survives when whole",
    "left": "survives now",
    "survives": "survives anywhere",
    "strongest": "other vdevs survive",
    "low_s": "time left, least",
    "high_s": "time left, most",
    "bytes_per_s": "rate",
    "slow_ios": "slow I/Os",
    "full_percents": "full, % of each vdev",
    "shares_percent": "next writes, % to each",
    "written_percents": "last writes, % to each",
    "size_ratio": "largest to smallest",
    "limit_size_ratio": "limit of that ratio",
    "limit_fill_points": "limit, points between",
    "is_raw": "raw space",
    "is_rounded": "rounded by ZFS",
    "is_needed": "needed",
    "is_resilvering": "resilvering",
    "is_old": "old",
    "mean_ns": "mean latency",
    "peers_mean_ns": "mean of peers",
    "quantile_ns": "quantile latency",
    "peers_quantile_ns": "quantile of peers",
    "idle_least_bytes": "unused, at least",
    "idle_most_bytes": "unused, at most",
    "oldest_clone_s": "age of oldest clone",
    "bytes_per_day": "growth a day",
}
_BLOCKS: Final = ("recordsize_bytes", "volblocksize_bytes", "block_bytes", "page_bytes", "fair_bytes")
_UNITS: Final[dict[str, Callable[[float], str]]] = {
    "bytes_per_s": bandwidth,
    "bytes_per_day": lambda value: size(round(value)),
    "_bytes": lambda value: size(round(value)),
    "_ns": latency,
    "_s": duration,
    "percent": percent,
}
_MOMENTS: Final = frozenset(
    {"since", "start", "created", "last_scrub", "earliest", "likely", "latest"}
)  # epoch seconds


def in_words(name: str, value: Value) -> tuple[str, str]:
    """Title and text of one entry: `("survives now", "0")`, `("used", "12.0 TiB")`."""
    number = None if isinstance(value, bool | str | tuple) else value
    title = _TITLES.get(name, name.replace("_", " "))
    if number is not None and name in _MOMENTS:
        return title, f"{moment(number, SECOND)} UTC"
    if number is not None and name in _BLOCKS:
        return _TITLES.get(name, name.removesuffix("_bytes")), zfs_size(round(number))
    for ending, form in _UNITS.items():
        if name.endswith(ending):
            title = _TITLES.get(name, name.removesuffix(ending).strip("_").replace("_", " ") or ending)
            return title, form(number) if number is not None else _text(value)
    return title, _text(value)


def _text(value: Value) -> str:
    match value:
        case None:
            return "unknown"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(value) or "none"
        case _:
            return str(value)
