"""Progress of a run: on the screen, in the journal, in the host's log."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.actions.action_usage_and_plan_command import where_words, with_host
from zconsole.actions.plan import Plan
from zconsole.base.errors import HostError, ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.collect.read_command_runner import in_words
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.guest_downtime import left_off_in_words
from zconsole.execution.outcomes.guests_as_left import left_off
from zconsole.execution.outcomes.trace_for_finding_sent_command import NONE
from zconsole.execution.run_context import RunContext
from zconsole.hosts.host import Command
from zconsole.model.journal import StepEntry
from zconsole.model.run import Run, RunState
from zconsole.zfs.change.libzfs_core_argv import is_call

LOGGER_TIMEOUT_S: Final = 5.0
LOG_CHARACTERS: Final = 900  # length of a line in the system log


class RunRecord:
    """One run and its known state."""

    def __init__(self, run: Run, plan: Plan, reader: Reader, context: RunContext) -> None:
        self._run = run
        self._plan = plan
        self._reader = reader
        self._context = context
        self._clock = reader.clock
        self._is_journaled = False
        self._journal_problem = ""
        self._traces: dict[int, str] = {}  # process traces of steps, as JSON
        self._unwritten: dict[int, StepEntry] = {}  # outcomes missing in the journal so far
        self._is_nothing_kept = False  # of a receive that failed
        self._unsent: list[int] = []  # steps journaled as sent that were not sent

    async def _step_ended(
        self,
        number: int,
        state: str,
        *,
        status: int | None = None,
        said: str = "",
        settled: str = "",
    ) -> None:
        """Store a step's outcome: first in memory, which needs no disk."""
        before = self._run.steps[number]
        ended = None if state == "unknown" else self._clock.now()
        self._change_step(
            number, state=state, status=status, said=said or before.said, ended=ended, settled=settled
        )
        now = self._run.steps[number]
        entry = StepEntry(
            now.argv,
            state=state,
            ended=ended,
            status=status,
            said=now.said,
            settled=settled,
            trace=self._traces.get(number, NONE),
        )
        try:
            await self._context.write(self._context.journal.step_ended, self._run.id, number, entry)
        except ZConsoleError as error:  # the outcome is known nevertheless; no further step is sent
            self._journal_problem = in_words(error)
            self._unwritten[number] = entry
        else:
            self._unwritten.pop(number, None)
        if state != "unknown":
            await self._log(number, state)

    async def _log(self, number: int, state: str) -> None:
        """Write a line to the storage host's system log, if it has `logger`."""
        step = self._plan.steps[number]
        told = (step.stdin or "").split() if is_call(step.argv) else []  # its objects are on stdin
        words = " ".join((*step.argv, *told))
        line = visible(f"{self._run.id} {state}: {words} (by {self._context.origin})")[:LOG_CHARACTERS]
        try:
            await self._reader.host.run(
                Command(("logger", "-t", "zconsole", "--", line), timeout_s=LOGGER_TIMEOUT_S)
            )
        except HostError:
            return

    async def _end(self, state: RunState, words: str) -> None:
        """Store the end of the run in memory and in the journal. A journal error undoes nothing."""
        words = with_host(words, where_words(self._plan.identity))
        is_watched = state is RunState.UNKNOWN and self._context.watches_on
        done = sum(step.state == "done" for step in self._run.steps)
        undo = self._run.undo
        if state is RunState.FAILED:
            undo = self._plan.undo_of_failed(done, is_nothing_kept=self._is_nothing_kept)
        self._run = replace(self._run, is_watched=is_watched, undo=undo)
        self._change(state=state, words=words)
        if self._is_journaled:
            ended = None if state is RunState.UNKNOWN else self._clock.now()
            await self._write_what_is_left()
            try:
                told = (self._run.id, state, words, ended, tuple(self._unsent))
                await self._context.write(self._context.journal.run_ended, *told)
                if undo is not None and undo != self._plan.undo:
                    await self._context.write(self._context.journal.set_undo, self._run.id, undo)
            except ZConsoleError as error:
                self._journal_problem = f"the end of this run is not in the journal: {in_words(error)}"
        for problem in (self._journal_problem, self._context.journal.notice()):
            if problem and problem not in words:
                words = f"{words}; {problem}"
        if words != self._run.words:
            self._change(words=words)

    async def _write_what_is_left(self) -> None:
        """Retry unwritten outcomes."""
        if not self._unwritten:
            return
        try:
            for number, entry in self._unwritten.items():
                await self._context.write(self._context.journal.step_ended, self._run.id, number, entry)
        except ZConsoleError as error:
            self._journal_problem = f"the end of a step is not in the journal: {in_words(error)}"
        else:
            self._journal_problem = ""

    def _state_now(self) -> RunState:
        """Run state after an error between steps."""
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
        run = replace(self._run, steps=tuple(steps))
        if "state" in changes:  # not at each progress of a stream
            run = replace(run, left_off=left_off(self._plan, run) or left_off_in_words(self._plan, run))
        self._run = run
        self._publish()

    def _publish(self) -> None:
        self._context.publish(self._run)
