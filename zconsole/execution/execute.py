"""Execution of one plan: checked again, one step at a time, each journaled before and after.

A step whose end was not seen is settled by facts. It is never sent again, and nothing is sent after it before
its outcome is known.
"""

from __future__ import annotations

import asyncio
import secrets as random_numbers
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Final

from zconsole.actions.plan import OF_HISTORY, SUDO_SECRET, Plan, Risk, Step
from zconsole.base.errors import HostError, NeverSent, ParseError, UsageError, ZConsoleError
from zconsole.base.secret import Secret
from zconsole.collect.asker import in_words
from zconsole.collect.machine_identity import read_identity
from zconsole.collect.privilege import Escalation, as_root, was_refused_unasked
from zconsole.collect.readings.single_readings import read_history
from zconsole.execution.concurrent_changes import done_beside, history_before
from zconsole.execution.facts.read_facts import Reader
from zconsole.execution.host_lock import lock_for
from zconsole.execution.identity_check import last_look
from zconsole.execution.journal_entry import entry_of
from zconsole.execution.leave_while_running import UserLeft, to_its_end, unless_left
from zconsole.execution.long_command import follow
from zconsole.execution.outcomes.changed_since import SuccessfulCommand
from zconsole.execution.outcomes.condition_check import ConditionCheck
from zconsole.execution.outcomes.evaluate_condition import telling
from zconsole.execution.outcomes.process_traces import CommandTrace, Traced, read_trace, to_json
from zconsole.execution.outcomes.uncertain_step import Settlement, UncertainStep, may_miss, settle
from zconsole.execution.outcomes.verify_step import StepInspection, VerifiedEffects, look_afterwards
from zconsole.execution.pipe import Watch
from zconsole.execution.pipeline import Feeding, can_stop, fed_by, last_words, what_is_left
from zconsole.execution.plan_diff import other_doing
from zconsole.execution.prepare import plan_or_refuse, read_whole
from zconsole.execution.run_context import RunContext, WatchedRun
from zconsole.execution.run_progress import RunRecord
from zconsole.execution.undo_preparation import PreparedRun, put_back
from zconsole.execution.unfinished_commands import still_under_way
from zconsole.hosts.command_results import never_started, unknown
from zconsole.hosts.host import Command, Completed, Effect, Outcome
from zconsole.model.host.machine import is_still_same
from zconsole.model.host.plan_facts import PlanFacts, PrivilegeMode
from zconsole.model.run import Run, RunState, StepRun, TransferProgress
from zconsole.storage.journal import JournalError
from zconsole.zfs.change.channel_program import is_program, refusal
from zconsole.zfs.listing.history import HistoryRecord

FACTS_LAST_S: Final = 10.0  # older facts are read again before a destructive step
STEPS_FOLLOW_S: Final = 60.0  # after the check; no further step is sent later than that behind a lost end
CLOCK_BACK_S: Final = 5.0  # a larger difference means that the clock was set
ID_BYTES: Final = 8
STOPPED_FIRST: Final = "you stopped it before anything was sent"


@dataclass(frozen=True, slots=True)
class Order:
    """Confirmed plan: typed text, secrets, and maximum age (None: any; the host is read again anyway)."""

    plan: Plan
    typed: str = ""
    secrets: Mapping[str, Secret] = field(default_factory=dict, repr=False)
    lasts_s: float | None = None


class _Stopped(Exception):
    """The run has ended; the message says how."""

    def __init__(self, state: RunState, words: str, differences: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.state = state
        self.words = words
        self.differences = differences


def _keep() -> None:
    """Default: no other run waits for the turn."""


async def execute(
    reader: Reader, order: Order, desk: RunContext, let_others: Callable[[], None] = _keep
) -> Run:
    """Execute a plan. Every outcome, host errors included, is a Run; nothing is raised.

    `let_others` is called when the rest takes long and others may act on the host meanwhile.
    """
    execution = _Execution(reader, order, desk, let_others)
    try:
        return await execution.run()
    finally:
        desk.stops.pop(execution.id, None)


class _Execution(RunRecord):
    """One run of one plan."""

    def __init__(
        self, reader: Reader, order: Order, desk: RunContext, let_others: Callable[[], None]
    ) -> None:
        plan = order.plan
        super().__init__(
            Run(
                id=random_numbers.token_hex(ID_BYTES),
                host=reader.host.label,
                title=plan.title,
                target=plan.target,
                state=RunState.CHECKING,
                steps=tuple(StepRun(step.argv, fed_by=fed_by(step)) for step in plan.steps),
                undo=plan.undo,
                started=reader.clock.now(),
            ),
            plan,
            reader,
            desk,
        )
        self._let_others = let_others
        self._holding = AsyncExitStack()
        self._order = order
        self._telling: tuple[tuple[ConditionCheck, ...], ...] = ()
        self._unread: list[str] = []  # successful steps whose effect could not be read
        self._since: tuple[str, ...] = ()  # effects that somebody else changed since
        self._facts: PlanFacts | None = None
        self._checked_at = 0.0  # monotonic seconds
        self._traced: Traced | None = None
        self._read_at = 0.0  # monotonic seconds: start of reading the checked facts
        self._stop = desk.stops.setdefault(self._run.id, asyncio.Event())

    @property
    def id(self) -> str:
        """Id of the run."""
        return self._run.id

    @property
    def _is_destructive(self) -> bool:
        return self._plan.risk.rank >= Risk.DESTRUCTIVE.rank

    @property
    def _is_stopped(self) -> bool:
        return self._desk.leaving.is_set() or self._stop.is_set()

    async def run(self) -> Run:
        """Run all steps, from the first check to the end."""
        self._publish()
        try:
            self._check_order()
            leaving = (self._desk.leaving, self._stop)
            await unless_left(self._reader.host.connect(), *leaving)
            async with self._holding as holding:
                is_locked = await holding.enter_async_context(
                    lock_for(self._plan, self._reader, self._desk, self._order.secrets)
                )
                before = None
                if not is_locked:
                    before = await unless_left(history_before(self._reader, self._plan), *leaving)
                await unless_left(self._know_connection(), *leaving)  # adds nothing after the check
                await unless_left(self._check_nothing_runs(), *leaving)
                await unless_left(self._check_host(), *leaving)
                await self._begin()
                for number, step in enumerate(self._plan.steps):
                    self._check_leaving(number)
                    await self._know_connection()
                    await self._check_machine(number)
                    await self._step(number, step)
                words = "every step is done" if len(self._plan.steps) > 1 else "done"
                beside = await done_beside(self._reader, self._plan, before) if not self._since else ""
            ends = (words, *self._unread, *self._since, beside)
            await self._end(RunState.DONE, "; ".join(filter(None, ends)))
        except _Stopped as stopped:
            self._run = replace(self._run, differences=stopped.differences)
            await self._end(stopped.state, await self._made_good(stopped))
        except UserLeft:
            await self._end(RunState.REFUSED, STOPPED_FIRST)
        except ZConsoleError as error:
            await self._end(self._state_now(), in_words(error))
        return self._run

    async def _made_good(self, stopped: _Stopped) -> str:
        """Final run; preparatory steps are undone when the main step was not done."""
        done = [
            step for step, run in zip(self._plan.steps, self._run.steps, strict=True) if run.state == "done"
        ]
        undone = [step for step in done if step.put_back]
        astray = [
            step
            for step, run in zip(self._plan.steps, self._run.steps, strict=True)
            if step.put_back and run.state == "failed" and run.status == 0
        ]
        if not (undone or astray) or stopped.state is RunState.UNKNOWN:
            return stopped.words
        again = await put_back(
            PreparedRun(self._reader, self._desk, self._run, self._plan, self._put_back_command),
            undone,
            astray,
        )
        is_whole = len(undone) == len(done) and all(
            step.state == "done" or step.status != 0 for step in self._run.steps
        )
        nothing = "nothing was destroyed" if self._plan.destroys and is_whole else ""
        return "; ".join(filter(None, (stopped.words, nothing, again)))

    # Before anything is sent

    def _check_order(self) -> None:
        """Checks that need no host."""
        plan = self._plan
        age = self._clock.now() - plan.made_at
        if plan.is_refused:
            raise _Stopped(RunState.REFUSED, "; ".join(each.reason for each in plan.refusals))
        if self._reader.policy.read_only:
            raise _Stopped(RunState.REFUSED, self._reader.policy.read_only)
        if plan.identity.label != self._reader.host.label:
            raise _Stopped(RunState.REFUSED, f"the plan was made for {plan.identity.label}")
        lasts_s = self._order.lasts_s
        if lasts_s is not None and age > lasts_s:
            words = f"the plan is {age:.0f} s old, and such a plan is good for {lasts_s:.0f} s: make it again"
            raise _Stopped(RunState.REFUSED, words)
        if age < -CLOCK_BACK_S:
            raise _Stopped(RunState.REFUSED, "the clock was set back since the plan was made: make it again")
        if plan.confirm is not None and self._order.typed != plan.confirm:
            raise _Stopped(RunState.REFUSED, f"it was not confirmed: {plan.confirm!r} must be typed")
        for name in plan.secrets:
            if name not in self._order.secrets:
                raise _Stopped(RunState.REFUSED, f"it needs the {name}")

    async def _check_nothing_runs(self) -> None:
        """Refuse while a command of an earlier run is active, which would change the facts."""
        words = await still_under_way(self._reader, self._desk, self._plan, self._run.id)
        if words:
            raise _Stopped(RunState.REFUSED, words)

    async def _check_host(self) -> None:
        """Read the host again, plan again, and compare."""
        self._read_at = self._clock.monotonic()
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
        self._telling = tuple(
            (*telling(step.settled_by, facts, history), *telling(step.leads_to, facts, is_aim=True))
            for step in self._plan.steps
        )

    async def _history(self, facts: PlanFacts) -> Sequence[HistoryRecord] | None:
        """The pool's present history if a step needs it to be settled; empty for a suspended pool."""
        pool = facts.pool(self._plan.intent.pool)
        asked = any(each.kind in OF_HISTORY for step in self._plan.steps for each in step.settled_by)
        if not asked or pool is None or pool.is_suspended:
            return None
        return await read_history(self._reader.asker, self._reader.privilege, pool.name)

    async def _begin(self) -> None:
        """Journal all intended steps."""
        who = self._facts.privileges.user if self._facts is not None else ""
        entry = entry_of(self._run, self._plan, self._desk, who, self._telling)
        self._is_journaled = True  # even if the caller no longer waits, the write may complete
        try:
            await self._desk.write(self._desk.journal.begin, entry)
        except JournalError:
            self._is_journaled = False  # the run is certainly not in the journal
            raise
        self._change(state=RunState.RUNNING)

    # Each step

    def _check_leaving(self, number: int) -> None:
        """Before each step: after a request to leave or stop, no further one is sent."""
        if self._is_stopped:
            if not number:
                raise _Stopped(RunState.REFUSED, STOPPED_FIRST)
            raise _Stopped(RunState.FAILED, f"you stopped it; the steps from {number + 1} on were not run")

    async def _know_connection(self) -> None:
        """Record the process that will start the next step, to find out later whether it can still run."""
        host = self._reader.host
        if self._traced is None or not self._traced.is_of(host):
            self._traced = await read_trace(host)

    async def _check_machine(self, number: int) -> None:
        """Before each step but the first: verify that the connection still leads to the same machine."""
        if self._journal_problem:
            raise _Stopped(RunState.FAILED, f"the rest was not run: {self._journal_problem}")
        if number and not is_still_same(self._plan.identity, await read_identity(self._reader.asker)):
            raise _Stopped(RunState.FAILED, f"another machine answers as {self._plan.identity.label} now")

    async def _step(self, number: int, step: Step) -> None:
        """Send one step, determine and journal its outcome. Raises _Stopped unless it is done."""
        privileges = None if self._facts is None else self._facts.privileges
        way = await self._reader.privilege.way_as(privileges, step.argv)
        if self._is_destructive and not number and self._clock.monotonic() - self._read_at > FACTS_LAST_S:
            await self._check_host()
        completed, doubt = await self._send(number, self._command(step, way), step)
        if completed is not None and was_refused_unasked(completed) and not way.is_sure:
            command = self._command(step, Escalation(PrivilegeMode.SUDO_PASSWORD))
            completed, doubt = await self._send(number, command, step)
        if completed is None or completed.outcome is Outcome.UNKNOWN:
            await self._settle(number, doubt, completed)
            return
        said = _said(completed)
        if completed.is_done:
            await self._verify(number, step, doubt, completed)
        else:
            await self._step_ended(number, "failed", status=completed.status, said=said)
            what = f"step {number + 1} of {len(self._plan.steps)}" if len(self._plan.steps) > 1 else "it"
            why = refusal(completed.said) or completed.reason or f"exit {completed.status}"
            if step.is_receive:
                raise _Stopped(RunState.FAILED, f"it did not come to its end: {await self._left(step, why)}")
            raise _Stopped(RunState.FAILED, f"{what} was refused: {why}")

    async def _verify(self, number: int, step: Step, doubt: UncertainStep, completed: Completed) -> None:
        """Verify the effect on the host instead of the exit status. Raises _Stopped if it is missing."""
        # a channel program prints only its return value
        said = "" if is_program(step.argv) else _said(completed)
        unread = ""
        try:
            told = self._telling[number]
            success = SuccessfulCommand(step.argv, _said(completed), doubt.sent_monotonic or 0.0)
            looking = StepInspection(step, success, told, self._plan.intent.pool)
            seen = await look_afterwards(self._reader, looking)
        except (HostError, ParseError) as error:
            if self._is_destructive or may_miss(step.argv):
                await self._settle(number, doubt, completed)
                return
            seen = VerifiedEffects()
            unread = f"it succeeded, and what it did could not be read: {in_words(error)}"
            self._unread.append(unread)
        if not seen.wrong and not seen.unclear:
            since = "; ".join(seen.since)
            await self._step_ended(
                number, "done", status=completed.status, said=said, settled=since or unread
            )
            if since and number + 1 < len(self._plan.steps):
                words = f"step {number + 1} was done, and the rest was not run: {since}"
                raise _Stopped(RunState.FAILED, words)
            self._since += seen.since
            return
        words = f"the command succeeded, but {'; '.join(seen.wrong or seen.unclear)}"
        ended, state = ("failed", RunState.FAILED) if seen.wrong else ("unknown", RunState.UNKNOWN)
        await self._step_ended(number, ended, status=completed.status, said=said, settled=words)
        raise _Stopped(state, words)

    async def _look_again(self, number: int, step: Step) -> None:
        """Check identities right before sending. Raises _Stopped when another object would be affected."""
        try:
            others = await last_look(self._reader.asker, step.subjects)
        except (HostError, ParseError) as error:
            others, why = (), f"what it acts on could not be read: {in_words(error)}"
        else:
            why = "; ".join(others)
        if not why and not number and self._is_stopped:
            await self._step_ended(number, "failed", settled="not sent: you stopped it")
            raise _Stopped(RunState.REFUSED, STOPPED_FIRST)
        if not why:
            return
        await self._step_ended(number, "failed", settled=f"not sent: {why}")
        if others and not number:
            raise _Stopped(RunState.STALE, "the host is not as the plan had it", others)
        raise _Stopped(RunState.FAILED, f"step {number + 1} was not sent: {why}")

    async def _left(self, step: Step, why: str) -> str:
        """Why a stream ended early, and how to resume, if known."""
        kept = await what_is_left(self._reader, self._plan.intent, step)
        return f"{last_words(why)}; {kept}" if kept else why

    async def _send(
        self, number: int, command: Command, step: Step
    ) -> tuple[Completed | None, UncertainStep]:
        """Journal the step, then send it. Without a Completed the link was lost before its end."""
        sent_at, sent_monotonic = self._clock.now(), self._clock.monotonic()
        traced = self._traced or Traced(CommandTrace(), None)
        kept = (command.argv, sent_at, to_json(traced.trace))
        try:
            await self._desk.write(self._desk.journal.sent, self._run.id, number, *kept)
        except ZConsoleError as error:
            if self._run.steps[number].state == "waiting":
                self._unsent.append(number)
                raise
            why = f"it was refused without a password, and not sent with one: {in_words(error)}"
            await self._step_ended(number, "failed", settled=why)
            raise _Stopped(RunState.FAILED, why) from error
        command = replace(command, connection=traced.connection)
        self._change_step(number, state="running", started=sent_at, can_stop=can_stop(step, command))
        await self._look_again(number, step)
        doubt = UncertainStep(
            argv=step.argv,
            pool=self._plan.intent.pool,
            conditions=self._telling[number],
            sent=sent_at,
            identity=self._plan.identity,
            sent_monotonic=sent_monotonic,
            command=command,
            trace=traced.trace,
        )
        try:
            working = self._working(number, command, step)
            leaving, left = self._desk.leaving, self._desk.left_running
            completed = await to_its_end(working, leaving, self._clock, left)
        except NeverSent as error:
            return never_started(command, f"nothing was sent: {in_words(error)}"), doubt
        except UserLeft:
            return unknown(command, "you left before its end was seen"), doubt
        except HostError:
            return None, doubt
        if completed.session is not None:
            doubt = replace(doubt, trace=replace(doubt.trace, session=completed.session))
        return completed, doubt

    async def _working(self, number: int, command: Command, step: Step) -> Completed:
        """Run a step with its sender. Raises HostError."""
        if step.sender is not None:
            feeding = Feeding(self._reader, step.sender, self._order.secrets, self._watch(number))
            return await feeding.run(command)
        if step.is_followed:

            def told(words: str) -> None:
                self._change_step(number, said=words)

            return await follow(self._reader.host, command, told, self._watch(number))
        return await self._reader.host.run(command)

    def _watch(self, number: int) -> Watch:
        """Progress callback; once the stream flows the lock is released: ZFS protects its target."""

        def tell(moved: TransferProgress) -> None:
            self._change_step(number, moved=moved)

        async def started() -> None:
            if number == len(self._plan.steps) - 1:
                await self._holding.aclose()
                self._let_others()

        stop = self._stop if self._run.steps[number].can_stop else asyncio.Event()
        return Watch(tell, started, stop, self._clock)

    def _command(self, step: Step, way: Escalation) -> Command:
        """Command of a step, as root, with its stdin."""
        stdin = step.stdin.encode("utf-8", "surrogateescape") if step.stdin is not None else None
        if step.wants_secret:
            stdin = self._order.secrets[step.wants_secret].reveal().encode("utf-8", "surrogateescape") + b"\n"
        command = Command(step.argv, Effect.CHANGE, step.timeout_s, stdin=stdin)
        becoming = way.becoming
        if becoming is PrivilegeMode.SUDO_PASSWORD and not way.is_sure:
            becoming = PrivilegeMode.SUDO
        return as_root(command, becoming, self._order.secrets.get(SUDO_SECRET))

    def _put_back_command(self, step: Step) -> Command:
        """Command that undoes a step, as root by the plan's escalation."""
        becoming = self._plan.becoming
        return as_root(
            Command(step.argv, Effect.CHANGE, step.timeout_s), becoming, self._order.secrets.get(SUDO_SECRET)
        )

    async def _settle(self, number: int, doubt: UncertainStep, completed: Completed | None) -> None:
        """Settle the step by facts. Raises _Stopped unless it happened."""
        why = completed.reason if completed is not None else "the connection was lost"
        self._traces[number] = to_json(doubt.trace)
        await self._step_ended(number, "unknown", said=_said(completed) if completed else "", settled=why)
        self._change(state=RunState.SETTLING, words=why)

        async def told(words: str) -> None:
            self._change(words=f"{why}; {words}")

        watched = WatchedRun()
        leaving = self._desk.leaving
        judged = await settle(self._reader, doubt, told, quiet=watched.quiet, leaving=leaving)
        match judged.verdict:
            case Settlement.HAPPENED:
                await self._step_ended(number, "done", settled=judged.words)
                self._change(state=RunState.RUNNING, words="")
                self._refuse_to_go_on_late(number)
            case Settlement.NOT_HAPPENED:
                await self._step_ended(number, "failed", settled=judged.words)
                words = f"{why}; {judged.words}"
                step = self._plan.steps[number]
                raise _Stopped(RunState.FAILED, await self._left(step, words) if step.is_receive else words)
            case _:
                await self._step_ended(number, "unknown", settled=judged.words)
                self._desk.watching[self._run.id] = watched
                raise _Stopped(RunState.UNKNOWN, f"{why}; {judged.words}; {self._desk.who_watches}")

    def _refuse_to_go_on_late(self, number: int) -> None:
        """Refuse further steps when too much time has passed since the confirmation."""
        left = len(self._plan.steps) - number - 1
        if left and self._clock.monotonic() - self._checked_at > STEPS_FOLLOW_S:
            raise _Stopped(
                RunState.FAILED,
                f"step {number + 1} is done, and it took so long to know it that the {left} after it were "
                "not run: make a new plan for them",
            )


def _said(completed: Completed) -> str:
    """All output, for display."""
    parts = (part.decode("utf-8", "replace").strip("\n") for part in (completed.stdout, completed.stderr))
    return "\n".join(part for part in parts if part) or completed.reason
