"""Serial numbers that identify no disk: placeholders of bridges, and one number on several disks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import Final

from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.placeholder_serial_numbers import is_placeholder

_DISK: Final = "disk"
_MULTIPATH: Final = "mpath"
_CONTROLLER: Final = re.compile(r"(nvme\d+)(?:c\d+)?n\d+", re.ASCII)


def with_identifying_serials(disks: Iterable[Disk]) -> tuple[Disk, ...]:
    """The disks; one whose serial number identifies no disk has it as `reported_serial` alone."""
    disks = tuple(disks)
    bearers: defaultdict[str, list[Disk]] = defaultdict(list)
    for disk in disks:
        if disk.type == _DISK and disk.serial:
            bearers[disk.serial].append(disk)
    shared = {
        serial for serial, group in bearers.items() if any(_are_two(*pair) for pair in combinations(group, 2))
    }
    return tuple(
        replace(disk, serial="", reported_serial=disk.serial)
        if disk.serial in shared or is_placeholder(disk.serial)
        else disk
        for disk in disks
    )


def _are_two(one: Disk, other: Disk) -> bool:
    """Whether two devices with one serial number are two disks, and not two ways or units of one."""
    if one.wwn and one.wwn == other.wwn:
        return False
    if {each.name for each in one.children if each.type == _MULTIPATH} & {
        each.name for each in other.children
    }:
        return False
    mine, others = _CONTROLLER.fullmatch(one.name), _CONTROLLER.fullmatch(other.name)
    if mine and others and mine[1] == others[1]:
        return False  # namespaces
    is_one_target = one.hctl and one.hctl.rpartition(":")[0] == other.hctl.rpartition(":")[0]
    return not is_one_target  # units of a disk with two actuators
