"""All snapshots of a pool: from the index at once, then what changed, in few commands, most wanted first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles.practice_runs import WatchedHost
from tests.practice.zfs.stage import Stage
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.collect.on_demand.pool_snapshot_listing import SnapshotWatch
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.displayed_snapshot_values import read_values
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.datasets.snapshot_table import SnapshotTable
from zconsole.practice import PracticeHost
from zconsole.storage.snapshot_cache import MAGIC, DamagedIndex, SnapshotIndex

NEVER_YET = Completed(Command(("zfs",)), Outcome.FAILED, 2, b"", b"bad property list")


class Bench:
    """A practice host with some datasets, and an index of its own."""

    def __init__(self, folder: Path) -> None:
        self.stage = Stage("zfs create tank/a", "zfs create tank/b", "zfs create tank/c")
        for number in range(5):
            self.stage.does(f"zfs snapshot -r tank@{number}")
        self.clock = ManualClock(self.stage.world.now + 100)
        self.stage.world.now += 100
        self.index = SnapshotIndex(folder)

    async def watch(self) -> tuple[SnapshotWatch, WatchedHost]:
        self.stage.world.now += 100
        self.clock = ManualClock(self.stage.world.now)
        host = WatchedHost(PracticeHost(clock=self.clock, world=self.stage.world))
        await host.connect()
        watch = SnapshotWatch(Asker(host), self.clock, "tank", 7, self.index)
        await watch.open()
        return watch, host

    def snapshots(self) -> set[str]:
        return self.stage.names("snapshot")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "index")


def names(table: SnapshotTable) -> set[str]:
    return {table.name(row) for row in range(len(table))}


def listings(host: WatchedHost) -> list[tuple[str, ...]]:
    """The datasets that each listing of snapshots named."""
    argvs = [each.argv for each in host.commands]
    return [
        argv[argv.index("--") + 1 :] for argv in argvs if argv[:5] == ("zfs", "list", "-Hp", "-t", "snapshot")
    ]


async def test_everything_is_listed_the_most_wanted_first(bench: Bench) -> None:
    watch, host = await bench.watch()

    watch.first = ["tank/c"]
    steps = [len(table) async for table in watch.refresh()]

    assert bench.snapshots() == names(watch.table)
    assert ("tank/c",) == listings(host)[0]
    assert [0, 5] == steps[:2]
    assert 20 == steps[-1]
    assert not list(watch.table.unlisted())


async def test_the_index_opens_the_last_known_state_and_only_changes_are_listed(bench: Bench) -> None:
    first, _ = await bench.watch()
    assert [table async for table in first.refresh()]
    before = bench.snapshots()
    bench.stage.does("zfs snapshot tank/b@new")
    bench.stage.does("zfs destroy tank/b@0")

    second, host = await bench.watch()
    assert before == names(second.table)
    assert first.table.taken_at == second.table.taken_at
    assert [table async for table in second.refresh()]

    assert bench.snapshots() == names(second.table)
    assert [("tank/b",)] == listings(host)


async def test_nothing_changed_costs_one_command(bench: Bench) -> None:
    first, _ = await bench.watch()
    assert [table async for table in first.refresh()]

    second, host = await bench.watch()
    assert [table async for table in second.refresh()]

    assert 1 == len(host.commands)
    assert bench.snapshots() == names(second.table)


@pytest.mark.parametrize(
    "line", ["zfs rename tank/b tank/d", "zfs rename tank/b@1 tank/b@one", "zfs destroy -r tank/b",
             "zfs clone tank/a@2 tank/e", "zfs create tank/f"],
)  # fmt: skip
async def test_whatever_is_done_is_seen(bench: Bench, line: str) -> None:
    first, _ = await bench.watch()
    assert [table async for table in first.refresh()]
    bench.stage.does(line)

    second, _ = await bench.watch()
    assert [table async for table in second.refresh()]

    assert bench.snapshots() == names(second.table)


async def test_a_promotion_is_seen_on_both_sides(bench: Bench) -> None:
    bench.stage.does("zfs clone tank/a@2 tank/e")
    first, _ = await bench.watch()
    assert [table async for table in first.refresh()]
    assert {"tank/a@2": ("tank/e",)} == first.table.clones()
    bench.stage.does("zfs promote tank/e")

    second, _ = await bench.watch()
    assert [table async for table in second.refresh()]

    assert bench.snapshots() == names(second.table)
    assert {"tank/e@2": ("tank/a",)} == second.table.clones()


async def test_a_change_in_the_second_of_the_listing_is_listed_again(bench: Bench) -> None:
    """`snapshots_changed` has whole seconds: what came right behind would have the same."""
    watch, _ = await bench.watch()
    bench.stage.world.now += 0.5
    bench.stage.world.pools["tank"].datasets["tank/a"].snapshots_changed = int(bench.clock.now())
    assert [table async for table in watch.refresh()]

    _, host = await bench.watch()
    again = SnapshotWatch(Asker(host), bench.clock, "tank", 7, bench.index)
    await again.open()
    assert [table async for table in again.refresh()]

    assert [("tank/a",)] == listings(host)


async def test_before_2_2_everything_is_listed_each_time(bench: Bench) -> None:
    for _ in range(2):
        watch, host = await bench.watch()
        host.answers[
            "zfs list -Hp -t filesystem,volume -o name,type,guid,createtxg,origin,snapshots_changed"
        ] = NEVER_YET
        assert [table async for table in watch.refresh()]
        assert bench.snapshots() == names(watch.table)
        assert {"tank", "tank/a", "tank/b", "tank/c"} == {name for part in listings(host) for name in part}


async def test_who_stops_asking_keeps_what_was_read(bench: Bench) -> None:
    watch, host = await bench.watch()

    watch.first = ["tank/b"]
    refreshing = watch.refresh()
    async for table in refreshing:
        if len(table):
            break
    await refreshing.aclose()  # type: ignore[attr-defined]

    assert {"tank/b"} == {name.partition("@")[0] for name in names(watch.table)}
    assert ("tank/b",) == listings(host)[0]
    assert len(listings(host)) <= 2  # the next is asked for while what was said is read


async def test_a_host_that_does_not_answer_leaves_the_old_state(bench: Bench) -> None:
    first, _ = await bench.watch()
    assert [table async for table in first.refresh()]
    second, host = await bench.watch()
    host.answers["zfs list"] = Completed(Command(("zfs",)), Outcome.FAILED, 1, b"", b"no")

    with pytest.raises(CommandFailed):
        assert [table async for table in second.refresh()]

    assert bench.snapshots() == names(second.table)


async def test_details_are_read_for_what_is_looked_at(bench: Bench) -> None:
    watch, _ = await bench.watch()
    assert [table async for table in watch.refresh()]
    bench.stage.does("zfs hold keep tank/a@1")
    rows = [row for row in range(len(watch.table)) if watch.table.name(row) in {"tank/a@1", "tank/a@2"}]
    bench.stage.does("zfs destroy tank/a@2")

    (detail,) = await read_values(watch._asker, [watch.table.name(row) for row in rows])

    assert ("tank/a@1", 1) == (detail.name, detail.holds)
    assert watch.table.guid_of(rows[0]) == detail.guid


async def test_a_damaged_index_is_told_and_written_anew(bench: Bench) -> None:
    watch, _ = await bench.watch()
    assert [table async for table in watch.refresh()]
    path = bench.index.path("practice", 7)
    whole = path.read_bytes()
    assert whole.startswith(MAGIC)
    assert 0o600 == path.stat().st_mode & 0o777

    middle = bytes([whole[-9] ^ 1])
    other = whole.replace(b"tank/a", b"tank/x")
    for damaged in (b"", MAGIC, whole[:-1], whole[: len(whole) // 2], b"x" + whole[1:], other, whole + b"x",
                    whole[:-9] + middle + whole[-8:]):  # fmt: skip
        path.write_bytes(damaged)
        with pytest.raises(DamagedIndex, match="is damaged"):
            bench.index.load("practice", 7)
    again, _ = await bench.watch()
    assert "is damaged" in again.remark
    assert 0 == len(again.table)
    assert [table async for table in again.refresh()]

    loaded = bench.index.load("practice", 7)
    assert loaded is not None
    assert bench.snapshots() == names(loaded)
    assert {"filesystem"} == {each.type for each in loaded.datasets}


async def test_an_index_of_another_version_or_host_is_as_if_there_was_none(bench: Bench) -> None:
    watch, _ = await bench.watch()
    assert [table async for table in watch.refresh()]
    assert bench.index.load("another", 7) is None
    path = bench.index.path("practice", 7)
    path.write_bytes(b"zconsole snapshots 1\n" + path.read_bytes()[len(MAGIC) :])

    assert bench.index.load("practice", 7) is None


async def test_the_pool_has_another_name_now(bench: Bench) -> None:
    watch, host = await bench.watch()
    assert [table async for table in watch.refresh()]

    moved = SnapshotWatch(Asker(host), bench.clock, "bank", 7, bench.index)
    await moved.open()

    assert {each.replace("tank", "bank", 1) for each in bench.snapshots()} == names(moved.table)
