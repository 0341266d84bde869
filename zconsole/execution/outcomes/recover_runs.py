"""Recovery of runs: steps without a seen end are settled once the host answers.

For runs of crashed consoles, and own runs whose host was unreachable for too long.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from zconsole.base.errors import HostError, ZConsoleError
from zconsole.collect.machine_identity import read_identity, read_own_keys
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import from_json
from zconsole.execution.outcomes.trace_for_finding_sent_command import from_json as trace_from_json
from zconsole.execution.outcomes.uncertain_step import Judged, Settlement, UncertainStep, settle
from zconsole.execution.run_context import RunContext, WatchedRun, is_alive
from zconsole.model.dataset_names import pool_of
from zconsole.model.host.machine_identity import MachineIdentity, is_surely_same
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import Run, RunState, StepRun

IN_DOUBT = frozenset({"sent", "unknown"})
NOT_WRITTEN = "its end is not in the journal"


async def recover(reader: Reader, context: RunContext, *, patience_s: float = 0.0) -> tuple[Run, ...]:
    """Settle the machine's runs with unknown end that no console executes.

    Includes runs under other names of the same machine, if it is certain.

    Each is checked once, and repeatedly for `patience_s` if that is certain to decide. Includes this
    console's own unsettled runs, not its active ones. Raises nothing: an unreadable journal is reported when
    it is written.
    """
    under_way = set(context.stops)
    try:
        entries = await context.write(context.journal.unsettled)
    except ZConsoleError:
        return ()
    under_way |= set(context.stops)
    left = [
        entry
        for entry in entries
        if not entry.problem
        and entry.id not in under_way
        and (entry.console == context.console or not is_alive(entry.console))
    ]
    found: list[Run] = []
    for entry in await of_this_machine(reader, left):
        if entry.id not in context.settling:  # under another name, by this console
            context.settling.add(entry.id)
            try:
                found.append(await _Recovery(reader, context, entry, patience_s).run())
            finally:
                context.settling.discard(entry.id)
    return tuple(found)


async def count_unread(context: RunContext) -> int:
    """Rows of the journal that cannot be read and may be runs without a known end.

    Raises nothing: an unreadable journal is reported when it is written.
    """
    try:
        entries = await context.write(context.journal.unsettled)
    except ZConsoleError:
        return 0
    return sum(1 for entry in entries if entry.problem)


async def of_this_machine(reader: Reader, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Entries with this name, and those sent to the machine that answers now under any name."""
    label = reader.host.label
    if all(entry.host == label for entry in entries):
        return entries
    try:
        await reader.host.connect()
        identity = await read_identity(reader.asker)
        now = replace(identity, host_keys=await read_own_keys(reader.host))
    except ZConsoleError:
        return [entry for entry in entries if entry.host == label]
    return [entry for entry in entries if entry.host == label or is_surely_same(_identity(entry), now)]


def _identity(entry: Entry) -> MachineIdentity:
    return MachineIdentity(entry.host, entry.hostname, entry.machine_id, entry.host_key)


class _Recovery:
    """Settlement of one run."""

    def __init__(self, reader: Reader, context: RunContext, entry: Entry, patience_s: float) -> None:
        self._reader = reader
        self._context = context
        self._entry = entry
        self._patience_s = patience_s
        self._is_open = False
        self._is_new = entry.id not in context.watching
        self._watched = context.watching.setdefault(entry.id, WatchedRun())

    async def run(self) -> Run:
        """The first uncertain step decides, because nothing is sent before its outcome is known."""
        entry, context = self._entry, self._context
        state, words = RunState.REFUSED, "nothing was sent"
        is_open = False
        steps = list(entry.steps)
        for number, step in enumerate(steps):
            if step.state in IN_DOUBT:
                if self._is_new:
                    context.publish(_as_run(self._reader.host.label, entry, RunState.SETTLING, _unseen(step)))
                steps[number] = step = await self._settle(number, step)  # noqa: PLW2901 - the same, known now
            if step.state == "unknown":
                is_open = self._is_open and context.watches_on
                state, words = (
                    RunState.UNKNOWN,
                    f"{step.settled}; {context.who_watches}" if self._is_open else step.settled,
                )
                break
            if step.state == "failed":
                state, words = RunState.FAILED, step.settled or step.said
                break
            if step.state == "done":
                state, words = RunState.DONE, step.settled or "done"
            elif number:
                state = RunState.FAILED
                words = f"the steps from {number + 1} on were not run"
                break
            else:
                break
        known = replace(entry, steps=tuple(steps), state=state, words=words)
        return await self._told(known, is_open=is_open)

    async def _told(self, known: Entry, *, is_open: bool) -> Run:
        """Store and publish news; nothing if unchanged."""
        context, words = self._context, known.words
        is_news = self._is_new or known.state is not RunState.UNKNOWN or words != self._watched.words
        if is_news:
            ended = None if known.state is RunState.UNKNOWN else self._reader.clock.now()
            try:
                await context.write(context.journal.run_ended, known.id, known.state, words, ended)
            except ZConsoleError as error:
                words = f"{words}; {error.message}"
        run = replace(_as_run(self._reader.host.label, known, known.state, words), is_watched=is_open)
        self._watched.words = known.words
        if known.state is not RunState.UNKNOWN:
            context.watching.pop(known.id, None)
        if is_news:
            context.publish(run)
        return run

    async def _settle(self, number: int, step: StepEntry) -> StepEntry:
        """Settle and journal the step."""
        entry, clock = self._entry, self._reader.clock
        try:
            conditions = from_json(step.settled_by)
        except ValueError:
            conditions = ()
        trace = trace_from_json(step.trace)
        doubt = UncertainStep(
            argv=step.argv,
            pool=pool_of_entry(entry),
            conditions=conditions,
            sent=step.sent or entry.started,
            identity=MachineIdentity(trace.host, None, trace.machine_id, trace.host_key)
            if trace.host
            else _identity(entry),
            trace=trace,
        )
        judged = await self._judged(doubt)
        self._is_open = judged.verdict not in {Settlement.MUTE, Settlement.NEVER}
        state = {Settlement.HAPPENED: "done", Settlement.NOT_HAPPENED: "failed"}.get(
            judged.verdict, "unknown"
        )
        if state == "unknown":
            known = replace(step, state=state, ended=None, settled=f"{_unseen(step)}; {judged.words}")
            is_news = known != step
        else:
            found = f"{_unseen(step)}; found out {_moment(clock.now())}: {judged.words}"
            known, is_news = replace(step, state=state, ended=clock.now(), settled=found), True
        if is_news:
            try:
                await self._context.write(self._context.journal.step_ended, entry.id, number, known)
            except ZConsoleError as error:
                return replace(known, settled=f"{known.settled}; {error.message}")
        return known

    async def _judged(self, doubt: UncertainStep) -> Judged:
        """The outcome on the host of the step; of another one only where that is among ours."""
        try:
            reader = self._reader.at(doubt.trace.host)
        except HostError as error:
            return Judged(Settlement.OPEN, error.message)
        quiet, patience_s = self._watched.quiet, self._patience_s
        return await settle(reader, doubt, quiet=quiet, for_s=patience_s, only_while_quiet=True)


def _unseen(step: StepEntry) -> str:
    """Why its end is unknown: without a journaled end its console may have ended, or seen the end."""
    if step.state == "sent" or step.settled.startswith(NOT_WRITTEN):
        return NOT_WRITTEN
    return "its end was not seen"


def pool_of_entry(entry: Entry) -> str:
    """The pool of a run."""
    target = json.loads(entry.intent).get("target")
    name = target if isinstance(target, str) else entry.target
    return pool_of(name)


def _moment(epoch_s: float) -> str:
    return f"{datetime.fromtimestamp(epoch_s, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _as_run(label: str, entry: Entry, state: RunState, words: str) -> Run:
    """The run as displayed with the present host name."""
    return Run(
        id=entry.id,
        host=label,
        title=entry.title,
        target=entry.target,
        state=state,
        steps=tuple(
            StepRun(
                step.argv,
                "running" if step.state == "sent" else step.state,
                step.status,
                step.said,
                step.sent,
                step.ended,
                step.settled,
            )
            for step in entry.steps
        ),
        words=words,
        undo=entry.undo,
        action=entry.action,
        started=entry.started,
    )
