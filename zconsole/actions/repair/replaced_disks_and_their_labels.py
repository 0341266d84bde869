"""Disks that left the pool: what they still hold, and whether their label can be cleared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.vdevs.disk_identity_and_links import stable_link
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES
from zconsole.model.pools.disk_and_inventory import ZFS_MEMBER, Disk
from zconsole.model.repair import RepairOffer

MOST_TOLD: Final = 3
OFF: Final = "off"


def replaced_in_words(facts: PoolFacts, left: Iterable[str]) -> Iterator[str]:
    """What is to be known of each disk that left; `left` are the serial numbers that the journal has."""
    there = {each.serial: each for each in _unused(facts)}
    labelled = [each for each in there.values() if _has_label(each.disk, facts)]
    known = [serial for serial in dict.fromkeys(left) if not _serves(facts, serial)]
    named = list(dict.fromkeys([*(each.serial for each in labelled), *known]))[:MOST_TOLD]
    for serial in named:
        found = there.get(serial)
        if found is None:
            yield (
                f"the old disk {serial} is not in the host, and still has its ZFS label; to clear the label, "
                "insert the disk again"
            )
        elif _has_label(found.disk, facts):
            yield f"the old disk {_labelled(found)} still has the label of {facts.pool.name}, and its data"
        else:
            yield f"the old disk {_labelled(found)} has no ZFS label any more, but still its data"
    if named:
        yield _disposal(facts)


def label_offers(facts: PoolFacts) -> Iterator[RepairOffer]:
    """Clear the label of each disk that is in the host, is no member, and has a label of the pool."""
    for each in _unused(facts):
        if each.disk is not None and _has_label(each.disk, facts):
            path = stable_link(each.disk) or each.disk.path
            yield RepairOffer(f"clear the label of the old disk {each.serial}", "labelclear", path)


def _unused(facts: PoolFacts) -> Iterator[HostDisk]:
    return (each for each in facts.health.values() if each.pool is None)


def _has_label(disk: Disk | None, facts: PoolFacts) -> bool:
    """Whether it has a label of this very pool; one of another pool of that name has another guid."""
    guid = str(facts.pool.guid or "")
    return disk is not None and any(
        each.fstype == ZFS_MEMBER
        and (each.uuid == guid if guid and each.uuid else each.label == facts.pool.name)
        for each in disk.walk()
    )


def _serves(facts: PoolFacts, serial: str) -> bool:
    return any(serial in {facts.identity(leaf.vdev).label, leaf.vdev.name} for leaf in facts.devices.values())


def _labelled(found: HostDisk) -> str:
    return f"{found.serial} (bay {found.bay})" if found.bay else found.serial


def _disposal(facts: PoolFacts) -> str:
    """Whether what is on it can be read, and what is to be done before it leaves the house."""
    datasets = facts.of.datasets.value
    systems = [each for each in datasets or () if each.type in FILESYSTEMS_AND_VOLUMES]
    modes = {each.encryption for each in systems}
    by_reading = (
        "overwrite the disk before you give it away or return it under warranty; destroy it if it cannot be "
        "written"
    )
    if modes and None not in modes and OFF not in modes:
        return (
            f"every dataset of {facts.pool.name} is encrypted: without the keys the old disk shows only "
            "names and sizes"
        )
    if OFF in modes:
        return f"the data of {facts.pool.name} on it is not encrypted: {by_reading}"
    return f"whether the data on it is encrypted is not known; if it is not, {by_reading}"
