"""What reclaim promises is what the practice host's pool then gains; nothing that must stay goes."""

from __future__ import annotations

import asyncio
from itertools import combinations

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import rule

from tests.doubles.practice_runs import WatchedHost
from tests.practice.zfs.blocks import BLOCK, Lives
from tests.practice.zfs.stage import MIB, Stage
from zconsole.analysis.snapshots.freed_space import Freed
from zconsole.analysis.snapshots.snapshots_to_free_space import MOST_MOVABLE, in_runs
from zconsole.analysis.snapshots.snapshots_to_keep import RetentionRules
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal, read_reclaim
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.host.plan_facts import HostPolicy
from zconsole.practice import PracticeHost
from zconsole.practice.world import dataset_writes_and_snapshots

ALL = RetentionRules(newest=0)


def host_of(stage: Stage) -> WatchedHost:
    return WatchedHost(PracticeHost(clock=ManualClock(stage.world.now), world=stage.world))


async def asked(stage: Stage, wish: ReclaimGoal, host: WatchedHost | None = None) -> Reclaim:
    host = host or host_of(stage)
    await host.connect()
    return await read_reclaim(Asker(host), wish, stage.world.now)


def names(found: Reclaim) -> list[str]:
    return [
        chain.snapshots[place].name
        for chain, places in zip(found.chains, found.choice.places, strict=True)
        for place in sorted(places)
    ]


def destroy(stage: Stage, found: Reclaim) -> int:
    """Carry it out; returns the bytes that the pool gained."""
    before = stage.size("tank", "used")
    for chain, places in zip(found.chains, found.choice.places, strict=True):
        for run in in_runs(chain, places):
            stage.does(f"zfs destroy {run}")
    return before - stage.size("tank", "used")


class Promises(Lives):
    """Asks for an amount in a random pool, does what is proposed, and counts."""

    @rule(need=st.integers(1, 60), newest=st.integers(0, 2))
    def the_oldest_that_do_it(self, need: int, newest: int) -> None:
        wish = ReclaimGoal("tank", need * BLOCK, keeping=RetentionRules(newest))
        found = asyncio.run(asked(self.stage, wish))
        ages = sorted(
            (self.stage.snapshot(name).createtxg, name in names(found), name)
            for name in self._movable(newest)
        )
        if found.is_enough:
            last = max((txg for txg, is_chosen, _ in ages if is_chosen), default=0)
            older = [name for txg, is_chosen, name in ages if txg < last and not is_chosen]
            assert self._gain(set(names(found)) | set(older)) == found.freed.least_bytes, "these free nothing"
            fewer = {name for txg, _, name in ages if txg < last}
            assert self._gain(fewer) < wish.need_bytes
        else:
            assert self._gain({name for *_, name in ages}) < wish.need_bytes
        self._keeps_its_promise(found)

    @rule(need=st.integers(1, 60))
    def the_fewest_that_do_it(self, need: int) -> None:
        wish = ReclaimGoal("tank", need * BLOCK, "fewest", keeping=ALL)
        found = asyncio.run(asked(self.stage, wish))
        movable = self._movable(0)
        if found.is_enough and len(movable) <= 9:
            assert found.choice.is_fewest
            fewer = combinations(movable, len(names(found)) - 1)
            assert all(self._gain(set(each)) < wish.need_bytes for each in fewer)
        self._keeps_its_promise(found)

    def _keeps_its_promise(self, found: Reclaim) -> None:
        assert found.freed.is_exact
        before = self._total()
        gained = destroy(self.stage, found)
        assert gained == found.freed.least_bytes == before - self._total()

    def _movable(self, newest: int) -> list[str]:
        clones = {each.origin for each in self.stage.pool.datasets.values()}
        return [
            kept.full_name
            for dataset in self.stage.pool.datasets.values()
            for kept in dataset.snapshots[: max(0, len(dataset.snapshots) - newest)]
            if not kept.holds and kept not in clones
        ]

    def _gain(self, gone: set[str]) -> int:
        left = [kept for kept in self._snapshots() if kept.full_name not in gone]
        there = [*self.stage.pool.datasets.values(), *left]
        return self._total() - BLOCK * len(frozenset().union(*(self.content[each.guid] for each in there)))


TestPromises = Promises.TestCase
TestPromises.settings = settings(max_examples=12, stateful_step_count=30, deadline=None)


def history(*, snapshots: int = 8) -> Stage:
    """Each day 1 MiB is written; the files of the first days are deleted before the last snapshot but one."""
    stage = Stage("zfs create tank/a", "zfs create tank/a/b")
    for day in range(snapshots):
        stage.write("tank/a", 1)
        if day == snapshots - 2:
            dataset_writes_and_snapshots.delete(stage.pool, stage.dataset("tank/a"), 0.5)
        stage.does(f"zfs snapshot tank/a@{day}")
    return stage


async def test_what_must_stay_stays_and_says_why() -> None:
    stage = history()
    stage.does("zfs hold audit tank/a@1")
    stage.does("zfs clone tank/a@3 tank/c")
    keeping = RetentionRules(
        1, 3.5, replication={"tank/a@4": "needed by backup"}, policy=HostPolicy(protected=("*@5",))
    )

    found = await asked(stage, ReclaimGoal("tank/a", 1 << 40, keeping=keeping))

    assert ["tank/a@0", "tank/a@2"] == [
        chain.snapshots[place].name
        for chain in found.chains
        for place in range(len(chain.snapshots))
        if chain.snapshots[place].name not in {each.name for each in found.kept}
    ]
    assert {
        "tank/a@1": ("held", "held by audit"),
        "tank/a@3": ("cloned", "origin of tank/c"),
        "tank/a@4": ("replication", "needed by backup"),
        "tank/a@5": ("protected", "*@5 stays"),
        "tank/a@6": ("young", "younger than 3s"),
        "tank/a@7": ("newest", "the newest of its dataset"),
    } == {each.name: (each.reason, each.detail) for each in found.kept}
    assert not found.is_enough


async def test_what_another_pool_has_too_is_what_increments_build_on() -> None:
    stage = history(snapshots=4)
    stage.does("zfs create tank/copy")
    stage.does("zfs snapshot tank/copy@1")
    stage.snapshot("tank/copy@1").guid = stage.snapshot("tank/a@1").guid

    found = await asked(stage, ReclaimGoal("tank/a", 1 << 40))

    assert {"tank/a@1": "replication", "tank/a@3": "newest"} == {
        each.name: each.reason for each in found.kept
    }


async def test_the_oldest_take_few_questions_of_many_snapshots() -> None:
    stage = history(snapshots=200)
    stage.does("zfs hold keep tank/a@20")
    host = host_of(stage)

    found = await asked(stage, ReclaimGoal("tank/a", 40 * MIB, keeping=ALL), host)

    assert found.is_enough
    assert found.questions <= 10
    assert found.freed.least_bytes == destroy(stage, found)


async def test_many_snapshots_are_not_claimed_to_be_the_fewest() -> None:
    stage = history(snapshots=MOST_MOVABLE + 10)

    found = await asked(stage, ReclaimGoal("tank/a", 20 * MIB, "fewest", keeping=ALL))

    assert found.is_enough
    assert found.choice.is_fewest is False
    assert found.questions <= 60
    assert found.freed.least_bytes == destroy(stage, found)


async def test_block_cloning_and_dedup_take_the_promise_back() -> None:
    stage = history()
    host = host_of(stage)
    line = "tank\tbclonesaved\t1048576\t-\n"
    host.answers["zpool get"] = Completed(Command(("zpool",)), Outcome.DONE, 0, line.encode(), b"")
    wish = ReclaimGoal("tank/a", MIB, keeping=ALL)

    cloned = await asked(stage, wish, host)
    host.answers["zpool get"] = Completed(
        Command(("zpool",)), Outcome.DONE, 0, b"tank\tdedupratio\t1.31\t-\n", b""
    )
    deduped = await asked(stage, wish, host)

    assert cloned.choice.freed.is_exact
    assert Freed(cloned.choice.freed.least_bytes - MIB, cloned.choice.freed.most_bytes) == cloned.freed
    assert (None, 0) == (deduped.pool_saves_bytes, deduped.freed.least_bytes)
    assert not deduped.is_enough


async def test_without_an_answer_there_are_bounds() -> None:
    """A recording has no dry runs."""
    stage = history()
    stage.does("zfs hold keep tank/a@0")
    host = host_of(stage)
    host.answers["zfs destroy -nvp"] = Completed(Command(("zfs",)), Outcome.FAILED, 1, b"", b"no")

    found = await asked(stage, ReclaimGoal("tank/a", 1 << 40, keeping=RetentionRules(1)), host)

    assert not found.freed.is_exact
    assert found.freed.least_bytes <= destroy(stage, found) <= found.freed.most_bytes


@pytest.mark.parametrize(("name", "said"), [("nosuch", "no pool nosuch"), ("tank/no", "no dataset tank/no")])
async def test_what_is_not_there_is_said(name: str, said: str) -> None:
    with pytest.raises(CommandFailed, match=said):
        await asked(Stage(), ReclaimGoal(name, 1))
