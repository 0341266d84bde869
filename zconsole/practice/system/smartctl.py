"""`smartctl --json --all`: the health of a drive, in the keys of smartmontools 7."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.world.drives import DriveKind, PracticeDisk
from zconsole.practice.world.host_world import World

_KNOWN: Final = ["--json", "--all", "--nocheck=standby", "--"]
_ATTRIBUTES: Final = (
    (5, "Reallocated_Sector_Ct", "reallocated"),
    (187, "Reported_Uncorrect", "reported"),
    (197, "Current_Pending_Sector", "pending"),
    (198, "Offline_Uncorrectable", "uncorrectable"),
    (199, "UDMA_CRC_Error_Count", "crc"),
)
_FAILING: Final = 1 << 3
_NOT_OPENED: Final = 2
_BAD_WORDS: Final = 1

Document = dict[str, object]


def smartctl(world: World, args: Sequence[str]) -> Reply:
    """Answer for one whole drive."""
    if list(args[:-1]) != _KNOWN:
        return _said(args, "the practice host does not do this", _BAD_WORDS)
    path = args[-1]
    try:
        disk = world.disk(path)
    except KeyError:
        disk = None
    if disk is None or not disk.is_present:
        return _said(args, f"{path}: Unable to detect device type", _BAD_WORDS)
    if world.user_id != 0:
        return _said(args, f"Smartctl open device: {path} failed: Permission denied", _NOT_OPENED)
    document = _nvme(world, disk) if disk.drive is DriveKind.NVME else _ata(world, disk)
    status = 0 if disk.health.is_passing else _FAILING
    return Reply(json.dumps({**_head(args, status), **document}, indent=2) + "\n", status=status)


def _head(args: Sequence[str], status: int, *messages: str) -> Document:
    said = [{"string": each, "severity": "error"} for each in messages]
    return {
        "json_format_version": [1, 0],
        "smartctl": {
            "version": [7, 4],
            "argv": ["smartctl", *args],
            "exit_status": status,
            **({"messages": said} if said else {}),
        },
    }


def _said(args: Sequence[str], words: str, status: int) -> Reply:
    return Reply(json.dumps(_head(args, status, words), indent=2) + "\n", status=status)


def _common(world: World, disk: PracticeDisk, protocol: str) -> Document:
    return {
        "device": {"name": f"/dev/{disk.kname}", "info_name": f"/dev/{disk.kname}", "protocol": protocol},
        "model_name": disk.model,
        "serial_number": disk.serial,
        "firmware_version": disk.rev,
        "user_capacity": {"blocks": disk.size // disk.sectors[0], "bytes": disk.size},
        "logical_block_size": disk.sectors[0],
        "smart_support": {"available": True, "enabled": True},
        "smart_status": {"passed": disk.health.is_passing},
        "power_on_time": {"hours": disk.health.hours + int(world.elapsed // 3600)},
        "temperature": {"current": disk.health.temperature},
    }


def _ata(world: World, disk: PracticeDisk) -> Document:
    table = [
        {
            "id": number,
            "name": name,
            "value": 100,
            "when_failed": _when_failed(disk, name),
            "raw": {"value": counted},
        }
        for number, name, field in _ATTRIBUTES
        if (counted := getattr(disk.health, field)) is not None
    ]
    return {
        **_common(world, disk, "ATA"),
        "rotation_rate": 7200 if disk.rotates else 0,
        "ata_smart_attributes": {"revision": 16, "table": table},
        **_self_tests(disk),
    }


def _when_failed(disk: PracticeDisk, name: str) -> str:
    return "now" if disk.health.failing == name else ""


def _self_tests(disk: PracticeDisk) -> Document:
    """The log of self-tests, with the one that failed."""
    hours = disk.health.self_test_failed_at
    if hours is None:
        return {}
    failed = {
        "type": {"value": 2, "string": "Extended offline"},
        "status": {"value": 121, "string": "Completed: read failure", "passed": False},
        "lifetime_hours": hours,
    }
    return {"ata_smart_self_test_log": {"standard": {"revision": 1, "table": [failed], "count": 1}}}


def _nvme(world: World, disk: PracticeDisk) -> Document:
    health = disk.health
    return {
        **_common(world, disk, "NVMe"),
        "nvme_smart_health_information_log": {
            "critical_warning": health.warnings or (0 if health.is_passing else 1),
            "temperature": health.temperature,
            "available_spare": health.spare,
            "available_spare_threshold": 10,
            "percentage_used": health.wear,
            "power_on_hours": health.hours,
            "media_errors": health.reported,
        },
    }
