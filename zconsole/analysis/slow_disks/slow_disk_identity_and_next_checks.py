"""Advice on a slow disk: its identity, ZFS's own counters, and next checks."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.slow_disks.load.load_in_a_queue import MORE
from zconsole.analysis.slow_disks.peer_groups import LONE, MIRROR, DisksOfVdevs
from zconsole.analysis.vdevs.enclosure_bays import Bays
from zconsole.base.fixed_width_formatting import latency
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.pools.slow_disk import (
    LONG_TAIL,
    READ,
    STALLING,
    WRITE,
    WRITE_COLLAPSE,
    Quantile,
    SlowDiskVerdict,
)

SMR_RATIO = 3.0  # of writes, from which shingled recording is a likely cause
NOT_LIVE = "Only with the pool exported or the host shut down"
_BY_VDEV = "/dev/disk/by-vdev/"
_BY_PATH = "/dev/disk/by-path/"


@dataclass(frozen=True, slots=True)
class DiskIdentity:
    """Identification of a disk and ZFS's counters; empty and None when unknown."""

    serial: str = ""
    model: str = ""
    device: str = ""  # present kernel name
    slot: str = ""
    slow_ios: int | None = None
    bay: str = ""  # of its enclosure


def identify(disk: str, vdev: str, pool: Pool | None, inventory: Inventory | None) -> DiskIdentity:
    """The identity of a disk named as in `zpool status`."""
    leaf = next(
        (
            leaf
            for top in (pool.vdevs if pool is not None else ())
            if top.name == vdev
            for leaf in top.leaves()
            if leaf.name == disk
        ),
        None,
    )
    if leaf is None:
        return DiskIdentity()
    slow_ios = None if leaf.slow_ios is None else leaf.slow_ios.value
    found = DisksOfVdevs(inventory or Inventory()).of(leaf)
    if found is None:
        return DiskIdentity(slot=leaf.phys_path or "", slow_ios=slow_ios)
    device, slot = f"/dev/{found.name}", _slot(leaf, found)
    place = Bays(inventory or Inventory()).place(found)
    bay = place.name if place is not None else ""
    return DiskIdentity(found.serial, found.model, device, slot, slow_ios, bay)


def share(part: float) -> str:
    """`99%`, `99.9%`."""
    return f"{100 * part:g}%"


def who_waits(one: Quantile, verdict: SlowDiskVerdict) -> str:
    """Effect of the slowest I/Os: who waits for them, and how often at least."""
    if verdict.shape == LONE or (verdict.shape == MIRROR and one.operation == READ):
        return f"1 in {one.one_in} {one.operation}s of this disk takes so long"
    which = "" if verdict.shape == MIRROR else " on this disk"
    return f"1 in {one.one_in} {one.operation}s of {verdict.vdev}{which} or more waits so long for this disk"


def spread(quantiles: Sequence[Quantile]) -> str:
    """Quantiles of one operation and of the peers: `within 50% 8.4 ms, 99% 268 ms; its peers 8.4, 34 ms`."""
    own = ", ".join(f"{share(one.share)} {latency(one.value_ns)}" for one in quantiles)
    reference = [latency(one.reference_ns) for one in quantiles]
    units = [each.rpartition(" ")[2] for each in reference]
    peers = ", ".join(
        each.removesuffix(f" {unit}") if unit == following else each
        for each, unit, following in zip(reference, units, [*units[1:], ""], strict=True)
    )
    return f"within {own}; its peers {peers}"


def next_checks(verdict: SlowDiskVerdict, seen: DiskIdentity) -> tuple[str, ...]:
    """Things to check, the likeliest first."""
    device = seen.device or "DEVICE"
    checks: list[str] = []
    if verdict.compared and (more := verdict.load_ratio or 1.0) >= MORE:
        checks.append(
            f"its load: it does {more:.1f} times the operations of its peers, and is slower than a queue of "
            "so many explains, if they come evenly"
        )
    if verdict.kind == WRITE_COLLAPSE:
        model = seen.model or "the model"
        checks.append(f"whether {model} is an SMR drive: these write slowly once their cache is full")
    elif verdict.ratio >= SMR_RATIO and {one.operation for one in verdict.compared} == {WRITE}:
        checks.append(
            f"whether {seen.model or 'it'} is an SMR drive: written without a pause these write slowly or "
            "stop for seconds, and read as ever; a failing disk reads slowly too"
        )
    if verdict.kind == LONG_TAIL:
        checks.append(
            f"what else uses {device}, and whether its firmware has known pauses: few I/Os are slow"
        )
    if verdict.kind == STALLING:
        checks.append(f"the kernel's log for timeouts and resets of {device} (dmesg)")
    checks.append(
        f"smartctl -x {device}: pending and reallocated sectors, errors in its log, interface CRC errors"
    )
    checks.append("CRC errors that grow: the cable, the backplane or the slot; else the disk itself")
    if verdict.is_pair:
        checks.append(
            f"exchange the slots of {verdict.disk} and {verdict.peers[0]}: does the slot stay slow? "
            f"{NOT_LIVE}: a mirror with both of its disks out suspends the pool"
        )
    else:
        checks.append(
            f"another slot: if whatever is in the old one is slow then, it is not the disk. {NOT_LIVE}"
        )
    return tuple(checks)


def pause_checks(pool: str) -> tuple[str, ...]:
    """Things to check where several disks do not answer at the same time."""
    return (
        f"zpool status {pool}: whether the pool is suspended; zpool events: deadman and delay",
        "the kernel's log (dmesg) for resets and timeouts of a controller at that time",
        f"what these disks share: controller (HBA), its cable, backplane or shelf, power. {NOT_LIVE}",
        "in a virtual machine: whether the storage of its host stood still",
        "the disks come last (SMART data): several seldom fail at the same moment",
    )


def _slot(leaf: Vdev, disk: Disk) -> str:
    for folder in (_BY_VDEV, _BY_PATH):
        for link in disk.links:
            if link.startswith(folder):
                return link.removeprefix(folder)
    return leaf.phys_path or disk.hctl
