"""Forecast of when a pool reaches a level, with its range and evidence. Bytes; times in epoch seconds."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.space_samples import DatasetUse, UsePoint


class HistorySource(Enum):
    """Source of a space history."""

    SAMPLES = "samples"  # zconsole's own samples
    PROMETHEUS = "prometheus"
    GUESS = "guess"  # estimated from creation times and sizes of datasets and snapshots


class GrowthShape(Enum):
    """How the rate of growth goes on."""

    LINE = "line"  # as much each day
    PERCENT = "percent"  # as large a share of what is used each day
    RISING = "rising"  # a rate that rises by a share of itself each day,
    FALLING = "falling"  # or falls
    YEARLY = "yearly"  # a rate that swings once a year


@dataclass(frozen=True, slots=True)
class SpaceHistory:
    """Used bytes of usable space over time, oldest first. `evidence` names the source."""

    basis: HistorySource
    points: tuple[tuple[float, float], ...]  # (epoch seconds, bytes)
    evidence: tuple[str, ...] = ()

    @property
    def span_s(self) -> float:
        """Seconds from the first point to the last."""
        return self.points[-1][0] - self.points[0][0] if self.points else 0.0


@dataclass(frozen=True, slots=True)
class PoolHistory:
    """Space history of a pool, and of each dataset as far as known."""

    history: SpaceHistory
    uses: dict[str, tuple[UsePoint, ...]]


@dataclass(frozen=True, slots=True)
class LevelReached:
    """Time at which a level is first reached; None is beyond the horizon."""

    percent: int
    level_bytes: int
    is_reached: bool = False
    earliest: float | None = None
    likely: float | None = None
    latest: float | None = None


@dataclass(frozen=True, slots=True)
class PredictedUse:
    """Used space at a future time: likely value and range."""

    at: float
    low_bytes: float
    likely_bytes: float
    high_bytes: float


@dataclass(frozen=True, slots=True)
class SpaceJump:
    """Sudden change of used space, such as an import or a deletion."""

    at: float
    size_bytes: float


@dataclass(frozen=True, slots=True)
class Trend:
    """Growth of a pool's used space, and the time at which it reaches each level."""

    bytes_per_day: float  # likely value
    low_bytes_per_day: float
    high_bytes_per_day: float
    passings: tuple[LevelReached, ...]
    ahead: tuple[PredictedUse, ...]
    jumps: tuple[SpaceJump, ...] = ()
    weekdays: tuple[float, ...] | None = None  # bytes above or below the trend, Monday first; UTC
    has_changed: bool = False  # the recent growth differs from the earlier growth
    shape: GrowthShape | None = None  # None: the history does not tell
    month_bytes: float | None = None  # likely growth of 30 days,
    year_bytes: float | None = None  # and of a year; None: at `bytes_per_day`
    fills_at_bytes_per_day: float = 0.0  # the even growth that fills the pool within the horizon


@dataclass(frozen=True, slots=True)
class DatasetGrowth:
    """Growth of one dataset, bytes per day."""

    name: str
    live_bytes_per_day: float
    snapshots_bytes_per_day: float | None = None  # None: unknown

    @property
    def bytes_per_day(self) -> float:
        """Growth of live data and snapshots together, as far as known."""
        return self.live_bytes_per_day + (self.snapshots_bytes_per_day or 0.0)


@dataclass(frozen=True, slots=True)
class GrowingDatasets:
    """Growing datasets, fastest first, since a point in time."""

    since: float
    datasets: tuple[DatasetGrowth, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """Forecast of one pool. Without `trend`, `too_little` says what data is missing."""

    host: str
    pool: str
    at: float
    used_bytes: int
    usable_bytes: int
    history: SpaceHistory | None = None
    trend: Trend | None = None
    too_little: str = ""
    growing: GrowingDatasets | None = None
    notes: tuple[str, ...] = field(default=())  # on sources that could not be used


@dataclass(frozen=True, slots=True)
class Outlook:
    """Base of a purchase plan besides the state of the pool.

    `uses` is the space used by its datasets; None when it could not be read.
    """

    forecast: Forecast
    uses: tuple[DatasetUse, ...] | None = None
