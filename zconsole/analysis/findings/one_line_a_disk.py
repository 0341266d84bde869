"""Findings with one line for each disk: its worst, with the others folded into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zconsole.model.finding import Finding
from zconsole.model.pools.pool import Vdev


def on_disk(finding: Finding, leaf: Vdev, brief: str, *, needs_repair: bool = True) -> Finding:
    """A finding on one device of a pool. `brief` tells it where another one of the disk comes first."""
    pool = finding.evidence.get("pool")
    return replace(finding, disk=f"{pool}/{leaf.guid or leaf.name}", brief=brief, needs_repair=needs_repair)


def folded(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings, worst first, each disk's others within its first."""
    return tuple(
        replace(finding, folded=tuple(each for each in _of_disk(found, finding.disk) if each is not finding))
        if finding.disk
        else finding
        for finding in found
        if first_of_disk(found, finding) is finding
    )


def first_of_disk(found: Sequence[Finding], finding: Finding) -> Finding:
    """The finding in whose line one stands: its own, or that of the worst of the same disk."""
    return _of_disk(found, finding.disk)[0] if finding.disk else finding


def _of_disk(found: Sequence[Finding], disk: str) -> list[Finding]:
    return [each for each in found if each.disk == disk]
