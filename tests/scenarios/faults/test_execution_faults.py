"""The real engine behind a bad link: no false success, nothing run twice, every end known in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from tests.doubles.faulty_host import Crashed, DrivenClock, Nemesis
from zconsole.actions import action_catalogue
from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.intent import Intent, TargetKind, intent
from zconsole.actions.plan import Condition, ConditionKind, Plan, Risk, Step
from zconsole.base.clock import ManualClock
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.run import Run, RunState
from zconsole.practice import PracticeHost, World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.service import prepare_execute_and_recover_plans as operator_module
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

CHUNKS = 20
RUNS = 20_000
PATIENCE_S = 75.0
SNAPSHOTS = ("tank/home@a", "tank/home@b", "tank/home@c")
NOTHING_RUN = {RunState.STALE, RunState.REFUSED}
GONE = "another boot:1:1"


def plan_holds(wanted: Intent, facts: PlanFacts) -> Draft:
    """Three steps, each of which shows in the facts."""
    draft = Draft("hold all", wanted.target, Risk.ROUTINE)
    for name in SNAPSHOTS:
        draft.steps.append(
            Step(
                ("zfs", "hold", "keep", name),
                "hold it",
                settled_by=(Condition(ConditionKind.HOLD_THERE, name, value="keep"),),
            )
        )
    draft.saw("holds", sorted(hold.snapshot for hold in facts.holds or ()))
    return draft


HOLDS = ActionSpec(
    "hold-all",
    "Hold all",
    "For tests.",
    frozenset({TargetKind.FILESYSTEM}),
    plan_holds,
    needs=lambda wanted: Needs(datasets=(wanted.pool,), holds=True),
)


@dataclass
class Bench:
    """A small host whose holds are taken back after each run, and a plan for it."""

    world: World
    clock: ManualClock
    host: PracticeHost
    plan: Plan

    def reset(self) -> None:
        for line in (
            f"zfs release keep {' '.join(SNAPSHOTS)}",
            *(f"zfs release keep {s}" for s in SNAPSHOTS),
        ):
            answer(self.world, line.split())
        self.clock.advance(5.0)  # the next run is not of the same second
        pool = self.world.pools["tank"]
        del pool.history[:-5], self.world.events[:-5]

    def held(self) -> list[bool]:
        """Whether each step's work is to be seen on the host."""
        home = self.world.pools["tank"].datasets["tank/home"]
        return ["keep" in snapshot.holds for snapshot in home.snapshots]


@pytest.fixture(autouse=True)
def _with_an_action_of_three_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(action_catalogue._BY_ID, HOLDS.id, HOLDS)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


async def make_bench() -> Bench:
    world = create_world("mirror 0 1", disks=2)
    for line in ("zfs create tank/home", *(f"zfs snapshot {name}" for name in SNAPSHOTS)):
        answer(world, line.split())
    clock = ManualClock(world.now)
    host = PracticeHost(clock=clock, world=world)
    operator = an_operator(Nemesis(host, clock, 0, is_calm=True), clock, Journal(is_kept=False))
    return Bench(world, clock, host, await operator.prepare("practice", intent("hold-all", "tank/home")))


def an_operator(host: Nemesis, clock: ManualClock, journal: Journal) -> Operator:
    return Operator([host], clock=DrivenClock(clock), policies=Policies(), journal=journal, write=directly)


async def directly(call: object, *arguments: object) -> object:
    assert callable(call)
    return call(*arguments)


async def run_one(bench: Bench, seed: int) -> None:
    """One plan under the faults of a seed; then what a later console makes of what is not known."""
    nemesis = Nemesis(bench.host, bench.clock, seed)
    if nemesis.random.random() < 0.2:
        nemesis.crash_at = nemesis.random.randint(1, 60)
    journal = Journal(is_kept=False)
    plan = replace(bench.plan, made_at=bench.clock.now())
    try:
        run: Run | None = await an_operator(nemesis, bench.clock, journal).execute("practice", plan)
    except Crashed:
        run = None
    believed = check(bench, nemesis, journal, run)
    nemesis.is_calm, nemesis.crash_at = True, None
    nemesis.end_console()
    for _ in range(
        nemesis.random.randint(0, 2)
    ):  # consoles that open and end while something may be under way
        await an_operator(nemesis, bench.clock, journal).recover("practice", patience_s=PATIENCE_S)
        nemesis.end_console()
        early = ends_told(journal)
        assert believed in {None, RunState.UNKNOWN} or early <= {believed}, "an end that was told stays"
    early = ends_told(journal)
    await nemesis.drain()
    await an_operator(nemesis, bench.clock, journal).recover("practice", patience_s=PATIENCE_S)
    if not nemesis.has_processes:
        check_open(bench, journal)
        bench.world.boot_id = f"boot of seed {seed}"
        await an_operator(nemesis, bench.clock, journal).recover("practice", patience_s=PATIENCE_S)
    settled = check_settled(bench, nemesis, journal)
    assert early <= {settled}, "an end that was found out stays"
    if settled is not None and believed not in {None, RunState.UNKNOWN}:
        assert believed == settled, "an end that was told stays"


def check(bench: Bench, nemesis: Nemesis, journal: Journal, run: Run | None) -> RunState | None:
    """What holds at the end of every run, seen or not."""
    done = [executed.argv for executed in nemesis.executed]
    assert len(done) == len(set(done)), "no step ran twice"
    assert done == [step.argv for step in bench.plan.steps][: len(done)], "in order, and none was skipped"
    entries = journal.entries()
    sent = [step.argv for entry in entries for step in entry.steps if step.sent is not None]
    assert set(done) <= set(sent), "what ran was written down before"
    if run is None:
        return None
    assert run.state.is_end
    assert run.words
    if run.state in NOTHING_RUN:
        assert not done
        assert not sent
    if run.state is RunState.DONE:
        assert [True, True, True] == bench.held(), "no false success"
    for step, is_held in zip(run.steps, bench.held(), strict=True):
        assert "done" != step.state or is_held, "no false success of a step"
        assert "failed" != step.state or not is_held, "no false failure"
    if run.state is RunState.UNKNOWN:
        assert ["unknown"] == [step.state for step in run.steps if step.state not in {"done", "waiting"}]
    return run.state


def ends_told(journal: Journal) -> set[RunState]:
    """The ends that the journal has, and that are to be relied on."""
    return {entry.state for entry in journal.entries() if entry.ended is not None}


def check_open(bench: Bench, journal: Journal) -> None:
    """Where the host shows no processes, what did not happen stays unknown until it is started anew."""
    for entry in journal.entries():
        for step, is_held in zip(entry.steps, bench.held(), strict=True):
            assert "failed" != step.state or not is_held
            assert "done" != step.state or is_held


def check_settled(bench: Bench, nemesis: Nemesis, journal: Journal) -> RunState | None:
    """Once the host is there again, facts have settled everything."""
    done = [executed.argv for executed in nemesis.executed]
    assert len(done) == len(set(done)), "settling sends nothing"
    for entry in journal.entries():
        assert entry.state.is_end
        assert entry.state is not RunState.UNKNOWN
        for step, is_held in zip(entry.steps, bench.held(), strict=True):
            assert {"done": True, "failed": False, "waiting": False}[step.state] is is_held
        assert (entry.state is RunState.DONE) == all(bench.held())
        return entry.state
    return None


@pytest.mark.slow(after=5)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_fault_makes_a_lie(
    chunk: int,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    loop: asyncio.AbstractEventLoop,
) -> None:
    """20,000 runs by seed with --long, a twentieth of them otherwise."""
    monkeypatch.setattr(operator_module, "console_id", lambda: GONE)
    runs = RUNS // CHUNKS // (1 if request.config.getoption("--long") else 20)

    async def all_of_them() -> None:
        bench = await make_bench()
        for seed in range(chunk * RUNS, chunk * RUNS + runs):
            try:
                await run_one(bench, seed)
            except AssertionError as error:
                error.add_note(f"seed {seed}")
                raise
            bench.reset()

    loop.run_until_complete(all_of_them())
