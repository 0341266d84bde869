"""Estimated history of a pool without samples.

A dataset was empty when created, had the size of each of its snapshots at that time, and has its present size
now; growth is assumed even in between. Space of its snapshots is assumed proportional. Destroyed datasets are
missing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.robust_statistics import thinned
from zconsole.base.fixed_width_formatting import DAY, moment, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.forecast import HistorySource, SpaceHistory
from zconsole.model.pools.space_samples import UsePoint
from zconsole.zfs.listing.history import HistoryRecord
from zconsole.zfs.listing.space_now_and_at_snapshots import DatasetSizeRecord

LOOKS_BACK_S: Final = 730 * DAY_S  # the initial filling of a pool says little about its growth
MOST_POINTS: Final = 240
MOST_OF_ONE: Final = 64  # points per dataset
WRITTEN_S: Final = 30 * DAY_S
DOUBT: Final = 0.6  # the true rate is within a factor of 2.7 of the estimate in nine of ten cases

Knots = tuple[list[float], list[float]]  # times, and bytes at those times


@dataclass(frozen=True, slots=True)
class EstimatedHistory:
    """Estimated history of a pool and of its datasets."""

    history: SpaceHistory
    uses: dict[str, tuple[UsePoint, ...]]


def guess(
    traces: Sequence[DatasetSizeRecord], deeds: Sequence[HistoryRecord] | None, *, now: float, used: float
) -> EstimatedHistory:
    """Estimate used space until now from existing datasets. `deeds` is None when it may not be read."""
    snapshots: dict[str, list[DatasetSizeRecord]] = {}
    for trace in traces:
        if trace.is_snapshot:
            snapshots.setdefault(trace.dataset, []).append(trace)
    datasets = [trace for trace in traces if not trace.is_snapshot]
    known = {each.name: _knots(each, snapshots.get(each.name, ()), now) for each in datasets}
    scale = {each.name: 1 + each.snapshots_bytes / each.live_bytes for each in datasets if each.live_bytes}
    moments = _moments(known.values(), now)
    today = sum(each.live_bytes + each.snapshots_bytes for each in datasets if each.live_bytes)
    points = tuple(
        (at, max(0.0, used - today + sum(factor * _at(known[name], at) for name, factor in scale.items())))
        for at in moments
    )
    evidence = tuple(_evidence(datasets, snapshots, deeds, now))
    return EstimatedHistory(
        SpaceHistory(HistorySource.GUESS, points, evidence),
        {name: _uses(knots, now) for name, knots in known.items()},
    )


def _knots(dataset: DatasetSizeRecord, snapshots: Iterable[DatasetSizeRecord], now: float) -> Knots:
    """Known sizes of a dataset itself, with their times."""
    shared = max(0, dataset.referenced_bytes - dataset.live_bytes)  # shared with its origin
    ordered = sorted(snapshots, key=lambda each: each.creation)
    older = [each for each in ordered if each.creation <= dataset.creation]  # received with the dataset
    first = max(0, older[-1].referenced_bytes - shared) if older else 0
    times, sizes = [float(dataset.creation)], [float(first)]
    for each in thinned(ordered[len(older) :], MOST_OF_ONE):
        if times[-1] < each.creation < now:
            times.append(float(each.creation))
            sizes.append(float(max(0, each.referenced_bytes - shared)))
    if now > times[-1]:
        times.append(now)
        sizes.append(float(dataset.live_bytes))
    return times, sizes


def _at(knots: Knots, at: float) -> float:
    """Size at a time; 0 before the dataset existed."""
    times, sizes = knots
    index = bisect_right(times, at)
    if index == 0:
        return 0.0
    if index == len(times):
        return sizes[-1]
    share = (at - times[index - 1]) / (times[index] - times[index - 1])
    return sizes[index - 1] + share * (sizes[index] - sizes[index - 1])


def _moments(known: Iterable[Knots], now: float) -> Sequence[float]:
    """Times with known values, thinned out."""
    found = sorted({at for times, _ in known for at in times if now - LOOKS_BACK_S <= at <= now} | {now})
    return thinned(found, MOST_POINTS)


def _uses(knots: Knots, now: float) -> tuple[UsePoint, ...]:
    times = knots[0]
    start = max(times[0], now - LOOKS_BACK_S)
    kept = [at for at in times if at > start]
    return tuple(UsePoint(at, round(_at(knots, at)), None) for at in (start, *kept))


def _evidence(
    datasets: Sequence[DatasetSizeRecord],
    snapshots: Mapping[str, Sequence[DatasetSizeRecord]],
    deeds: Sequence[HistoryRecord] | None,
    now: float,
) -> Iterable[str]:
    yield f"{len(datasets)} datasets, by when they were created: the first on {_day(datasets)}"
    every = [each for kept in snapshots.values() for each in kept]
    if every:
        yield (
            f"{len(every)} snapshots, by how large their datasets were when they were taken: "
            f"the first on {_day(every)}"
        )
        lately = [each.written_bytes for each in every if each.creation >= now - WRITTEN_S]
        if lately:
            written = sum(lately) / (WRITTEN_S / DAY_S)
            yield f"{size(round(written))} a day went into the snapshots of 30d, some of it over old data"
    else:
        yield "no snapshots: between its creation and now nothing is known of a dataset"
    if deeds is None:
        yield "the pool's history may not be read (root may): what was destroyed is not known"
        return
    commands = [each for each in deeds if each.is_command]
    destroyed = [each for each in commands if each.text.startswith("zfs destroy") and "@" not in each.text]
    if destroyed:
        yield f"{len(destroyed)} datasets were destroyed by hand: what they held is not in it"
    added = [each for each in commands if each.text.startswith("zpool add ")]
    if added:
        yield f"the pool was made larger {len(added)} times, the last on {_date(added[-1].at)}"
    created = [each for each in commands if each.text.startswith("zpool create ")]
    if created:
        yield f"the pool was created on {_date(created[0].at)}"


def _day(traces: Sequence[DatasetSizeRecord]) -> str:
    return _date(min((each.creation for each in traces), default=0))


def _date(epoch_s: float) -> str:
    return moment(epoch_s, DAY)
