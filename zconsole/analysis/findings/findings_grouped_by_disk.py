"""Findings with one line for each disk: its worst, with the others folded into it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.model.finding import Finding
from zconsole.model.pools.pool import Vdev

SLOW_IOS: Final = "slow-ios"


def on_disk(finding: Finding, leaf: Vdev, brief: str, *, needs_repair: bool = True) -> Finding:
    """A finding on one device of a pool. `brief` tells it where another one of the disk comes first."""
    pool = finding.evidence.get("pool")
    return replace(finding, disk=disk_id(str(pool), leaf), brief=brief, needs_repair=needs_repair)


def disk_id(pool: str, leaf: Vdev) -> str:
    """What all findings on a device of a pool have as their disk."""
    return f"{pool}/{leaf.guid or leaf.name}"


def folded(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings, worst first, each disk's others within its first."""
    disks = by_disk(found)
    return tuple(
        replace(finding, folded=tuple(disks[finding.disk][1:])) if finding.disk else finding
        for finding in found
        if not finding.disk or disks[finding.disk][0] is finding
    )


def by_disk(found: Iterable[Finding]) -> dict[str, list[Finding]]:
    """The findings of each disk, worst first; those on no disk are left out.

    Of equals the count of slow I/Os is last: it grows forever, and how much slower a disk is says more.
    """
    disks: dict[str, list[Finding]] = defaultdict(list)
    for each in found:
        if each.disk:
            disks[each.disk].append(each)
    for of_disk in disks.values():
        of_disk.sort(key=lambda each: (-each.severity, each.id == SLOW_IOS))
    return disks
