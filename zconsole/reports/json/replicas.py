"""`zconsole replicas --json`: copies and how far behind they are, snapshot families, what sanoid keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from zconsole.analysis.replication.replicas_and_send_bases import Base, DatasetOnHost, Replica
from zconsole.analysis.snapshots.sanoid_retention import RetentionCount
from zconsole.analysis.snapshots.schedule_periods_and_gaps import Schedule
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.replication import CutReceive, ReplicatedDataset
from zconsole.model.finding import Finding
from zconsole.reports.json.json_line import SCHEMA, Document, guid
from zconsole.reports.json.status import finding_document


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """Snapshots of one dataset: families, retention, and receives that were cut."""

    lineage: ReplicatedDataset
    rhythms: tuple[Schedule, ...] = ()
    kept: tuple[RetentionCount, ...] | None = None  # None: sanoid does not manage the dataset
    cut: CutReceive | None = None  # of an interrupted receive whose token could be read


@dataclass(frozen=True, slots=True)
class ReplicationReport:
    """Copies and snapshots found on all hosts."""

    hosts: tuple[tuple[str, tuple[DatasetReport, ...]], ...]
    replicas: tuple[Replica, ...] = ()
    behind_bytes: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by source and copy
    bases: tuple[Base, ...] = ()
    findings: tuple[Finding, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()  # (host and pool or file, why)

    def bytes_behind(self, one: Replica) -> int | None:
        """Size of the increment that a copy lacks; 0 for an up-to-date copy, None where unknown."""
        return self.behind_bytes.get((one.source.name, one.copy.name)) if one.behind else 0


def replicas_document(report: ReplicationReport) -> Document:
    """Return the report as one document."""
    return {
        "schema": SCHEMA,
        "replicas": [_replica(one, report) for one in report.replicas],
        "bases": [{"host": each.host, "name": each.name, "reason": each.reason} for each in report.bases],
        "hosts": [
            {"host": host, "datasets": [_dataset(each) for each in datasets]}
            for host, datasets in report.hosts
        ],
        "findings": [finding_document(one) for one in report.findings],
        "problems": [{"of": of, "reason": reason} for of, reason in report.problems],
    }


def _replica(one: Replica, report: ReplicationReport) -> Document:
    return {
        "source": _place(one.source),
        "copy": _place(one.copy),
        "standing": one.standing.value,
        "common": {
            "guid": guid(one.common.guid),
            "source": one.common.name,
            "copy": one.common_there.name,
            "creation": one.common.creation,
        },
        "older_common": one.older_common.name if one.older_common else None,
        "newest": one.newest.name if one.newest else None,
        "behind": one.behind,
        "behind_s": one.behind_s,
        "behind_bytes": report.bytes_behind(one),
        "own": one.own,
        "is_on_one_pool": one.is_on_one_pool,
    }


def _place(place: DatasetOnHost) -> Document:
    return {"host": place.host, "dataset": place.lineage.name}


def _dataset(each: DatasetReport) -> Document:
    cut: Document | None = None
    if each.cut is not None:
        cut = {
            "name": each.cut.to_name,
            "guid": guid(each.cut.to_guid),
            "from_guid": guid(each.cut.from_guid),
            "received_bytes": each.cut.received_bytes,
        }
    return {
        "name": each.lineage.name,
        "type": each.lineage.type,
        "snapshots": len(each.lineage.snapshots),
        "families": [_rhythm(one) for one in each.rhythms],
        "sanoid": None if each.kept is None else [_kept(one) for one in each.kept],
        "is_receive_cut": bool(each.lineage.resume_token),
        "cut_receive": cut,
    }


def _rhythm(one: Schedule) -> Document:
    return {
        "tool": one.family.tool,
        "kind": one.family.kind or None,
        "peer": one.family.peer or None,
        "count": len(one.snapshots),
        "oldest": one.oldest.creation,
        "newest": one.newest.creation,
        "period_s": one.period_s,
        "is_late": one.is_late,
        "gaps": [{"start": gap.start, "end": gap.end, "missed": gap.missed} for gap in one.gaps],
    }


def _kept(one: RetentionCount) -> Document:
    return {
        "kind": one.kind,
        "wanted": one.wanted,
        "there": len(one.snapshots),
        "prunes_now": [each.name for each in one.prunes_now],
        "next_to_go": one.next_to_go.name if one.next_to_go else None,
        "next_at": one.next_at,
    }
