"""`zconsole status --json`: a host's pools and their findings, as docs/json.md documents it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from zconsole.analysis.findings.findings_grouped_by_disk import by_disk
from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.pool import Count, ImportablePool, Pool, PoolActivity, Scan, Vdev
from zconsole.model.pools.smart_health import SmartCoverage
from zconsole.reports.json.json_line import SCHEMA, Document, guid, rounded
from zconsole.views.findings.by_id.what_to_do import what_to_do


def status_document(
    state: HostState,
    found: Sequence[Finding],
    importable: Sequence[ImportablePool] | None = None,
    silenced: Sequence[SilencedFinding] = (),
    remedy_of: Callable[[Finding], str] = what_to_do,
) -> Document:
    """Return everything known of a host's pools; `importable` is None where they were not read."""
    version = state.version.value
    return {
        "schema": SCHEMA,
        "host": state.host,
        "zfs_version": None if version is None else version.userland.removeprefix("zfs-"),
        "pools": [_pool(pool) for pool in state.pools],
        "importable": None if importable is None else [_importable(pool) for pool in importable],
        "findings": findings_of_disks(found, remedy_of),
        "smart": coverage_document(state.smart_coverage),
        "silenced": silenced_documents(silenced, remedy_of),
    }


def coverage_document(coverage: SmartCoverage | None) -> Document | None:
    """Return how many disks were judged without SMART data; None where that is not known."""
    if coverage is None:
        return None
    return {"disks": coverage.disks, "without_data": coverage.without_data}


def findings_of_disks(
    found: Sequence[Finding], remedy_of: Callable[[Finding], str] = what_to_do
) -> list[Document]:
    """Return every finding with its procedure; those of one disk name the worst of them."""
    disks = by_disk(found)
    return [
        finding_document(each, remedy_of)
        | {
            "procedure": ["zconsole", "repair", each.repaired_pool] if each.repaired_pool else None,
            "folded_into": None if first is each else first.id,
        }
        for each in found
        for first in (disks[each.disk][0] if each.disk else each,)
    ]


def silenced_documents(
    silenced: Sequence[SilencedFinding], remedy_of: Callable[[Finding], str] = what_to_do
) -> list[Document]:
    """Return the silenced findings with the reasons, and the times at which they speak again."""
    return [
        finding_document(each.finding, remedy_of)
        | {
            "reason": each.silence.reason,
            "since": _utc(each.silence.since),
            "until": _utc(each.silence.until),
        }
        for each in silenced
    ]


def _utc(when: datetime) -> str:
    """A time as JSON has it: `2027-06-01T00:00:00Z`."""
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def finding_document(finding: Finding, remedy_of: Callable[[Finding], str] = what_to_do) -> Document:
    """Return a finding with what to do about it, null where nothing is said, and its evidence."""
    return {
        "id": finding.id,
        "severity": finding.severity.word,
        "subject": finding.subject,
        "summary": finding.summary,
        "what_to_do": remedy_of(finding) or None,
        "evidence": dict(finding.evidence),
    }


def activities(pool: Pool) -> Iterator[PoolActivity]:
    """Yield the activities beside the scan, running or ended last: of the pool, and of single devices."""
    seen: set[tuple[str, str | None]] = set()
    of_leaves = (
        PoolActivity(each.kind, vdev.name, each.state, each.percent)
        for vdev in pool.walk()
        for each in vdev.activities
        if each.state != "unsupported"
    )
    for activity in (*pool.activities, *of_leaves):
        if (activity.kind, activity.vdev) not in seen:
            seen.add((activity.kind, activity.vdev))
            yield activity


def vdev_note(vdev: Vdev) -> str:
    """Return what `zpool status` says behind a vdev's counters."""
    remarks = ("(resilvering)" if vdev.is_resilvering else "", "(removing)" if vdev.is_removing else "")
    return " ".join(filter(None, (vdev.note, *remarks)))


def _pool(state: PoolState) -> Document:
    """Describe a pool; an unreadable pool has its name, the kernel's state, and nulls."""
    pool = state.pool.value
    if pool is None:
        pool = Pool(state.name, state.kstat_state or "")
    is_read = state.pool.value is not None
    return {
        "name": pool.name,
        "guid": guid(pool.guid),
        "state": (state.state if is_read else state.kstat_state) or None,
        "size_bytes": pool.size_bytes,
        "allocated_bytes": pool.allocated_bytes,
        "free_bytes": pool.free_bytes,
        "capacity_percent": pool.capacity_percent,
        "fragmentation_percent": pool.fragmentation_percent,
        "checkpoint_bytes": pool.checkpoint_bytes,
        "errors": pool.error_count,
        "error_files": list(pool.error_files) if is_read else None,
        "scan": None if pool.scan is None else _scan(pool.scan),
        "scans_beside": [_scan(each) for each in pool.scans_beside] if is_read else None,
        "activities": [_activity(each) for each in activities(pool)] if is_read else None,
        "vdevs": [_vdev(vdev) for vdev in pool.vdevs] if is_read else None,
    }


def _scan(scan: Scan) -> Document:
    return {
        "function": scan.function,
        "vdev": scan.vdev,
        "state": scan.state,
        "percent": rounded(scan.percent),
        "errors": scan.errors,
        "repaired_bytes": scan.repaired_bytes,
        "start": scan.start,
        "end": scan.end,
    }


def _activity(activity: PoolActivity) -> Document:
    return {
        "kind": activity.kind,
        "vdev": activity.vdev,
        "state": activity.state,
        "percent": rounded(activity.percent),
        "end": activity.end,
        "mapping_bytes": activity.mapping_bytes,
    }


def _vdev(vdev: Vdev) -> Document:
    return {
        "name": vdev.name,
        "type": vdev.type,
        "class": vdev.vdev_class,
        "guid": guid(vdev.guid),
        "state": vdev.state,
        "path": vdev.path,
        "read_errors": _count(vdev.read_errors),
        "write_errors": _count(vdev.write_errors),
        "checksum_errors": _count(vdev.checksum_errors),
        "slow_ios": _count(vdev.slow_ios),
        "note": vdev_note(vdev),
        "children": [_vdev(child) for child in vdev.children],
    }


def _importable(pool: ImportablePool) -> Document:
    return {
        "name": pool.name,
        "guid": guid(pool.guid),
        "state": pool.state,
        "last_host": pool.last_host,
        "devices": list(pool.devices),
    }


def _count(count: Count | None) -> int | None:
    return None if count is None else count.value
