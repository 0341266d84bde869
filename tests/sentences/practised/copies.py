"""Copies beside their sources: behind, diverged, cut, without a snapshot, never read back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from tests.sentences.practised.reading import NOTHING_KEPT, Practised, do, host_of, read
from zconsole.base.clock import ManualClock
from zconsole.hosts.host import Command
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.ready_made_pools import create_pool, create_world
from zconsole.practice.world.dataset_writes_and_snapshots import append

HOUR = 3600.0
DAY = 24 * HOUR
MIB = 1 << 20
WHOLE = 1 << 30


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    world = create_world("mirror 0 1", disk_size=32 << 30)
    create_pool(world, "backup", ["LAB0002"])
    create_pool(world, "far", ["LAB0003"])
    clock = ManualClock(world.now)
    host = await host_of(world, clock)
    sent = [f"tank/{name}" for name in ("home", "mail", "www")]
    await do(host, *(f"zfs create {name}" for name in (*sent, "tank/alone", "tank/deep", "tank/deep/a")))
    pool = world.pools["tank"]
    for name in (*sent, "tank/alone", "tank/deep/a"):
        append(pool, pool.datasets[name], 2 * MIB, ratio=1.0)
    number = 0
    for number in range(30):
        await do(host, *(f"zfs snapshot {name}@h{number:03}" for name in sent))
        for name in sent:
            await _send(host, name, f"backup/{name.partition('/')[2]}", number)
        clock.advance(HOUR)
        append(pool, pool.datasets["tank/home"], MIB, ratio=1.0)
    await do(host, "zfs snapshot backup/mail@own", "zfs destroy tank/mail@h029")
    await do(host, "zfs snapshot tank/mail@next")
    for later in range(number + 1, number + 120):
        await do(host, *(f"zfs snapshot {name}@h{later:03}" for name in ("tank/home", "tank/www")))
        await _send(host, "tank/www", "backup/www", later)
        clock.advance(HOUR)
    await _cut(host)
    state = await read(host, clock)
    yield Practised("practice: copies in another pool", state, clock.now())
    clock.advance(50 * DAY)
    seen = state.replication.value
    assert seen is not None
    later = await read(host, clock, replace(NOTHING_KEPT, replication=lambda: _kept(seen)))
    yield Practised("practice: copies that were not compared for long", later, clock.now())


def _kept(seen: ReplicationSeen) -> tuple[ReplicationSeen, ...]:
    return (seen,)


async def _send(host: PracticeHost, source: str, copy: str, number: int) -> None:
    """Send a snapshot, and receive it."""
    words = ["zfs", "send", *([] if not number else ["-i", f"@h{number - 1:03}"]), f"{source}@h{number:03}"]
    stream = await host.run(Command(tuple(words), max_bytes=WHOLE))
    taken = await host.run(Command(("zfs", "receive", "-u", copy), stdin=stream.stdout))
    assert 0 == taken.status, (words, stream.stderr, taken.stderr)


async def _cut(host: PracticeHost) -> None:
    """A receive whose stream ends early."""
    await do(host, "zfs snapshot tank/deep/a@x")
    stream = await host.run(Command(("zfs", "send", "tank/deep/a@x"), max_bytes=WHOLE))
    half = stream.stdout[: len(stream.stdout) // 2]
    await host.run(Command(("zfs", "receive", "-s", "-u", "far/a"), stdin=half))
