"""Random intents of the whole catalogue on random states: no exception, nothing done or lost unannounced."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.doubles.faulty_host import Nemesis
from tests.doubles.practice_runs import HOST, Bench
from tests.doubles.ways_out import faults
from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.intent import Intent, OptionValue, TargetKind, intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import UsageError
from zconsole.base.secret import Secret
from zconsole.model.run import Run, RunState
from zconsole.practice import World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.service.prepare_execute_and_recover_plans import Operator

CHUNKS = 10
INTENTS = 10_000
A_WORLD = 25  # intents on one world, each on what the others left
LAYOUTS = (
    "mirror 0 1",
    "mirror 0 1 mirror 2 3 spare 4",
    "raidz 0 1 2 log 3",
    "0 1",
    "mirror 0 1 special mirror 2 3 cache 4",
    "raidz2 0 1 2 3",
)
BY_HAND = (
    "zfs create tank/{word}",
    "zfs create tank/home/{word}",
    "zfs create -V 64M tank/{word}",
    "zfs snapshot -r tank@{word}",
    "zfs snapshot tank/home@{word}",
    "zfs clone {snapshot} tank/{word}",
    "zfs bookmark {snapshot} tank/home#{word}",
    "zfs hold keep {snapshot}",
    "zfs release keep {snapshot}",
    "zfs destroy {snapshot}",
    "zfs promote {dataset}",
    "zpool scrub tank",
    "zpool offline tank {device}",
    "zpool online tank {device}",
    "zpool checkpoint tank",
    "zfs set sharenfs=on {dataset}",
    "zfs unmount {dataset}",
)
WORDS = ("a", "b", "c", "home", "vm")
Objects = dict[tuple[str, int], str]  # kind and guid, and the name that it has


class Chooser:
    """Picks words for intents: mostly of what is there, sometimes nonsense."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.random = random.Random(seed)  # noqa: S311 - the same every time

    def intent(self) -> Intent:
        spec = self.random.choice(SPECS)
        arguments = [
            word
            for argument in spec.arguments
            if not argument.is_optional or self.random.random() < 0.4
            for word in self._words(argument.kind)
        ]
        options: dict[str, OptionValue] = {}
        for option in spec.options:
            if self.random.random() < 0.25:
                given = {"flag": True, "number": "12", "size": "64M"}.get(option.kind)
                options[option.name] = (
                    given if given is not None else self.random.choice(["/x", "lz4", "other"])
                )
        return intent(spec.id, self.target(spec), *arguments, options=options)

    def target(self, spec: ActionSpec) -> str:
        kind = self.random.choice(sorted(spec.targets, key=lambda each: each.value))
        if self.random.random() < 0.05:
            return self.random.choice(["", "nowhere", "tank/nowhere@x", "@", "tank/", "-f", "a b"])
        match kind:
            case TargetKind.HOST:
                known = [word for pool in self.world.importable for word in (pool.name, str(pool.guid))]
                return self.random.choice(known or ["fresh"])
            case TargetKind.FILESYSTEM | TargetKind.VOLUME if spec.id == "create":
                return f"{self.dataset()}/{self._word()}"
            case TargetKind.FILESYSTEM | TargetKind.VOLUME | TargetKind.POOL if spec.id == "snapshot":
                return f"{self.dataset()}@{self._word()}"
            case TargetKind.FILESYSTEM | TargetKind.VOLUME if spec.id == "promote":
                return self.random.choice(
                    [each.name for each in self._all() if each.origin] or [self.dataset()]
                )
            case TargetKind.FILESYSTEM:
                return self.dataset("filesystem")
            case TargetKind.VOLUME:
                return self.dataset("volume")
            case TargetKind.SNAPSHOT:
                return self.snapshot()
            case TargetKind.BOOKMARK:
                names = [f"{each.name}#{mark.name}" for each in self._all() for mark in each.bookmarks]
                return self.random.choice(names or ["tank#none"])
            case TargetKind.DISK if spec.id == "labelclear":
                return self._disk()
            case _:
                return self.random.choice(list(self.world.pools) or ["tank"])

    def _all(self) -> list[PracticeDataset]:
        return [each for pool in self.world.pools.values() for each in pool.datasets.values()]

    def dataset(self, kind: str = "") -> str:
        names = [each.name for each in self._all() if kind in {"", each.kind}]
        return self.random.choice(names or ["tank"])

    def snapshot(self) -> str:
        names = [f"{each.name}@{snapshot.name}" for each in self._all() for snapshot in each.snapshots]
        return self.random.choice(names or ["tank/home@a"])

    def device(self) -> str:
        leaves = [leaf for pool in self.world.pools.values() for leaf in pool.leaves()]
        return str(self.random.choice(leaves).guid) if leaves else "1"

    def _disk(self) -> str:
        disk = self.random.choice(self.world.disks)
        return f"/dev/disk/by-id/{disk.links[0]}" if disk.links else f"/dev/{disk.kname}"

    def _words(self, kind: str) -> Iterator[str]:
        match kind:
            case "device":
                yield self.device()
            case "vdev":
                tops = [str(top.guid) for pool in self.world.pools.values() for top in pool.root.children]
                yield self.random.choice([*tops, self.device()])
            case "disk":
                yield self._disk()
            case "layout":
                if self.random.random() < 0.7:
                    yield self.random.choice(["mirror", "raidz", "spare", "log", "cache", "special"])
                for _ in range(self.random.randint(1, 3)):
                    yield self._disk()
            case "name":
                yield self.random.choice(
                    [f"tank/{self._word()}", self._word(), f"{self.dataset()}@{self._word()}"]
                )
            case "snapshot" | "text":
                yield self.random.choice([self.snapshot(), f"{self.dataset()}@{self._word()}"])
            case "property":
                yield self.random.choice(
                    [
                        "compression=zstd",
                        "autotrim=on",
                        "mountpoint=/x",
                        "quota=1G",
                        "readonly=on",
                        "compression",
                        "x",
                    ]
                )
            case _:
                yield self.random.choice(["keep", "other"])

    def _word(self) -> str:
        return self.random.choice(WORDS)

    def by_hand(self) -> str:
        """What somebody else types meanwhile."""
        if len(self.world.pools) < 2 and self.world.importable and self.random.random() < 0.7:
            return f"zpool import {self.world.importable[0].guid}"
        line = self.random.choice(BY_HAND)
        device = next((leaf.path for pool in self.world.pools.values() for leaf in pool.leaves()), "none")
        return line.format(word=self._word(), snapshot=self.snapshot(), dataset=self.dataset(), device=device)


def objects(world: World) -> Objects:
    """Every dataset, snapshot and bookmark of every pool that is there, imported or not."""
    return {
        key: name
        for pool in [*world.pools.values(), *world.importable]
        if pool.label_state != "DESTROYED"
        for key, name in objects_in(pool).items()
    }


def objects_in(pool: PracticePool) -> Objects:
    """Every dataset, snapshot and bookmark of one pool."""
    found: Objects = {}
    for dataset in pool.datasets.values():
        found["dataset", dataset.guid] = dataset.name
        for snapshot in dataset.snapshots:
            found["snapshot", snapshot.guid] = f"{dataset.name}@{snapshot.name}"
        for bookmark in dataset.bookmarks:
            found[f"#{bookmark.name}", bookmark.guid] = f"{dataset.name}#{bookmark.name}"
    return found


async def one(bench: Bench, chooser: Chooser, operator: Operator, nemesis: Nemesis) -> str:
    """One intent to its end; says what became of it."""
    for _ in range(chooser.random.randint(0, 3)):
        answer(bench.world, chooser.by_hand().split(" "))
    bench.manual.advance(chooser.random.uniform(0, 30))
    nemesis.cache.clear()
    nemesis.executed.clear()
    wanted = chooser.intent()
    try:
        plan = await operator.prepare(HOST, wanted)
    except UsageError:
        return "usage"
    assert [] == nemesis.executed, "a plan changes nothing"
    assert [] == await wrong_ways_out(operator, plan)
    if plan.is_refused:
        return "refused"
    if chooser.random.random() < 0.2:
        answer(bench.world, chooser.by_hand().split(" "))
        nemesis.cache.clear()
    before = objects(bench.world)
    secrets = {name: Secret("a passphrase") for name in plan.secrets}
    run = await operator.execute(HOST, plan, plan.confirm or "", secrets)
    check(bench, plan, run, before, nemesis)
    return run.state.value


async def wrong_ways_out(operator: Operator, plan: Plan) -> list[str]:
    """What is worse about the ways out of a plan than about the plan."""
    found: list[str] = []
    for said, wanted in plan.alternatives:
        with suppress(UsageError):  # words that it lacks are asked for first
            found += faults(plan, said, await operator.prepare(HOST, wanted))
    return found


def check(bench: Bench, plan: Plan, run: Run, before: Objects, nemesis: Nemesis) -> None:
    done = [executed.argv for executed in nemesis.executed]
    assert [step.argv for step in plan.steps][: len(done)] == done, "only what was shown, in that order"
    assert run.state.is_end
    assert run.state is not RunState.UNKNOWN
    after = objects(bench.world)
    lost = {name for key, name in before.items() if key not in after}
    unnamed = {name for name in lost if name not in plan.destroys and not _is_in_a_pool_that_goes(name, plan)}
    assert not unnamed, f"lost without a word: {sorted(unnamed)}"
    if run.state is RunState.DONE:
        assert set(plan.destroys) & set(before.values()) <= lost, "what was to be lost is gone"


def _is_in_a_pool_that_goes(name: str, plan: Plan) -> bool:
    """What is in a pool that is not imported cannot be listed: the plan tells of the pool's device."""
    pool = name.partition("/")[0].partition("@")[0].partition("#")[0]
    return any(f"all of {pool}" in lost for lost in plan.loses)


def new_world(seed: int) -> Bench:
    chooser = random.Random(seed)  # noqa: S311
    bench = Bench(create_world(chooser.choice(LAYOUTS), disks=9, seed=seed))
    spare = f"/dev/disk/by-id/{bench.world.disks[8].links[0]}"
    secret = "zfs create -o encryption=on -o keyformat=passphrase tank/secret"
    answer(bench.world, secret.split(" "), b"a passphrase\n")
    bench.type(
        *("zfs create tank/vm", "zfs snapshot -r tank@b", "zfs create -V 64M tank/vm/c"),
        *("zfs clone tank/vm@b tank/home/clone", f"zpool create bulk {spare}", "zfs create bulk/vm"),
    )
    return bench


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_whatever_is_wanted_is_planned_refused_or_done_as_shown(
    chunk: int, request: pytest.FixtureRequest
) -> None:
    """10,000 intents with --long, a twentieth of them otherwise."""
    intents = INTENTS // CHUNKS // (1 if request.config.getoption("--long") else 20)
    ends: Counter[str] = Counter()

    async def all_of_them() -> None:
        for number in range(intents):
            seed = chunk * INTENTS + number
            if number % A_WORLD == 0:
                bench = new_world(seed)
                nemesis = Nemesis(bench.host, bench.manual, seed, is_calm=True)
                operator = bench.another(nemesis)
                chooser = Chooser(bench.world, seed)
            try:
                ends[await one(bench, chooser, operator, nemesis)] += 1
            except Exception as error:
                error.add_note(f"chunk {chunk}, intent {number}")
                raise

    asyncio.run(all_of_them())
    assert ends[RunState.DONE.value] > 0


def test_what_somebody_types_works_now_and_then() -> None:
    """The states are random, and not all the same."""
    bench = new_world(1)
    chooser = Chooser(bench.world, 1)

    replies = [answer(bench.world, chooser.by_hand().split(" ")) for _ in range(60)]

    assert {0, 1} <= {reply.status for reply in replies if isinstance(reply, Reply)}
