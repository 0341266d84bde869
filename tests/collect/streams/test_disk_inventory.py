"""Disks are read at once when one comes or goes, and rarely otherwise."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, failed
from tests.doubles.watched_host import watching
from zconsole.base.errors import CommandFailed
from zconsole.collect.streams.disk_inventory import SHOWN_EVERY_S, UNTOLD_EVERY_S
from zconsole.system.disk_by_id import BY_ID
from zconsole.system.enclosures_and_disk_paths import read_shelves
from zconsole.system.lsblk import LSBLK

MISSING = CommandFailed("udevadm ended", said="udevadm: command not found", status=127)


def without_smartctl() -> ScriptedHost:
    host = host_of("2.4", "healthy-mirrors")
    host.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    host.answers["smartctl"] = failed("smartctl", 127, b"not found")
    return host


def removed(at: datetime, eid: int) -> bytes:
    """What `zpool events -Hvf` prints of a disk that was pulled."""
    return (
        f"{at:%b %d %Y %H:%M:%S}.000000000 resource.fs.zfs.removed\n"
        f'        class = "resource.fs.zfs.removed"\n        pool = "tank"\n'
        f"        time = {int(at.timestamp()):#x} 0x0 \n        eid = {eid:#x}\n\n"
    ).encode()


def readings(host: ScriptedHost) -> int:
    return sum(line.startswith("lsblk") for line in host.commands)


async def test_a_disk_that_comes_is_read_at_once_and_a_storm_of_events_is_read_every_two_seconds() -> None:
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        host, udev = watched.host, watched.host.streams["udevadm monitor"]
        before = readings(host)
        await watched.pass_time(10)

        udev.feed(b"UDEV  [1.0] add      /devices/x/block/sdx (block)\n")
        await watched.pass_time(1)
        assert before + 1 == readings(host)

        for _ in range(20):
            udev.feed(b"UDEV  [1.0] change   /devices/x/block/sdx/sdx1 (block)\n")
            await watched.pass_time(0.25, step_s=0.25)
        assert before + 4 >= readings(host)


async def test_disks_links_and_shelves_are_asked_for_in_one_round() -> None:
    """A new disk is on the screen after the slowest of the three commands, not after all of them."""
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        host = watched.host
        await watched.pass_time(10)
        host.late[" ".join(LSBLK.argv)] = asyncio.Event()
        before = [host.commands.count(" ".join(each.argv)) for each in (BY_ID, read_shelves())]

        host.streams["udevadm monitor"].feed(b"UDEV  [1.0] add      /devices/x/block/sdx (block)\n")
        await watched.pass_time(1)

        asked = [host.commands.count(" ".join(each.argv)) for each in (BY_ID, read_shelves())]
        assert [each + 1 for each in before] == asked
        host.late[" ".join(LSBLK.argv)].set()


async def test_a_host_without_udev_is_not_asked_for_it_again() -> None:
    async with watching(host_of("2.4", "healthy-mirrors")) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        watched.host.streams["udevadm monitor"].feed(MISSING)

        await watched.pass_time(600)

        assert 1 == watched.host.streams["udevadm monitor"].starts


async def test_a_screen_that_opens_has_the_disks_read_unless_they_just_were() -> None:
    async with watching(without_smartctl()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(30)
        before = readings(watched.host)

        watched.session.want_disks(is_wanted=True)
        await watched.pass_time(1)
        assert before + 1 == readings(watched.host)

        watched.session.want_disks(is_wanted=False)
        watched.session.want_disks(is_wanted=True)
        await watched.pass_time(1)
        assert before + 1 == readings(watched.host)


async def test_without_udev_a_screen_has_the_disks_read_more_often() -> None:
    async with watching(without_smartctl()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        watched.session.want_disks(is_wanted=True)
        await watched.pass_time(SHOWN_EVERY_S * 3)
        told = readings(watched.host)
        watched.host.streams["udevadm monitor"].feed(MISSING)
        await watched.pass_time(SHOWN_EVERY_S * 3)

        assert 4 >= told
        assert told + 3 * SHOWN_EVERY_S / UNTOLD_EVERY_S - 6 < readings(watched.host)


async def test_an_event_of_zfs_on_a_disk_has_the_disks_read_unless_it_is_old() -> None:
    async with watching(without_smartctl()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(10)
        before = readings(watched.host)
        now = datetime.fromtimestamp(watched.clock.now(), UTC)

        watched.host.streams["zpool events"].feed(removed(now - timedelta(hours=1), 1))
        await watched.pass_time(2)
        assert before == readings(watched.host)

        watched.host.streams["zpool events"].feed(removed(now, 2))
        await watched.pass_time(2)
        assert before + 1 == readings(watched.host)
