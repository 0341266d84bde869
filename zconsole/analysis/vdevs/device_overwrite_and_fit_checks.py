"""Safety checks of a device before ZFS may write to it.

ZFS makes most of these checks too, but only after it has partitioned the disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.dependencies.uses_by_guests import OFF_GUESTS
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity, stable_link
from zconsole.analysis.vdevs.leaf_vdevs_by_disk import leaves_near
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, JoiningDevice, device_of
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.fixed_width_formatting import moment, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.disk_and_inventory import ZFS_MEMBER, Disk
from zconsole.model.pools.pool import GONE_STATES, Pool, Vdev

LEAST_BYTES: Final = 64 << 20  # SPA_MINDEVSIZE
LABEL_BYTES: Final = 256 << 10  # sizes are rounded down to this
OVERHEAD_BYTES: Final = 4608 << 10  # labels and boot area of a leaf
OWN_PARTITION_BYTES: Final = 8 << 20  # of the small partition at the end of a disk
OWN_PARTITION_LABEL: Final = "zfs"
SWAP: Final = "[SWAP]"
_SIGNATURES: Final = {
    "crypto_LUKS": "a LUKS header: the data that it encrypts would be lost permanently",
    "LVM2_member": "a physical volume of LVM",
    "linux_raid_member": "a member of an md array",
    "swap": "a swap area",
    "isw_raid_member": "a member of a firmware RAID",
    "ddf_raid_member": "a member of a firmware RAID",
}


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether size and sectors of a device suit a vdev."""

    objections: tuple[DeviceObjection, ...] = ()
    warnings: tuple[str, ...] = ()
    ashift: int | None = None  # explicit ashift for ZFS, which would choose another one and refuse
    has_slow_sectors: bool = False  # physical sectors larger than the blocks of the vdev


def objections(device: JoiningDevice, facts: PlanFacts) -> Iterator[DeviceObjection]:
    """Objections to writing to a device, for any purpose."""
    serving = tuple(_in_pools(device, facts))
    yield from serving
    if device.disk is None:
        return
    yield from _in_use(device.disk, facts)
    if not serving:  # its label is that of the pool it serves
        yield from _written(device, facts)
    if device.is_whole:
        yield from _partitions(device.disk)
    usable = device.usable_bytes
    if usable is not None and usable < LEAST_BYTES:
        yield DeviceObjection(
            "too-small", f"{device.in_words}: ZFS accepts no device below {size(LEAST_BYTES)}"
        )


def twice(devices: Sequence[JoiningDevice]) -> Iterator[DeviceObjection]:
    """Objections to the same disk being named more than once."""
    seen: dict[tuple[str, ...], JoiningDevice] = {}
    for device in devices:
        first = seen.get(device.identity)
        if first is not None:
            same = "is named twice" if first.path == device.path else f"and {first.path} are the same disk"
            yield DeviceObjection("twice", f"{device.path} {same}: {device.in_words}", "name different disks")
        seen[device.identity] = device
    wholes = {disk_identity(device.whole): device for device in devices if device.is_whole and device.whole}
    for device in devices:
        if device.whole is not None and not device.is_whole:
            whole = wholes.get(disk_identity(device.whole))
            if whole is not None:
                yield DeviceObjection("twice", f"{device.path} is a partition of {whole.path}")


def fit(device: JoiningDevice, top: Vdev) -> Fit:
    """Whether a device suits a top-level vdev: size, and sectors against the ashift."""
    found: list[DeviceObjection] = []
    warnings: list[str] = []
    needed, of = least_bytes(top)
    usable = device.usable_bytes
    if usable is None or needed is None:
        warnings.append(f"whether {device.path} is large enough is not known; ZFS refuses it if it is not")
    elif _aligned(usable) < _aligned(needed):
        found.append(
            DeviceObjection(
                "too-small", f"{device.in_words}: ZFS would have {size(usable)} of it, "
                f"{size(needed - usable)} less than {of} ({needed} B)",
                "take a disk that is as large; one that is smaller by less than a metaslab ZFS may take by "
                "hand, after the next import of the pool",
            )
        )  # fmt: skip
    sectors = sector_fit(device, ashift_of(top), top.name)
    return replace(sectors, objections=(*found, *sectors.objections), warnings=(*warnings, *sectors.warnings))


def sector_fit(device: JoiningDevice, ashift: int | None, where: str) -> Fit:
    """Whether a device's sectors suit an ashift: larger physical ones cost speed."""
    disk = device.disk
    if disk is None or disk.logical_sector_bytes is None:
        return Fit()
    logical = disk.logical_sector_bytes
    physical = disk.physical_sector_bytes or logical
    if ashift is None:
        if logical <= 512:
            return Fit()
        unknown = (
            f"the ashift of {where} is not known; {device.path} has sectors of {logical} B, and ZFS "
            "refuses it if that is more than the blocks of the vdev"
        )
        return Fit(warnings=(unknown,))
    block = 1 << ashift
    if logical > block:
        return Fit((
            DeviceObjection(
                "sector-size", f"{device.in_words} has sectors of {logical} B, and {where} writes blocks of "
                f"{block} B (ashift {ashift}): it cannot", "take a disk with smaller sectors",
            ),
        ))  # fmt: skip
    if physical > block:
        slow = (
            f"{device.in_words} has physical sectors of {physical} B, and {where} writes blocks of "
            f"{block} B (ashift {ashift}): small writes to it are slow for as long as it serves there"
        )
        return Fit(warnings=(slow,), ashift=ashift, has_slow_sectors=True)
    return Fit()


def least_bytes(top: Vdev) -> tuple[int | None, str]:
    """Required bytes of a device in a vdev, and the smallest sibling that defines them."""
    known = [
        (leaf.physical_bytes, leaf.name)
        for leaf in top.leaves()
        if leaf.physical_bytes and leaf.type != "dspare"
    ]
    if known:
        least, name = min(known)
        return least, f"the smallest device of {top.name}, {name}" if top.children else name
    if not top.size_bytes or top.type.startswith("draid"):
        return None, ""
    width = len(top.children) if top.type.startswith("raidz") else 1
    return -(-top.size_bytes // width) + OVERHEAD_BYTES, f"a device of {top.name} must have"


def label_of(device: JoiningDevice, facts: PlanFacts) -> DiskLabel | None:
    """The ZFS label on a device or its partitions, as far as read."""
    return next(iter(labels_on(device, facts)), None)


def labels_on(device: JoiningDevice, facts: PlanFacts) -> tuple[DiskLabel, ...]:
    """Every ZFS label on a device and its partitions, as far as read."""
    names = {part.name for part in device.disk.walk()} if device.disk is not None else set()
    return tuple(
        label
        for label in facts.labels or ()
        if label.path == device.path
        or (facts.inventory is not None and facts.inventory.kernel_name(label.path) in names)
    )


def unread_labels(device: JoiningDevice, facts: PlanFacts) -> tuple[str, ...]:
    """Locations of possible labels on a device that could not be read."""
    return tuple(path for path in label_paths(device) if path in facts.labels_unread)


def label_paths(device: JoiningDevice) -> tuple[str, ...]:
    """Locations of possible labels: the device and its partitions."""
    if device.disk is None:
        return (device.path,)
    parts = [part for part in device.disk.walk() if part.type in {"part", device.disk.type}]
    links = (stable_link(part) for part in parts if part.fstype == ZFS_MEMBER or _may_bear_one(part))
    return tuple(dict.fromkeys(filter(None, links)))


def _may_bear_one(part: Disk) -> bool:
    """Whether it may have a ZFS label that nothing else detected."""
    return not part.fstype and part.size_bytes != OWN_PARTITION_BYTES


def label_in_words(label: DiskLabel) -> str:
    """`the label of pool bulk, exported, last written 2026-11-20 04:12 UTC by storage7 (hostid 007f0101)`."""
    words = [f"the label of pool {label.pool}" if label.pool else "a ZFS label", label.state]
    when = ""
    if label.last_written is not None:
        when = moment(label.last_written, " last written %Y-%m-%d %H:%M UTC")
    elif label.txg:
        when = f" last written in txg {label.txg}"
    by = f" by {label.hostname}" if label.hostname else ""
    hostid = f" (hostid {label.hostid})" if label.hostid else ""
    return ", ".join(filter(None, (*words, f"{when}{by}{hostid}".strip())))


def member_of(device: JoiningDevice, facts: PlanFacts) -> tuple[Pool, Vdev] | None:
    """The imported pool and vdev on a device, also as a spare or cache, by any path."""
    if device.disk is None:
        return next(((pool, leaf) for pool, leaf in facts.leaves() if leaf.path == device.path), None)
    names = {part.name for part in device.disk.walk()}
    for pool, leaf in leaves_near(device, facts):
        there = device_of(leaf.path or "", facts.inventory)
        if there is None or there.disk is None:
            continue
        is_same = there.disk.name in names or there.identity == device.identity
        is_around = device.disk.name in {part.name for part in there.disk.walk()}
        is_beside = device.is_whole and there.whole is not None and device.whole is not None
        if is_same or is_around or (is_beside and _same_disk(there, device)):
            return pool, leaf
    return None


def _same_disk(one: JoiningDevice, other: JoiningDevice) -> bool:
    return one.whole is not None and other.whole is not None and (
        disk_identity(one.whole) == disk_identity(other.whole)
    )  # fmt: skip


def _aligned(partition: int) -> int:
    return partition // LABEL_BYTES * LABEL_BYTES


def _in_pools(device: JoiningDevice, facts: PlanFacts) -> Iterator[DeviceObjection]:
    found = member_of(device, facts)
    if found is None:
        return
    pool, leaf = found
    if leaf.state in GONE_STATES and not _bears_zfs(device):
        return  # another disk has replaced the old one
    role = {"spare": "as a spare", "cache": "as a cache"}.get(leaf.vdev_class, f"as {leaf.name}")
    yield DeviceObjection("in-use", f"{device.in_words} serves in the pool {pool.name} {role} ({leaf.state})",
                    "take a disk that no pool uses")  # fmt: skip


def _bears_zfs(device: JoiningDevice) -> bool:
    return device.disk is not None and any(part.fstype == ZFS_MEMBER for part in device.disk.walk())


def _in_use(disk: Disk, facts: PlanFacts) -> Iterator[DeviceObjection]:
    """Mounts, swap and holders of the device and its children."""
    for part in disk.walk():
        for point in part.mountpoints:
            if point == SWAP:
                yield DeviceObjection("swap", f"{part.name} is swap space in use", f"swapoff {part.path}")
            else:
                yield DeviceObjection("mounted", f"{part.name} is mounted at {point}", f"umount {point}")
        for holder in part.children:
            if holder.type != "part":
                link = stable_link(holder)
                yield DeviceObjection(
                    "holder", f"{part.name} is held by {holder.type} {holder.path}",
                    f"take {link} itself" if link and holder.type in {"mpath", "crypt"} else "close it first",
                )  # fmt: skip
        paths = {part.path, *part.links}
        for use in facts.uses or ():
            if use.is_running and use.object in paths:
                yield DeviceObjection(
                    "held-open", f"{part.name} is in use by {use.kind} {use.name} {use.detail}".strip()
                )
            elif use.kind in OFF_GUESTS and use.object in paths:
                yield DeviceObjection(
                    "held-open", f"{part.name} is a disk of guest {use.name}, which is {use.detail}",
                    "take it out of that definition first",
                )  # fmt: skip


def _written(device: JoiningDevice, facts: PlanFacts) -> Iterator[DeviceObjection]:
    """Existing contents: file systems, LUKS, LVM, md, another pool."""
    label = label_of(device, facts)
    disk = device.disk
    unread = [path for path in unread_labels(device, facts) if path not in facts.labels_barred]
    if unread:
        yield DeviceObjection(
            "label-unknown", f"{device.in_words}: the ZFS label of {', '.join(unread)} cannot be read",
            f"read the label as root: zdb -l {unread[0]}",
        )  # fmt: skip
    elif label is not None or _bears_zfs(device):
        yield _pool_on_it(device, label, facts)
    for part in disk.walk() if disk is not None else ():
        if part.type not in {"part", disk.type if disk else ""} or part.fstype in {"", ZFS_MEMBER}:
            continue
        named = f" {part.label!r}" if part.label else ""
        kind = _SIGNATURES.get(part.fstype, f"a file system: {part.fstype}")
        yield DeviceObjection("signature", f"{part.name} ({device.in_words}) bears{named} {kind}",
                        "if nothing on it is needed, wipe it by hand; wipefs shows what it is")  # fmt: skip


def _pool_on_it(device: JoiningDevice, label: DiskLabel | None, facts: PlanFacts) -> DeviceObjection:
    serial = device.whole.serial if device.whole is not None else ""
    clear = f"labelclear {serial or device.path}"
    if label is None:
        named = device.disk.walk() if device.disk is not None else ()
        pools = {part.label for part in named if part.fstype == ZFS_MEMBER and part.label}
        whose = f" of pool {' and '.join(sorted(pools))}" if pools else ""
        return DeviceObjection(
            "zfs-label",
            f"{device.in_words} bears a ZFS label{whose} that was not read",
            f"find out whether that pool is in use, also by another host; if nowhere, {clear}",
        )
    home = next((pool for pool in facts.pools if pool.guid == label.pool_guid and pool.guid), None)
    if home is not None:
        return DeviceObjection(
            "zfs-label", f"{device.in_words} bears {label_in_words(label)}: "
            f"it was part of {home.name}, which is imported",
            f"bring it back there with online if it belongs to it; otherwise {clear}",
        )  # fmt: skip
    is_destroyed = label.state == "destroyed"
    return DeviceObjection(
        "zfs-label" if is_destroyed else "foreign-pool", f"{device.in_words} bears {label_in_words(label)}",
        f"if that pool is not needed any more, {clear}" if is_destroyed or label.state == "exported"
        else f"find out where that pool is in use; if nowhere, {clear}",
    )  # fmt: skip


def _partitions(disk: Disk) -> Iterator[DeviceObjection]:
    """Partitions not made by ZFS, which a new partition table would remove."""
    foreign = [part for part in disk.children if part.type == "part" and not _is_own(part)]
    if foreign:
        names = ", ".join(f"{part.name} {size(part.size_bytes)}" for part in foreign)
        yield DeviceObjection("partitions", f"{disk.name} has partitions: {names}",
                        "if nothing on them is needed, delete them by hand; or name one of them")  # fmt: skip


def _is_own(part: Disk) -> bool:
    """Whether ZFS made a partition: the one with its label, or the small one after it."""
    is_last = part.name.removesuffix("9") != part.name and part.size_bytes == OWN_PARTITION_BYTES
    return part.partition_label.startswith(OWN_PARTITION_LABEL) or part.fstype == ZFS_MEMBER or is_last
