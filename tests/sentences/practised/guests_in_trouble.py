"""Guests of libvirt whose disks, images or storage want advice, in the practice world."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from tests.sentences.practised.reading import Practised, do, host_of, read
from zconsole.analysis.guests.guests_on_two_hosts import with_guests_elsewhere
from zconsole.base.clock import ManualClock
from zconsole.collect.machine_identity import read_machine
from zconsole.collect.read_command_runner import Asker
from zconsole.practice.libvirt.guests import (
    IO_ERROR,
    PAUSED,
    SHUT_DOWN,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
)
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.dataset_writes_and_snapshots import append
from zconsole.practice.world.host_world import World

GIB = 1 << 30
DAY = 86_400.0


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    yield await _odd_disks()
    yield await _full()
    yield await _broken()
    yield await _below()
    yield await _snapshots()
    yield await _large_records()
    yield await _failmode()
    yield await _on_two_hosts()


async def _world(*lines: str) -> tuple[World, ManualClock, PracticeHost]:
    world = create_world("mirror 0 1", disk_size=64 * GIB)
    world.lacking -= {"virsh", "qemu-img"}
    clock = ManualClock(world.now)
    host = await host_of(world, clock)
    await do(host, *lines)
    return world, clock, host


async def _read(name: str, clock: ManualClock, host: PracticeHost) -> Practised:
    return Practised(f"practice: {name}", await read(host, clock), clock.now())


def _on(volume: str, target: str = "vda", **values: str) -> PracticeGuestDisk:
    return replace(PracticeGuestDisk(target, f"{ZVOL}{volume}"), **values)


def _image(world: World, path: str, **values: object) -> PracticeGuestDisk:
    world.images[path] = replace(PracticeImage(path, "qcow2", 4 * GIB, GIB, 65536), **values)  # type: ignore[arg-type]
    return PracticeGuestDisk("vda", path, "qcow2")


VOLUMES = tuple(f"zfs create -s -V 4G tank/{each}" for each in ("a", "b", "c", "d"))


async def _odd_disks() -> Practised:
    world, clock, host = await _world(*VOLUMES, "zfs create tank/images")
    world.guests += [
        PracticeGuest("unsafe", [_on("tank/a", cache="unsafe")]),
        PracticeGuest("through", [_on("tank/b", cache="writethrough", error_policy="ignore")]),
        PracticeGuest("default", [_on("tank/c", cache="", error_policy="report")]),
        PracticeGuest("read-only", [_on("tank/d")]),
        PracticeGuest("corrupt", [_image(world, "/tank/images/x.qcow2", is_corrupt=True)]),
    ]
    await do(host, "zfs set readonly=on tank/d")
    return await _read("odd disks of guests", clock, host)


async def _full() -> Practised:
    world, clock, host = await _world(
        *VOLUMES, "zfs create tank/home", "zfs set reservation=12G tank/home", "zfs create tank/kept",
        "zfs create tank/promised", "zfs set quota=200G tank/promised",
    )  # fmt: skip
    world.guests.append(PracticeGuest("greedy", [_on("tank/a", discard="")]))
    pool = world.pools["tank"]
    for name, size in (("tank/home", 2), ("tank/kept", 5), ("tank/a", 40)):
        append(pool, pool.datasets[name], size * GIB, ratio=1.0)
    await do(host, "zfs set reservation=5200M tank/kept")
    clock.advance(40 * DAY)
    return await _read("a full pool with guests", clock, host)


async def _broken() -> Practised:
    world, clock, host = await _world(*VOLUMES, "zfs create tank/images")
    gone = PracticeGuestDisk("vda", "/tank/images/gone.qcow2", "qcow2")
    world.guests += [
        PracticeGuest("gone", [gone], SHUT_OFF, SHUT_DOWN),
        PracticeGuest("going", [replace(gone)]),
        PracticeGuest("one", [_on("tank/a")]),
        PracticeGuest("two", [_on("tank/a")]),
        PracticeGuest("three", [_on("tank/a")], SHUT_OFF, SHUT_DOWN),
        PracticeGuest("twice", [_on("tank/b"), _on("tank/b", "vdb")], SHUT_OFF, SHUT_DOWN),
        PracticeGuest("stuck", [_on("tank/c")], PAUSED, IO_ERROR),
        PracticeGuest("lost", [], PAUSED, IO_ERROR),
    ]
    return await _read("guests that cannot start, or share disks", clock, host)


async def _below() -> Practised:
    world, clock, host = await _world("zfs create tank/images")
    base = _image(world, "/tank/images/golden.qcow2")
    above = _image(world, "/tank/images/web.qcow2", backing="/tank/images/golden.qcow2")
    world.guests += [PracticeGuest("golden", [base]), PracticeGuest("web", [above])]
    return await _read("a guest on the backing file of another", clock, host)


async def _snapshots() -> Practised:
    world, clock, host = await _world(*VOLUMES, "zfs create tank/apart", "zfs create -s -V 4G tank/apart/c")
    clock.advance(3 * DAY)
    await do(host, "zfs snapshot tank/a@now", "zfs snapshot tank/b@now")
    world.guests += [
        PracticeGuest("a", [_on("tank/a")], has_agent=False),
        PracticeGuest("b", [_on("tank/b")]),
        PracticeGuest("c", [_on("tank/apart/c")]),
    ]
    pool = world.pools["tank"]
    append(pool, pool.datasets["tank/apart/c"], 2 * GIB, ratio=1.0)
    return await _read("snapshots of guests", clock, host)


async def _large_records() -> Practised:
    world, clock, host = await _world("zfs create -o recordsize=1M tank/images")
    world.guests.append(PracticeGuest("a", [_image(world, "/tank/images/a.qcow2")]))
    return await _read("images in large records", clock, host)


async def _failmode() -> Practised:
    world, clock, host = await _world(*VOLUMES, "zpool set failmode=continue tank")
    world.guests.append(PracticeGuest("a", [_on("tank/a")]))
    return await _read("failmode=continue below a guest", clock, host)


async def _on_two_hosts() -> Practised:
    states = []
    for label in ("nas1", "nas2"):
        world = create_world("mirror 0 1", seed=len(states) + 1)
        world.lacking -= {"virsh", "qemu-img"}
        clock = ManualClock(world.now)
        host = PracticeHost(label, clock=clock, world=world)
        await host.connect()
        await do(host, VOLUMES[0])
        world.guests.append(PracticeGuest("mail", [_on("tank/a")]))
        state = await read(host, clock)
        states.append(replace(state, machine=await read_machine(Asker(host))))
    first, _ = with_guests_elsewhere(states)
    return Practised("practice: a guest that runs on two hosts", first, clock.now())
