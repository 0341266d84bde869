"""The status of pools: read together as long as they answer, and a bad answer beside the last good one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.doubles.machines import host_of, iostat
from tests.doubles.noting_host import Noting
from tests.doubles.scripted_host import HANG, ScriptedHost
from tests.doubles.watched_host import Watched, watching
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.collect.streams.pool_status_pace import CALM_EVERY_S, CHANGING_EVERY_S
from zconsole.model.host.host_state import LinkState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.ready_made_pools import create_pool

MIRRORS = [
    "tank", "mirror-0", "wwn-0x5000c500a0000000", "wwn-0x5000c500a0000001",
    "mirror-1", "wwn-0x5000c500a0000002", "wwn-0x5000c500a0000003",
    "mirror-2", "wwn-0x5000c500a0000004", "wwn-0x5000c500a0000005",
    "wwn-0x5000c500a0000006", "wwn-0x5000c500a0000007",
]  # fmt: skip

MOST_A_MINUTE = 7  # commands, at rest, of a user who may not read events
QUESTIONS = {("zpool", "status"), ("zpool", "list"), ("zfs", "list")}


def event(event_class: str) -> bytes:
    """One of the pool tank, as `zpool events -vf` prints it."""
    return f'Jan 15 2027 08:00:00.000000000 {event_class}\n        pool = "tank"\n\n'.encode()


async def test_a_status_follows_the_names_at_once() -> None:
    """However late the names of the pools come, nobody looks at names alone until a pause is over."""
    host = host_of("2.4", "healthy-mirrors")
    names = host.late["ls -1p /proc/spl/kstat/zfs"] = asyncio.Event()
    async with watching(host) as watched:
        await watched.until(lambda s: s.inventory.value and s.hostname)
        assert not watched.state.pools

        names.set()

        async with asyncio.timeout(10):
            await watched.until(lambda s: s.pools and s.pools[0].pool.value)
        assert 0.0 == watched.clock.monotonic()


async def test_a_hanging_status_costs_its_own_pool_only_and_is_asked_once() -> None:
    """A second `zpool status` is not sent while the first hangs; I/O and events go on."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["zpool status -j"] = HANG
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.problem)
        await watched.pass_time(10 * CHANGING_EVERY_S)

        watched.host.streams["zpool iostat"].feed(iostat(1, MIRRORS) + b"2\n")
        state = await watched.until(lambda s: s.pools[0].samples)

        assert 1 == sum(line.startswith("zpool status") for line in host.commands)
        assert "hangs" in state.pools[0].pool.problem
        assert LinkState.UP is state.link.state


async def test_a_status_cut_short_keeps_the_last_good_one() -> None:
    """Half a JSON is a problem beside the old value, never a smaller pool."""
    host = host_of("2.4", "healthy-mirrors")
    whole = host.answers["zpool status -j"]
    assert isinstance(whole, bytes)
    async with watching(host) as watched:
        first = await watched.until(lambda s: s.pools and s.pools[0].pool.value)

        host.answers["zpool status -j"] = whole[: len(whole) // 2]
        host.answers["zpool status -vsitpP"] = b"  pool: tank\n state: ONL"
        watched.session.refresh()
        await watched.pass_time(2)

        state = await watched.until(lambda s: s.pools[0].pool.problem)
        assert first.pools[0].pool.value == state.pools[0].pool.value


def asked(host: ScriptedHost) -> list[str]:
    """The commands about pools since they were last cleared, without what they ask for."""
    words = [line.split() for line in host.commands]
    return [
        f"{line[0]} {line[1]} {line[-1]}"
        for line in words
        if tuple(line[:2]) in QUESTIONS and "-r" not in line
    ]


async def test_a_pool_at_rest_is_left_alone_until_an_event_tells_of_it() -> None:
    """An error report is of the status, a change of a dataset of the sizes, any other event of both."""
    host = host_of("2.4", "healthy-mirrors")
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)
        stream = host.streams["zpool iostat"]
        allocated = watched.state.pools[0].pool.value.allocated_bytes or 0  # type: ignore[union-attr]
        at_rest = iostat(1, MIRRORS).replace(b"tank\t100\t", b"tank\t%d\t" % allocated)
        stream.feed(at_rest)
        await watched.pass_time(20)
        host.commands.clear()

        await watched.pass_time(CALM_EVERY_S - 25)
        calm = asked(host)
        host.streams["zpool events"].feed(event("ereport.fs.zfs.checksum"))
        await watched.pass_time(3)
        after_report = asked(host)
        host.commands.clear()
        host.streams["zpool events"].feed(event("sysevent.fs.zfs.history_event"))
        await watched.pass_time(3)
        after_history = asked(host)
        host.commands.clear()
        host.streams["zpool events"].feed(event("resource.fs.zfs.statechange"))
        await watched.pass_time(3)

        assert [] == calm
        assert ["zpool status tank"] == after_report
        assert ["zfs list tank", "zpool list tank", "zpool list tank"] == sorted(after_history)
        assert ["zfs list tank", "zpool list tank", "zpool list tank", "zpool status tank"] == sorted(
            asked(host)
        )


async def test_sizes_are_read_when_the_stream_tells_that_allocation_moved() -> None:
    host = host_of("2.4", "healthy-mirrors")
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)
        host.streams["zpool iostat"].feed(
            iostat(1, MIRRORS)
        )  # allocated: 100 bytes, far less than was listed
        await watched.pass_time(20)
        host.commands.clear()

        await watched.pass_time(2 * CHANGING_EVERY_S)

        assert {"zfs list tank", "zpool list tank"} == set(asked(host))


async def test_a_status_is_late_only_against_its_pace() -> None:
    """Without events it is read each 5 s, and its age is told after 15; with them silence is news enough."""
    host = host_of("2.4", "healthy-mirrors")
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)
        before = watched.state.pools[0].status_every_s
        await watched.pass_time(20)
        told = watched.state.pools[0].status_every_s
        host.streams["zpool events"].feed(CommandFailed("zpool events ended"))
        await watched.pass_time(6)

        assert (CHANGING_EVERY_S, CALM_EVERY_S) == (before, told)
        assert CHANGING_EVERY_S == watched.state.pools[0].status_every_s


async def test_pools_that_answer_are_read_by_the_same_commands() -> None:
    """However many there are; the first time each by itself, since any may hang."""
    clock = ManualClock(1_800_000_000)
    world = create_world("mirror 0 1", pool="alpha")
    create_pool(world, "beta", ["mirror", "LAB0002", "LAB0003"])
    host = Noting(PracticeHost(clock=clock, world=world))
    async with watching(host, clock) as watched:
        await watched.pass_time(5)
        host.commands.clear()
        watched.session.refresh()
        await watched.pass_time(3)

        questions = [line for line in host.commands if tuple(line.split()[:2]) in QUESTIONS]
        assert 4 == len(questions)
        assert [] == [line for line in questions if not line.endswith(" alpha beta")]
        assert ["mirror", "mirror"] == [
            pool.pool.value.vdevs[0].type for pool in watched.state.pools if pool.pool.value
        ]


async def test_one_of_several_that_hangs_costs_itself_and_is_asked_alone_from_then_on() -> None:
    """The others go on to be read by the same commands."""
    clock = ManualClock(1_800_000_000)
    world = create_world("mirror 0 1", pool="alpha")
    for number, name in ((2, "beta"), (4, "gamma")):
        create_pool(world, name, ["mirror", f"LAB{number:04d}", f"LAB{number + 1:04d}"])
    host = Noting(PracticeHost(clock=clock, world=world))
    async with watching(host, clock) as watched:
        await watched.pass_time(5)
        host.hangs = "beta"
        watched.session.refresh()
        await watched.pass_time(5)
        before = [pool.pool.taken_at for pool in watched.state.pools]
        host.commands.clear()

        watched.session.refresh()
        await watched.pass_time(3)

        after = [pool.pool.taken_at for pool in watched.state.pools]
        assert ["", ""] == [pool.pool.problem for pool in watched.state.pools[::2]]
        assert [True, False, True] == [one != other for one, other in zip(before, after, strict=True)]
        assert {"alpha gamma"} == {" ".join(line.split()[-2:]) for line in host.commands if "gamma" in line}


@asynccontextmanager
async def untold(*pools: str) -> AsyncIterator[tuple[Watched[Noting], PracticeHost]]:
    """A session of a user who may not read events, after some time; each pool is a mirror of two disks."""
    clock = ManualClock(1_800_000_000)
    world = create_world("mirror 0 1", pool=pools[0])
    for number, name in enumerate(pools[1:], start=1):
        create_pool(world, name, ["mirror", f"LAB{2 * number:04d}", f"LAB{2 * number + 1:04d}"])
    practice = PracticeHost(clock=clock, world=world)
    practice.faults.denied.add("events")
    host = Noting(practice)
    async with watching(host, clock) as watched:
        await watched.pass_time(75)  # a minute after the first, events are tried again
        host.commands.clear()
        yield watched, practice


def statuses(host: Noting) -> list[str]:
    return [line for line in host.commands if line.startswith("zpool status")]


async def test_without_events_one_program_tells_the_status_again_and_again() -> None:
    async with untold("alpha", "beta") as (watched, practice):
        await watched.pass_time(60)
        fresh, asked_for = ages(watched), statuses(watched.host)
        practice.unplug("LAB0003")
        await watched.pass_time(CHANGING_EVERY_S + 1)

        assert [] == asked_for
        assert max(fresh) <= CHANGING_EVERY_S + 1
        assert ["ONLINE", "DEGRADED"] == [
            pool.pool.value.state for pool in watched.state.pools if pool.pool.value
        ]
        assert [CHANGING_EVERY_S, CHANGING_EVERY_S] == [pool.status_every_s for pool in watched.state.pools]


async def test_without_events_a_pool_that_hangs_costs_itself() -> None:
    async with untold("alpha", "beta") as (watched, practice):
        practice.suspend("beta")
        await watched.pass_time(60)
        hanging = ages(watched)
        practice.resume("beta")
        await watched.pass_time(60)

        assert hanging[0] <= CHANGING_EVERY_S + 1
        assert hanging[1] > CHANGING_EVERY_S + 1
        assert max(ages(watched)) <= CHANGING_EVERY_S + 1
        assert ["", ""] == [pool.pool.problem for pool in watched.state.pools]


async def test_where_that_program_is_silent_each_status_is_asked_for() -> None:
    async with untold("alpha") as (watched, practice):
        practice.hang("zpool", "status", "-j", "--json-int", "-vsitP", "alpha", "5")
        await watched.pass_time(60)

        assert 5 <= len(statuses(watched.host))
        assert max(ages(watched)) <= CHANGING_EVERY_S + 1


async def test_a_minute_without_events_and_changes_costs_a_host_few_commands() -> None:
    """Sizes, which no stream tells; the events are tried again, and more rarely each time."""
    async with untold("alpha", "beta") as (watched, _):
        await watched.pass_time(540)
        watched.host.commands.clear()
        await watched.pass_time(300)

        assert 5 * MOST_A_MINUTE >= len(watched.host.commands)


def ages(watched: Watched[Noting]) -> list[float]:
    return [watched.clock.monotonic() - (pool.pool.taken_at or 0.0) for pool in watched.state.pools]
