"""When a pool reaches a level, how surely, and what that rests on. Bytes; times in epoch seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from zconsole.model.pools.space_samples import DatasetUse, UsePoint


class HistorySource(Enum):
    """Where a history comes from."""

    SAMPLES = "samples"  # of our own store
    PROMETHEUS = "prometheus"
    GUESS = "guess"  # made from what datasets and snapshots tell of their past


@dataclass(frozen=True, slots=True)
class SpaceHistory:
    """How much of what files can use was used, oldest first. `evidence` says what it rests on."""

    basis: HistorySource
    points: tuple[tuple[float, float], ...]  # (epoch seconds, bytes)
    evidence: tuple[str, ...] = ()

    @property
    def span_s(self) -> float:
        """From the first point to the last."""
        return self.points[-1][0] - self.points[0][0] if self.points else 0.0


@dataclass(frozen=True, slots=True)
class PoolHistory:
    """The history of a pool's space, and that of each dataset as far as it is known."""

    history: SpaceHistory
    uses: dict[str, tuple[UsePoint, ...]]


@dataclass(frozen=True, slots=True)
class LevelReached:
    """When a level is reached for the first time; None is not within the horizon."""

    percent: int
    level_bytes: int
    is_reached: bool = False
    earliest: float | None = None
    likely: float | None = None
    latest: float | None = None


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is likely used at a moment to come, and the range that it is in."""

    at: float
    low_bytes: float
    likely_bytes: float
    high_bytes: float


@dataclass(frozen=True, slots=True)
class Jump:
    """So much more, or less, at once: an import, a deletion."""

    at: float
    size_bytes: float


@dataclass(frozen=True, slots=True)
class Trend:
    """How a pool's use grows, and when it reaches each level."""

    bytes_per_day: float  # likely
    low_bytes_per_day: float
    high_bytes_per_day: float
    passings: tuple[LevelReached, ...]
    ahead: tuple[Ahead, ...]
    jumps: tuple[Jump, ...] = ()
    weekdays: tuple[float, ...] | None = None  # bytes above or below the trend, Monday first; UTC
    has_changed: bool = False  # it lately grows at another pace than before


@dataclass(frozen=True, slots=True)
class DatasetGrowth:
    """What one dataset adds a day."""

    name: str
    live_bytes_per_day: float
    snapshots_bytes_per_day: float | None = None  # None: not known

    @property
    def bytes_per_day(self) -> float:
        """Of both, as far as they are known."""
        return self.live_bytes_per_day + (self.snapshots_bytes_per_day or 0.0)


@dataclass(frozen=True, slots=True)
class Growing:
    """What grows: datasets, those that add most first, since a moment."""

    since: float
    datasets: tuple[DatasetGrowth, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """All that can be said of one pool. Without a `trend`, `too_little` says what is missing."""

    host: str
    pool: str
    at: float
    used_bytes: int
    usable_bytes: int
    history: SpaceHistory | None = None
    trend: Trend | None = None
    too_little: str = ""
    growing: Growing | None = None
    notes: tuple[str, ...] = field(default=())  # of sources that could not be used


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a plan from today rests on, beside the state of the pool.

    `uses` are what its datasets take; None where that could not be read.
    """

    forecast: Forecast
    uses: tuple[DatasetUse, ...] | None = None
