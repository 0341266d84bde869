"""Hosts with odd settings and releases, and pools that are built or set so that advice is due."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from tests.sentences.practised.reading import EPOCH, Practised, do, host_of, read, seen, worded
from zconsole.analysis.findings.care.known_bad_releases import KNOWN_ERRORS
from zconsole.base.clock import ManualClock
from zconsole.practice.demo.demo_drives import DriveMake, sata
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.drives import DriveKind
from zconsole.practice.world.host_world import World

GIB = 1 << 30
DAY = 86_400
HDD = DriveMake("ST12000NM0008-2H3101", 12_000_138_625_024, "0x5000c500", DriveKind.HDD)
HDD_4T = DriveMake("ST4000NM0035-1V4107", 4_000_787_030_016, "0x5000c500", DriveKind.HDD)
SSD = DriveMake("SAMSUNG MZ7L33T8HBLT-00A07", 3_840_755_982_336, "0x5002538f", DriveKind.SSD)


def shelf(*makes: tuple[int, DriveMake]) -> World:
    """A host with so many disks of each make, and no pool."""
    world = World("storage1", now=EPOCH)
    for count, make in makes:
        for _ in range(count):
            world.disks.append(sata(len(world.disks), f"ZC{len(world.disks):06d}", make))
    return world


def numbers(first: int, last: int) -> str:
    return " ".join(f"{{{each}}}" for each in range(first, last))


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    for name, change in _SETTINGS.items():
        world = create_world("mirror 0 1")
        change(world)
        yield await seen(f"practice: {name}", world)
    for release in dict.fromkeys(each.first for each in KNOWN_ERRORS):
        world = create_world("mirror 0 1")
        version = ".".join(map(str, release))
        world.zfs_version = world.zfs_commands_version = f"{version}-1"
        yield await seen(f"practice: OpenZFS {version}", world, "zfs set dedup=on tank")
    for name, world, lines in _layouts():
        yield await seen(f"practice: {name}", world, *lines)
    for small_blocks in (False, True):
        yield await _full_special(small_blocks=small_blocks)
    yield await _grown()
    for is_trimmed in (False, True):
        yield await _untrimmed(is_trimmed=is_trimmed)


async def _full_special(*, small_blocks: bool) -> Practised:
    world = shelf((2, HDD_4T), (2, SSD))
    clock = ManualClock(world.now)
    host = await host_of(world, clock)
    mirrors = f"mirror {numbers(0, 2)} special mirror {numbers(2, 4)}"
    await do(host, worded(world, f"zpool create -o ashift=12 tank {mirrors}"))
    if small_blocks:
        await do(host, "zfs set special_small_blocks=32K tank")
    (special,) = world.pools["tank"].tops("special")
    special.allocated = special.size * 92 // 100
    name = "a full special vdev" + (" with small blocks" if small_blocks else "")
    return Practised(f"practice: {name}", await read(host, clock), clock.now())


async def _grown() -> Practised:
    """Both devices of one mirror, and one of the other, have become larger, as volumes of an array do."""
    world = shelf((4, SSD))
    clock = ManualClock(world.now)
    host = await host_of(world, clock)
    await do(host, worded(world, f"zpool create tank mirror {numbers(0, 2)} mirror {numbers(2, 4)}"))
    for disk in world.disks[:3]:
        disk.size += 1 << 40
    return Practised("practice: devices that have grown", await read(host, clock), clock.now())


async def _untrimmed(*, is_trimmed: bool) -> Practised:
    world = shelf((2, SSD))
    clock = ManualClock(world.now)
    host = await host_of(world, clock)
    await do(host, worded(world, f"zpool create tank mirror {numbers(0, 2)}"))
    if is_trimmed:
        await do(host, "zpool trim tank")
    clock.advance(60 * DAY)
    name = "SSDs trimmed long ago" if is_trimmed else "SSDs that were never trimmed"
    return Practised(f"practice: {name}", await read(host, clock), clock.now())


def _without_zed(world: World) -> None:
    world.zed_lines = ("zed none",)
    world.hostid = 0
    world.pools["tank"].hostid = 0
    world.parameters |= {"zfs_arc_max": 512 << 20, "zfs_nocacheflush": 1}


def _silent_zed(world: World) -> None:
    world.zed_lines = ("zed runs", "zedrc", "mailer yes")
    world.parameters["zfs_arc_max"] = 1 << 40


def _no_mailer(world: World) -> None:
    world.zed_lines = ("zed runs", "zedrc", "set ZED_EMAIL_ADDR", "mailer no")
    world.zfs_commands_version = "2.4.3-1"


def _other_hostid(world: World) -> None:
    world.hostid += 2  # as `zgenhostid -f` makes it after the import


_SETTINGS: dict[str, Callable[[World], None]] = {
    "no event daemon": _without_zed,
    "an event daemon that tells nobody": _silent_zed,
    "no program to mail with": _no_mailer,
    "another hostid": _other_hostid,
}


def _layouts() -> list[tuple[str, World, tuple[str, ...]]]:
    create = "zpool create -o ashift=12 tank"
    uneven = shelf((2, HDD_4T), (2, HDD))
    return [
        ("vdevs of two sizes", uneven, (f"{create} mirror {numbers(0, 2)} mirror {numbers(2, 4)}",)),
        ("two ashifts", shelf((4, HDD)), (
            f"{create} mirror {numbers(0, 2)}", f"zpool add -f -o ashift=9 tank mirror {numbers(2, 4)}")),
        ("a special vdev of another ashift", shelf((2, HDD), (2, SSD)), (
            f"{create} mirror {numbers(0, 2)}",
            f"zpool add -f -o ashift=9 tank special mirror {numbers(2, 4)}")),
        ("a weak special vdev", shelf((6, HDD), (2, SSD)), (
            f"{create} raidz2 {numbers(0, 6)}", f"zpool add -f tank special mirror {numbers(6, 8)}")),
        ("raidz1 of large disks", shelf((5, HDD)), (f"{create} raidz1 {numbers(0, 5)}",)),
        ("a wide raidz", shelf((13, HDD)), (f"{create} raidz2 {numbers(0, 13)}",)),
        ("disks and flash", shelf((2, HDD), (2, SSD)), (
            f"{create} mirror {numbers(0, 2)} mirror {numbers(2, 4)}",)),
        ("a shelf without a spare", shelf((24, HDD)), (
            f"{create} raidz2 {numbers(0, 12)} raidz2 {numbers(12, 24)}",)),
        ("names of the kernel", shelf((4, SSD)), (
            "zpool create -o ashift=12 tank mirror /dev/sda /dev/sdb", "zpool set failmode=panic tank")),
        ("features that are off", shelf((2, SSD)), (
            f"zpool create -d -o ashift=12 tank mirror {numbers(0, 2)}",)),
    ]  # fmt: skip
