"""`zconsole disks --json`: every disk of a host with its health, as docs/json.md documents it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.analysis.vdevs.kernel_evidence_on_disk import KernelEvidence
from zconsole.model.pools.read_test import ReadTest
from zconsole.model.pools.shelf_and_disk_path import BayLights
from zconsole.model.pools.smart_health import DiskHealth, Unreadable
from zconsole.reports.json.json_line import SCHEMA, Document, guid, rounded

NEWEST: Final = 20  # messages of a disk


def disks_document(host: str, disks: Sequence[HostDisk]) -> Document:
    """Return all disks of a host, worst first."""
    return {"schema": SCHEMA, "host": host, "disks": [_disk(each) for each in disks]}


def _disk(each: HostDisk) -> Document:
    disk, leaf = each.disk, each.leaf
    return {
        "serial": each.serial,
        "trouble": each.trouble.name.lower(),
        "device": disk.name if disk is not None else None,
        "links": disk.links if disk is not None else (),
        "model": disk.model if disk is not None else None,
        "wwn": disk.wwn if disk is not None else None,
        "size_bytes": disk.size_bytes if disk is not None else None,
        "logical_sector_bytes": disk.logical_sector_bytes if disk is not None else None,
        "physical_sector_bytes": disk.physical_sector_bytes if disk is not None else None,
        "transport": disk.transport if disk is not None else None,
        "hctl": disk.hctl if disk is not None else None,
        "bay": (each.bay if not each.is_bay_taken else "") or None,
        "enclosure": _enclosure(each),
        "controller": each.path.controller or None if each.path is not None else None,
        "pool": each.pool.name if each.pool is not None else None,
        "vdev": each.top.name if each.top is not None else None,
        "vdev_class": each.top.vdev_class if each.top is not None else None,
        "state": leaf.state if leaf is not None else None,
        "guid": guid(leaf.guid) if leaf is not None else None,
        "errors": each.errors,
        "slow_ratio": None if each.slow is None else rounded(each.slow.measured_ratio),
        "health": _health(each.health) if isinstance(each.health, DiskHealth) else None,
        "no_health_because": _why(each.health),
        "kernel_messages": _kernel(each.kernel),
        "complaints": [
            {
                "id": found.id,
                "severity": found.severity.word,
                "words": found.words,
                "part": found.blame.value,
            }
            for found in each.complaints
        ],
    }


def _enclosure(each: HostDisk) -> Document | None:
    if each.place is None:
        return None
    shelf, bay = each.place.enclosure, each.place.bay
    lights = bay.lights or BayLights()
    return {
        "address": shelf.address,
        "id": shelf.number or None,
        "model": " ".join(filter(None, (shelf.vendor, shelf.model))) or None,
        "slot": bay.number,
        "name": bay.name,
        "status": lights.status or None,
        "locate": lights.is_located,
        "fault": lights.is_faulted,
    }


def _kernel(found: KernelEvidence | None) -> Document | None:
    if found is None:
        return None
    return {
        "counts": {kind.value: number for kind, number in found.counts},
        "first_at": found.first_at,
        "last_at": found.last_at,
        "part": found.blame.value if found.blame is not None else None,
        "newest": [each.text for each in found.messages[-NEWEST:]],
    }


def _health(health: DiskHealth) -> Document:
    test = health.self_test
    return {
        "protocol": health.protocol,
        "firmware": health.firmware,
        "power_mode": health.power_mode.value,
        "is_passing": health.is_passing,
        "failing_attributes": health.failing_attributes,
        "power_on_hours": health.power_on_hours,
        "temperature_c": health.temperature_c,
        "temperature_limit_c": health.temperature_limit_c,
        "reallocated": health.reallocated,
        "pending": health.pending,
        "offline_uncorrectable": health.offline_uncorrectable,
        "reported_uncorrectable": health.reported_uncorrectable,
        "crc_errors": health.crc_errors,
        "critical_warning": health.critical_warning,
        "available_spare_percent": health.available_spare,
        "wear_percent": health.wear,
        "self_test": None
        if test is None
        else {"has_passed": test.has_passed, "words": test.words, "at_hours": test.at_hours},
        "unread": health.unread,
    }


def _why(health: object) -> str | None:
    if isinstance(health, DiskHealth):
        return None
    return health.value if isinstance(health, Unreadable) else "it was not read"


def read_test_document(host: str, disk: str, test: ReadTest) -> Document:
    """Return the result of a read test of one disk, as it was named."""
    return {
        "schema": SCHEMA,
        "host": host,
        "disk": disk,
        "read_test": test.outcome.value,
        "read_bytes": test.read_bytes,
        "bytes_per_s": None if test.bytes_per_s is None else round(test.bytes_per_s),
        "words": test.words,
    }
