"""Undo of preparatory steps after a refused main step: a run of its own in the journal."""

from __future__ import annotations

import secrets as random_numbers
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from zconsole.actions.dataset.unmount_before_destroy import MOUNTPOINT
from zconsole.actions.plan import Plan, Step
from zconsole.analysis.dependencies.mount_safety import hidden_mounts, is_at_or_below, normal
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.base.secret import Secret
from zconsole.collect.privilege import as_root
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.facts_for_plans import read_properties
from zconsole.collect.readings.storage_consumers import read_mounts
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.identity_lookup import read_whereabouts, read_which
from zconsole.execution.journal_entry_from_plan import entry_of
from zconsole.execution.run_context import RunContext
from zconsole.hosts.host import Command, Effect
from zconsole.model.dataset_names import pool_of
from zconsole.model.host.mount_points import HostMount
from zconsole.model.journal import StepEntry
from zconsole.model.run import Run, RunState, StepRun

ID_BYTES: Final = 8
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """Run with undoable preparations."""

    reader: Reader
    context: RunContext
    run: Run
    plan: Plan
    sudo_password: Secret | None = field(default=None, repr=False)

    def command_of(self, step: Step) -> Command:
        """The command that undoes a step, as root by the plan's escalation."""
        command = Command(step.argv, Effect.CHANGE, step.timeout_s)
        return as_root(command, self.plan.privilege_mode, self.sudo_password)


async def made_good(making: PreparedRun, state: RunState, words: str) -> str:
    """The words of a run that stopped, after undoing its preparations unless the main step may be done."""
    steps = list(zip(making.plan.steps, making.run.steps, strict=True))
    done = [step for step, run in steps if run.state == "done"]
    undone = [step for step in done if step.put_back]
    astray = [step for step, run in steps if step.put_back and run.state == "failed" and run.status == 0]
    if not (undone or astray) or state is RunState.UNKNOWN:
        return words
    again = await _put_back(making, undone, astray)
    is_whole = len(undone) == len(done) and all(run.state == "done" or run.status != 0 for _, run in steps)
    nothing = "nothing was destroyed" if making.plan.destroys and is_whole else ""
    return "; ".join(filter(None, (words, nothing, again)))


async def _put_back(making: PreparedRun, done: Sequence[Step], astray: Sequence[Step]) -> str:
    """Undo these steps and report the result. Raises no host errors.

    Objects are found by identity under their present names. Whatever was hit instead is found by name. Mounts
    made in the meantime are not covered.
    """
    names = [subject.name for step in (*done, *astray) for subject in step.subjects]
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
        for step in astray:
            steps |= {argv[-1]: Step(argv, "undo it", timeout_s=step.timeout_s) for argv in step.put_back}
        found = await read_which(asker, sorted(steps)) if steps else ()
        down = sorted(each.name for each in found if each.is_mounted is False)
        hiding = await _hiding(asker, down) if down else {}
        again = await _sent(making, tuple(steps[name] for name in down if name not in hiding))
        return "; ".join(filter(None, (again, _not_over(hiding))))
    except ZConsoleError as error:
        return f"{shortened(names, _NAMED)} may not be mounted: {error.message}; zfs mount does that"


async def _hiding(asker: Asker, names: Sequence[str]) -> dict[str, HostMount]:
    """Mounts that the remounted file systems would hide, or be hidden by."""
    wanted = [(name, MOUNTPOINT) for name in names]
    found = await read_properties(asker, wanted, (pool_of(names[0]),), {})
    places = {name: normal(value) for name, _, value, _ in found if value.startswith("/")}
    mounts = [HostMount(each.source, each.mountpoint, each.fstype) for each in await read_mounts(asker) or ()]
    hiding: dict[str, HostMount] = {}
    for name, place in sorted(places.items(), key=lambda each: each[1]):
        hidden = hidden_mounts(place, mounts)
        above = [other for other in hiding if is_at_or_below(place, places[other])]
        if hidden or above:
            hiding[name] = hidden[0] if hidden else hiding[above[0]]
    return hiding


def _not_over(hiding: Mapping[str, HostMount]) -> str:
    if not hiding:
        return ""
    new = next(iter(hiding.values()))
    them, are = ("it", "is") if len(hiding) == 1 else ("them", "are")
    return (
        f"{shortened(sorted(hiding), _NAMED)} {are} not mounted again: {new.source} was mounted at "
        f"{new.mountpoint} meanwhile, and would be hidden; unmount that, then zfs mount {them}"
    )


async def _sent(making: PreparedRun, steps: tuple[Step, ...]) -> str:
    """Journal and send the steps, each journaled before it is sent."""
    if not steps:
        return ""
    reader, context, run = making.reader, making.context, making.run
    plan = replace(making.plan, steps=steps, destroys=())
    own = replace(
        run,
        id=random_numbers.token_hex(ID_BYTES),
        title=f"mount again what was unmounted to {run.title}",
        steps=tuple(StepRun(step.argv) for step in plan.steps),
        started=reader.clock.now(),
        undo=None,
    )
    entry = replace(entry_of(own, plan, context, "", [()] * len(plan.steps)), risk="routine")
    await context.write(context.journal.begin, entry)
    failed: list[str] = []
    for number, step in enumerate(plan.steps):
        command = making.command_of(step)
        await context.write(context.journal.sent, own.id, number, command.argv, reader.clock.now())
        completed = await reader.host.run(command)
        state = "done" if completed.is_done else "failed" if completed.status is not None else "unknown"
        said = StepEntry(
            step.argv, state=state, ended=reader.clock.now(), status=completed.status, said=completed.said
        )
        await context.write(context.journal.step_ended, own.id, number, said)
        if not completed.is_done:
            failed.append(f"{step.argv[-1]} is not mounted: {completed.said or completed.reason}")
    names = [step.argv[-1] for step in plan.steps]
    are = "is" if len(names) == 1 else "are"
    words = "; ".join(failed) or f"{shortened(names, _NAMED)} {are} mounted again"
    state_of_all = RunState.FAILED if failed else RunState.DONE
    await context.write(context.journal.run_ended, own.id, state_of_all, words, reader.clock.now())
    return words
