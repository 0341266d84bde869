"""One plan in a world that moves: made, checked again and carried out by the real engine, and then judged."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from tests.doubles.faulty_host import DrivenClock
from tests.doubles.practice_runs import directly
from tests.scenarios.moving_world.cases import SECRETS, Case, new_world
from tests.scenarios.moving_world.changes import CHANGES, Change
from tests.scenarios.moving_world.identity import OTHER
from tests.scenarios.moving_world.moving_host import (
    Acted,
    Answers,
    Asking,
    Moment,
    MovingHost,
    after,
    answered,
)
from tests.scenarios.moving_world.windows import WINDOWS
from zconsole.actions.plan import Plan
from zconsole.base.clock import ManualClock
from zconsole.base.errors import ZConsoleError
from zconsole.base.secret import Secret
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.run import Run, RunState
from zconsole.practice import PracticeHost, World
from zconsole.practice.system.coreutils import read as read_file
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

AGO_S = 3600
UNDONE = CHANGES["undone"]  # changes no identity
NOTHING_RUN = frozenset({RunState.STALE, RunState.REFUSED})


class Phase(Enum):
    """Between which commands the world moved."""

    PREPARE = "prepare"  # while the plan is made
    CHECK = "check"  # from the order on, until the last command before the first that acts
    ACT = "act"  # right before a command that acts
    AFTER = "after"  # from then on


class Wrong(Enum):
    """What must not be."""

    OBJECT = "wrong object"
    DONE = "false done"
    FAILED = "false failed"
    JOURNAL = "journal"


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that must not be, and what it was, for who mends it."""

    wrong: Wrong
    words: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of one run that was disturbed."""

    case: str
    change: str
    position: int
    phase: Phase
    state: str  # of the run; `no plan` where none was run
    failures: tuple[Failure, ...]
    before: str = ""  # the command before which the world moved

    def entries(self) -> list[str]:
        """As the table of known failures has them."""
        kinds = {each.wrong.value for each in self.failures}
        return [f"{self.case} | {self.change} | {self.phase.value} | {kind}" for kind in sorted(kinds)]

    def told(self) -> str:
        """For a person."""
        where = f"{self.phase.value}, before the {self.position}th command: {self.before}"
        words = "".join(f"\n    {each.wrong.value}: {each.words}" for each in self.failures)
        return f"{self.case} | {self.change} | {where} | {self.state}{words}"


@dataclass
class DiffProgress:
    """One run: what was asked of the host, what was believed, and what really happened."""

    host: MovingHost
    plan: Plan | None
    run: Run | None
    journal: Journal
    prepared: int  # askings until the plan was made
    error: str = ""

    def phase(self, position: int) -> Phase:
        """Where a position lies."""
        if position < self.prepared:
            return Phase.PREPARE
        if position in self.host.acts_at:
            return Phase.ACT
        first = min(self.host.acts_at, default=len(self.host.asked))
        return Phase.CHECK if position < first else Phase.AFTER

    @property
    def is_done(self) -> bool:
        return self.run is not None and self.run.state is RunState.DONE


@dataclass
class Start:
    """A world at one moment, kept so that copies are made of it; and the plan, where that was just made."""

    world: bytes
    plan: Plan | None = None
    asked: tuple[str, ...] = ()


def _kept(world: World) -> bytes:
    """A world without its long past, which nobody asks for here; what is left of it was long ago."""
    world.events.clear()
    for pool in (*world.pools.values(), *world.importable):
        pool.history = [replace(each, at=each.at - AGO_S) for each in pool.history[-3:]]
    return pickle.dumps(world)


def _host(world: bytes) -> tuple[PracticeHost, ManualClock]:
    """A host of a copy of that world, whose clocks go on from where they stood."""
    mine: World = pickle.loads(world)  # noqa: S301 - our own
    clock = ManualClock(mine.now)
    host = PracticeHost(clock=clock, world=mine)
    host._began -= mine.elapsed
    host.simulation._began -= mine.elapsed
    return host, clock


async def carry_out(
    case: Case,
    start: Start,
    changes: Mapping[int, Sequence[Change]],
    memory: dict[Moment, Answers],
    worlds: dict[Moment, bytes] | None = None,
) -> DiffProgress:
    """From the wish to the end, with changes at positions counted from the first command of the plan.

    `memory` has the answers of hosts that began as this one; into `worlds` goes what the host was at each
    moment at which something was read.
    """
    inner, manual = _host(start.world)
    host = MovingHost(inner, manual, asked=list(start.asked), memory=memory)
    if worlds is not None:

        def keep(moment: Moment) -> None:
            if moment not in worlds:
                worlds[moment] = pickle.dumps(inner.world)

        host.seen_at = keep
    for position, those in changes.items():
        host.happens[position] = [
            (change.name, partial(change.make, inner.world, case.focus)) for change in those
        ]
    clock = DrivenClock(manual)
    journal = Journal(is_kept=False)
    operator = Operator([host], clock=clock, policies=Policies(clock=clock), journal=journal, write=directly)
    plan, run, error = start.plan, None, ""
    try:
        if plan is None:
            plan = await operator.prepare(host.label, case.intent(inner.world))
        else:
            await host.connect()
        prepared = len(host.asked)
        if not plan.is_refused:
            secrets = {name: Secret(SECRETS) for name in plan.secrets}
            run = await operator.execute(host.label, plan, plan.confirm or "", secrets)
    except ZConsoleError as problem:
        prepared, error = len(host.asked), problem.message
    return DiffProgress(host, plan, run, journal, prepared, error)


def is_harmless(words: str, plan: Plan | None) -> bool:
    """Whether it is only that what came meanwhile goes along: mounted, shared, unlocked, kept or copied too.

    What is destroyed, rolled back or renamed with its parent is another matter. A disk that is detached keeps
    its label where somebody took it offline or pulled it right before: ZFS cannot write to it any more.
    """
    if plan is not None and plan.intent.action == "detach" and words.startswith("left label of "):
        which = plan.steps[0].why  # names the serial number, unless the disk was gone when it was planned
        return words.split()[3] in which or "serial" not in which
    if plan is not None and plan.intent.action == "clear":
        resumed = words.startswith("suspended of ")  # as every clear does
        return resumed or (not plan.intent.arguments and words.startswith("state of "))  # of each device
    goes_along = OTHER in words and words.startswith(("mounted of", "shared of", "key of"))
    if plan is not None and plan.intent.action == "export" and goes_along:
        return True
    if "/meanwhile" not in words:
        return False
    return goes_along or words.endswith("was made")


def is_unpromised(words: str, plan: Plan | None) -> bool:
    """Whether a clear of a suspended pool promises nothing of it: the pool resumes, its devices may not."""
    resumes = plan is not None and plan.intent.action == "clear" and not plan.steps[0].leads_to
    return resumes and words.startswith(("state of ", "scan of "))


def judge(told: DiffProgress, planned: Sequence[DiffProgress]) -> list[Failure]:
    """What is wrong with a run, held against undisturbed ones of what it may have planned.

    What the console did must be within what one of them did; what it calls done must have come about as in
    one of them, by its hand or another's.
    """
    allowed = [each.host.console for each in planned]
    run, console = told.run, told.host.console
    failures: list[Failure] = []
    if run is None:
        return [Failure(Wrong.OBJECT, f"without a run {console}")] if console else []
    beyond = min(
        ([w for w in console.beyond(each) if not is_harmless(w, told.plan)] for each in allowed), key=len
    )
    if beyond:
        failures.append(Failure(Wrong.OBJECT, f"{run.state.value}: {'; '.join(beyond)}"))
    whole = console | told.host.others
    lacks = min(
        ([w for w in whole.lacks(each) if not is_unpromised(w, told.plan)] for each in allowed),
        key=len,
        default=[],
    )
    if run.state is RunState.DONE and lacks:
        failures.append(Failure(Wrong.DONE, "; ".join(lacks)))
    if not run.state.is_end or not run.words:
        failures.append(Failure(Wrong.DONE, f"it never ended: {run.state.value} {run.words}"))
    if run.state in NOTHING_RUN and told.host.acted:
        failures.append(Failure(Wrong.FAILED, f"{run.state.value}, and {told.host.acted[0].argv} was run"))
    if run.state is RunState.FAILED and console and any(not console.lacks(each) for each in allowed):
        failures.append(Failure(Wrong.FAILED, f"all of it has happened: {run.words}"))
    failures += _steps(told, run, {each.argv: each for one in planned for each in one.host.acted})
    return failures + _journal(told, run)


def _steps(told: DiffProgress, run: Run, undisturbed: Mapping[tuple[str, ...], Acted]) -> list[Failure]:
    """Each step against the commands that were really run, and what they come to undisturbed."""
    acted = {each.argv: each for each in told.host.acted}
    failures = []
    for step in run.steps:
        mine = acted.get(step.argv)
        if step.state == "waiting" and mine is not None:
            failures.append(Failure(Wrong.FAILED, f"{step.argv} was run, and is told to wait"))
        if step.state == "done" and mine is None:
            failures.append(Failure(Wrong.DONE, f"{step.argv} is done, and was never run"))
        planned = undisturbed.get(step.argv)
        is_failed = step.state == "failed" and mine is not None and planned is not None
        if is_failed and mine.effects and planned.effects and not mine.effects.lacks(planned.effects):
            failures.append(Failure(Wrong.FAILED, f"{step.argv} did all, and is told to have failed"))
    return failures


def _journal(told: DiffProgress, run: Run) -> list[Failure]:
    entries = told.journal.entries()
    if not entries:
        return [Failure(Wrong.JOURNAL, "nothing is written")] if told.host.acted else []
    entry = next(each for each in entries if each.id == run.id)
    failures = []
    if entry.state is not run.state:
        failures.append(Failure(Wrong.JOURNAL, f"{entry.state.value} is written, told was {run.state.value}"))
    states = [step.state for step in entry.steps]
    if states != [step.state for step in run.steps]:
        failures.append(Failure(Wrong.JOURNAL, f"steps are written as {states}"))
    sent = {step.argv for each in entries for step in each.steps if step.sent is not None}
    unwritten = [each.argv for each in told.host.acted if each.argv not in sent]
    if unwritten:
        failures.append(Failure(Wrong.JOURNAL, f"{unwritten[0]} was run and is not written"))
    return failures


class _Changed:
    """Hosts to which a change has happened, the last one of them kept, and the same without it."""

    def __init__(self, case: Case, change: Change) -> None:
        self.change = change
        self._case = case
        self._moment: Moment | None = None

    def host(self, moment: Moment, world: bytes) -> PracticeHost:
        """The one to which it happens at that moment."""
        if moment != self._moment:
            self._moment = moment
            self.before, self._host = _host(world)[0], _host(world)[0]
            for each in (self.before, self._host):
                each._is_connected = True
            self.change.make(self._host.world, self._case.focus)
        return self._host


def _file(host: PracticeHost, path: str) -> str | type[OSError]:
    try:
        return read_file(host.world, path)
    except OSError as error:
        return type(error)


class Scenario:
    """One case: what it comes to undisturbed, and what it comes to when the world moves."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.start = Start(_kept(new_world(case)))
        self.followed = 0  # runs that were known to go as the one before
        self._changed_before: dict[tuple[str, ...], DiffProgress] = {}
        self._memory: dict[Moment, Answers] = {}
        self._worlds: dict[Moment, bytes] = {}

    async def begin(self) -> None:
        """Run it undisturbed. Raises AssertionError unless it is done."""
        self.told = await carry_out(self.case, self.start, {}, self._memory, self._worlds)
        run, plan = self.told.run, self.told.plan
        assert run is not None, (self.told.error, plan and plan.refusals)
        assert RunState.DONE is run.state, run
        assert self.told.host.console, "undisturbed it changes something"
        assert [] == judge(self.told, [self.told])
        asked = tuple(self.told.host.asked[: self.told.prepared])
        self._planned = Start(self.start.world, plan, asked)
        self.planned = await carry_out(self.case, self._planned, {}, self._memory, self._worlds)
        assert [] == judge(self.planned, [self.told])
        end = len(self.planned.host.asked)
        self._apart = {self.told.prepared - 1, end - 1, end}  # runs of their own

    @property
    def positions(self) -> range:
        """Before each asking of the undisturbed run, and after the last."""
        return range(len(self.planned.host.asked) + 1)

    @property
    def changes(self) -> list[Change]:
        """Those that make sense for it."""
        return [each for each in CHANGES.values() if each.needs <= self.case.focus.parts]

    async def with_changes_before(self, changes: Sequence[Change]) -> DiffProgress:
        """What it comes to when these changes were there before anybody looked, in that order."""
        key = tuple(change.name for change in changes)
        if key not in self._changed_before:
            self._changed_before[key] = await carry_out(self.case, self.start, {0: changes}, self._memory)
        return self._changed_before[key]

    async def disturbed(self, change: Change, position: int) -> Seen:
        """Run it with that change at that position, and judge."""
        return await self.disturbed_by({position: change})

    async def disturbed_by(self, changes: Mapping[int, Change]) -> Seen:
        """Run it with changes at these positions, and judge."""
        told = await self._carried_out(changes)
        self._forget()
        return await self._judged(told, changes)

    async def at(self, change: Change, *, is_long: bool) -> list[Seen]:
        """Run it with that change at some positions, or at all, and judge."""
        if is_long:
            return await self.everywhere(change)
        return [await self.disturbed(change, position) for position in self.probes(change)]

    async def everywhere(self, change: Change) -> list[Seen]:
        """Run it with that change at each position, and judge.

        Where a command says the same before and after the change, it makes no difference to the console
        which of the two comes first: the run goes as the one with the change right after that command.
        """
        found: list[Seen] = []
        changed = _Changed(self.case, change)
        told: DiffProgress | None = None
        for position in reversed(self.positions):
            asking = None if told is None else told.host.askings.get(position)
            is_apart = position in self._apart
            if told is None or asking is None or is_apart or not self._is_same(asking, changed):
                told = await self._carried_out({position: change})
            else:
                self.followed += 1
            found.append(await self._judged(told, {position: change}))
        self._forget()
        return found[::-1]

    def _forget(self) -> None:
        """What only worlds say that have changed."""
        self._memory = {moment: known for moment, known in self._memory.items() if moment in self._worlds}

    def _is_same(self, asking: Asking, changed: _Changed) -> bool:
        """Whether what was read undisturbed would be the same right after the change."""
        if asking.moment not in self._worlds:
            return False
        host = changed.host(asking.moment, self._worlds[asking.moment])
        if isinstance(asking.what, str):
            return _file(changed.before, asking.what) == _file(host, asking.what)
        moment = after(asking.moment, changed.change.name)
        was = answered(changed.before, asking.what, self._memory.setdefault(asking.moment, {}))
        now = answered(host, asking.what, self._memory.setdefault(moment, {}))
        if was is None or now is None:
            return False
        return (was.outcome, was.status, was.stdout, was.stderr) == (
            now.outcome,
            now.status,
            now.stdout,
            now.stderr,
        )

    async def _carried_out(self, changes: Mapping[int, Change]) -> DiffProgress:
        is_planned = min(changes) >= self.told.prepared
        start = self._planned if is_planned else self.start
        those = {position: [change] for position, change in changes.items()}
        return await carry_out(self.case, start, those, self._memory)

    async def _judged(self, told: DiffProgress, changes: Mapping[int, Change]) -> Seen:
        phases = {position: told.phase(position) for position in changes}
        early = [changes[position] for position in sorted(changes) if phases[position] is Phase.PREPARE]
        planned = [self.told]
        for count in range(1, len(early) + 1):
            after = await self.with_changes_before(early[:count])
            planned += [after] if after.is_done else []
        undone = [change for _, change in sorted(changes.items()) if change in early or change is UNDONE]
        if undone != early:  # the plan could not be carried out until somebody undid what it wants to do
            after = await self.with_changes_before(undone)
            planned += [after] if after.is_done else []
        failures = judge(told, planned)
        if any(self._is_in_window(told, position) for position in changes):
            failures = [each for each in failures if each.wrong is not Wrong.OBJECT]
        first = min(changes)
        state = told.run.state.value if told.run is not None else "no plan"
        before = told.host.asked[first] if first < len(told.host.asked) else "(the end)"
        names = ", ".join(changes[position].name for position in sorted(changes))
        return Seen(self.case.name, names, first, phases[first], state, tuple(failures), before)

    def _is_in_window(self, told: DiffProgress, position: int) -> bool:
        """Whether no reading could have seen it any more; what checks by itself has no window."""
        commands, _why = WINDOWS[self.case.action]
        return any(
            act - commands < position <= act
            and not (self.case.is_at_once and not told.host.asked[act].startswith("zfs unmount "))
            for act in told.host.acts_at
        )

    def probes(self, change: Change) -> list[int]:
        """One position of each kind where things go wrong, another for each change."""
        first = min(self.planned.host.acts_at)
        lot = zlib.crc32(f"{self.case.name} {change.name}".encode())
        check = range(self.told.prepared, first)
        anywhere = (lot // 3) % len(self.positions)
        return [(first, check[-1], anywhere)[lot % 3]]
