"""Trouble that several disks of one controller or shelf have at the same time."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import is_dead
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import RepairCause

MARKED: Final = "external device fault"  # ZFS's note after `zpool offline -f`
IN_USE: Final = "INUSE"  # of a spare among the pool's spares: it counts where it stands in
TOGETHER_S: Final = 300.0  # failures within this time may have one cause
_BY_PATH: Final = "/dev/disk/by-path/"
_CONTROLLER: Final = re.compile(r"(pci-[0-9a-fA-F:.]+)-")
_EXPANDER: Final = re.compile(r"-sas-exp(0x[0-9a-fA-F]+)-")


@dataclass(frozen=True, slots=True)
class SharedTrouble:
    """Several devices of one controller or shelf in trouble at the same time."""

    cause: RepairCause
    where: str  # the controller's address, or the expander's
    devices: tuple[str, ...]
    of: int  # disks of the pool there
    is_all: bool  # every disk of the pool there, and none elsewhere
    are_gone: bool  # all of them are dead: they have not only errors


def shared_trouble(facts: PoolFacts, leaf: Vdev) -> SharedTrouble | None:
    """Trouble that a leaf shares with other disks of its shelf, or else of its controller."""
    disk = facts.of_leaf(leaf).disk
    if disk is None:
        return None
    for cause in (RepairCause.SHELF, RepairCause.CONTROLLER):
        where = _place(facts, disk, cause)
        if where and (found := _together(facts, leaf, where, cause)) is not None:
            return found
    return None


def way_of(facts: PoolFacts, disk: Disk) -> str:
    """The expander of a disk, or else its controller; empty where neither is known."""
    return _place(facts, disk, RepairCause.SHELF) or _place(facts, disk, RepairCause.CONTROLLER)


def _together(facts: PoolFacts, leaf: Vdev, where: str, cause: RepairCause) -> SharedTrouble | None:
    there: defaultdict[str, list[Vdev]] = defaultdict(list)
    for each in facts.devices.values():
        if each.disk is not None and each.vdev.state != IN_USE:
            there[_place(facts, each.disk, cause)].append(each.vdev)
    ailing = [each for each in there[where] if _is_ailing(each)]
    elsewhere = [each for place, leaves in there.items() if place != where for each in leaves]
    if len(ailing) < 2 or not _at_once(facts, leaf, ailing):
        return None
    if not elsewhere and len(ailing) < len(there[where]):
        return None  # all disks share the one controller, and others on it are well
    if any(map(_is_ailing, elsewhere)):
        return None
    is_all = len(ailing) == len(there[where])
    return SharedTrouble(
        cause,
        where,
        tuple(each.name for each in ailing),
        len(there[where]),
        is_all,
        all(map(is_dead, ailing)),
    )


def _is_ailing(leaf: Vdev) -> bool:
    """Dead or with errors; not one that somebody marked as faulted, without an error."""
    return leaf.has_errors or (is_dead(leaf) and leaf.note != MARKED)


def _at_once(facts: PoolFacts, leaf: Vdev, ailing: list[Vdev]) -> bool:
    """Whether the others failed within minutes of the leaf; unknown times do not count."""
    at = facts.since(leaf)
    times = [facts.since(each) for each in ailing if each is not leaf]
    return at is not None and any(each is not None and abs(each - at) <= TOGETHER_S for each in times)


def _place(facts: PoolFacts, disk: Disk, cause: RepairCause) -> str:
    """The expander or the controller of a disk: from sysfs, or else from the name that udev made."""
    way = facts.way_to(disk)
    known = "" if way is None else way.expander if cause is RepairCause.SHELF else way.controller
    pattern = _EXPANDER if cause is RepairCause.SHELF else _CONTROLLER
    return known or next(_in_links(disk, pattern), "")


def _in_links(disk: Disk, pattern: re.Pattern[str]) -> Iterator[str]:
    for link in disk.links:
        if link.startswith(_BY_PATH) and (found := pattern.search(link)):
            yield found[1]
