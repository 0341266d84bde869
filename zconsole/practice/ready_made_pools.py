"""Pools that a practice world begins with: of the host, and of another host on its drives."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Final

from zconsole.practice.world.drives import BY_ID, DriveKind, PracticeDisk
from zconsole.practice.world.host_world import World
from zconsole.practice.world.new_pools_and_vdevs import Spec, make_pool, record_creation, use_first
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.vdev_sizes import measure
from zconsole.practice.zpool_vdevs.vdev_specification import label, read_words

_LAB_HOST: Final = "storage24"
_LAB_WWN: Final = 0x5000C500A0000000


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
    world = World(_LAB_HOST, now=now, seed=seed)
    lab_disks(world, disks, disk_size)
    if layout:
        words = [f"LAB{int(word):04d}" if word.isdigit() else word for word in layout.split()]
        made = create_pool(world, pool, words, properties={"compression": "lz4"})
        use_first(made)
    return world


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


def create_pool(
    world: World,
    name: str,
    words: Iterable[str],
    *,
    properties: dict[str, str] | None = None,
    at: float | None = None,
) -> PracticePool:
    """A pool as `zpool create` made it some time ago; `words` name drives as `World.disk` knows them."""
    words = _paths(world, words)
    pool = make_pool(world, name, _spec(world, words), properties=properties, at=at)
    pool.properties["ashift"] = "12"
    record_creation(world, pool, at=pool.created)
    options = "".join(f"-O {key}={value} " for key, value in (properties or {}).items())
    line = f"zpool create -o ashift=12 {options}{name} {' '.join(words)}"
    world.note(pool, line, at=pool.created + 2)
    return pool


def bring(  # noqa: PLR0913 - what its labels tell
    world: World,
    name: str,
    words: Iterable[str],
    *,
    host: str,
    days_ago: float,
    exported: bool = False,
    missing: Iterable[str] = (),
) -> PracticePool:
    """Let drives bear the labels of a pool that another host had last; some of its drives stayed there.

    Devices are named as `World.disk` knows them. When it was not exported, importing it needs force.
    """
    here, at = world.pools, world.now - days_ago * 86400
    pool = make_pool(world, name, _spec(world, _paths(world, words)), at=at)
    record_creation(world, pool, at=at)
    world.events = [event for event in world.events if event.pool_guid != pool.guid]
    world.pools = {other: kept for other, kept in here.items() if kept is not pool}
    use_first(pool)
    pool.hostname, pool.hostid = host, zlib.crc32(host.encode()) | 1
    pool.accessed_at = int(at)
    pool.label_state = "EXPORTED" if exported else "ACTIVE"
    gone = {world.disk(word).serial for word in missing}
    for leaf in pool.leaves():
        if leaf.disk is not None and leaf.disk.serial in gone:
            leaf.disk.data_bytes, leaf.disk = 0, None
    world.importable.append(pool)
    return pool


def _paths(world: World, words: Iterable[str]) -> list[str]:
    """The words of a command line, with the path of each drive in /dev/disk/by-id."""

    def path(word: str) -> str:
        try:
            return BY_ID + world.disk(word).link
        except KeyError:
            return word

    return list(map(path, words))


def _spec(world: World, words: list[str]) -> Spec:
    wanted = read_words(world, words)
    label(world, wanted)
    for top in wanted.spec.tops:
        measure(top)
    return wanted.spec
