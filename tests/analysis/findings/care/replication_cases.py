"""States in which the rules on copies speak, and some in which they do not."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import DAY, NOW, host, pool, scrubbed
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Evidence, Finding, Severity
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import Pool

INFO = Severity.INFO


def seen(*findings: Finding, days_ago: float = 1, of: Pool | None = None, **values: object) -> HostState:
    """A host whose copies were compared so long ago, with this outcome."""
    found = ReplicationSeen("nas1", NOW - days_ago * DAY, findings, **values)  # type: ignore[arg-type]
    return replace(host(of), replication=Reading(found, 0.0))


def finding(finding_id: str, **evidence: object) -> Finding:
    """A finding of a comparison, on the pool and host of these states."""
    told: Evidence = {"pool": "tank", "host": "nas1", **evidence}  # type: ignore[dict-item]
    return Finding(finding_id, INFO, "nas1:tank/a", "as it was found", told)


STALE = finding(
    "replica-stale",
    source="nas1:tank/a",
    common="tank/a@1",
    behind=3,
    behind_s=400_000,
    limit_s=259_200,
    copies_beside=2,
)
STOPPED = finding(
    "snapshots-stopped", dataset="tank/a", newest="tank/a@1", age_s=400_000, period_s=3600, limit_s=86_400
)
NO_COPY = finding("dataset-no-copy", datasets=("tank/a", "tank/vm/x", "tank/vm/y", "tank/cache/z"))
DIVERGED = finding("replica-diverged", source="nas1:tank/a", common="tank/a@1", own=2)
CUT = finding("receive-cut", dataset="tank/a")
OLD_COPY = (("tank/copy", int(NOW) - 50 * DAY),)

SPEAKING: list[tuple[str, Severity, str, HostState]] = [
    ("replica-stale", INFO, "as it was found", seen(STALE)),
    ("snapshots-stopped", INFO, "as it was found", seen(STOPPED)),
    ("replica-diverged", INFO, "as it was found", seen(DIVERGED)),
    ("receive-cut", INFO, "as it was found", seen(CUT)),
    ("dataset-no-copy", INFO, "tank/a has no copy in another pool that was compared", seen(NO_COPY)),
    (
        "replicas-not-compared",
        INFO,
        "its copies were last compared with their sources 8d ago",
        seen(days_ago=8, received=(("tank/copy", int(NOW) - 10 * DAY),)),
    ),
    (
        "replicas-unverified",
        INFO,
        "1 copy on it, received up to 50d ago, was never read back by a scrub: tank/copy",
        seen(received=OLD_COPY, of=pool(scan=None)),
    ),
    (
        "replicas-unverified",
        INFO,
        "2 copies on it, received up to 50d ago, were never read back by a scrub: tank/b, tank/copy",
        seen(received=(*OLD_COPY, ("tank/b", int(NOW) - 40 * DAY)), of=pool(scan=scrubbed(days_ago=60))),
    ),
]
SILENT: list[tuple[str, HostState]] = [
    ("copies that were compared and are current", seen(received=OLD_COPY, sent=("tank/a",))),
    ("a host without copies that was compared long ago", seen(days_ago=300)),
    ("no copy of what nobody keeps", seen(finding("dataset-no-copy", datasets=("tank/tmp",)))),
    ("a copy of a month, since which its pool was not scrubbed", seen(
        received=(("tank/copy", int(NOW) - 30 * DAY),), of=pool(scan=scrubbed(days_ago=33))
    )),
    ("copies behind a resilver, which hides the last scrub", seen(
        received=OLD_COPY, of=pool(scan=scrubbed(days_ago=1, function="resilver"))
    )),
    ("a copy on a pool that is not of this host", seen(
        received=(("other/copy", int(NOW) - 50 * DAY),), of=pool(scan=scrubbed(days_ago=1))
    )),
]  # fmt: skip
