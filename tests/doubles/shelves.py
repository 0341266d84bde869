"""Disks of a host and pools on them, for tests of what changes the tree of a pool.

A disk is known by its number: `sda` is number 0, its serial is `SER0000`, its link `ata-MODEL_SER0000`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.analysis.build import disk as vdev
from tests.analysis.build import group, in_class
from tests.analysis.build import pool as pool_of
from tests.doubles.plan_worlds import host
from tests.doubles.ways_out import with_sound_ways_out
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.system.disk_by_id import inventory

TB = 10**12
MODEL = "ST4000NM"
BY_ID = "/dev/disk/by-id/"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def kname(number: int) -> str:
    """`sda` for 0, `sdaa` for 26."""
    return f"sd{LETTERS[number // 26 - 1] if number >= 26 else ''}{LETTERS[number % 26]}"


def serial(number: int) -> str:
    return f"SER{number:04d}"


def link(number: int) -> str:
    """The name that ZFS is to be told."""
    return f"{BY_ID}ata-{MODEL}_{serial(number)}"


def blank(number: int, **values: object) -> Disk:
    """A disk with nothing on it: 4 TB, sectors of 512 B outside and 4 KiB inside."""
    name = kname(number)
    made = Disk(
        name, f"/dev/{name}", "disk", 4 * TB, model=MODEL, serial=serial(number),
        wwn=f"0x5000c500{number:08x}",
        logical_sector_bytes=512, physical_sector_bytes=4096, hctl=f"0:0:{number}:0",
    )  # fmt: skip
    return replace(made, **values)  # type: ignore[arg-type]


def parted(disk: Disk, *parts: Disk) -> Disk:
    """A disk with these partitions."""
    return replace(disk, children=parts)


def part(disk: Disk, number: int, **values: object) -> Disk:
    """A partition of a disk, of 1 TB, with nothing on it."""
    name = f"{disk.name}{number}"
    made = Disk(
        name, f"/dev/{name}", "part", TB, logical_sector_bytes=512, physical_sector_bytes=4096
    )  # fmt: skip
    return replace(made, **values)  # type: ignore[arg-type]


def used(number: int, pool: str = "tank", **values: object) -> Disk:
    """A disk that ZFS has, or had, whole: its two partitions, the label on the first."""
    disk = blank(number, **values)
    return parted(
        disk,
        part(disk, 1, size_bytes=partition_bytes(disk.size_bytes or 0), fstype="zfs_member", label=pool,
             partition_label="zfs-0123456789abcdef"),
        part(disk, 9, size_bytes=8 << 20),
    )  # fmt: skip


def shelf(*disks: Disk) -> Inventory:
    """The inventory with the links that udev makes: by model and serial, and by slot."""
    links = []
    for disk in disks:
        for base in (f"{BY_ID}ata-{disk.model}_{disk.serial}", f"/dev/disk/by-path/pci-0-scsi-{disk.hctl}"):
            if disk.serial or "by-path" in base:
                links.append((base, disk.name))
                links += [
                    (f"{base}-part{each.name.removeprefix(disk.name)}", each.name)
                    for each in disk.children
                    if each.type == "part"
                ]
    return inventory(disks, links)


def leaf(number: int, state: str = "ONLINE", **values: object) -> Vdev:
    """The vdev on a disk that ZFS has whole."""
    made = vdev(
        link(number).rpartition("/")[2], state, guid=1000 + number, path=f"{link(number)}-part1",
        physical_bytes=partition_bytes(4 * TB), configured_ashift=12,
    )  # fmt: skip
    return replace(made, **values)  # type: ignore[arg-type]


def mirror(index: int, *numbers: int, **values: object) -> Vdev:
    """A mirror on disks of these numbers."""
    made = group(f"mirror-{index}", *map(leaf, numbers), guid=500 + index, configured_ashift=12)
    return replace(made, **values)  # type: ignore[arg-type]


def raidz(index: int, parity: int, *numbers: int, **values: object) -> Vdev:
    """A raidz on disks of these numbers."""
    leaves = tuple(map(leaf, numbers))
    made = group(f"raidz{parity}-{index}", *leaves, guid=500 + index, configured_ashift=12)
    return replace(made, **values)  # type: ignore[arg-type]


def aux(number: int, vdev_class: str) -> Vdev:
    """A lone device of a class."""
    return in_class(leaf(number, "AVAIL" if vdev_class == "spare" else "ONLINE"), vdev_class)


def numbers_of(pool: Pool) -> set[int]:
    """The disks that a pool is on; a distributed spare is none."""
    return {
        each.guid - 1000
        for each in pool.walk()
        if each.type == "disk" and each.guid is not None and each.guid < 2**32
    }


def world(*tops: Vdev, spare_disks: int = 4, disks: Sequence[Disk] = (), **values: object) -> PlanFacts:
    """A host with one pool and some blank disks beside; `disks` stand in for those of their names."""
    pool = pool_of(*tops, **{"name": "tank", "ashift": 12, **_of_pool(values)})
    serving = numbers_of(pool)
    most = max(serving, default=-1) + 1 + spare_disks
    there = {kname(number): used(number) if number in serving else blank(number) for number in range(most)}
    there |= {disk.name: disk for disk in disks}
    given: dict[str, object] = {"labels": (), "pools": (pool,), "inventory": shelf(*there.values())}
    return host(**{**given, **values})


def _of_pool(values: dict[str, object]) -> dict[str, object]:
    """Take what is the pool's out of the values."""
    given = values.pop("pool", {})
    assert isinstance(given, dict)
    return given


def label(number: int, pool: str = "bulk", **values: object) -> DiskLabel:
    """The label on the first partition of a disk."""
    made = DiskLabel(f"{link(number)}-part1", pool, 77, 78, "exported", "old-host", "007f0101", txg=9)
    return replace(made, **values)  # type: ignore[arg-type]


def planned(facts: PlanFacts, action: str, target: str, *words: str, **options: str | bool) -> Plan:
    """The plan of an intent."""
    return with_sound_ways_out(plan(intent(action, target, *words, options=options), facts), facts)


def rules(made: Plan) -> list[str]:
    """Why a plan is refused."""
    return [each.rule for each in made.refusals]


def shape(pool: Pool | None) -> list[str]:
    """The leaves of a pool with their classes, sorted."""
    assert pool is not None
    return sorted(f"{top.vdev_class} {each.name}" for top in pool.vdevs for each in top.leaves())
