"""Inputs of a planning session: text fields that are parsed independently; a wrong one gives a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from zconsole.analysis.capacity.smallest_layout_for_data import MOST_DRIVES
from zconsole.analysis.capacity.storage_budget_factors import (
    FREE,
    GROWTH,
    REDUNDANCY,
    SNAPSHOTS,
    UNITS,
    USUAL_YEARS,
    Budget,
    budget,
    read_data,
    read_free_space,
    read_growth,
    read_units,
)
from zconsole.analysis.pool_growth.live_pool import LivePool
from zconsole.analysis.pool_growth.parse_change_and_compute_outcome import Drives, PoolChange, parse_change
from zconsole.analysis.pool_layouts.drive_size import Drive, parse_drive
from zconsole.analysis.pool_layouts.layout import Layout
from zconsole.analysis.pool_layouts.layout_comparison import Costs, usual_layouts
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import (
    GB,
    GIB,
    TB,
    TIB,
    parse_block_size,
    parse_count,
    parse_number,
    parse_percent,
)
from zconsole.model.forecast import Trend
from zconsole.model.pools.space_samples import DatasetUse

SEEN: Final = "seen"  # the observed growth
YEAR_DAYS: Final = 365.25
MOST_LAYOUTS: Final = 12
MOST_CHANGES: Final = 8
SEPARATOR: Final = ";"
_NEAR: Final = 0.001  # fraction by which a partition may differ from a drive's nominal size
_GB_STEP: Final = 10  # 240, 500, 960, 1920
_USUAL_DRIVE: Final = "12TB"
_USUAL_DATA: Final = "10TiB"
_USUAL_BAYS: Final = 8
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class InputField:
    """One field: its label on the screen, and a sentence on its contents."""

    id: str
    title: str
    help: str
    hint: str = ""  # placeholder while the field is empty
    is_wide: bool = False


FIELDS: Final = (
    InputField("data", "data", "Data of today, without snapshots: 10TiB, 11TB, bytes without a unit."),
    InputField(
        "growth", "growth", "It becomes so many times as much: 2, 15% a year for 5 years, 15%x3, or seen."
    ),
    InputField(
        "snapshots", "snapshots", "Data and snapshots, times the data: 1.3; 1 where the data has them in it."
    ),
    InputField("fill", "full at", "The pool is full at this percentage: 80%."),
    InputField("units", "TB/TiB", "TB of drives per TiB of data: 1.1, or exact (1.0995)."),
    InputField("redundancy", "redund.", "Bytes of drives for each that files can fill: 2 for mirrors, 1.4."),
    InputField("systems", "systems", "How many: production, hot spare, disaster recovery are 3."),
    InputField("block", "block", "Blocks of the data: recordsize or volblocksize, 16K, 128K, 1M."),
    InputField("drive", "drive", "As it is sold, 12TB, 1.92TB:ssd; or exact: 11TiB, bytes without a unit."),
    InputField("bays", "bays", "How many drives, hot spares among them.", "8"),
    InputField("price", "price", "Of a drive, in any currency.", "none"),
    InputField("afr", "AFR", "Of disks that fail in a year: 1.5%."),
    InputField(
        "layouts",
        "layouts",
        "Layouts to compare, with ; between: mirror:2 x4; raidz2:8. Empty: the smallest, and all bays.",
        "the usual ones; or mirror:2 x4; raidz2:8",
        is_wide=True,
    ),
    InputField(
        "changes",
        "what if",
        "add, move LAYOUT; replace, attach VDEV [SIZE]; remove VDEV; snapshots; compression 1 1.5; ...",
        "add mirror:2; replace mirror-0 16TB; snapshots",
        is_wide=True,
    ),
)
TITLES: Final = {field.id: field.title for field in FIELDS}
USUAL: Final = {
    "data": _USUAL_DATA,
    "growth": "2",
    "snapshots": "1.3",
    "fill": "80%",
    "units": "1.1",
    "redundancy": "2",
    "systems": "1",
    "block": "128K",
    "drive": _USUAL_DRIVE,
    "bays": str(_USUAL_BAYS),
    "price": "",
    "afr": "1.5%",
    "layouts": "",
    "changes": "",
}


@dataclass(frozen=True, slots=True)
class Inputs:
    """Parsed values of the fields."""

    data_bytes: int
    budget: Budget
    block_bytes: int
    drive: Drive
    bays: int
    costs: Costs
    assumed: Assumptions
    layouts: tuple[Layout, ...]  # that are named; empty for the usual ones
    changes: tuple[PoolChange, ...]


def usual_texts(now: LivePool | None, uses: Sequence[DatasetUse] = ()) -> dict[str, str]:
    """Initial texts of the fields: drives, bays and data of the existing pool.

    The data excludes snapshots where `uses` shows their space: the budget has a factor for them.
    """
    texts = dict(USUAL)
    if now is None:
        return texts
    used = (now.pool.usable_used_bytes or 0) - sum(use.snapshots_bytes or 0 for use in uses)
    if used > 0:
        texts["data"] = f"{used / TIB:.2f}TiB" if used >= TIB else f"{max(used / GIB, 0.01):.2f}GiB"
    data = [each for each in now.vdevs if each.vdev.vdev_class == "data"]
    sizes = [each.device_bytes for each in data if each.device_bytes is not None]
    if sizes:
        texts["drive"] = drive_text(min(sizes))
    texts["bays"] = str(max(2, bays_taken(now)))
    return texts


def bays_taken(now: LivePool) -> int:
    """Bays with a drive of the data vdevs or a hot spare of a pool."""
    spares = sum(1 for top in now.pool.vdevs if top.vdev_class == "spare")
    return sum(each.shape.width for each in now.vdevs if each.vdev.vdev_class == "data") + spares


def drive_text(device_bytes: int) -> str:
    """The nominal size of a drive whose partition has this size, or else its bytes."""
    for unit, step, name in ((TB, 1, "TB"), (GB, _GB_STEP, "GB")):
        sold = round(device_bytes / unit / step) * step
        if sold and abs(sold * unit - device_bytes) <= _NEAR * device_bytes:
            return f"{sold}{name}"
    return str(device_bytes)


def read_inputs(
    texts: Mapping[str, str], good: Mapping[str, str], trend: Trend | None = None, used_bytes: int = 0
) -> tuple[Inputs, dict[str, str]]:
    """Parse the fields; for each wrong one return a sentence.

    A wrong text is replaced by that of `good`, the last valid one. `trend` is the meaning of `seen`.
    """
    reader = _Reader(texts, good)
    seen = None if trend is None or not used_bytes else seen_growth(trend.bytes_per_day, used_bytes)
    values: dict[str, Fraction | None] = {
        UNITS: reader.read("units", lambda text: _factor(UNITS, read_units(text))),
        FREE: reader.read("fill", lambda text: _factor(FREE, read_free_space(text))),
        GROWTH: reader.read("growth", lambda text: _factor(GROWTH, _growth(text, seen))),
        SNAPSHOTS: reader.read("snapshots", lambda text: _factor(SNAPSHOTS, parse_number(text))),
        REDUNDANCY: reader.read("redundancy", lambda text: _factor(REDUNDANCY, parse_number(text))),
    }
    systems = reader.read("systems", lambda text: budget({}, parse_count(text)).systems)
    block_bytes = reader.read("block", parse_block_size)
    drive = reader.read("drive", parse_drive)
    bays = reader.read("bays", lambda text: _bays(drive, text))
    costs = reader.read("price", lambda text: Costs(float(parse_number(text)) if text else None))
    assumed = reader.read("afr", lambda text: Assumptions(yearly_failures=float(parse_percent(text)) / 100))
    layouts = reader.read("layouts", lambda text: _layouts(text, drive))
    changes = reader.read("changes", lambda text: _changes(text, drive, block_bytes))
    data = reader.read("data", read_data)
    inputs = Inputs(data, budget(values, systems), block_bytes, drive, bays, costs, assumed, layouts, changes)
    return inputs, reader.wrong


def seen_growth(bytes_per_day: float, used_bytes: int, years: int = USUAL_YEARS) -> Fraction:
    """Growth factor after some years at a constant rate; 1 for shrinking data."""
    more = max(0.0, bytes_per_day) * YEAR_DAYS * years
    return 1 + Fraction(round(more), used_bytes)


def sentence(error: UsageError) -> str:
    """An error on one line."""
    return f"{error.message}. {error.hint}".removesuffix(" ") if error.hint else f"{error.message}."


class _Reader:
    """Parser of the fields one by one; keeps the errors, and falls back to the last valid text."""

    def __init__(self, texts: Mapping[str, str], good: Mapping[str, str]) -> None:
        self._texts = texts
        self._good = good
        self.wrong: dict[str, str] = {}

    def read(self, field: str, reading: Callable[[str], _T]) -> _T:
        """The value of a field, of its last valid text, or of the default."""
        for text in (self._texts.get(field, ""), self._good.get(field, "")):
            try:
                return reading(text.strip())
            except UsageError as error:
                self.wrong.setdefault(field, sentence(error))
        return reading(USUAL[field])


def _factor(name: str, value: Fraction) -> Fraction:
    """A factor that is valid in a budget by itself. Raises UsageError."""
    budget({name: value})
    return value


def _growth(text: str, seen: Fraction | None) -> Fraction:
    if text == SEEN:
        if seen is None:
            raise UsageError("no growth has been seen yet", hint="Take 2, or 15% a year.")
        return seen
    rate, times, years = text.replace(" ", "").partition("x")
    return read_growth(rate, years if times else None)


def _bays(drive: Drive, text: str) -> int:
    bays = parse_count(text)
    if bays > MOST_DRIVES:
        raise UsageError(f"{bays} bays are more than {MOST_DRIVES}", hint="Plan a system of several pools.")
    usual_layouts(drive, bays)
    return bays


def _layouts(text: str, drive: Drive) -> tuple[Layout, ...]:
    parts = _parts(text)
    if len(parts) > MOST_LAYOUTS:
        raise UsageError(f"{len(parts)} layouts are given, and at most {MOST_LAYOUTS} can be compared")
    return tuple(parse_layout(part, drive) for part in parts)


def _changes(text: str, drive: Drive, block_bytes: int) -> tuple[PoolChange, ...]:
    parts = _parts(text)
    if len(parts) > MOST_CHANGES:
        raise UsageError(f"{len(parts)} changes are given, and at most {MOST_CHANGES} can be computed")
    return tuple(parse_change(part, Drives(drive), block_bytes=block_bytes) for part in parts)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(SEPARATOR) if part.strip()]
