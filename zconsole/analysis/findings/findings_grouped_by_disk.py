"""Findings with one line for each disk: its worst, with the others folded into it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from zconsole.model.finding import Finding
from zconsole.model.pools.pool import Vdev


def on_disk(finding: Finding, leaf: Vdev, brief: str, *, needs_repair: bool = True) -> Finding:
    """A finding on one device of a pool. `brief` tells it where another one of the disk comes first."""
    pool = finding.evidence.get("pool")
    return replace(finding, disk=f"{pool}/{leaf.guid or leaf.name}", brief=brief, needs_repair=needs_repair)


def folded(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings, worst first, each disk's others within its first."""
    disks = by_disk(found)
    return tuple(
        replace(finding, folded=tuple(disks[finding.disk][1:])) if finding.disk else finding
        for finding in found
        if not finding.disk or disks[finding.disk][0] is finding
    )


def by_disk(found: Iterable[Finding]) -> dict[str, list[Finding]]:
    """The findings of each disk; those on no disk are left out."""
    disks: dict[str, list[Finding]] = defaultdict(list)
    for each in found:
        if each.disk:
            disks[each.disk].append(each)
    return disks
