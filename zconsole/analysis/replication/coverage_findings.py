"""Replication coverage: datasets without snapshots or copies, diverged copies, interrupted receives.

All of it is informational: a scratch dataset may well need neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.replication.replicas_and_send_bases import (
    DatasetOnHost,
    Replica,
    ReplicaState,
    without_copy,
)
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.replication import ReplicatedHost
from zconsole.model.finding import Finding, Severity

AT_LEAST_BYTES: Final = 1 << 20  # below it a dataset is empty except for metadata
MOST_NAMED: Final = 5
COVERAGE_IDS: Final = frozenset(
    {"dataset-no-snapshots", "dataset-no-copy", "replica-diverged", "receive-cut"}
)


def coverage(hosts: Sequence[ReplicatedHost], found: Sequence[Replica]) -> Iterator[Finding]:
    """Judge what was read; one finding per pool and kind. Copies are ignored with a single pool."""
    bare = [
        DatasetOnHost(each.host, lineage)
        for each in hosts
        for lineage in each.lineages
        if not lineage.snapshots
        and not lineage.resume_token
        and (lineage.referenced_bytes or 0) >= AT_LEAST_BYTES
    ]
    yield from _by_pool("dataset-no-snapshots", bare, "without a snapshot")
    pools = {(each.host, lineage.pool) for each in hosts for lineage in each.lineages}
    if len(pools) > 1:
        alone = list(without_copy(hosts, found, at_least_bytes=AT_LEAST_BYTES))
        yield from _by_pool("dataset-no-copy", alone, f"without a copy in the other {_others(len(pools))}")
    for one in found:
        if one.standing is ReplicaState.DIVERGED:
            yield _diverged(one)
    for each in hosts:
        for lineage in each.lineages:
            if lineage.resume_token:
                yield Finding(
                    "receive-cut",
                    Severity.INFO,
                    f"{each.host} {lineage.name}",
                    f"a receive into {lineage.name} was cut and can go on; what it has received takes space",
                    {"pool": lineage.pool, "host": each.host, "dataset": lineage.name},
                )


def _by_pool(finding_id: str, places: Sequence[DatasetOnHost], lack: str) -> Iterator[Finding]:
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for place in places:
        groups[place.host, place.lineage.pool].append(place.lineage.name)
    for (host, pool), names in groups.items():
        yield Finding(
            finding_id,
            Severity.INFO,
            f"{host} {pool}",
            f"{len(names)} dataset{'s' if len(names) != 1 else ''} {lack}: {shortened(names, MOST_NAMED)}",
            {"pool": pool, "host": host, "datasets": tuple(names)},
        )


def _diverged(one: Replica) -> Finding:
    return Finding(
        "replica-diverged",
        Severity.INFO,
        one.copy.name,
        f"it has {one.own} snapshot{'s' if one.own != 1 else ''} of its own since the last that it has in "
        f"common with {one.source.name}: an increment is not received over them",
        {
            "pool": one.copy.lineage.pool,
            "host": one.copy.host,
            "source": one.source.name,
            "common": one.common.name,
            "own": one.own,
        },
    )


def _others(pools: int) -> str:
    return "pool" if pools == 2 else f"{pools - 1} pools"
