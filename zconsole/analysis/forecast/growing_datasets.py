"""Growing datasets: rates of live data and snapshots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.robust_statistics import slope
from zconsole.model.forecast import DatasetGrowth, GrowingDatasets
from zconsole.model.pools.space_samples import UsePoint

LOOKS_BACK_S: Final = 90 * DAY_S
FEWEST_S: Final = 2 * DAY_S
MOST: Final = 10  # datasets listed
WORTH: Final = 0.01  # fraction of the fastest rate; slower ones are not listed
_MOST_POINTS: Final = 40


def growing(uses: Mapping[str, Sequence[UsePoint]], now: float) -> GrowingDatasets | None:
    """The datasets that grow or shrink most, over the last 90 days or as long as known."""
    found: list[DatasetGrowth] = []
    since = now
    for name, points in uses.items():
        recent = _recent(points, now)
        if len(recent) < 2 or recent[-1].at - recent[0].at < FEWEST_S:
            continue
        since = min(since, recent[0].at)
        kept = [(point.at / DAY_S, point.snapshots_bytes) for point in recent]
        snapshots = [(at, float(taken)) for at, taken in kept if taken is not None]
        found.append(
            DatasetGrowth(
                name,
                slope([(point.at / DAY_S, float(point.live_bytes)) for point in recent], _MOST_POINTS),
                slope(snapshots, _MOST_POINTS) if len(snapshots) > 1 else None,
            )
        )
    most = sorted(found, key=lambda each: (-abs(each.bytes_per_day), each.name))[:MOST]
    if not found:
        return None
    least = WORTH * max(abs(each.bytes_per_day) for each in most)
    named = [each for each in most if abs(each.bytes_per_day) > least]
    return GrowingDatasets(since, tuple(sorted(named, key=lambda each: (-each.bytes_per_day, each.name))))


def _recent(points: Sequence[UsePoint], now: float) -> list[UsePoint]:
    """The recent points, and the one before if they are few."""
    recent = [point for point in points if now - LOOKS_BACK_S <= point.at <= now]
    if len(recent) < 2:
        return [point for point in points if point.at <= now][-2:]
    return recent
