"""Steps that were sent and whose end nobody saw are settled from the host, once it is there.

After a crash of the console that sent them; and its own, where the host stayed away for too long.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from zconsole.base.errors import ZConsoleError
from zconsole.live.conditions import from_json
from zconsole.live.desk import Desk, is_alive
from zconsole.live.facts import Reader
from zconsole.live.identity import read_identity, read_own_keys
from zconsole.live.settle import Doubt, Verdict, settle
from zconsole.model.facts import Identity
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.machine import is_surely_same
from zconsole.model.run import Run, RunState, StepRun

IN_DOUBT = frozenset({"sent", "unknown"})


async def recover(reader: Reader, desk: Desk) -> tuple[Run, ...]:
    """Settle the machine's runs that have no known end and no console that carries them out. Raises nothing.

    Those that were begun under another name of it are among them, where it is surely the same machine.

    Called while this console carries out nothing there: what it left open itself is among them.
    They are read from the journal; one that cannot be read is said to the user when it is written to.
    """
    try:
        entries = await desk.write(desk.journal.unsettled)
    except ZConsoleError:
        return ()
    left = [
        entry
        for entry in entries
        if entry.id not in desk.stops and (entry.console == desk.console or not is_alive(entry.console))
    ]
    found: list[Run] = []
    for entry in await _of_this_machine(reader, left):
        if entry.id not in desk.settling:  # under another name, by this very console
            desk.settling.add(entry.id)
            try:
                found.append(await _recover(reader, desk, entry))
            finally:
                desk.settling.discard(entry.id)
    return tuple(found)


async def _of_this_machine(reader: Reader, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Those of this name, and those that were sent to the machine that answers to it, by whichever name."""
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


def _identity(entry: Entry) -> Identity:
    return Identity(entry.host, entry.hostname, entry.machine_id, entry.host_key)


async def _recover(reader: Reader, desk: Desk, entry: Entry) -> Run:
    """Settle one run; its first step in doubt decides, since none is sent before the last is known."""
    unseen = "its end was not seen" if entry.console == desk.console else "the console ended before its end"
    state, words = RunState.REFUSED, "the console ended before anything was sent"
    steps, label = list(entry.steps), reader.host.label
    for number, step in enumerate(steps):
        if step.state in IN_DOUBT:
            desk.publish(_as_run(label, replace(entry, steps=tuple(steps)), RunState.SETTLING, unseen))
            steps[number] = step = await _settle(reader, entry, step, unseen)  # noqa: PLW2901 - the same, known now
            try:
                await desk.write(desk.journal.step_ended, entry.id, number, step)
            except ZConsoleError as error:
                words = error.message
        if step.state == "unknown":
            state, words = RunState.UNKNOWN, step.settled
            break
        if step.state == "failed":
            state, words = RunState.FAILED, step.settled or step.said
            break
        if step.state == "done":
            state, words = RunState.DONE, step.settled or "done"
        elif number:
            state = RunState.FAILED
            words = f"the console ended; the steps from {number + 1} on were not run"
            break
        else:
            break
    known = replace(entry, steps=tuple(steps), state=state, words=words)
    try:
        ended = None if state is RunState.UNKNOWN else reader.clock.now()
        await desk.write(desk.journal.run_ended, entry.id, state, words, ended)
    except ZConsoleError as error:
        words = f"{words}; {error.message}"
    run = _as_run(label, known, state, words)
    desk.publish(run)
    return run


async def _settle(reader: Reader, entry: Entry, step: StepEntry, unseen: str) -> StepEntry:
    intent = json.loads(entry.intent)
    doubt = Doubt(
        argv=step.argv,
        pool=str(intent["target"]).partition("/")[0].partition("@")[0].partition("#")[0],
        conditions=from_json(step.settled_by),
        sent=step.sent or entry.started,
        identity=_identity(entry),
    )
    judged = await settle(reader, doubt)
    state = {Verdict.HAPPENED: "done", Verdict.NOT_HAPPENED: "failed"}.get(judged.verdict, "unknown")
    ended = None if state == "unknown" else reader.clock.now()
    return replace(step, state=state, ended=ended, settled=f"{unseen}; {judged.words}")


def _as_run(label: str, entry: Entry, state: RunState, words: str) -> Run:
    """The run as it is shown with the host that it is settled from, whatever that was called then."""
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
        started=entry.started,
    )
