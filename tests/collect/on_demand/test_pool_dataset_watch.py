"""A pool's datasets while somebody looks: few snapshots whole, many in columns, the last known at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from tests.doubles.practice_runs import WatchedHost
from tests.practice.zfs.stage import Stage
from zconsole.base.clock import ManualClock
from zconsole.collect.host_state_store import Store
from zconsole.collect.on_demand.pool_dataset_watch import EVERY_S, DatasetWatch
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.host.host_state import PoolState
from zconsole.practice import PracticeHost
from zconsole.storage.snapshot_cache import SnapshotIndex

LISTS = "zfs list -Hp -t snapshot -o name,guid,createtxg -d 1 -- "
TELLS_CHANGES = "zfs list -Hp -t filesystem,volume -o name,type,guid,createtxg,origin,snapshots_changed"
GUID = "/proc/spl/kstat/zfs/tank/guid"
TURNS = 20  # of the loop
PATIENCE_S = 20.0
T = TypeVar("T")


class SlowlyListing(WatchedHost):
    """Takes its time for each listing of snapshots."""

    clock: ManualClock
    takes_s = 0.0

    async def run(self, command: Command) -> Completed:
        completed = await super().run(command)
        if " ".join(command.argv).startswith(LISTS):
            self.clock.advance(self.takes_s)
        return completed


class Bench:
    """A practice host with four datasets of five snapshots each, watched."""

    def __init__(self, folder: Path, few: int = 3) -> None:
        self.stage = Stage("zfs create tank/a", "zfs create tank/b", "zfs create tank/c")
        for number in range(5):
            self.stage.does(f"zfs snapshot -r tank@{number}")
        self.stage.does("zfs bookmark tank/a@1 tank/a#mark")
        self.stage.does("zfs clone tank/a@2 tank/clone")
        self.folder = folder
        self.few = few
        self.told: list[PoolState] = []
        self.kernel_tells = True

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[DatasetWatch]:
        self.stage.world.now += 100
        self.clock = ManualClock(self.stage.world.now)
        self.host = SlowlyListing(PracticeHost(clock=self.clock, world=self.stage.world))
        self.host.clock = self.clock
        if not self.kernel_tells:
            self.host.files[GUID] = FileNotFoundError()
        await self.host.connect()
        self.changed = asyncio.Event()
        self.store = Store("practice", self._on_change)
        self.store.set_pools([("tank", "ONLINE")], 0.0)
        self.watch = DatasetWatch(
            Asker(self.host), self.store, self.clock, indexes=lambda: SnapshotIndex(self.folder), few=self.few
        )
        self.told.clear()
        task = asyncio.create_task(self.watch.run())
        try:
            yield self.watch
        finally:
            task.cancel()

    def _on_change(self) -> None:
        self.told.append(self.pool)
        self.changed.set()

    @property
    def pool(self) -> PoolState:
        return self.store.state.pools[0]

    def listed(self, *, is_whole: bool = True) -> Callable[[], Listing | None]:
        def found() -> Listing | None:
            listing = self.pool.listing.value
            return listing if listing is not None and listing.is_whole is is_whole else None

        return found

    async def until(self, found: Callable[[], T | None]) -> T:
        """Wait for what a change of the state brings."""
        async with asyncio.timeout(PATIENCE_S):
            while not (value := found()):
                self.changed.clear()
                await self.changed.wait()
        return value

    async def passes(self, seconds: float) -> None:
        """Time passes in steps, and what follows from it happens."""
        for _ in range(int(seconds)):
            self.clock.advance(1.0)
            for _ in range(TURNS):
                await asyncio.sleep(0)

    def lines(self) -> list[str]:
        return [" ".join(each.argv) for each in self.host.commands]


def names(listing: Listing) -> set[str]:
    return {listing.table.name(row) for row in range(len(listing.table))}


def listings(bench: Bench) -> list[str]:
    """The datasets whose snapshots were listed by their names."""
    return [name for line in bench.lines() if line.startswith(LISTS) for name in line[len(LISTS) :].split()]


def is_of_all(line: str) -> bool:
    return line.startswith("zfs list -Hp -t filesystem,volume,snapshot,bookmark")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "index")


async def test_of_many_snapshots_the_names_come_bit_by_bit_and_nothing_costly(bench: Bench) -> None:
    async with bench.watching() as watch:
        watch.want_first("tank", ["tank/c"])
        watch.want("tank", is_wanted=True)

        listing = await bench.until(bench.listed())

        assert bench.stage.names("snapshot") == names(listing)
        assert {"tank", "tank/a", "tank/b", "tank/c", "tank/clone", "tank/a#mark"} == set(listing.systems)
        assert listing.systems["tank/a"].used_bytes is not None
        assert bench.pool.datasets.value is None
        assert not any(map(is_of_all, bench.lines()))
        assert "tank/c" == listings(bench)[0]
        first = bench.told[0].listing.value
        assert first is not None
        assert (5, None) == (first.waiting, first.as_of)
        assert listing.as_of is not None


async def test_few_snapshots_are_read_whole_and_so_they_stay(tmp_path: Path) -> None:
    bench = Bench(tmp_path, few=1000)
    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        datasets = await bench.until(lambda: bench.pool.datasets.value)

        assert bench.stage.names("snapshot") == {each.name for each in datasets if each.type == "snapshot"}
        assert bench.pool.listing.value is None
        assert 1 == sum(map(is_of_all, bench.lines()))
        bench.host.commands.clear()
        await bench.passes(EVERY_S + 2)

        assert 1 == sum(map(is_of_all, bench.lines()))
        assert [] == listings(bench)


async def test_few_that_have_become_many_are_listed_in_columns(tmp_path: Path) -> None:
    bench = Bench(tmp_path, few=22)
    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        assert await bench.until(lambda: bench.pool.datasets.value)
        for name in ("x", "y", "z"):
            bench.stage.does(f"zfs snapshot tank/a@{name}")
        await bench.passes(2 * EVERY_S + 4)

        listing = await bench.until(bench.listed())

        assert 23 == len(listing.table)
        assert bench.pool.datasets.value is None


@pytest.mark.parametrize("kernel_tells", [True, False])
async def test_the_last_known_state_comes_at_once_with_its_age(bench: Bench, *, kernel_tells: bool) -> None:
    """Whose it is, the pool's guid tells; before 2.2 the kernel does not tell that, and zpool is asked."""
    bench.kernel_tells = kernel_tells
    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        was = await bench.until(bench.listed())
    bench.stage.does("zfs snapshot tank/b@new")

    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        now = await bench.until(bench.listed())

        first = bench.told[0].listing.value
        assert first is not None
        assert names(first) == names(was)
        assert (was.as_of, 5) == (first.as_of, first.waiting)
        assert "filesystem" == first.systems["tank/a"].type
        assert names(now) == names(was) | {"tank/b@new"}
        assert "tank/b" in listings(bench)
        assert "tank/a" not in listings(bench)


@pytest.mark.parametrize("tells", [True, False])
async def test_the_first_listing_that_took_long_does_not_put_off_what_costs_little(
    bench: Bench, *, tells: bool
) -> None:
    """Where ZFS does not tell what has changed, all would have to be listed again."""
    async with bench.watching() as watch:
        bench.host.takes_s = 300.0
        if not tells:
            said = b"bad property list: invalid property 'snapshots_changed'"
            bench.host.answers[TELLS_CHANGES] = Completed(Command(("zfs",)), Outcome.FAILED, 2, b"", said)
        watch.want("tank", is_wanted=True)
        await bench.until(bench.listed())
        bench.host.takes_s = 0.0
        bench.stage.does("zfs snapshot tank/b@new")

        await bench.passes(5 * EVERY_S)  # some of it goes by while the index is written

        listing = bench.pool.listing.value
        assert listing is not None
        assert tells == ("tank/b@new" in names(listing))


async def test_a_damaged_index_is_told_while_everything_is_read(bench: Bench) -> None:
    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        await bench.until(bench.listed())
    (file,) = bench.folder.iterdir()
    file.write_bytes(file.read_bytes()[:-5])

    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        listing = await bench.until(bench.listed())

        first = bench.told[0].listing.value
        assert first is not None
        assert "is damaged" in first.remark
        assert "" == listing.remark
        assert bench.stage.names("snapshot") == names(listing)


async def test_who_leaves_ends_the_listing(bench: Bench) -> None:
    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        first = await bench.until(lambda: bench.pool.listing.value)
        assert first.waiting
        watch.want("tank", is_wanted=False)
        await bench.passes(EVERY_S)

        assert len(listings(bench)) < 5
        listing = bench.pool.listing.value
        assert listing is not None
        assert not listing.is_whole


async def test_a_host_that_knows_only_the_whole_listing_is_asked_for_it(bench: Bench) -> None:
    """As a recording does that was made before."""
    async with bench.watching() as watch:
        refused = Completed(Command(("zfs",)), Outcome.FAILED, 1, b"", b"not recorded")
        bench.host.answers["zfs list -Hp -t filesystem,volume -o"] = refused
        watch.want("tank", is_wanted=True)

        datasets = await bench.until(lambda: bench.pool.datasets.value)

        assert bench.stage.names("snapshot") <= {each.name for each in datasets}


async def test_what_cannot_be_listed_is_a_sentence_beside_what_was_known(bench: Bench) -> None:
    async with bench.watching() as watch:
        watch.want("tank", is_wanted=True)
        was = await bench.until(bench.listed())
        bench.host.answers["zfs list"] = Completed(Command(("zfs",)), Outcome.FAILED, 1, b"", b"no such luck")
        await bench.passes(EVERY_S + 2)
        await bench.until(lambda: bench.pool.listing.problem)

        assert "no such luck" in bench.pool.listing.problem
        assert bench.pool.listing.value is was
