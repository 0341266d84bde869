"""`zconsole forecast --json`: when a pool reaches each level, the evidence, and what grows."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.forecast.trend import share_held
from zconsole.analysis.guests.guests_of_a_full_pool import guests_when_full
from zconsole.model.forecast import (
    Forecast,
    GrowingDatasets,
    LevelReached,
    SpaceHistory,
    Trend,
)
from zconsole.model.guests.guest import Guest
from zconsole.reports.json.json_line import SCHEMA, Document, rounded

_PERCENT = 100


def forecast_document(forecast: Forecast, guests: Sequence[Guest] | None = None) -> Document:
    """Return one pool's forecast; `guests` are all of the host, None where they are not known."""
    usable = forecast.usable_bytes
    return {
        "schema": SCHEMA,
        "host": forecast.host,
        "pool": forecast.pool,
        "at": round(forecast.at),
        "used_bytes": forecast.used_bytes,
        "usable_bytes": usable,
        "used_percent": rounded(_PERCENT * forecast.used_bytes / usable if usable else None),
        "basis": None if forecast.history is None else _history(forecast.history),
        "too_little": forecast.too_little or None,
        "confidence": None if forecast.history is None else share_held(forecast.history),
        "trend": None if forecast.trend is None else _trend(forecast.trend),
        "reaches": [] if forecast.trend is None else [_passing(one) for one in forecast.trend.passings],
        "growing": None if forecast.growing is None else _growing(forecast.growing),
        "notes": list(forecast.notes),
        "guests_when_full": None
        if guests is None
        else [
            {
                "guest": each.guest,
                "disks": list(each.disks),
                "effect": each.effect.value,
                "has_reserved": each.has_reserved,
            }
            for each in guests_when_full(guests, forecast.pool)
        ],
    }


def _history(history: SpaceHistory) -> Document:
    points = history.points
    return {
        "source": history.basis.value,
        "values": len(points),
        "from": round(points[0][0]) if points else None,
        "to": round(points[-1][0]) if points else None,
        "evidence": list(history.evidence),
    }


def _trend(trend: Trend) -> Document:
    return {
        "bytes_per_day": round(trend.bytes_per_day),
        "low_bytes_per_day": round(trend.low_bytes_per_day),
        "high_bytes_per_day": round(trend.high_bytes_per_day),
        "changed_lately": trend.has_changed,
        "shape": None if trend.shape is None else trend.shape.value,
        "month_bytes": None if trend.month_bytes is None else round(trend.month_bytes),
        "year_bytes": None if trend.year_bytes is None else round(trend.year_bytes),
        "jumps": [{"at": round(jump.at), "bytes": round(jump.size_bytes)} for jump in trend.jumps],
        "weekdays_bytes": None if trend.weekdays is None else [round(one) for one in trend.weekdays],
        "ahead": [
            {
                "at": round(one.at),
                "low_bytes": round(one.low_bytes),
                "likely_bytes": round(one.likely_bytes),
                "high_bytes": round(one.high_bytes),
            }
            for one in trend.ahead
        ],
    }


def _passing(passing: LevelReached) -> Document:
    return {
        "percent": passing.percent,
        "level_bytes": passing.level_bytes,
        "reached": passing.is_reached,
        "earliest": _moment(passing.earliest),
        "likely": _moment(passing.likely),
        "latest": _moment(passing.latest),
    }


def _moment(epoch_s: float | None) -> int | None:
    return None if epoch_s is None else round(epoch_s)


def _growing(growing: GrowingDatasets) -> Document:
    return {
        "since": round(growing.since),
        "datasets": [
            {
                "name": one.name,
                "bytes_per_day": round(one.bytes_per_day),
                "live_bytes_per_day": round(one.live_bytes_per_day),
                "snapshots_bytes_per_day": None
                if one.snapshots_bytes_per_day is None
                else round(one.snapshots_bytes_per_day),
            }
            for one in growing.datasets
        ],
    }
