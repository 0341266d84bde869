"""`zconsole apply`: execute a saved plan if the host would get the identical plan now."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final, TextIO

from zconsole.actions.action_usage_and_plan_command import with_host
from zconsole.actions.make_plan import IDENTIFYING, UNKNOWN
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.base.bounded_user_file import read_bounded
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import MINUTE_S
from zconsole.base.secret import Secret
from zconsole.base.user_config_file import Config
from zconsole.cli.json_output import print_document
from zconsole.cli.options import Parser, add_host, add_json, add_unlock, where_of
from zconsole.cli.progress_line import ProgressLine
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.signals import NOT_DONE, NOTHING_RUN, asked_to_end
from zconsole.cli.stdin_lines import read_lines
from zconsole.cli.subcommand import Subcommand
from zconsole.cli.target_host_with_policy_and_journal import ActingHost, acting_on, host_of_plan
from zconsole.execution.exit_during_reads_and_changes import GRACE_S
from zconsole.model.run import Run, RunState
from zconsole.reports.json.read_saved_plan import LONGEST_BYTES, PLAN_AGAIN, SavedPlan, read_plan
from zconsole.reports.json.run import run_document
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.storage.journal import journal_path
from zconsole.storage.run_in_thread import TookTooLong, patiently
from zconsole.views.changes.journal import unread
from zconsole.views.changes.plan import refusals
from zconsole.views.changes.run import begun, changed, document, left_running, recovered


@dataclass(frozen=True, slots=True)
class ApplyRequest:
    """`zconsole apply`."""

    file: Path
    where: HostSelection = field(default_factory=HostSelection)
    confirm: str = ""
    is_json: bool = False
    unlocks: bool = False
    secrets_on_stdin: bool = False


DONE, FAILED, UNSEEN = 0, 1, 4
CLOCK_BACK_S: Final = 5.0  # a plan further in the future was made by another clock
HAS_CHANGED: Final = "{} has changed since the plan was made; nothing was run"
SAID_AFTER_S: Final = 1.5  # of waiting for the journal
PATIENCE_S: Final = 75.0  # to settle an earlier run by two readings a minute apart
_CODES: Final = {RunState.DONE: DONE, RunState.FAILED: FAILED, RunState.UNKNOWN: UNSEEN}


class NotApplied(ZConsoleError):
    """Refusal to run a saved plan; the message says why."""


def run_apply(asked: ApplyRequest, config: Config) -> int:
    """Execute the plan and print its outcome. Raises NotApplied when nothing was run."""
    saved = read_plan(_text_of(asked.file))
    _refuse(saved, asked)
    try:
        run = asyncio.run(_Applying(saved, asked, config).run())
    except asyncio.CancelledError:
        raise NotApplied(NOTHING_RUN) from None
    where = asked.where.words_for(run.host)
    told = replace(run, words=with_host(run.words, where), undo=with_host(run.undo or "", where) or None)
    if asked.is_json:
        with suppress(OSError):
            print_document(run_document(run))
    for line in () if asked.is_json else printed(document(told)):
        _say(line)
    return _CODES.get(run.state, NOT_DONE)


def _text_of(path: Path) -> str:
    try:
        return read_bounded(path, LONGEST_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:  # a NUL in the name, or invalid UTF-8
        why = error.strerror if isinstance(error, OSError) else error
        raise NotApplied(f"the plan cannot be read: {path}: {why}", hint=PLAN_AGAIN) from error


def _refuse(saved: SavedPlan, asked: ApplyRequest) -> None:
    """Checks that need no host. Raises NotApplied."""
    if saved.refusals:
        raise NotApplied(f"the plan was refused: {'; '.join(saved.refusals)}")
    if saved.confirm is not None and asked.confirm != saved.confirm:
        given = f"{asked.confirm!r} does not confirm it" if asked.confirm else "it was not confirmed"
        raise NotApplied(f"{saved.title}: {given}", hint=f"It wants --confirm {saved.confirm!r}.")


class _Applying:
    """Saved plan being executed, and its progress output."""

    def __init__(self, saved: SavedPlan, asked: ApplyRequest, config: Config) -> None:
        self._saved = saved
        self._asked = asked
        self._config = config
        self._progress = ProgressLine(sys.stderr)
        self._acting: ActingHost | None = None
        self._plan: Plan | None = None  # set while the plan runs
        self._now: Run | None = None
        self._told: set[int] = set()
        self._is_slow_told = False

    async def run(self) -> Run:
        """Connect, plan and execute. Raises NotApplied, and CancelledError when stopped before the run."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - this is a coroutine that runs
        saved, asked = self._saved, self._asked
        where = host_of_plan(asked.where, saved.host)
        with asked_to_end(lambda: self._end_in_order(task), self._leave_at_once):
            async with acting_on(
                where,
                self._config,
                saved.intent,
                unlocks=asked.unlocks,
                publish=self._publish,
                write=self._use_journal,
            ) as acting:
                self._acting = acting
                _refuse_late(saved, acting)
                await self._settle_earlier_runs(acting)
                now = await _planned_again(saved, acting)
                _refuse_elsewhere(saved, now)
                as_planned = replace(now, identity=replace(now.identity, label=saved.host))
                _compare(saved, as_planned)
                secrets = await _secrets(now, asked)
                self._plan = now
                # The present plan runs; its maximum age counts from the time of the saved plan.
                async with self._progress.ticking(acting.place.clock):
                    return await acting.operator.execute(
                        acting.host,
                        replace(now, made_at=saved.made_at),
                        (now.confirm or "") if asked.confirm == (as_planned.confirm or "") else asked.confirm,
                        secrets,
                        lasts_s=SAVED_PLAN_LASTS_S,
                    )

    async def _settle_earlier_runs(self, acting: ActingHost) -> None:
        """Settle and print runs that an earlier zconsole left without a known end; count those unreadable."""
        for run in await acting.operator.recover(acting.host, patience_s=PATIENCE_S):
            for line in printed(recovered(run)):
                _say(line, sys.stderr if self._asked.is_json else None)
        for line in printed(unread(await acting.operator.unread_runs())):
            _say(line, sys.stderr)

    async def _use_journal(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Read or write the journal; say once what is waited for if that takes long."""
        slow = asyncio.get_running_loop().call_later(SAID_AFTER_S, self._tell_slow_journal)
        try:
            return await patiently(call, *arguments)
        finally:
            slow.cancel()

    def _tell_slow_journal(self) -> None:
        if not self._is_slow_told:
            self._is_slow_told = True
            with suppress(OSError):
                self._progress.clear()
            _say(f"Waiting for the journal {journal_path()}: another program may hold it locked.", sys.stderr)

    def _publish(self, run: Run) -> None:
        """Print the next command, and on a terminal its elapsed time; earlier runs are not shown."""
        if self._plan is None:
            return
        self._now = run
        for number, step in enumerate(run.steps):
            if step.state == "running" and number not in self._told and not self._asked.is_json:
                self._told.add(number)
                with suppress(OSError):
                    self._progress.clear()
                _say(next(printed([begun(step)])))
        with suppress(OSError):  # the terminal is gone; the run continues
            self._progress.show(run)

    def _end_in_order(self, task: asyncio.Task[Run]) -> None:
        """First signal: a stream ends with its received data kept; otherwise no further step is sent."""
        if self._plan is None or self._acting is None:
            task.cancel()
            return
        operator, run = self._acting.operator, self._now
        if run is not None and any(step.state == "running" and step.can_stop for step in run.steps):
            operator.stop(run.id)
            return
        _say(
            f"Stopping: no further step is sent. A command that runs has {GRACE_S:.0f} s to end; "
            "once more leaves at once.",
            sys.stderr,
        )
        operator.leave()

    def _leave_at_once(self) -> None:
        """Later signals: exit at once; the journal has every step that was sent."""
        run = self._now
        code = NOT_DONE
        with suppress(OSError):
            self._progress.clear()
        if run is not None and run.state is RunState.DONE:
            code = DONE
        elif run is not None and any(step.state != "waiting" for step in run.steps):
            code = UNSEEN
            _say(next(printed([left_running(run)])), sys.stderr)
        else:
            _say(NOTHING_RUN, sys.stderr)
        os._exit(code)


def _say(words: str, stream: TextIO | None = None) -> None:
    """Print; a closed pipe neither ends the run nor changes the exit code."""
    try:
        print(words, file=stream or sys.stdout, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def _refuse_elsewhere(saved: SavedPlan, now: Plan) -> None:
    """Refuse a plan made for another machine; another name of a proven same machine is accepted."""
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


def _refuse_late(saved: SavedPlan, acting: ActingHost) -> None:
    age = acting.place.clock.now() - saved.made_at
    if age > SAVED_PLAN_LASTS_S or age < -CLOCK_BACK_S:
        raise NotApplied(
            f"the plan is {max(0.0, age):.0f} s old, and expires after {SAVED_PLAN_LASTS_S:.0f} s",
            hint="Make it again.",
        )


async def _planned_again(saved: SavedPlan, acting: ActingHost) -> Plan:
    """The plan as of now. Raises NotApplied where its object is gone: its words were right once."""
    try:
        return await acting.operator.prepare(acting.host, saved.intent)
    except UsageError as gone:
        raise NotApplied(
            f"{saved.title}: {HAS_CHANGED.format(saved.host)}: {gone.message}", hint=PLAN_AGAIN
        ) from gone


def _compare(saved: SavedPlan, now: Plan) -> None:
    differences = saved.differences(now)
    if differences or now.refusals:
        for line in printed((*changed(differences), *refusals(now))):
            print(line, file=sys.stderr)
        raise NotApplied(
            f"{saved.title}: {HAS_CHANGED.format(saved.host)}",
            hint="Plan again.",
        )


async def _secrets(plan: Plan, asked: ApplyRequest) -> Mapping[str, Secret]:
    """Secrets of the plan, read from stdin only; there is no prompt."""
    if not plan.secrets:
        return {}
    names = ", ".join(plan.secrets)
    if not asked.secrets_on_stdin:
        raise NotApplied(f"it needs: {names}", hint="--secrets-stdin reads them from stdin, a line each.")
    try:
        lines = await read_lines(len(plan.secrets), within_s=SAVED_PLAN_LASTS_S)
    except TookTooLong as error:
        raise NotApplied(f"stdin gave no line within {SAVED_PLAN_LASTS_S / MINUTE_S:.0f} min") from error
    if not all(lines):
        raise NotApplied(f"stdin has not a line for each of: {names}")
    return {name: Secret(line) for name, line in zip(plan.secrets, lines, strict=True)}


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the saved plan, not older than 15 minutes")
    parser.add_argument("--confirm", metavar="TEXT", default="", help="what the plan says must be typed")
    add_json(parser, "what became of it, as one object")
    parser.add_argument(
        "--secrets-stdin", action="store_true",
        help="read the secrets that the plan names from stdin, a line each, in its order",
    )  # fmt: skip
    add_host(parser)
    add_unlock(parser)


def _read(found: argparse.Namespace) -> ApplyRequest:
    return ApplyRequest(
        found.file, where_of(found), found.confirm, found.json, found.unlock, found.secrets_stdin
    )


SUBCOMMAND: Final = Subcommand(
    "apply",
    "Carry out a plan that `zconsole plan -o FILE` has saved: the host is read again, and a plan that "
    "would be another now is not run. Exit 0 done, 1 failed, 3 nothing was run, 4 sent but not known.",
    _add_arguments,
    _read,
    run_apply,
)
