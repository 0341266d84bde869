"""Choices for an action's arguments. Devices are always chosen, never typed."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.actions.action_spec import Argument
from zconsole.actions.disk_choices import WHOLE
from zconsole.actions.intent import Intent
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import ZFS_MEMBER, Disk
from zconsole.model.pools.pool import ImportablePool, Vdev

LAYOUTS = (
    ("mirror", "data, each block on every device of it"),
    ("raidz1", "data, one failure survived"),
    ("raidz2", "data, two failures survived"),
    ("raidz3", "data, three failures survived"),
    ("", "data, on lone devices: no failure survived"),
    ("special mirror", "metadata and small blocks, mirrored"),
    ("dedup mirror", "the deduplication table, mirrored"),
    ("log", "synchronous writes first go here"),
    ("log mirror", "the same, mirrored"),
    ("cache", "copies of what is read"),
    ("spare", "idle until a device fails"),
)


@dataclass(frozen=True, slots=True)
class ArgumentChoice:
    """Choice: the word, distinguishing columns, and why it is unavailable."""

    word: str
    columns: tuple[str, ...]
    why_not: str = ""


def choices(argument: Argument, intent: Intent, facts: PlanFacts) -> tuple[ArgumentChoice, ...] | None:
    """All that there is to choose from, the impossible too; None where a text is typed instead.

    Disks that join a pool are ranked: `disk_choices`.
    """
    match argument.kind:
        case "pool":
            return tuple(ArgumentChoice(pool.name, (pool.name, pool.state)) for pool in facts.pools)
        case "vdev" | "device":
            return tuple(_vdevs(argument.kind, intent, facts))
        case "labelled":
            return tuple(_labelled(facts))
        case "importable":
            return tuple(
                ArgumentChoice(str(pool.guid), (pool.name, str(pool.guid), pool.state, *_last_host(pool)))
                for pool in facts.importable or ()
            )
        case "dataset":
            return tuple(
                ArgumentChoice(each.name, (each.name, size(each.used_bytes)))
                for each in facts.datasets
                if each.type in FILESYSTEMS_AND_VOLUMES
            )
        case "snapshot":
            return tuple(
                ArgumentChoice(each.name, (each.name, size(each.used_bytes)))
                for each in facts.datasets
                if each.type == "snapshot"
            )
        case _:
            return None


def _last_host(pool: ImportablePool) -> tuple[str]:
    return (f"last on {pool.last_host}" if pool.last_host else "",)


def _vdevs(kind: str, intent: Intent, facts: PlanFacts) -> Iterator[ArgumentChoice]:
    pool = facts.pool(intent.pool)
    for vdev in pool.walk() if pool is not None else ():
        if kind == "vdev" or vdev.is_leaf:
            yield ArgumentChoice(
                str(vdev.guid or vdev.name), (vdev.name, vdev.type, vdev.vdev_class, vdev.state)
            )


DISK_COLUMNS = ("DEVICE", "MODEL", "SERIAL", "SIZE", "SECTORS", "HOLDS")


def _labelled(facts: PlanFacts) -> Iterator[ArgumentChoice]:
    """Whole disks that bear a ZFS label; the word is the most stable link there is."""
    if facts.inventory is None:
        return
    serving = dict(_serving(facts))
    for disk in facts.inventory.disks:
        if disk.type in WHOLE and any(part.fstype == ZFS_MEMBER for part in disk.walk()):
            yield _disk(disk, serving.get(disk.name, ""))


def _serving(facts: PlanFacts) -> Iterator[tuple[str, str]]:
    """Kernel names of whole disks, each with its pool and vdev."""
    if facts.inventory is None:
        return
    for pool, leaf in facts.leaves():
        name = facts.inventory.kernel_name(leaf.path) if leaf.path else None
        disk = facts.inventory.disk_of(name) if name is not None else None
        if disk is not None:
            yield disk.name, f"serves {pool.name} as {_words(leaf)}"


def _words(vdev: Vdev) -> str:
    return vdev.vdev_class if vdev.vdev_class != "data" else vdev.name


def _disk(disk: Disk, serves: str) -> ArgumentChoice:
    holds = ", ".join(_holds(disk))
    sectors = f"{disk.logical_sector_bytes or '·'}/{disk.physical_sector_bytes or '·'}"
    word = disk.links[0] if disk.links else disk.path
    columns = (
        word.rpartition("/")[2],
        disk.model,
        disk.serial,
        size(disk.size_bytes),
        sectors,
        serves or holds or "nothing",
    )
    return ArgumentChoice(word, columns)


def _holds(disk: Disk) -> Iterator[str]:
    """Signatures, partitions and mounts on a disk, in words."""
    for each in disk.walk():
        if each.mountpoints:
            yield f"mounted on {', '.join(each.mountpoints)}"
        if each.fstype:
            label = f" {each.label}" if each.label else ""
            yield f"{each.fstype}{label}"
        elif each is not disk and not each.children:
            yield f"partition {each.name}"
