"""What a comparison of the pools of some hosts found of one of them, for its findings until the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.analysis.replication.coverage_findings import coverage
from zconsole.analysis.replication.replicas_and_send_bases import Replica
from zconsole.analysis.replication.stale_replicas_and_stopped_snapshots import stale
from zconsole.model.datasets.replication import ReplicatedHost, ReplicationSeen
from zconsole.model.finding import Finding

# Datasets without snapshots are judged by the settings of their host, which are newer.
KEPT_IDS: Final = frozenset(
    {"replica-stale", "snapshots-stopped", "dataset-no-copy", "replica-diverged", "receive-cut"}
)


def comparison_of(
    host: str, hosts: Sequence[ReplicatedHost], found: Sequence[Replica], now: float
) -> ReplicationSeen:
    """The part of a host in a comparison; `now` is epoch seconds.

    That a dataset has no copy is kept of pools of which another one has: where nothing is sent, a list of
    everything says nothing.
    """
    apart = [one for one in found if not one.is_on_one_pool]
    sent = {one.source.lineage.pool for one in apart if one.source.host == host}
    kept = [
        each
        for each in (*stale(hosts, found, now), *coverage(hosts, found))
        if each.id in KEPT_IDS and _is_of(each, host)
    ]
    return ReplicationSeen(
        host,
        now,
        tuple(each for each in kept if each.id != "dataset-no-copy" or each.evidence["pool"] in sent),
        tuple((one.copy.lineage.name, one.copy.lineage.creation) for one in apart if one.copy.host == host),
        tuple(sorted({one.source.lineage.name for one in apart if one.source.host == host})),
    )


def _is_of(finding: Finding, host: str) -> bool:
    """Whether the dataset, or the source of the copy, is on the host."""
    source = finding.evidence.get("source")
    return finding.evidence["host"] == host or (isinstance(source, str) and source.startswith(f"{host}:"))
