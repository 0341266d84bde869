"""What is read for a plan grows with what it is about, not with the pool; what was not looked at is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.doubles.practice_runs import HOST, Bench
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import CommandFailed, ZfsMissing
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings import datasets_and_scoped_snapshots, send_base_search
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_excerpt
from zconsole.execution.facts.snapshots_to_free_space import ReclaimGoal, read_reclaim
from zconsole.hosts.build_command_results import never_started
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope, SnapshotSelector

DATASETS = 30
SNAPSHOTS = 20
ALL_COLUMNS = "name,type,used"
FAST_COLUMNS = "name,guid,createtxg"


class Counting(Bench):
    """Counts the snapshots that the host lists, with all columns and with those that cost nothing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.rows: Counter[str] = Counter()
        self.listed: set[str] = set()  # datasets of which a snapshot was listed with all columns
        run = self.host.inner.run

        async def counted(command: Command) -> Completed:
            completed = await run(command)
            if command.argv[:2] == ("zfs", "list") and "-o" in command.argv:
                columns = command.argv[command.argv.index("-o") + 1]
                kind = "all" if columns.startswith(ALL_COLUMNS) else columns
                names = [line.split("\t")[0] for line in completed.stdout.decode().splitlines()]
                snapshots = [name for name in names if "@" in name]
                self.rows[kind] += len(snapshots)
                if kind != FAST_COLUMNS:
                    self.listed |= {name.partition("@")[0] for name in snapshots}
            return completed

        self.host.inner.run = counted  # type: ignore[method-assign]

    async def asker(self) -> Asker:
        """Who asks the host."""
        await self.host.connect()
        return Asker(self.host)

    async def plan(self, action: str, *words: str, **options: bool) -> Plan:
        """A plan, and what it listed."""
        self.rows.clear()
        self.listed.clear()
        named = {name.replace("_", "-"): value for name, value in options.items()}
        return await self.operator.prepare(HOST, intent(action, *words, options=named))


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Thirty file systems of twenty snapshots; one of them with a clone, which has snapshots of its own."""
    monkeypatch.setattr(send_base_search, "MOST_BESIDE", 2 * SNAPSHOTS)
    bench = Counting()
    for number in range(DATASETS):
        bench.type(f"zfs create tank/c{number}")
        bench.type(*(f"zfs snapshot tank/c{number}@s{each}" for each in range(SNAPSHOTS)))
    bench.type("zfs clone tank/c3@s5 tank/c7/clone", "zfs snapshot tank/c7/clone@own")
    return bench


async def test_a_plan_for_one_snapshot_reads_that_one_and_the_names_of_its_neighbours(
    bench: Counting,
) -> None:
    made = await bench.plan("destroy", "tank/c9@s2")

    assert ("tank/c9@s2",) == made.destroys
    assert not made.is_refused
    assert 1 == bench.rows["all"]
    assert bench.rows[FAST_COLUMNS] <= (1 + send_base_search.FIRST_DATASETS) * SNAPSHOTS


async def test_a_snapshot_with_a_clone_takes_the_lineage_of_the_clone_along(bench: Counting) -> None:
    made = await bench.plan("destroy", "tank/c3@s5", with_clones=True)

    assert {"tank/c3@s5", "tank/c7/clone", "tank/c7/clone@own"} == set(made.destroys)
    assert {"tank/c3", "tank/c7/clone"} == bench.listed
    assert 2 == bench.rows["all"]


async def test_snapshots_of_the_same_name_everywhere_are_read_by_their_names(bench: Counting) -> None:
    bench.type("zfs snapshot -r tank@now")

    made = await bench.plan("destroy", "tank@now", recursive=True)

    assert DATASETS + 3 == len(made.destroys) == bench.rows["all"]


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (("set", "tank/c3", "compression=zstd"), 0),
        (("create", "tank/new"), 0),
        (("unmount", "tank/c3"), 0),
        (("snapshot", "tank/c3@new"), 0),
        (("snapshot", "tank/c3@s5"), 1),
        (("hold", "tank/c3@s5", "tag"), 1),
        (("clone", "tank/c3@s5", "tank/copy"), 1),
        (("rename", "tank/c3@s5", "s6"), 2),
        (("rollback", "tank/c9@s18"), SNAPSHOTS),
        (("promote", "tank/c7/clone"), 1 + SNAPSHOTS),  # what each that moves holds
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
async def test_no_action_lists_more_than_it_is_about(
    words: tuple[str, ...], rows: int, bench: Counting
) -> None:
    await bench.plan(*words)

    assert rows == bench.rows["all"]
    assert not any(
        argv[argv.index("-t") + 1].endswith("snapshot,bookmark") if "-t" in argv else False
        for argv in (each.argv for each in bench.host.commands)
    )


async def test_what_there_are_too_many_of_to_be_looked_through_is_said(bench: Counting) -> None:
    """A copy in the same pool that is named like its source is found first all the same."""
    bench.type("zfs create tank/kept", "zfs create tank/kept/c9", "zfs snapshot tank/kept/c9@s2")
    pool = bench.world.pools["tank"]
    theirs = pool.datasets["tank/kept/c9"].snapshots[0]
    theirs.guid = next(each for each in pool.datasets["tank/c9"].snapshots if each.name == "s2").guid

    made = await bench.plan("destroy", "tank/c9@s2")

    assert [f"{HOST}:tank/kept/c9"] == [each.name for each in made.dependents if each.kind == "send base"]
    assert any("its own pool has copies of it is not known" in each for each in made.warnings)


async def test_reclaim_reads_the_snapshots_of_its_dataset(bench: Counting) -> None:
    found = await read_reclaim(await bench.asker(), ReclaimGoal("tank/c9", 1 << 20), bench.world.now)

    assert {"tank/c9"} == bench.listed
    assert SNAPSHOTS == bench.rows["all"]
    assert ["its own pool has copies"] == [each[8:31] for each in found.unseen]


async def test_a_dataset_that_goes_while_it_is_read_is_read_without(bench: Counting) -> None:
    """Between the listing of file systems and that of their snapshots another console destroys one."""
    run = bench.host.run

    async def run_late(command: Command) -> Completed:
        if "tank/c7/clone" in command.argv and "tank/c7/clone" in bench.world.pools["tank"].datasets:
            bench.type("zfs destroy -r tank/c7/clone")
        return await run(command)

    bench.host.run = run_late  # type: ignore[method-assign]
    found = await read_excerpt(await bench.asker(), "tank", [SnapshotSelector("tank/c3@s5", clones=True)])

    assert SnapshotScope(bare=frozenset({"tank/c3"}), named=frozenset({"tank/c3@s5"})) == found.scope
    assert [()] == [each.clones for each in found.known]


async def test_a_clone_that_comes_while_it_is_read_is_read_too(bench: Counting) -> None:
    run = bench.host.run

    async def run_late(command: Command) -> Completed:
        completed = await run(command)
        if (
            "filesystem,volume,bookmark" in command.argv
            and "tank/late" not in bench.world.pools["tank"].datasets
        ):
            bench.type("zfs clone tank/c3@s5 tank/late", "zfs snapshot tank/late@own")
        return completed

    bench.host.run = run_late  # type: ignore[method-assign]
    found = await read_excerpt(await bench.asker(), "tank", [SnapshotSelector("tank/c3@s5", clones=True)])

    assert {"tank/late", "tank/late@own"} <= {each.name for each in found.datasets}
    assert {"tank/c7/clone", "tank/late"} == found.scope.whole


async def test_what_fails_twice_is_told(bench: Counting) -> None:
    cut = Completed(Command(()), Outcome.FAILED, 1, b"", b"cannot open 'tank/c3': I/O error")
    bench.host.answers["zfs list -Hp -t snapshot"] = cut

    with pytest.raises(CommandFailed, match="zfs list"):
        await read_excerpt(await bench.asker(), "tank", [SnapshotSelector("tank/c3")])

    bench.host.answers.clear()
    unknown = replace(cut, outcome=Outcome.UNKNOWN, status=None, reason="no answer")
    bench.host.answers["zfs list -Hp -t snapshot"] = unknown
    with pytest.raises(CommandFailed, match="no answer"):
        await read_excerpt(await bench.asker(), "tank", [SnapshotSelector("tank/c3@s5")])


async def test_a_recording_that_has_only_the_whole_gives_that(bench: Counting) -> None:
    bench.host.answers["zfs list -Hp -t filesystem,volume,bookmark"] = never_started(
        Command(("zfs",)), "it is not in the recording", status=127
    )

    found = await read_excerpt(await bench.asker(), "tank", [SnapshotSelector("tank/c3")])

    assert {"tank/c3", "tank/c9"} <= found.scope.whole
    assert (DATASETS * SNAPSHOTS) + 2 == sum(each.type == "snapshot" for each in found.datasets)

    bench.host.answers["zfs list"] = bench.host.answers.popitem()[1]
    with pytest.raises(ZfsMissing):
        await read_excerpt(await bench.asker(), "tank", [SnapshotSelector("tank/c3")])


async def test_very_many_names_of_a_dataset_are_read_as_all_of_it(
    bench: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets_and_scoped_snapshots, "MOST_NAMED", 5)

    few = await read_excerpt(
        await bench.asker(), "tank", [SnapshotSelector(f"tank/c9@s{each}") for each in range(5)]
    )
    many = await read_excerpt(
        await bench.asker(), "tank", [SnapshotSelector(f"tank/c9@s{each}") for each in range(6)]
    )

    assert frozenset() == few.scope.whole
    assert frozenset({"tank/c9"}) == many.scope.whole
    assert SNAPSHOTS == sum(each.type == "snapshot" for each in many.datasets)
