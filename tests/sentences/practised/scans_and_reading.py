"""Scrubs, resilvers and other work as they go and end, and hosts that do not answer all that is asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from tests.sentences.practised.reading import EPOCH, Practised, do, host_of, read, worded
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.clock import ManualClock
from zconsole.base.finding_thresholds import Thresholds
from zconsole.collect.host_state_store import with_reading
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.importable_pools import read_importable
from zconsole.model.host.host_state import HostState, Reading
from zconsole.practice.exercises.fault_effects import ask_for_spares
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.ready_made_pools import create_pool, create_world
from zconsole.practice.world.dataset_writes_and_snapshots import append
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.scan_trim_removal_expansion_states import PracticeScan
from zconsole.practice.world.vdev_states_and_drive_unplugging import set_state
from zconsole.reports.text.status import status_lines

GIB = 1 << 30
DAY = 86_400.0


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    async for each in _progress():
        yield each
    async for each in _ended():
        yield each
    async for each in _unread():
        yield each
    async for each in _importable():
        yield each


class Bench:
    """A practice host with one pool of data, and its clock."""

    def __init__(self, layout: str, *, gib: int = 40) -> None:
        self.world = create_world(layout, disk_size=64 * GIB)
        self.clock = ManualClock(EPOCH)
        self.pool: PracticePool = self.world.pools["tank"]
        append(self.pool, self.pool.datasets["tank"], gib * GIB, ratio=1.0)
        self.host = PracticeHost("nas1", clock=self.clock, world=self.world)

    async def do(self, *lines: str) -> None:
        """Run commands, in which `{3}` is the link of a disk."""
        await self.host.connect()
        await do(self.host, *(worded(self.world, each) for each in lines))

    @property
    def scan(self) -> PracticeScan:
        """The pool's scan."""
        assert self.pool.scan is not None
        return self.pool.scan

    async def seen(self, name: str, *, disks: bool = False) -> Practised:
        """What is read of it now."""
        state = await read(self.host, self.clock, disks=disks)
        return Practised(f"practice: {name}", state, self.clock.now())

    async def followed(self, state: HostState | None, seconds: float, every: float = 5.0) -> HostState:
        """The state after some time in which its status is read again and again, as the console does."""
        for _ in range(int(seconds / every)):
            fresh = await gather(self.host, self.clock)
            before = {each.name: each for each in state.pools} if state is not None else {}
            pools = tuple(
                with_reading(
                    before.get(each.name, replace(each, pool=Reading())), each.pool, self.clock.now()
                )
                for each in fresh.pools
            )
            state = replace(fresh, pools=pools)
            self.clock.advance(every)
        assert state is not None
        return state


async def _progress() -> AsyncIterator[Practised]:
    bench = Bench("mirror 0 1")
    await bench.do("zpool scrub tank")
    bench.scan.pace = 30e6
    state = await bench.followed(None, 15)
    yield Practised("practice: a scrub that has just begun", state, bench.clock.now())
    state = await bench.followed(state, 300)
    yield Practised("practice: a scrub that goes evenly", state, bench.clock.now())
    for pace in (60e6, 3e6, 45e6, 5e6):
        bench.scan.pace = pace
        state = await bench.followed(state, 60)
    yield Practised("practice: a scrub that goes unevenly", state, bench.clock.now())
    bench.scan.pace = 0.0
    stalled = await bench.followed(state, 2400, every=60)
    yield Practised("practice: a scrub that stands still", stalled, bench.clock.now())
    bench.scan.pace = 30e6
    for _ in range(2):
        bench.scan.issued = bench.scan.pass_issued = GIB
        state = await bench.followed(state, 60)
    yield Practised("practice: a scrub that began anew twice", state, bench.clock.now())
    bench.scan.pace = 0.001
    bench.clock.advance(60 * DAY)
    yield await bench.seen("a scrub that runs for two months")
    state = await bench.followed(None, 60)
    bench.scan.pace = 50.0
    state = await bench.followed(state, 600, every=20)
    yield Practised("practice: a scrub that will not end soon", state, bench.clock.now())


async def _ended() -> AsyncIterator[Practised]:
    bench = Bench("mirror 0 1")
    await bench.do("zpool scrub tank", "zpool scrub -s tank")
    bench.clock.advance(60 * DAY)
    yield await bench.seen("a scrub canceled long ago")
    await bench.do("zpool offline tank {1}")
    yield await bench.seen("an old scrub of a degraded pool")
    bench = Bench("mirror 0 1")
    await bench.do("zpool scrub tank")
    bench.clock.advance(3600)
    await bench.do("zpool status")
    bench.scan.errors, bench.scan.processed = 0, 3 << 20
    yield await bench.seen("a scrub that repaired")
    bench.scan.errors = 3
    yield await bench.seen("a scrub with errors")
    bench.clock.advance(60 * DAY)
    yield await bench.seen("a scrub of two months ago")
    async for each in _resilvered():
        yield each
    async for each in _passed_over():
        yield each


async def _resilvered() -> AsyncIterator[Practised]:
    bench = Bench("mirror 0 1")
    await bench.do("zpool replace tank {1} {2}", "zpool detach tank {2}")
    yield await bench.seen("a resilver whose disk was detached")
    bench = Bench("mirror 0 1")
    await bench.do("zpool replace tank {1} {2}")
    bench.clock.advance(36000)
    await bench.do("zpool status")
    bench.scan.errors = 12
    yield await bench.seen("a resilver with errors")
    bench.scan.state = "CANCELED"
    yield await bench.seen("a resilver that was canceled")


async def _passed_over() -> AsyncIterator[Practised]:
    bench = Bench("mirror 0 1 mirror 2 3 spare 4")
    create_pool(bench.world, "other", ["mirror", "LAB0005", "LAB0006"])
    await bench.do("zpool scrub other", "zpool add -f other spare {4}")
    bench.clock.advance(60 * DAY)
    await bench.do("zpool scrub tank")
    found = bench.world.leaf_of(bench.world.disk("LAB0003"))
    assert found is not None
    set_state(bench.world, *found, "FAULTED", "ERR_EXCEEDED")
    ask_for_spares(bench.world)
    bench.clock.advance(DAY)
    yield await bench.seen("a pool that scrubs pass over, and a spare in use elsewhere")
    await bench.do("zpool scrub tank")
    bench.clock.advance(DAY)
    yield await bench.seen("a pool that its timer does not name")
    bench = Bench("mirror 0 1")
    await bench.do("zpool scrub tank")
    bench.scan.pace = 1e6
    await bench.do("zpool export tank", "zpool import -o readonly=on tank")
    yield await bench.seen("a read-only pool with a scrub")
    bench = Bench("raidz1 0 1 2")
    await bench.do("zpool attach tank raidz1-0 {3}")
    bench.clock.advance(2)
    await bench.do("zpool offline tank {1}")
    yield await bench.seen("an expansion that waits")


async def _unread() -> AsyncIterator[Practised]:
    bench = Bench("mirror 0 1")
    await bench.do("zpool scrub tank")
    state = await bench.followed(None, 5)
    bench.host.hang("zpool", "status")
    fresh = await _hanging(bench, gather(bench.host, bench.clock))
    yield Practised("practice: a status that does not answer", fresh, bench.clock.now())
    pools = tuple(
        replace(of, pool=replace(of.pool, problem=new.pool.problem), kstat_state=new.kstat_state)
        for of, new in zip(state.pools, fresh.pools, strict=True)
    )
    yield Practised("practice: a newest status that does not answer", replace(state, pools=pools))
    bench.host.release()
    bench.host.suspend("tank")
    fresh = await _hanging(bench, gather(bench.host, bench.clock))
    yield Practised("practice: a suspended pool that was never read", fresh, bench.clock.now())
    pools = tuple(replace(of, kstat_state="SUSPENDED") for of in state.pools)
    yield Practised("practice: a suspended pool", replace(state, pools=pools), bench.clock.now())
    bench.host.resume("tank")
    bench.host.hang("virsh")
    bench.world.lacking -= {"virsh"}
    yield Practised(
        "practice: libvirt does not answer", await _hanging(bench, read(bench.host, bench.clock)),
        bench.clock.now(),
    )  # fmt: skip


async def _hanging(bench: Bench, reading: object) -> HostState:
    """What is read while something hangs: the clock is moved until it ends."""
    import asyncio  # noqa: PLC0415

    task = asyncio.ensure_future(reading)  # type: ignore[arg-type]
    while not task.done():
        for _ in range(200):
            await asyncio.sleep(0)
        bench.clock.advance(5)
    found: HostState = task.result()
    return found


async def _importable() -> AsyncIterator[Practised]:
    clock = ManualClock(EPOCH)
    empty = World("storage1", now=EPOCH)
    for name, host in (
        ("a pool to import", PracticeHost(clock=clock)),
        ("no pool to import", await host_of(empty, clock)),
    ):
        await host.connect()
        state = await gather(host, clock)
        found = await read_importable(Asker(host))
        now = clock.now()
        yield Practised(
            f"practice: {name}", None, now,
            tuple(status_lines(state, findings(state, now, Thresholds()), now, found)), "`zpool import`",
        )  # fmt: skip
    yield Practised("practice: a host without a pool", await gather(host, clock), clock.now())
