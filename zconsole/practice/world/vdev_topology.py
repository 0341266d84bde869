"""Vdev trees from the words of `zpool create`, how large they are, and pools from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from zconsole.practice.world import disk_space
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.feature_flags import FEATURES, FROM_THE_START
from zconsole.practice.world.pools_and_vdevs import (
    BY_ID,
    Draid,
    DriveKind,
    PracticeDisk,
    PracticePool,
    PracticeVdev,
    prepare,
)
from zconsole.practice.world.world import CREATING, KERNEL, KERNEL_BUILD, SOFTWARE, World

CLASS_WORDS: Final = {
    "special": "special",
    "dedup": "dedup",
    "log": "log",
    "logs": "log",
    "cache": "l2cache",
    "spare": "spare",
    "spares": "spare",
}
_RAIDZ: Final = re.compile(r"raidz([123]?)$")
_DRAID: Final = re.compile(r"draid([123]?):(\d+)d:(\d+)c:(\d+)s$")
_TYPICAL_BLOCK: Final = 1 << 17
_L2_HEADER: Final = 4096  # bytes of a cache device that hold no data
_MOST_AUTO_ASHIFT: Final = 14
LAB_HOST: Final = "storage24"
FRESH: Final = 311_296  # bytes that a new pool has allocated on each vdev for metadata, more or less
_LAB_WWN: Final = 0x5000C500A0000000


@dataclass(slots=True)
class Spec:
    """A new tree before it belongs to a pool."""

    tops: list[PracticeVdev] = field(default_factory=list)
    spares: list[PracticeVdev] = field(default_factory=list)
    caches: list[PracticeVdev] = field(default_factory=list)

    def leaves(self) -> list[PracticeVdev]:
        """Every device of it."""
        return [*(leaf for top in self.tops for leaf in top.leaves()), *self.spares, *self.caches]


def vdev_spec(world: World, words: Iterable[str], ashift: int = 12) -> Spec:
    """Build what `words` say; devices are named as `World.disk` knows them."""
    spec, vdev_class, group = Spec(), "normal", None
    for word in words:
        made = _group(world, word)
        if word in CLASS_WORDS:
            vdev_class, group = CLASS_WORDS[word], None
        elif made is not None:
            group = made
            group.vdev_class = vdev_class
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


def _group(world: World, word: str) -> PracticeVdev | None:
    if word == "mirror":
        return PracticeVdev("mirror", world.guid())
    if raidz := _RAIDZ.match(word):
        return PracticeVdev("raidz", world.guid(), parity=int(raidz[1] or 1))
    if draid := _DRAID.match(word):
        layout = Draid(data=int(draid[2]), spares=int(draid[4]))
        return PracticeVdev("draid", world.guid(), parity=int(draid[1] or 1), draid=layout)
    return None


def new_leaf(world: World, disk: PracticeDisk, vdev_class: str) -> PracticeVdev:
    """Label a drive for a pool."""
    prepare(disk)
    disk.seconds_linked = world.now
    return PracticeVdev(
        "disk", world.guid(), vdev_class=vdev_class, disk=disk, path=f"{BY_ID}{disk.link}-part1"
    )


def partition_bytes(leaf: PracticeVdev) -> int:
    """The size of the partition that a leaf stands on."""
    if leaf.kind == "dspare":
        return leaf.asize
    return leaf.disk.data_bytes if leaf.disk else 0


def auto_ashift(disk: PracticeDisk) -> int:
    """The ashift that ZFS chooses for a drive by itself."""
    return min(_MOST_AUTO_ASHIFT, max(9, disk.sectors[1].bit_length() - 1))


def measure(top: PracticeVdev, ashift: int = 12) -> None:
    """Number the children of a top-level vdev and find its size and deflate ratio."""
    for index, child in enumerate(top.children):
        child.vdev_id = index
    for vdev in top.walk():
        vdev.ashift = ashift
    top.asize = asize_of(top, min(disk_space.leaf_asize(partition_bytes(leaf)) for leaf in top.leaves()))
    top.ms_shift = disk_space.metaslab_shift(top.asize)
    top.ratio = 512
    width = len(top.children)
    if top.draid is not None:
        allocation = disk_space.draid_allocation(_TYPICAL_BLOCK, ashift, top.draid.data, top.parity)
        top.ratio = disk_space.deflate_ratio(allocation)
    elif top.kind == "raidz":
        top.ratio = disk_space.deflate_ratio(
            disk_space.raidz_allocation(_TYPICAL_BLOCK, ashift, width, top.parity)
        )


def asize_of(top: PracticeVdev, smallest: int) -> int:
    """What a top-level vdev offers when its smallest device offers `smallest` bytes."""
    if top.draid is not None:
        group = top.draid.data + top.parity
        return disk_space.draid_asize(smallest, len(top.children), top.draid.spares, group)
    return smallest * len(top.children) if top.kind == "raidz" else smallest


def expandable(top: PracticeVdev) -> int:
    """Bytes by which a vdev could grow, since all its drives are larger than when it was made."""
    disks = [leaf.disk for leaf in top.leaves() if leaf.kind == "disk"]
    if top.is_expanding or not disks or any(disk is None for disk in disks):
        return 0
    sizes = [
        disk_space.data_partition(disk.size)[1] * disk_space.SECTOR for disk in disks if disk is not None
    ]
    grown = asize_of(top, disk_space.leaf_asize(min(sizes))) - top.asize
    return max(0, grown >> top.ms_shift << top.ms_shift)


def cache_bytes(leaf: PracticeVdev) -> int:
    """What a cache device holds."""
    return disk_space.leaf_asize(partition_bytes(leaf)) - _L2_HEADER


def enlist(world: World, pool: PracticePool, spec: Spec) -> None:
    """Make new vdevs part of a pool; each gets the lowest number that is free."""
    for top in spec.tops:
        taken = {other.vdev_id for other in pool.root.children}
        top.vdev_id = next(number for number in range(len(taken) + 1) if number not in taken)
        pool.root.children.append(top)
        if top.draid is not None:
            pool.spares += _distributed_spares(world, top, top.draid)
    pool.root.children.sort(key=lambda top: top.vdev_id)
    for cache in spec.caches:
        cache.asize = cache_bytes(cache)
    pool.caches += spec.caches
    pool.spares += spec.spares
    for number, leaf in enumerate(pool.caches):
        leaf.vdev_id = number
    features = set(pool.active_features)
    features |= {"allocation_classes"} if pool.tops("special", "dedup") else set()
    features |= {"draid"} if any(top.draid for top in pool.present) else set()
    pool.active_features = frozenset(features)


def _distributed_spares(world: World, top: PracticeVdev, layout: Draid) -> list[PracticeVdev]:
    size = min(partition_bytes(leaf) for leaf in top.leaves())
    return [
        PracticeVdev(
            "dspare",
            world.guid(),
            vdev_class="spare",
            path=f"draid{top.parity}-{top.vdev_id}-{number}",
            asize=size,
        )
        for number in range(layout.spares)
    ]


def make_pool(
    world: World,
    name: str,
    spec: Spec,
    *,
    properties: Mapping[str, str] | None = None,
    at: float | None = None,
) -> PracticePool:
    """A pool of these vdevs, with its root dataset; `properties` are those of the dataset."""
    created = int(world.now if at is None else at)
    pool = PracticePool(name, PracticeVdev("root", world.guid()), created)
    enlist(world, pool, spec)
    pool.load_guid = world.guid()
    pool.imported_at = world.elapsed
    pool.hostname, pool.hostid, pool.accessed_at = world.hostname, world.hostid, created
    pool.active_features |= FROM_THE_START
    world.pools[name] = pool
    world.pools = dict(sorted(world.pools.items()))
    pool.datasets[name] = PracticeDataset(
        name,
        "filesystem",
        world.guid(),
        createtxg=1,
        creation=created,
        objset=54,
        properties=dict(properties or {}),
    )
    pool.next_object = 55
    return pool


def use_first(pool: PracticePool) -> None:
    """Allocate what every new pool holds: metadata, on special vdevs where there are some."""
    for top in pool.tops("special") or pool.tops("normal"):
        top.allocated = FRESH


def create_pool(
    world: World,
    name: str,
    words: Iterable[str],
    *,
    properties: dict[str, str] | None = None,
    at: float | None = None,
) -> PracticePool:
    """What a `zpool create` of some time ago left; devices are named as `World.disk` knows them."""
    words = tuple(words)
    pool = make_pool(world, name, vdev_spec(world, words), properties=properties, at=at)
    pool.properties["ashift"] = "12"
    record_creation(world, pool, at=pool.created)
    options = " ".join(f"-O {key}={value}" for key, value in (properties or {}).items())
    devices = " ".join(_path(world, word) if _is_device(world, word) else word for word in words)
    world.note(
        pool,
        f"zpool create -o ashift=12 {options + ' ' if options else ''}{name} {devices}",
        at=pool.created + 2,
    )
    return pool


def record_creation(world: World, pool: PracticePool, *, at: float) -> None:
    """Write the first internal records of a new pool, and tell of it."""
    host = world.hostname
    build = f"{SOFTWARE}; uts {host} {KERNEL} {KERNEL_BUILD} x86_64"
    world.report(pool, "sysevent.fs.zfs.pool_create", at=at, context=CREATING)
    ashift = pool.properties.get("ashift")
    enabled = [feature for feature in FEATURES if feature not in pool.disabled_features]
    for internal, text in (
        ("create", f"pool version 5000; software version {build}"),
        *([("set", f"ashift={ashift}")] if ashift else []),
        *(("set", f"feature@{feature}=enabled") for feature in enabled),
    ):
        world.history_event(pool, internal, text, txg=4, at=at)


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
            PracticeDisk(
                kname=kname,
                size=size,
                serial=serial,
                model="LABDISK",
                wwn=f"0x{wwn:x}",
                links=(f"wwn-0x{wwn:x}", f"scsi-3{wwn:x}"),
                major=8,
                minor=16 * number,
                drive=DriveKind.SSD,
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
        use_first(made)
    return world
