"""Findings on copies that have fallen behind, and on datasets whose snapshots are not taken any more.

Both are judged by the distance of the snapshots themselves: of one a month none is late for days.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from zconsole.analysis.replication.replicas_and_send_bases import DatasetOnHost, Replica, ReplicaState
from zconsole.base.fixed_width_formatting import duration
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost
from zconsole.model.finding import Finding, Severity

DAY_S: Final = 86400
LATE_PERIODS: Final = 3
COPY_LATE_S: Final = 3 * DAY_S  # a copy may be renewed once a day, over a weekend
LAG_S: Final = DAY_S  # behind the copies beside it, which the same job renews
FEWEST_BESIDE: Final = 3
SNAPSHOT_LATE_S: Final = DAY_S
FEWEST: Final = 4  # snapshots that have a rhythm
NEWEST: Final = 12  # older ones may have been thinned
IDS: Final = frozenset({"replica-stale", "snapshots-stopped"})


def stale(hosts: Sequence[ReplicatedHost], found: Sequence[Replica], now: float) -> Iterator[Finding]:
    """Judge copies and datasets; `now` is epoch seconds. A copy takes no snapshots of its own."""
    beside = _by_folder(found)
    for one in found:
        if one.standing is ReplicaState.BEHIND and not one.is_on_one_pool:
            yield from _stale_copy(one, [each for each in beside[_folder(one)] if each is not one])
    copies = {one.copy.name for one in found}
    for each in hosts:
        for lineage in each.lineages:
            place = DatasetOnHost(each.host, lineage)
            if place.name not in copies:
                yield from _stopped(place, now)


def rhythm_s(lineage: ReplicatedDataset) -> float | None:
    """Median distance of the newest snapshots in seconds; None of too few, or of some taken at once."""
    times = sorted(point.creation for point in lineage.snapshots)[-NEWEST:]
    if len(times) < FEWEST:
        return None
    found = median(later - earlier for earlier, later in pairwise(times))
    return found or None


def _by_folder(found: Sequence[Replica]) -> defaultdict[tuple[str, str], list[Replica]]:
    """Copies that receive what their source sends, by the dataset that they are in and the source's host."""
    folders: defaultdict[tuple[str, str], list[Replica]] = defaultdict(list)
    for one in found:
        if one.standing in {ReplicaState.CURRENT, ReplicaState.BEHIND} and not one.is_on_one_pool:
            folders[_folder(one)].append(one)
    return folders


def _folder(one: Replica) -> tuple[str, str]:
    return one.source.host, one.copy.name.rpartition("/")[0]


def _stale_copy(one: Replica, beside: Sequence[Replica]) -> Iterator[Finding]:
    """A copy that is far behind; with some beside it also one that is a day behind most of these."""
    periods_s = LATE_PERIODS * (rhythm_s(one.source.lineage) or 0.0)
    limit_s, others = max(float(COPY_LATE_S), periods_s), ""
    if len(beside) >= FEWEST_BESIDE:
        typical_s = median(each.behind_s for each in beside)
        limit_s = min(limit_s, typical_s + max(float(LAG_S), periods_s))
        others = f", while the {len(beside)} copies beside it are {_lag_words(typical_s)}"
    if one.behind_s <= limit_s:
        return
    yield Finding(
        "replica-stale",
        Severity.INFO,
        one.copy.name,
        f"it lacks {one.behind} snapshot{'s' if one.behind != 1 else ''} of {one.source.name}: what was "
        f"written in {duration(one.behind_s)} has no copy there{others}",
        {
            "pool": one.copy.lineage.pool,
            "host": one.copy.host,
            "source": one.source.name,
            "common": one.common.name,
            "behind": one.behind,
            "behind_s": one.behind_s,
            "limit_s": round(limit_s),
            "copies_beside": len(beside),
        },
    )


def _lag_words(typical_s: float) -> str:
    return f"about {duration(typical_s)} behind" if typical_s else "up to date"


def _stopped(place: DatasetOnHost, now: float) -> Iterator[Finding]:
    period_s = rhythm_s(place.lineage)
    if period_s is None:
        return
    newest = max(place.lineage.snapshots, key=lambda point: point.creation)
    age_s, limit_s = now - newest.creation, max(float(SNAPSHOT_LATE_S), LATE_PERIODS * period_s)
    if age_s <= limit_s:
        return
    yield Finding(
        "snapshots-stopped",
        Severity.INFO,
        place.name,
        f"its newest snapshot is {duration(age_s)} old, and one was taken every {duration(period_s)} before",
        {
            "pool": place.lineage.pool,
            "host": place.host,
            "dataset": place.lineage.name,
            "newest": newest.name,
            "age_s": round(age_s),
            "period_s": round(period_s),
            "limit_s": round(limit_s),
        },
    )
