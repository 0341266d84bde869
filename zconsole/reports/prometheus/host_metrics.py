"""Metrics of hosts and findings, and all families with their samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole import __version__
from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import LinkState
from zconsole.reports.prometheus.disk_health_metrics import DISK_FAMILIES, disk_samples
from zconsole.reports.prometheus.finding_texts import text_of
from zconsole.reports.prometheus.metric_family_and_sample import MetricFamily, MetricSample
from zconsole.reports.prometheus.pool_metrics import POOL_FAMILIES, fresh_pools, pool_samples, status_times
from zconsole.reports.prometheus.vdev_metrics import VDEV_FAMILIES, vdev_samples
from zconsole.views.host_states_with_findings import HostView, View

MOST_FINDINGS: Final = 500  # series a host: the others are counted
SEVERITIES: Final = (Severity.WARNING, Severity.CRITICAL)

BUILD: Final = MetricFamily("zconsole_build_info", "Version of zconsole.", ("version",))
UP: Final = MetricFamily("zconsole_host_up", "Whether the host answers: 1 or 0.", ("host",))
VERSION: Final = MetricFamily(
    "zconsole_host_zfs_version_info", "Version of the ZFS commands on the host.", ("host", "version")
)
READ_AT: Final = MetricFamily(
    "zconsole_host_pools_read_timestamp_seconds",
    "When the list of pools of the host was read last, in epoch seconds.",
    ("host",),
)
FINDING: Final = MetricFamily(
    "zconsole_finding",
    "A finding of zconsole that holds now, 1; one that was silenced or is advice is not among them.",
    ("host", "pool", "subject", "finding", "severity"),
)
FINDING_INFO: Final = MetricFamily(
    "zconsole_finding_info",
    "What is said of a finding that holds now, 1; numbers that change are N in the text.",
    ("host", "pool", "subject", "finding", "text"),
)
FINDINGS: Final = MetricFamily(
    "zconsole_findings",
    "Findings that hold now, by severity, those of one disk counted as one, as by the console.",
    ("host", "severity"),
)
COMPARED_AT: Final = MetricFamily(
    "zconsole_host_copies_compared_timestamp_seconds",
    "When the copies of the host's datasets were compared with them last, in epoch seconds.",
    ("host",),
)
SILENCED: Final = MetricFamily("zconsole_findings_silenced", "Findings that a user has silenced.", ("host",))

HOST_FAMILIES: Final = (BUILD, UP, VERSION, READ_AT, FINDING, FINDING_INFO, FINDINGS, SILENCED, COMPARED_AT)
FAMILIES: Final = (*HOST_FAMILIES, *POOL_FAMILIES, *VDEV_FAMILIES, *DISK_FAMILIES)


def samples_of(view: View) -> Iterator[MetricSample]:
    """Every sample of a moment; a value that is not known, or was read too long ago, has none."""
    yield BUILD.of(1, __version__)
    for host in view.hosts:
        yield from _of_host(host, view)


def _of_host(host: HostView, view: View) -> Iterator[MetricSample]:
    state = host.state
    if state.link.state is not LinkState.CONNECTING:
        yield UP.of(state.link.state is LinkState.UP, state.host)
    if state.pools_at is not None:
        yield READ_AT.of(view.now - (view.monotonic - state.pools_at), state.host)
    yield from status_times(state, view)
    if state.link.state is not LinkState.UP:
        return
    if state.version.value is not None:
        yield VERSION.of(1, state.host, state.version.value.userland.removeprefix("zfs-"))
    yield from _of_findings(host)
    if state.replication.value is not None:
        yield COMPARED_AT.of(state.replication.value.seen_at, state.host)
    for pool in fresh_pools(state, view.monotonic):
        yield from pool_samples(state, pool, view)
        yield from vdev_samples(state, pool, view)
    yield from disk_samples(state, view.now)


def _of_findings(host: HostView) -> Iterator[MetricSample]:
    """Findings that were judged from what was read; none while nothing was."""
    state = host.state
    if state.pools_at is None and not host.findings:
        return
    told = [each for each in host.findings if not each.is_advice and each.severity in SEVERITIES]
    lines = folded(told)
    for severity in SEVERITIES:
        yield FINDINGS.of(sum(1 for each in lines if each.severity is severity), state.host, severity.word)
    yield SILENCED.of(len(host.silenced), state.host)
    for finding in told[:MOST_FINDINGS]:
        where = (state.host, _pool(finding), finding.subject, finding.id)
        yield FINDING.of(1, *where, finding.severity.word)
        yield FINDING_INFO.of(1, *where, text_of(finding))


def _pool(finding: Finding) -> str:
    pool = finding.evidence.get("pool")
    return pool if isinstance(pool, str) else ""
