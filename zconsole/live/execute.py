"""Carrying out one plan: checked again, one step at a time, each in the journal before and after.

A step whose end was not seen is settled by facts. It is never sent again, and nothing is sent after it
before it is known.
"""

from __future__ import annotations

import asyncio
import secrets as random_numbers
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Final

from zconsole.actions.plan import DIALOG_PLAN_LASTS_S, OF_HISTORY, SUDO_SECRET, Plan, Step
from zconsole.base.errors import HostError, UsageError, ZConsoleError
from zconsole.base.secret import Secret
from zconsole.base.text import visible
from zconsole.hosts.host import Command, Completed, Effect, Outcome
from zconsole.live.afterwards import done_beside, history_before
from zconsole.live.ask import in_words
from zconsole.live.conditions import Telling, telling
from zconsole.live.desk import Desk
from zconsole.live.entries import entry_of
from zconsole.live.facts import Reader
from zconsole.live.feeding import Feeding, can_stop, fed_by, last_words, what_is_left
from zconsole.live.following import follow
from zconsole.live.identity import read_identity
from zconsole.live.lock import lock_for
from zconsole.live.prepare import plan_or_refuse, read_whole
from zconsole.live.privilege import Way, as_root, was_refused_unasked
from zconsole.live.readings import read_history
from zconsole.live.settle import Doubt, Verdict, settle
from zconsole.live.stale import other_doing
from zconsole.live.transfer import Watch
from zconsole.model.facts import Becoming, Facts
from zconsole.model.journal import StepEntry
from zconsole.model.machine import is_still_same
from zconsole.model.run import Moved, Run, RunState, StepRun
from zconsole.zfs.core_call import is_call
from zconsole.zfs.history import Record

CLOCK_BACK_S: Final = 5.0  # more than that is no rounding: the clock was set
LOGGER_TIMEOUT_S: Final = 5.0
LOG_CHARACTERS: Final = 900  # of one line of the system's log
ID_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Order:
    """A plan that somebody confirmed: what they typed, the secrets asked for, how old it may be."""

    plan: Plan
    typed: str = ""
    secrets: Mapping[str, Secret] = field(default_factory=dict, repr=False)
    lasts_s: float = DIALOG_PLAN_LASTS_S


class _Stopped(Exception):
    """The run has come to an end; the message says how."""

    def __init__(self, state: RunState, words: str, differences: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.state = state
        self.words = words
        self.differences = differences


def _keep() -> None:
    """Nobody waits for the turn."""


async def execute(reader: Reader, order: Order, desk: Desk, let_others: Callable[[], None] = _keep) -> Run:
    """Carry it out. Raises nothing that is a matter of the host: every end is a Run.

    `let_others` is called when what is left takes long, and others may act on the host meanwhile.
    """
    execution = _Execution(reader, order, desk, let_others)
    try:
        return await execution.run()
    finally:
        desk.stops.pop(execution.id, None)


class _Execution:
    """One run of one plan."""

    def __init__(self, reader: Reader, order: Order, desk: Desk, let_others: Callable[[], None]) -> None:
        self._reader = reader
        self._let_others = let_others
        self._holding = AsyncExitStack()
        self._order = order
        self._plan = order.plan
        self._desk = desk
        self._clock = reader.clock
        self._telling: tuple[tuple[Telling, ...], ...] = ()
        self._facts: Facts | None = None
        self._checked_at = 0.0  # monotonic seconds
        self._is_journaled = False
        self._journal_problem = ""
        self._run = Run(
            id=random_numbers.token_hex(ID_BYTES),
            host=reader.host.label,
            title=self._plan.title,
            target=self._plan.target,
            state=RunState.CHECKING,
            steps=tuple(StepRun(step.argv, fed_by=fed_by(step)) for step in self._plan.steps),
            undo=self._plan.undo,
            started=self._clock.now(),
        )
        self._stop = desk.stops.setdefault(self._run.id, asyncio.Event())

    @property
    def id(self) -> str:
        """The run's."""
        return self._run.id

    async def run(self) -> Run:
        """From the first check to the end."""
        self._publish()
        try:
            self._check_order()
            await self._reader.host.connect()
            async with self._holding as holding:
                is_locked = await holding.enter_async_context(
                    lock_for(self._plan, self._reader, self._desk, self._order.secrets)
                )
                before = None if is_locked else await history_before(self._reader, self._plan)
                await self._check_host()
                await self._begin()
                for number, step in enumerate(self._plan.steps):
                    await self._check_machine(number)
                    await self._step(number, step)
                words = "every step is done" if len(self._plan.steps) > 1 else "done"
                beside = await done_beside(self._reader, self._plan, before)
            await self._end(RunState.DONE, f"{words}; {beside}" if beside else words)
        except _Stopped as stopped:
            self._run = replace(self._run, differences=stopped.differences)
            await self._end(stopped.state, stopped.words)
        except ZConsoleError as error:
            await self._end(self._state_now(), in_words(error))
        return self._run

    # Before anything is sent

    def _check_order(self) -> None:
        """What can be told without the host."""
        plan = self._plan
        age = self._clock.now() - plan.made_at
        if plan.is_refused:
            raise _Stopped(RunState.REFUSED, "; ".join(each.reason for each in plan.refusals))
        if self._reader.policy.read_only:
            raise _Stopped(RunState.REFUSED, self._reader.policy.read_only)
        if plan.identity.label != self._reader.host.label:
            raise _Stopped(RunState.REFUSED, f"the plan was made for {plan.identity.label}")
        if age > self._order.lasts_s or age < -CLOCK_BACK_S:
            raise _Stopped(
                RunState.REFUSED,
                f"the plan is {max(0.0, age):.0f} s old, and such a plan is good for "
                f"{self._order.lasts_s:.0f} s: make it again",
            )
        if plan.confirm is not None and self._order.typed != plan.confirm:
            raise _Stopped(RunState.REFUSED, f"it was not confirmed: {plan.confirm!r} must be typed")
        for name in plan.secrets:
            if name not in self._order.secrets:
                raise _Stopped(RunState.REFUSED, f"it needs the {name}")

    async def _check_host(self) -> None:
        """Read the host again, plan again, and compare."""
        try:
            facts = await read_whole(self._reader, self._plan.intent)
            now = plan_or_refuse(self._plan.intent, facts)
        except UsageError as error:
            raise _Stopped(RunState.STALE, "the host is not as the plan had it", (error.message,)) from None
        differences = self._plan.basis.differences(now.basis)
        if differences:
            raise _Stopped(RunState.STALE, "the host is not as the plan had it", differences)
        if now.is_refused:
            reasons = "; ".join(each.reason for each in now.refusals)
            raise _Stopped(RunState.REFUSED, reasons)
        others = other_doing(self._plan, now)
        if others:
            raise _Stopped(RunState.STALE, "the host is not as the plan had it", others)
        self._facts = facts
        self._checked_at = self._clock.monotonic()
        history = await self._history(facts)
        self._telling = tuple(telling(step.settled_by, facts, history) for step in self._plan.steps)

    async def _history(self, facts: Facts) -> Sequence[Record] | None:
        """What the pool's history has now, where a step is to be settled by it; a suspended pool has none."""
        pool = facts.pool(self._plan.intent.pool)
        asked = any(each.kind in OF_HISTORY for step in self._plan.steps for each in step.settled_by)
        if not asked or pool is None or pool.is_suspended:
            return None
        return await read_history(self._reader.asker, self._reader.privilege, pool.name)

    async def _begin(self) -> None:
        """Write down all that is going to be done."""
        who = self._facts.privileges.user if self._facts is not None else ""
        entry = entry_of(self._run, self._plan, self._desk, who, self._telling)
        await self._desk.write(self._desk.journal.begin, entry)
        self._is_journaled = True
        self._change(state=RunState.RUNNING)

    # Each step

    async def _check_machine(self, number: int) -> None:
        """Before each step but the first: what the connection leads to may have changed since the check."""
        if self._journal_problem:
            raise _Stopped(RunState.FAILED, f"the rest was not run: {self._journal_problem}")
        if number and not is_still_same(self._plan.identity, await read_identity(self._reader.asker)):
            raise _Stopped(RunState.FAILED, f"another machine answers as {self._plan.identity.label} now")

    async def _step(self, number: int, step: Step) -> None:
        """Send one step, see what becomes of it, and write that down. Raises _Stopped unless it is done."""
        privileges = None if self._facts is None else self._facts.privileges
        way = await self._reader.privilege.way_as(privileges, step.argv)
        completed, doubt = await self._send(number, self._command(step, way), step)
        if completed is not None and was_refused_unasked(completed) and not way.is_sure:
            command = self._command(step, Way(Becoming.SUDO_PASSWORD))
            completed, doubt = await self._send(number, command, step)
        if completed is None or completed.outcome is Outcome.UNKNOWN:
            await self._settle(number, doubt, completed)
            return
        said = _said(completed)
        state = "done" if completed.is_done else "failed"
        await self._step_ended(number, state, status=completed.status, said=said)
        if not completed.is_done:
            what = f"step {number + 1} of {len(self._plan.steps)}" if len(self._plan.steps) > 1 else "it"
            why = completed.said or completed.reason or f"exit {completed.status}"
            if step.is_receive:
                raise _Stopped(RunState.FAILED, f"it did not come to its end: {await self._left(step, why)}")
            raise _Stopped(RunState.FAILED, f"{what} was refused: {why}")

    async def _left(self, step: Step, why: str) -> str:
        """Why a stream did not come to its end, and how to go on from there, where that is known."""
        kept = await what_is_left(self._reader, self._plan.intent, step)
        return f"{last_words(why)}; {kept}" if kept else why

    async def _send(self, number: int, command: Command, step: Step) -> tuple[Completed | None, Doubt]:
        """Write it down, then send it. Without a Completed the link was gone before its end."""
        sent_at, sent_monotonic = self._clock.now(), self._clock.monotonic()
        await self._desk.write(self._desk.journal.sent, self._run.id, number, command.argv, sent_at)
        self._change_step(number, state="running", started=sent_at, can_stop=can_stop(step, command))
        doubt = Doubt(
            argv=step.argv,
            pool=self._plan.intent.pool,
            conditions=self._telling[number],
            sent=sent_at,
            identity=self._plan.identity,
            sent_monotonic=sent_monotonic,
            command=command,
        )
        try:
            if step.sender is not None:
                feeding = Feeding(self._reader, step.sender, self._order.secrets, self._watch(number))
                return await feeding.run(command), doubt
            if step.is_followed:

                def told(words: str) -> None:
                    self._change_step(number, said=words)

                return await follow(self._reader.host, command, told, self._watch(number)), doubt
            return await self._reader.host.run(command), doubt
        except HostError:
            return None, doubt

    def _watch(self, number: int) -> Watch:
        """Who hears of a stream; once it flows, others may act on the host: ZFS keeps them off its target."""

        def tell(moved: Moved) -> None:
            self._change_step(number, moved=moved)

        async def started() -> None:
            if number == len(self._plan.steps) - 1:
                await self._holding.aclose()
                self._let_others()

        stop = self._stop if self._run.steps[number].can_stop else asyncio.Event()
        return Watch(tell, started, stop, self._clock)

    def _command(self, step: Step, way: Way) -> Command:
        """The step as it is sent: as root, and with what it wants on stdin."""
        stdin = step.stdin.encode("utf-8", "surrogateescape") if step.stdin is not None else None
        if step.wants_secret:
            stdin = self._order.secrets[step.wants_secret].reveal().encode("utf-8", "surrogateescape") + b"\n"
        command = Command(step.argv, Effect.CHANGE, step.timeout_s, stdin=stdin)
        becoming = way.becoming
        if becoming is Becoming.SUDO_PASSWORD and not way.is_sure:
            becoming = Becoming.SUDO
        return as_root(command, becoming, self._order.secrets.get(SUDO_SECRET))

    async def _settle(self, number: int, doubt: Doubt, completed: Completed | None) -> None:
        """Find out from the host what happened. Raises _Stopped unless it did."""
        why = completed.reason if completed is not None else "the connection was lost"
        await self._step_ended(number, "unknown", said=_said(completed) if completed else "", settled=why)
        self._change(state=RunState.SETTLING, words=why)

        async def told(words: str) -> None:
            self._change(words=f"{why}; {words}")

        judged = await settle(self._reader, doubt, told)
        match judged.verdict:
            case Verdict.HAPPENED:
                await self._step_ended(number, "done", settled=judged.words)
                self._change(state=RunState.RUNNING, words="")
                self._refuse_to_go_on_late(number)
            case Verdict.NOT_HAPPENED:
                await self._step_ended(number, "failed", settled=judged.words)
                words = f"{why}; {judged.words}"
                step = self._plan.steps[number]
                raise _Stopped(RunState.FAILED, await self._left(step, words) if step.is_receive else words)
            case _:
                await self._step_ended(number, "unknown", settled=judged.words)
                raise _Stopped(RunState.UNKNOWN, f"{why}; {judged.words}")

    def _refuse_to_go_on_late(self, number: int) -> None:
        """What comes after was confirmed for a host as it was then."""
        left = len(self._plan.steps) - number - 1
        if left and self._clock.monotonic() - self._checked_at > DIALOG_PLAN_LASTS_S:
            raise _Stopped(
                RunState.FAILED,
                f"step {number + 1} is done, and it took so long to know it that the {left} after it were "
                "not run: make a new plan for them",
            )

    # What is told

    async def _step_ended(
        self, number: int, state: str, *, status: int | None = None, said: str = "", settled: str = ""
    ) -> None:
        """Keep what became of a step: on the screen first, which needs no disk."""
        before = self._run.steps[number]
        ended = None if state == "unknown" else self._clock.now()
        self._change_step(
            number, state=state, status=status, said=said or before.said, ended=ended, settled=settled
        )
        now = self._run.steps[number]
        entry = StepEntry(now.argv, state=state, ended=ended, status=status, said=now.said, settled=settled)
        try:
            await self._desk.write(self._desk.journal.step_ended, self._run.id, number, entry)
        except ZConsoleError as error:  # what happened is known all the same; no further step is sent
            self._journal_problem = in_words(error)
        if state != "unknown":
            await self._log(number, state)

    async def _log(self, number: int, state: str) -> None:
        """One line in the log of the storage host, where it has a logger; without it nothing is missing."""
        step = self._plan.steps[number]
        told = (step.stdin or "").split() if is_call(step.argv) else []  # its argv names no object
        words = " ".join((*step.argv, *told))
        line = visible(f"{self._run.id} {state}: {words} (by {self._desk.origin})")[:LOG_CHARACTERS]
        try:
            await self._reader.host.run(
                Command(("logger", "-t", "zconsole", "--", line), timeout_s=LOGGER_TIMEOUT_S)
            )
        except HostError:
            return

    async def _end(self, state: RunState, words: str) -> None:
        """The end, on the screen and in the journal. A journal that fails now does not undo what is done."""
        self._change(state=state, words=words)
        if self._is_journaled:
            ended = None if state is RunState.UNKNOWN else self._clock.now()
            try:
                await self._desk.write(self._desk.journal.run_ended, self._run.id, state, words, ended)
            except ZConsoleError as error:
                self._journal_problem = in_words(error)
        if self._journal_problem and self._journal_problem not in words:
            self._change(words=f"{words}; {self._journal_problem}")

    def _state_now(self) -> RunState:
        """What an error between the steps makes of the run."""
        states = {step.state for step in self._run.steps}
        if states & {"running", "unknown"}:
            return RunState.UNKNOWN
        if states == {"done"}:
            return RunState.DONE
        return RunState.FAILED if states - {"waiting"} else RunState.REFUSED

    def _change(self, *, state: RunState | None = None, words: str | None = None) -> None:
        self._run = replace(
            self._run,
            state=self._run.state if state is None else state,
            words=self._run.words if words is None else words,
        )
        self._publish()

    def _change_step(self, number: int, **changes: object) -> None:
        steps = list(self._run.steps)
        steps[number] = replace(steps[number], **changes)  # type: ignore[arg-type]  # fields by name
        self._run = replace(self._run, steps=tuple(steps))
        self._publish()

    def _publish(self) -> None:
        self._desk.publish(self._run)


def _said(completed: Completed) -> str:
    """All that it printed, for display."""
    parts = (part.decode("utf-8", "replace").strip("\n") for part in (completed.stdout, completed.stderr))
    return "\n".join(part for part in parts if part) or completed.reason
