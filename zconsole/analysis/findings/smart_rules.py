"""Findings on disks by their SMART data: what is wrong now or grows, with the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import on_disk
from zconsole.analysis.vdevs.host_disks import HostDisk, host_disks
from zconsole.analysis.vdevs.smart_assessment import Blame, Complaint
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.smart_health import DiskHealth

IDS: Final = frozenset(
    {
        *("smart-failing", "smart-attribute", "pending-sectors", "uncorrectable-sectors"),
        *("uncorrectable-errors", "reallocated-sectors", "nvme-warning", "spare-blocks"),
        *("worn", "crc-errors", "hot", "self-test-failed"),
    }
)
ZFS_LABEL: Final = "zfs_member"
_COUNTERS: Final = (
    *("power_on_hours", "temperature_c", "reallocated", "pending", "offline_uncorrectable"),
    *("reported_uncorrectable", "crc_errors", "available_spare", "wear"),
)


def findings_of_disks(state: HostState) -> Iterator[Finding]:
    """What SMART data warns of. A number that is old and does not grow is shown with its disk only."""
    if not state.smart.value:
        return
    for disk in host_disks(state):
        for each in disk.complaints if disk.disk is not None else ():  # one that is gone has failed
            if each.severity > Severity.INFO and disk.known is not None:
                yield _finding(state, disk, each, disk.known)


def _finding(state: HostState, disk: HostDisk, said: Complaint, health: DiskHealth) -> Finding:
    pool = disk.pool.name if disk.pool is not None else None
    leaf = disk.leaf
    found = disk.disk
    where = [f"bay {disk.bay}" if disk.bay else "", "" if leaf is not None else "in no pool"]
    place = ", ".join(filter(None, where))
    named = f"{disk.serial} ({place})" if place else disk.serial
    part = "" if said.blame.value == "disk" else f"; the {said.blame.value} comes first"
    counters = {each: getattr(health, each) for each in _COUNTERS}
    made = Finding(
        said.id,
        min(said.severity, _worst(disk)),
        state.host if pool is None else f"{pool} {disk.serial}",
        f"{named}: {said.words}{part}",
        {
            "pool": pool,
            "vdev": leaf.name if leaf is not None else None,
            "vdev_guid": str(leaf.guid) if leaf is not None and leaf.guid is not None else None,
            "serial": disk.serial,
            "model": found.model if found is not None else health.model,
            "bay": disk.bay or None,
            "device": found.name if found is not None else None,
            "part": said.blame.value,
            "smart_data_of": None if disk.known_at is None else int(disk.known_at),
            **{each: value for each, value in counters.items() if value is not None},
        },
    )
    if leaf is None:
        return replace(made, disk="/".join(disk.identity), brief=said.words)
    return on_disk(made, leaf, said.words, needs_repair=said.blame is Blame.DISK)


def _worst(disk: HostDisk) -> Severity:
    """How bad the loss of the disk can be: a disk that nothing uses harms nobody yet."""
    if disk.pool is not None:
        return Severity.CRITICAL
    parts = tuple(disk.disk.walk()) if disk.disk is not None else ()
    is_used = any(part.mountpoints or part.fstype not in {"", ZFS_LABEL} for part in parts)
    return Severity.WARNING if is_used else Severity.INFO
