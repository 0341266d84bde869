"""`zconsole replicas`: the copies, how far behind they are, what they need, and uncovered datasets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.replication.replicas_and_send_bases import Replica, ReplicaState
from zconsole.analysis.snapshots.sanoid_retention import RetentionCount
from zconsole.base.durations_in_words import lasting
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import MINUTE, moment, size
from zconsole.base.name_lists import shortened
from zconsole.reports.json.replicas import DatasetReport, ReplicationReport

MOST_NAMED: Final = 3


def replicas_lines(report: ReplicationReport, now: float) -> Iterator[str]:
    """Yield the answer as lines without control sequences; `now` is epoch seconds."""
    return map(visible, _lines(report, now))


def _lines(report: ReplicationReport, now: float) -> Iterator[str]:
    datasets = sum(len(each) for _, each in report.hosts)
    copies = len(report.replicas)
    hosts = len(report.hosts)
    yield (
        f"{_counted(hosts, 'host')}, {_counted(datasets, 'dataset')}: "
        f"{_counted(copies, 'copy', 'copies') if copies else 'no copies among them'}."
    )
    for one in report.replicas:
        yield from _replica(one, report, now)
    for host, found in report.hosts:
        for each in found:
            yield from _dataset(host, each, now)
    for finding in report.findings:
        yield f"{finding.severity.word.capitalize()}: {finding.subject}: {finding.summary}."
    for of, reason in report.problems:
        yield f"Not read: {of}: {reason}."


def _replica(one: Replica, report: ReplicationReport, now: float) -> Iterator[str]:
    where = ", on the same pool" if one.is_on_one_pool else ""
    yield f"{one.source.name} -> {one.copy.name}{where}: {_standing(one, report)}."
    mark = ", of which the source has only the bookmark" if one.is_base_a_bookmark else ""
    older = f"; before that: {one.older_common.name}" if one.older_common else "; there is none before it"
    yield f"  Last in common: {one.common.name}{mark}, {_ago(one.common.creation, now)}{older}."


def _standing(one: Replica, report: ReplicationReport) -> str:
    known = report.bytes_behind(one)
    lacks = f"{_counted(one.behind, 'snapshot')} and {lasting(one.behind_s)} behind"
    lacks += "" if known is None else f", {size(known)} to send"
    match one.standing:
        case ReplicaState.CURRENT:
            return "it has the newest snapshot"
        case ReplicaState.BEHIND:
            return lacks
        case ReplicaState.DIVERGED:
            return f"{lacks}; it has {_counted(one.own, 'snapshot')} of its own since"
        case ReplicaState.ALONE:
            return f"it goes on by itself, with {_counted(one.own, 'snapshot')} that the source lacks"


def _dataset(host: str, each: DatasetReport, now: float) -> Iterator[str]:
    name = f"{host}:{each.lineage.name}"
    for one in each.rhythms:
        if one.gaps:
            missed = sum(gap.missed for gap in one.gaps)
            last = f", the newest is {lasting(now - one.newest.creation)} old" if one.is_late else ""
            yield f"{name}: {missed} of its {one.family.label} snapshots missing{last}."
    if each.kept:
        yield f"{name}: sanoid keeps {', '.join(map(_kept, each.kept))}."
        going = [one.name for kept in each.kept for one in kept.prunes_now]
        if going:
            yield f"  It prunes when it next runs: {shortened(going, MOST_NAMED)}."
    if each.lineage.resume_token:
        yield f"{name}: {_cut(each)}."


def _kept(one: RetentionCount) -> str:
    return f"{one.wanted} {one.kind} ({len(one.snapshots)} there)"


def _cut(each: DatasetReport) -> str:
    what, so_far = "a receive", ""
    if each.cut is not None and each.cut.to_name:
        what = f"the receive of {each.cut.to_name}"
    if each.cut is not None and each.cut.received_bytes is not None:
        so_far = f" after {size(each.cut.received_bytes)}"
    name = each.lineage.name
    return (
        f"{what} was cut{so_far}. To go on: zfs send -t TOKEN | zfs receive -s {name}, with the token of "
        f"`zfs get receive_resume_token {name}`; to give it up: zfs receive -A {name}"
    )


def _ago(creation: int, now: float) -> str:
    return f"taken {lasting(now - creation)} ago ({moment(creation, MINUTE)} UTC)"


def _counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
