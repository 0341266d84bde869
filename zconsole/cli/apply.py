"""`zconsole apply`: carry out a saved plan, if the host would get the very same plan now."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.actions.planner import IDENTIFYING, UNKNOWN
from zconsole.base.config import Config
from zconsole.base.errors import ZConsoleError
from zconsole.base.local_file import read_bounded
from zconsole.base.secret import Secret
from zconsole.base.text import visible
from zconsole.cli.acting import Acting, acting_on, host_of_plan
from zconsole.cli.invocation import Apply
from zconsole.cli.progress import Progress
from zconsole.model.run import Run, RunState
from zconsole.reports.document import as_line
from zconsole.reports.plan_file import LONGEST_BYTES, PLAN_AGAIN, SavedPlan, read_plan
from zconsole.reports.run import run_document, run_lines, step_line

DONE, FAILED, NOT_DONE = 0, 1, 3
CLOCK_BACK_S: Final = 5.0  # a plan from further in the future is of another clock


class NotApplied(ZConsoleError):
    """A saved plan is not run, and why."""


def run_apply(asked: Apply, config: Config) -> int:
    """Carry it out and say what became of it. Raises NotApplied when nothing was run."""
    saved = read_plan(_text_of(asked.file))
    _refuse(saved, asked)
    run = asyncio.run(_apply(saved, asked, config))
    if asked.is_json:
        print(as_line(run_document(run)))
    else:
        for line in run_lines(run):
            print(line)
    return {RunState.DONE: DONE, RunState.FAILED: FAILED}.get(run.state, NOT_DONE)


def _text_of(path: Path) -> str:
    try:
        return read_bounded(path, LONGEST_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:  # a NUL in the name, bytes that are no text
        why = error.strerror if isinstance(error, OSError) else error
        raise NotApplied(f"the plan cannot be read: {path}: {why}", hint=PLAN_AGAIN) from error


def _refuse(saved: SavedPlan, asked: Apply) -> None:
    """What can be told without the host."""
    if saved.refusals:
        raise NotApplied(f"the plan was refused: {'; '.join(saved.refusals)}")
    if saved.confirm is not None and asked.confirm != saved.confirm:
        given = f"{asked.confirm!r} does not confirm it" if asked.confirm else "it was not confirmed"
        raise NotApplied(f"{saved.title}: {given}", hint=f"It wants --confirm {saved.confirm!r}.")


async def _apply(saved: SavedPlan, asked: Apply, config: Config) -> Run:
    told: set[int] = set()
    runs: list[Run] = []
    progress = Progress(sys.stderr)

    def publish(run: Run) -> None:
        """Say which command is about to run, and on a terminal how long it has."""
        runs[:] = [run]
        for number, step in enumerate(run.steps):
            if step.state == "running" and number not in told and not asked.is_json:
                told.add(number)
                progress.clear()
                print(step_line(step), flush=True)
        progress.show(run)

    where = host_of_plan(asked.where, saved.host)
    async with acting_on(where, config, saved.intent, unlocks=asked.unlocks, publish=publish) as acting:
        _refuse_late(saved, acting)
        await acting.operator.recover(acting.host)
        now = await acting.operator.prepare(acting.host, saved.intent)
        _refuse_elsewhere(saved, now)
        as_planned = replace(now, identity=replace(now.identity, label=saved.host))
        _compare(saved, as_planned)
        secrets = _secrets(now, asked)
        is_fed = any(step.sender is not None for step in now.steps)
        if is_fed or any(step.is_followed for step in now.steps):
            _stop_when_asked(acting, runs, is_fed=is_fed)
        # What runs is the plan of now; how old it may be is counted from when the saved one was made.
        async with progress.ticking(acting.place.clock):
            return await acting.operator.execute(
                acting.host,
                replace(now, made_at=saved.made_at),
                (now.confirm or "") if asked.confirm == (as_planned.confirm or "") else asked.confirm,
                secrets,
                lasts_s=SAVED_PLAN_LASTS_S,
            )


def _stop_when_asked(acting: Acting, runs: Sequence[Run], *, is_fed: bool) -> None:
    """Ctrl+C ends a stream so that what has come of it is kept; a second one ends the program.

    The first one does, where what runs cannot be stopped from here.
    """
    loop = asyncio.get_running_loop()

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        if not is_fed and not any(step.can_stop for run in runs for step in run.steps):
            signal.raise_signal(signal.SIGINT)
        for run in runs:
            acting.operator.stop(run.id)

    with suppress(NotImplementedError, RuntimeError):  # another thread than the main one
        loop.add_signal_handler(signal.SIGINT, stop)


def _refuse_elsewhere(saved: SavedPlan, now: Plan) -> None:
    """A plan is for a machine: by another name too, where both tell which one it is, and it is that one."""
    label = now.identity.label
    if label == saved.host:
        return
    then, here = dict(saved.basis.parts), dict(now.basis.parts)
    told = [what for what in IDENTIFYING if UNKNOWN not in {then.get(what, UNKNOWN), here.get(what, UNKNOWN)}]
    other = [what for what in told if then[what] != here[what]]
    if other or not told:
        why = (
            f"its {' and '.join(other)} is another" if other else "nothing tells that it is the same machine"
        )
        raise NotApplied(
            f"the plan was made for {saved.host}, not for {label}: {why}", hint=f"Apply it on {saved.host}."
        )


def _refuse_late(saved: SavedPlan, acting: Acting) -> None:
    age = acting.place.clock.now() - saved.made_at
    if age > SAVED_PLAN_LASTS_S or age < -CLOCK_BACK_S:
        raise NotApplied(
            f"the plan is {max(0.0, age):.0f} s old, and holds for {SAVED_PLAN_LASTS_S:.0f} s",
            hint="Make it again.",
        )


def _compare(saved: SavedPlan, now: Plan) -> None:
    differences = saved.differences(now)
    reasons = [refusal.reason for refusal in now.refusals]
    if differences or reasons:
        for line in (*differences, *reasons):
            print(f"  {visible(line)}", file=sys.stderr)
        raise NotApplied(
            f"{saved.title}: {saved.host} is not as the plan had it; nothing was run", hint="Plan again."
        )


def _secrets(plan: Plan, asked: Apply) -> Mapping[str, Secret]:
    """What the plan wants to be told, from stdin and nowhere else: nothing is ever asked here."""
    if not plan.secrets:
        return {}
    names = ", ".join(plan.secrets)
    if not asked.secrets_on_stdin:
        raise NotApplied(f"it needs: {names}", hint="--secrets-stdin reads them from stdin, a line each.")
    lines = [sys.stdin.readline().removesuffix("\n") for _ in plan.secrets]
    if not all(lines):
        raise NotApplied(f"stdin has not a line for each of: {names}")
    return {name: Secret(line) for name, line in zip(plan.secrets, lines, strict=True)}
