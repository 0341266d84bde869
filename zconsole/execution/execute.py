"""Execution of one plan: checked again, one step at a time, each journaled before and after.

A step whose end was not seen is settled by facts. It is never sent again, and nothing is sent after it before
its outcome is known.
"""

from __future__ import annotations

import asyncio
import secrets as random_numbers
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final

from zconsole.actions.plan import SUDO_SECRET, Risk, Step
from zconsole.base.errors import HostError, NeverSent, ParseError, ZConsoleError
from zconsole.collect.privilege import Escalation, was_refused_unasked
from zconsole.collect.read_command_runner import in_words
from zconsole.execution.command_pipe import Watch
from zconsole.execution.exit_during_reads_and_changes import UserLeft, to_its_end, unless_left
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.guest_downtime import read_downtime
from zconsole.execution.journal_entry_from_plan import entry_of
from zconsole.execution.outcomes.await_requested_effect import Awaited, await_effect, await_libvirt
from zconsole.execution.outcomes.guests_as_left import guests_as_left
from zconsole.execution.outcomes.guests_frozen_in_words import guests_frozen_in_words
from zconsole.execution.outcomes.recheck_plan_after_guest_shutdown import is_due, what_differs
from zconsole.execution.outcomes.trace_for_finding_sent_command import to_json
from zconsole.execution.outcomes.uncertain_step import Settlement, UncertainStep, may_miss, settle
from zconsole.execution.outcomes.verify_step import StepInspection, VerifiedEffects, verify_effects
from zconsole.execution.outcomes.why_effect_is_missing import SuccessfulCommand
from zconsole.execution.property_changes_by_others_during_run import changes_during_run, history_before
from zconsole.execution.recheck_plan import (
    NOT_AS_PLANNED,
    CheckedHost,
    Order,
    RunStopped,
    check_host,
    check_nothing_runs,
    check_order,
)
from zconsole.execution.run_context import RunContext, WatchedRun
from zconsole.execution.run_progress_to_screen_journal_log import RunRecord
from zconsole.execution.send_receive_pipeline import NOTHING_KEPT, can_stop, fed_by, last_words, what_is_left
from zconsole.execution.steps.read_storage_at_rest import why_not_at_rest
from zconsole.execution.steps.run_step_command import StepCommand, all_said
from zconsole.execution.steps.step_host import UNTRACED, StepHost, hosts_of, lock_all
from zconsole.execution.undo_preparatory_steps import PreparedRun, made_good
from zconsole.hosts.build_command_results import never_started, unknown
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.model.run import Run, RunState, StepRun, TransferProgress
from zconsole.storage.journal import JournalError
from zconsole.system.libvirt.domain_power import is_answer_lost, is_not_reached
from zconsole.zfs.change.channel_program import is_program, refusal

FACTS_LAST_S: Final = 10.0  # older facts are read again before a destructive step
STEPS_FOLLOW_S: Final = 60.0  # after the check; no further step is sent later than that behind a lost end
ID_BYTES: Final = 8
NO_ANSWER: Final = "its answer was lost, and what it asks for is so"
STOPPED_FIRST: Final = "you stopped it before anything was sent"


async def execute(
    reader: Reader, order: Order, context: RunContext, let_others: Callable[[], None] = lambda: None
) -> Run:
    """Execute a plan. Every outcome, host errors included, is a Run; nothing is raised.

    `let_others` is called when the rest takes long and others may act on the host meanwhile.
    """
    return await _Execution(reader, order, context, let_others).run()


class _Execution(RunRecord):
    """One run of one plan."""

    _checked: CheckedHost  # since the check before the first step

    def __init__(
        self, reader: Reader, order: Order, context: RunContext, let_others: Callable[[], None]
    ) -> None:
        plan = order.plan
        super().__init__(
            Run(
                id=random_numbers.token_hex(ID_BYTES),
                host=reader.host.label,
                title=plan.title,
                target=plan.target,
                state=RunState.CHECKING,
                steps=tuple(StepRun(step.argv, fed_by=fed_by(step), on=step.on) for step in plan.steps),
                undo=plan.undo,
                action=plan.intent.action,
                hosts=() if plan.other is None else (plan.other.identity.label,),
                started=reader.clock.now(),
            ),
            plan,
            reader,
            context,
        )
        self._let_others = let_others
        self._holding = AsyncExitStack()
        self._order = order
        self._unread: list[str] = []  # successful steps whose effect could not be read
        self._since: tuple[str, ...] = ()  # effects that somebody else changed since
        self._hosts: dict[str, StepHost] = {}  # by `Step.on`
        self._stop = context.stops.setdefault(self._run.id, asyncio.Event())

    @property
    def _is_destructive(self) -> bool:
        return self._plan.risk.rank >= Risk.DESTRUCTIVE.rank

    @property
    def _is_stopped(self) -> bool:
        return self._context.leaving.is_set() or self._stop.is_set()

    async def run(self) -> Run:
        """Run all steps, from the first check to the end."""
        self._publish()
        try:
            check_order(self._order, self._reader)
            self._hosts = hosts_of(self._plan, self._reader, self._order.secrets)
            for host in self._hosts.values():
                await unless_left(host.reader.host.connect(), *self._leaving)
            async with self._holding as holding:
                is_locked = await lock_all(self._hosts.values(), holding, self._plan, self._context)
                before = None
                if not is_locked:
                    before = await unless_left(history_before(self._reader, self._plan), *self._leaving)
                for host in self._hosts.values():
                    await unless_left(host.know_connection(), *self._leaving)  # adds nothing after the check
                await unless_left(
                    check_nothing_runs(self._reader, self._context, self._plan, self._run.id), *self._leaving
                )
                await unless_left(self._check_host(), *self._leaving)
                await self._begin()
                for number, step in enumerate(self._plan.steps):
                    self._check_leaving(number)
                    await self._hosts[step.on].know_connection()
                    await self._check_machine(number, self._hosts[step.on])
                    if is_due(self._plan, number):
                        await self._check_again(number)
                    await self._step(number, step)
                await self._look_behind()
                words = "every step is done" if len(self._plan.steps) > 1 else "done"
                beside = await changes_during_run(self._reader, self._plan, before) if not self._since else ""
            off = await read_downtime(self._context, self._plan, self._run)
            ends = (words, off, guests_frozen_in_words(self._run), *self._unread, *self._since, beside)
            await self._end(RunState.DONE, "; ".join(filter(None, ends)))
        except RunStopped as stopped:
            self._run = replace(self._run, differences=stopped.differences)
            prepared = PreparedRun(
                self._reader, self._context, self._run, self._plan, self._order.secrets.get(SUDO_SECRET)
            )
            words = await made_good(prepared, stopped.state, stopped.words)
            off = await self._guests_left(stopped.state)
            frozen = guests_frozen_in_words(self._run)
            await self._end(stopped.state, "; ".join(filter(None, (words, off, frozen))))
        except UserLeft:
            await self._end(RunState.REFUSED, STOPPED_FIRST)
        except ZConsoleError as error:
            await self._end(self._state_now(), "; ".join(filter(None, (in_words(error), self._run.left_off))))
        finally:
            self._context.stops.pop(self._run.id, None)
        return self._run

    async def _guests_left(self, state: RunState) -> str:
        """How the guests are that it shut down; who leaves does not wait for a look at them."""
        if state is not RunState.FAILED or self._context.leaving.is_set():
            return self._run.left_off
        return await guests_as_left(self._reader, self._plan, self._run)

    async def _check_host(self) -> None:
        self._checked = await check_host(self._reader, self._plan)

    async def _begin(self) -> None:
        """Journal all intended steps."""
        who = self._checked.facts.privileges.user
        entry = entry_of(self._run, self._plan, self._context, who, self._checked.conditions)
        self._is_journaled = True  # even if the caller no longer waits, the write may complete
        try:
            await self._context.write(self._context.journal.begin, entry)
        except JournalError:
            self._is_journaled = False  # the run is certainly not in the journal
            raise
        self._change(state=RunState.RUNNING)

    # Each step

    def _check_leaving(self, number: int) -> None:
        """Before each step: after a request to leave or stop, no further one is sent."""
        if self._is_stopped:
            if not number:
                raise RunStopped(RunState.REFUSED, STOPPED_FIRST)
            raise RunStopped(RunState.FAILED, f"you stopped it; the steps from {number + 1} on were not run")

    async def _look_behind(self) -> None:
        """What a plan that starts no guest rests on, once more behind its last step. Raises RunStopped."""
        if self._plan.at_rest_behind is not None:
            why = await why_not_at_rest(self._reader, self._plan.at_rest_behind)
            if why:
                raise RunStopped(RunState.FAILED, f"every step is done, but behind the last one {why}")

    async def _check_machine(self, number: int, host: StepHost) -> None:
        """Before each step but the first: verify that the connection still leads to the same machine."""
        if self._journal_problem:
            raise RunStopped(RunState.FAILED, f"the rest was not run: {self._journal_problem}")
        if number and not await host.is_same_machine():
            raise RunStopped(RunState.FAILED, f"another machine answers as {host.identity.label} now")

    async def _check_again(self, number: int) -> None:
        """Behind the shutdown of guests: the host as it is now. Raises RunStopped."""
        why = await what_differs(self._reader, self._plan)
        if why:
            words = f"the steps from {number + 1} on were not run: {why}"
            raise RunStopped(RunState.FAILED, words)

    async def _step(self, number: int, step: Step) -> None:
        """Send one step, determine and journal its outcome. Raises RunStopped unless it is done."""
        host = self._hosts[step.on]
        way = await host.way(step, self._checked.facts)
        age_s = self._clock.monotonic() - self._checked.read_at
        if self._is_destructive and not number and age_s > FACTS_LAST_S:
            await self._check_host()
        command = host.command(step, way, self._order.secrets)
        completed, doubt = await self._send(number, command, step)
        if completed is not None and was_refused_unasked(completed) and not way.is_sure:
            asking = Escalation(PrivilegeMode.SUDO_PASSWORD)
            command = host.command(step, asking, self._order.secrets)
            completed, doubt = await self._send(number, command, step)
        is_unheard = completed is not None and step.waits_s and is_not_reached(completed.said)
        if is_unheard and await await_libvirt(host.reader, step, self._leaving, self._told(number)):
            completed, doubt = await self._send(number, command, step)
        if completed is None or completed.outcome is Outcome.UNKNOWN:
            await self._settle(number, doubt, completed)
            return
        said = all_said(completed)
        if completed.is_done:
            await self._verify(number, step, doubt, completed)
        elif step.waits_s and is_answer_lost(completed.said):
            await self._await(number, step, doubt, completed)
        else:
            await self._step_ended(number, "failed", status=completed.status, said=said)
            what = f"step {number + 1} of {len(self._plan.steps)}" if len(self._plan.steps) > 1 else "it"
            why = refusal(completed.said) or completed.reason or f"exit {completed.status}"
            if step.is_receive:
                raise RunStopped(RunState.FAILED, f"it did not finish: {await self._left(step, why)}")
            raise RunStopped(RunState.FAILED, f"{what} was refused: {why}")

    async def _verify(self, number: int, step: Step, doubt: UncertainStep, completed: Completed) -> None:
        """Verify the effect on the host instead of the exit status. Raises RunStopped if it is missing."""
        if step.waits_s:
            await self._await(number, step, doubt, completed)
            return
        # a channel program prints only its return value
        said = "" if is_program(step.argv) else all_said(completed)
        unread = ""
        try:
            told = self._checked.conditions[number]
            success = SuccessfulCommand(step.argv, all_said(completed), doubt.sent_monotonic or 0.0)
            looking = StepInspection(step, success, told, self._plan.intent.pool)
            seen = await verify_effects(self._hosts[step.on].reader, looking)
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
                raise RunStopped(RunState.FAILED, words)
            self._since += seen.since
            return
        words = f"the command succeeded, but {'; '.join(seen.wrong or seen.unclear)}"
        ended, state = ("failed", RunState.FAILED) if seen.wrong else ("unknown", RunState.UNKNOWN)
        await self._step_ended(number, ended, status=completed.status, said=said, settled=words)
        raise RunStopped(state, words)

    async def _await(self, number: int, step: Step, doubt: UncertainStep, completed: Completed) -> None:
        """Wait for what the command asked for, until its deadline. Raises RunStopped if it is missing."""
        waited = await await_effect(self._hosts[step.on].reader, step, self._leaving, self._told(number))
        match waited.state:
            case Awaited.SO:
                seen = "" if completed.is_done else NO_ANSWER
                await self._step_ended(
                    number, "done", status=completed.status, said=all_said(completed), settled=seen
                )
            case Awaited.NOT_SEEN:
                await self._settle(number, doubt, completed, waited.words)
            case _:
                await self._step_ended(number, "failed", status=completed.status, settled=waited.words)
                raise RunStopped(RunState.FAILED, waited.words)

    async def _verify_identities(self, number: int, step: Step) -> None:
        """Check identities right before sending. Raises RunStopped when another object would be affected."""
        others, why = await self._hosts[step.on].what_differs(step)
        if not why and step.at_rest is not None:
            why = await why_not_at_rest(self._reader, step.at_rest)
        if not why and not number and self._is_stopped:
            await self._step_ended(number, "failed", settled="not sent: you stopped it")
            raise RunStopped(RunState.REFUSED, STOPPED_FIRST)
        if not why:
            return
        await self._step_ended(number, "failed", settled=f"not sent: {why}")
        if others and not number:
            raise RunStopped(RunState.STALE, NOT_AS_PLANNED, others)
        raise RunStopped(RunState.FAILED, f"step {number + 1} was not sent: {why}")

    async def _left(self, step: Step, why: str) -> str:
        """Why a stream ended early, and how to resume, if known."""
        kept = await what_is_left(self._hosts[step.on].reader, self._plan.intent, step)
        self._is_nothing_kept = kept == NOTHING_KEPT
        return f"{last_words(why)}; {kept}" if kept else why

    async def _send(
        self, number: int, command: Command, step: Step
    ) -> tuple[Completed | None, UncertainStep]:
        """Journal the step, then send it. Without a Completed the link was lost before its end."""
        sent_at, sent_monotonic = self._clock.now(), self._clock.monotonic()
        host, trace = self._hosts[step.on], self._hosts[step.on].trace()
        kept = (command.argv, sent_at, to_json(trace))
        try:
            await self._context.write(self._context.journal.sent, self._run.id, number, *kept)
        except ZConsoleError as error:
            if self._run.steps[number].state == "waiting":
                self._unsent.append(number)
                raise
            why = f"it was refused without a password, and not sent with one: {in_words(error)}"
            await self._step_ended(number, "failed", settled=why)
            raise RunStopped(RunState.FAILED, why) from error
        command = replace(command, connection=(host.traced or UNTRACED).connection)
        self._change_step(number, state="running", started=sent_at, can_stop=can_stop(step, command))
        await self._verify_identities(number, step)
        doubt = UncertainStep(
            argv=step.argv,
            pool=self._plan.intent.pool,
            conditions=self._checked.conditions[number],
            sent=sent_at,
            identity=host.identity,
            sent_monotonic=sent_monotonic,
            command=command,
            trace=trace,
        )
        try:
            working = self._working(number, command, step)
            leaving, left = self._context.leaving, self._context.left_running
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
        reader, secrets = self._hosts[step.on].reader, self._order.secrets
        watch = self._watch(number)
        return await StepCommand(reader, step, secrets, watch, self._told(number)).run(command)

    @property
    def _leaving(self) -> tuple[asyncio.Event, ...]:
        """What ends a wait early."""
        return (self._context.leaving, self._stop)

    def _told(self, number: int) -> Callable[[str], None]:
        """Callback for what a step is doing at present."""
        return lambda words: self._change_step(number, said=words)

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

    async def _settle(
        self, number: int, doubt: UncertainStep, completed: Completed | None, why: str = ""
    ) -> None:
        """Settle the step by facts. Raises RunStopped unless it happened."""
        why = why or (completed.reason if completed is not None else "the connection was lost")
        self._traces[number] = to_json(doubt.trace)
        await self._step_ended(number, "unknown", said=all_said(completed) if completed else "", settled=why)
        self._change(state=RunState.SETTLING, words=why)

        async def told(words: str) -> None:
            self._change(words=f"{why}; {words}")

        watched = WatchedRun()
        leaving = self._context.leaving
        host = self._hosts[self._plan.steps[number].on]
        judged = await settle(host.reader, doubt, told, quiet=watched.quiet, leaving=leaving)
        match judged.verdict:
            case Settlement.HAPPENED:
                await self._step_ended(number, "done", settled=judged.words)
                self._change(state=RunState.RUNNING, words="")
                self._refuse_to_go_on_late(number)
            case Settlement.NOT_HAPPENED:
                await self._step_ended(number, "failed", settled=judged.words)
                words = f"{why}; {judged.words}"
                step = self._plan.steps[number]
                raise RunStopped(RunState.FAILED, await self._left(step, words) if step.is_receive else words)
            case _:
                await self._step_ended(number, "unknown", settled=judged.words)
                self._context.watching[self._run.id] = watched
                raise RunStopped(RunState.UNKNOWN, f"{why}; {judged.words}; {self._context.who_watches}")

    def _refuse_to_go_on_late(self, number: int) -> None:
        """Refuse further steps when too much time has passed since the confirmation."""
        left = len(self._plan.steps) - number - 1
        if left and self._clock.monotonic() - self._checked.checked_at > STEPS_FOLLOW_S:
            raise RunStopped(
                RunState.FAILED,
                f"step {number + 1} is done, and it took so long to know it that the {left} after it were "
                "not run: make a new plan for them",
            )
