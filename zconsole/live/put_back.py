"""Undoing the steps that only made way for one that was then refused: a run of its own in the journal."""

from __future__ import annotations

import secrets as random_numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zconsole.actions.plan import Plan, Step
from zconsole.base.errors import ZConsoleError
from zconsole.hosts.host import Command
from zconsole.live.desk import Desk
from zconsole.live.entries import entry_of
from zconsole.live.facts import Reader
from zconsole.live.which import read_whereabouts, read_which
from zconsole.model.journal import StepEntry
from zconsole.model.run import Run, RunState, StepRun

ID_BYTES: Final = 8
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Making:
    """A run that made way for something, with all that it takes to undo that; `command_of` makes one root."""

    reader: Reader
    desk: Desk
    run: Run
    plan: Plan
    command_of: Callable[[Step], Command]


async def put_back(making: Making, done: Sequence[Step]) -> str:
    """Send what undoes these steps, and say what became of it. Raises nothing of the host's.

    What was taken down is found by which object it is: it may have another name by now.
    """
    names = [subject.name for step in done for subject in step.subjects]
    try:
        asker = making.reader.asker
        places = await read_whereabouts(asker, making.plan.intent.pool, names)
        steps = {
            place: Step((*argv[:-1], place), "undo what made way", timeout_s=step.timeout_s)
            for step in done
            for argv, subject in zip(step.put_back, step.subjects, strict=True)
            for place in places.get(subject.seen, ())
            if not set(place) & set("@#")
        }
        found = await read_which(asker, sorted(steps)) if steps else ()
        down = sorted(each.name for each in found if each.is_mounted is False)
        return await _sent(making, tuple(steps[name] for name in down))
    except ZConsoleError as error:
        return f"{_joined(names)} may not be mounted: {error.message}; zfs mount does that"


async def _sent(making: Making, steps: tuple[Step, ...]) -> str:
    """Each step in the journal before it is sent."""
    if not steps:
        return ""
    reader, desk, run = making.reader, making.desk, making.run
    plan = replace(making.plan, steps=steps, destroys=())
    own = replace(
        run,
        id=random_numbers.token_hex(ID_BYTES),
        title=f"mount again what was unmounted to {run.title}",
        steps=tuple(StepRun(step.argv) for step in plan.steps),
        started=reader.clock.now(),
        undo=None,
    )
    entry = replace(entry_of(own, plan, desk, "", [()] * len(plan.steps)), risk="routine")
    await desk.write(desk.journal.begin, entry)
    failed: list[str] = []
    for number, step in enumerate(plan.steps):
        command = making.command_of(step)
        await desk.write(desk.journal.sent, own.id, number, command.argv, reader.clock.now())
        completed = await reader.host.run(command)
        state = "done" if completed.is_done else "failed" if completed.status is not None else "unknown"
        said = StepEntry(
            step.argv, state=state, ended=reader.clock.now(), status=completed.status, said=completed.said
        )
        await desk.write(desk.journal.step_ended, own.id, number, said)
        if not completed.is_done:
            failed.append(f"{step.argv[-1]} is not mounted: {completed.said or completed.reason}")
    names = [step.argv[-1] for step in plan.steps]
    words = "; ".join(failed) or f"{_joined(names)} {'is' if len(names) == 1 else 'are'} mounted again"
    state_of_all = RunState.FAILED if failed else RunState.DONE
    await desk.write(desk.journal.run_ended, own.id, state_of_all, words, reader.clock.now())
    return words


def _joined(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
