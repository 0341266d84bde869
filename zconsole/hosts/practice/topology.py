"""Vdev trees from the words of `zpool create`, and pools from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from zconsole.hosts.practice import space
from zconsole.hosts.practice.dataset import Dataset
from zconsole.hosts.practice.features import ACTIVE, FEATURES
from zconsole.hosts.practice.tree import BY_ID, Disk, Drive, Pool, Vdev, prepare
from zconsole.hosts.practice.world import CREATING, KERNEL, KERNEL_BUILD, SOFTWARE, World

_CLASSES: Final = {
    "special": "special",
    "dedup": "dedup",
    "log": "log",
    "logs": "log",
    "cache": "l2cache",
    "spare": "spare",
    "spares": "spare",
}
_RAIDZ: Final = re.compile(r"raidz([123]?)$")
_TYPICAL_BLOCK: Final = 1 << 17
_L2_HEADER: Final = 4096  # bytes of a cache device that hold no data
LAB_HOST: Final = "storage24"
_FRESH: Final = 311_296  # bytes that a new pool has allocated on each vdev, more or less
_LAB_WWN: Final = 0x5000C500A0000000


@dataclass(slots=True)
class Spec:
    """A new tree before it belongs to a pool."""

    tops: list[Vdev] = field(default_factory=list)
    spares: list[Vdev] = field(default_factory=list)
    caches: list[Vdev] = field(default_factory=list)


def vdev_spec(world: World, words: Iterable[str], ashift: int = 12) -> Spec:
    """Build what `words` say; devices are named as `World.disk` knows them."""
    spec, vdev_class, group = Spec(), "normal", None
    for word in words:
        raidz = _RAIDZ.match(word)
        if word in _CLASSES:
            vdev_class, group = _CLASSES[word], None
        elif word == "mirror":
            group = Vdev("mirror", world.guid(), vdev_class=vdev_class)
            spec.tops.append(group)
        elif raidz:
            group = Vdev("raidz", world.guid(), parity=int(raidz[1] or 1), vdev_class=vdev_class)
            spec.tops.append(group)
        else:
            leaf = new_leaf(world, world.disk(word), vdev_class)
            if group is not None:
                group.children.append(leaf)
            else:
                {"spare": spec.spares, "l2cache": spec.caches}.get(vdev_class, spec.tops).append(leaf)
    for top in spec.tops:
        measure(top, ashift)
    return spec


def new_leaf(world: World, disk: Disk, vdev_class: str) -> Vdev:
    """Label a drive for a pool."""
    prepare(disk)
    disk.seconds_linked = world.now
    return Vdev("disk", world.guid(), vdev_class=vdev_class, disk=disk, path=f"{BY_ID}{disk.link}-part1")


def partition_bytes(leaf: Vdev) -> int:
    """The size of the partition that a leaf stands on."""
    return space.data_partition(leaf.disk.size)[1] * space.SECTOR if leaf.disk else 0


def measure(top: Vdev, ashift: int = 12) -> None:
    """Number the children of a top-level vdev and find its size and deflate ratio."""
    for index, child in enumerate(top.children):
        child.vdev_id = index
    smallest = min(space.leaf_asize(partition_bytes(leaf)) for leaf in top.leaves())
    top.asize = smallest
    top.ratio = 512
    if top.kind == "raidz":
        width = len(top.children)
        top.asize = smallest * width
        top.ratio = space.deflate_ratio(space.raidz_allocation(_TYPICAL_BLOCK, ashift, width, top.parity))


def cache_bytes(leaf: Vdev) -> int:
    """What a cache device holds."""
    return space.leaf_asize(partition_bytes(leaf)) - _L2_HEADER


def create_pool(
    world: World,
    name: str,
    words: Iterable[str],
    *,
    properties: dict[str, str] | None = None,
    at: float | None = None,
) -> Pool:
    """Do what `zpool create` does."""
    words = tuple(words)
    spec = vdev_spec(world, words)
    root = Vdev("root", world.guid(), children=spec.tops)
    for index, top in enumerate(spec.tops):
        top.vdev_id = index
    for number, cache in enumerate(spec.caches):
        cache.vdev_id, cache.asize = number, cache_bytes(cache)
    created = int(world.now if at is None else at)
    pool = Pool(name, root, created, spares=spec.spares, caches=spec.caches)
    pool.load_guid = world.guid()
    pool.imported_at = world.elapsed
    pool.active_features = ACTIVE | ({"allocation_classes"} if pool.tops("special", "dedup") else set())
    world.pools[name] = pool
    world.pools = dict(sorted(world.pools.items()))
    local = dict(properties or {})
    pool.datasets[name] = Dataset(
        name, "filesystem", world.guid(), createtxg=1, creation=created, objset=54, properties=local
    )
    pool.next_object = 55
    _record_creation(world, pool, words, local, at=created)
    return pool


def _record_creation(
    world: World, pool: Pool, words: tuple[str, ...], properties: dict[str, str], *, at: int
) -> None:
    host = world.hostname
    build = f"{SOFTWARE}; uts {host} {KERNEL} {KERNEL_BUILD} x86_64"
    world.report(pool, "sysevent.fs.zfs.pool_create", at=at, context=CREATING)
    for internal, text in (
        ("create", f"pool version 5000; software version {build}"),
        ("set", f"ashift={pool.ashift}"),
        *(("set", f"feature@{feature}=enabled") for feature in FEATURES),
    ):
        world.history_event(pool, internal, text, txg=4, at=at)
    options = " ".join(f"-O {key}={value}" for key, value in properties.items())
    devices = " ".join(
        word if word in _CLASSES or not _is_device(world, word) else _path(world, word) for word in words
    )
    world.note(
        pool,
        f"zpool create -o ashift={pool.ashift} {options + ' ' if options else ''}{pool.name} {devices}",
        at=at + 2,
    )


def _is_device(world: World, word: str) -> bool:
    try:
        world.disk(word)
    except KeyError:
        return False
    return True


def _path(world: World, word: str) -> str:
    return BY_ID + world.disk(word).link


def lab_disks(world: World, count: int, size: int) -> None:
    """A shelf of the drives that test guests have."""
    for number in range(count):
        serial, wwn = f"LAB{number:04d}", _LAB_WWN + number
        kname = "sd" + "abcdefghijklmnopqrstuvwxyz"[number]
        world.disks.append(
            Disk(
                kname=kname,
                size=size,
                serial=serial,
                model="LABDISK",
                wwn=f"0x{wwn:x}",
                links=(f"wwn-0x{wwn:x}", f"scsi-3{wwn:x}"),
                major=8,
                minor=16 * number,
                drive=Drive.SSD,
                vendor="QEMU    ",
                rev="2.5+",
                tran=None,
                hctl=f"0:0:{number}:0",
                phys_path=f"pci-0000:00:04.0-scsi-0:0:{number}:0",
                devid=f"scsi-3{wwn:x}",
                sectors=(512, 512),
                rotates=True,
                seconds_linked=world.now,
            )
        )


def create_world(  # noqa: PLR0913 - all but the layout have defaults
    layout: str,
    *,
    pool: str = "tank",
    disks: int = 14,
    disk_size: int = 8 << 30,
    now: float = 1_795_219_200.0,
    seed: int = 1,
) -> World:
    """A host with a shelf of equal drives and one pool; `layout` names drives by their number.

    `create_world("mirror 0 1 mirror 2 3 special mirror 4 5 log 6 cache 7 spare 8")`
    """
    world = World(LAB_HOST, now=now, seed=seed)
    lab_disks(world, disks, disk_size)
    if layout:
        words = [f"LAB{int(word):04d}" if word.isdigit() else word for word in layout.split()]
        made = create_pool(world, pool, words, properties={"compression": "lz4"})
        for vdev in (*made.root.children, *made.caches):
            vdev.allocated = _FRESH
    return world
