"""Flow of a plan: the arguments that it lacks, the guard, the run, and the way back from each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from zconsole.actions.action_catalogue import spec
from zconsole.actions.answers_to_change import TARGET, AnswerToChange, answers_to_change
from zconsole.actions.intent import Intent
from zconsole.actions.known_facts import known_facts
from zconsole.actions.plan import Plan, WayOut
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.run import Run, RunState
from zconsole.ui.dialogs.plan import Anew, AskOne, Confirmed, FreeSpace, Instead, PlanDialog
from zconsole.ui.dialogs.please_wait import answer_of
from zconsole.ui.dialogs.run import RunDialog
from zconsole.ui.dialogs.text_prompts_and_notices import SecretDialog
from zconsole.ui.flows.ask_for_arguments import ArgumentDialogs, tell
from zconsole.ui.flows.disk_choice import choose_disks
from zconsole.views.changes.pool_alarm import pool_alarm
from zconsole.views.changes.run import space_lines
from zconsole.views.layout.styled_text import Line, line

if TYPE_CHECKING:
    from zconsole.actions.checks.command_to_free_space import SpaceToFree
    from zconsole.ui.app_protocol import ConsoleApp
    from zconsole.views.datasets.free_space_proposal import ReclaimAnswer

REPAIRING: Final = frozenset({"replace", "detach", "offline", "online"})  # steps of a repair
TO_THE_REPAIR: Final = "to the next step of the repair"
LEFT_WITHOUT_RUN: Final = "you left the plan before its confirmation was whole: nothing was run"
UNREAD_WITHIN_S: Final = 1.0  # of waiting for the journal once the plan is made
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Left:
    """What was wanted before, and the question after it that led on, if one did."""

    wanted: Intent
    asked: AnswerToChange | None = None


class PlanDialogs:
    """Dialogs of a plan on one host. Each leads one step back, to a question that has its former answer."""

    def __init__(self, app: ConsoleApp, host: str) -> None:
        self._app = app
        self._host = host
        self._colour = app.host_colour(host)
        self._arguments = ArgumentDialogs(app, host)
        self._names: dict[str, str] = {}  # that were given to new objects, by action

    async def carry_out(self, wanted: Intent) -> bool:
        """Plan, guard, run; plan again when the host has changed or the user asks for it.

        False where the user went one step back from the plan.
        """
        changed: tuple[str, ...] = ()
        read_before: Plan | None = None
        asked: AnswerToChange | None = None  # which was answered otherwise
        left: list[_Left] = []  # the plans before, which led to the present one
        while True:
            unread = self._app.queries.unread_runs(self._host)
            self._arguments.is_misworded = False
            plan = await self._prepare(wanted)
            if plan is None and asked is not None and self._arguments.is_misworded:
                wanted, asked = await self._answered_otherwise(wanted, asked)
                continue
            if plan is None and left:
                wanted, asked = await self._one_back(wanted, left)
                continue
            if plan is None:
                return False
            if read_before is not None:
                changed = read_before.basis.differences(plan.basis)
                read_before = None
            dialog = self._dialog(plan, changed, unread_runs=await _unread_runs(unread))
            answer = await self._app.push_screen_wait(dialog)
            changed = ()
            if answer is None and dialog.is_begun and (front := self._app.front()) is not None:
                front.say(LEFT_WITHOUT_RUN, "warn")
            match answer:
                case Confirmed(typed):
                    run = await self._execute(plan, typed)
                    if run is None or run.state is not RunState.STALE:
                        return True
                    changed = run.differences
                case Instead(other):
                    words = await self._whole(other)
                    if words is not None:
                        left.append(_Left(wanted))
                        wanted = words
                    asked = None
                case Anew():
                    read_before = plan
                case FreeSpace(space):
                    await self._free(space)
                    read_before = plan
                case AskOne(about):
                    before = wanted
                    wanted, asked = await self._answered_otherwise(wanted, about)
                    if asked is not None:
                        left.append(_Left(before, asked))
                case _ if left:
                    wanted, asked = await self._one_back(wanted, left)
                case _:
                    return False

    def _dialog(self, plan: Plan, changed: tuple[str, ...], *, unread_runs: int) -> PlanDialog:
        """The dialog of a plan; `changed` made the one before it stale."""
        dialog = PlanDialog(self._app.paint, plan, colour=self._colour)
        dialog.pool_watch = self._watch(plan)
        dialog.answers = answers_to_change(spec(plan.intent.action), plan)
        dialog.made(self._app.states.now() - plan.made_at, changed, unread_runs=unread_runs)
        return dialog

    async def _free(self, space: SpaceToFree) -> None:
        """Ask how much space to free where a refusal lacks it, and plan what frees it."""
        host = space.host or self._host

        async def plan(answer: ReclaimAnswer) -> bool:
            names = answer.snapshots
            wanted = answer.instead or Intent("destroy", names[0], tuple(names[1:]))
            return await PlanDialogs(self._app, host).carry_out(wanted)

        await self._app.ask_what_to_free(host, space.dataset, plan, can_mark=False, proposed=space.amount)

    async def _one_back(self, wanted: Intent, left: list[_Left]) -> tuple[Intent, AnswerToChange | None]:
        """The plan before, or the question after it with another answer."""
        before = left.pop()
        if before.asked is None:
            return before.wanted, None
        changed, asked = await self._answered_otherwise(wanted, before.asked)
        if asked is None:
            return before.wanted, None
        left.append(_Left(before.wanted, asked))
        return changed, asked

    async def _answered_otherwise(
        self, wanted: Intent, about: AnswerToChange
    ) -> tuple[Intent, AnswerToChange | None]:
        """The intent with another answer to one question, and that answer; as it was where it was left."""
        action = spec(wanted.action)
        if about.way is WayOut.DISKS:
            disks = await self._arguments.disks(about, action, wanted)
            if disks is None:
                return wanted, None
            return about.with_disks(wanted, disks), replace(about, disks=disks)
        value = await self._arguments.one(about, action, wanted)
        if about.place == TARGET:
            self._names[action.id] = about.former if value is None else value
        if value is None:
            return about.changed(action, wanted, about.former), None
        return about.changed(action, wanted, value), replace(about, value=value)

    async def complete(self, wanted: Intent) -> bool:
        """Ask for the arguments that are missing, then carry it out."""
        state = self.host_state()
        if state is None:
            return False
        facts = self.host_facts(state, wanted.target)
        return await self._arguments.missing(spec(wanted.action), wanted, facts, self.carry_out)

    async def _whole(self, wanted: Intent) -> Intent | None:
        """The intent with its missing arguments, asked from the user; None where there is no such state."""
        found: list[Intent] = []

        async def take(whole: Intent) -> bool:
            found.append(whole)
            return True

        state = self.host_state()
        if state is not None:
            facts = self.host_facts(state, wanted.target)
            await self._arguments.missing(spec(wanted.action), wanted, facts, take)
        return found[0] if found else None

    async def choose_disk(self, wanted: Intent) -> bool:
        """Let the user choose the disk that is the next argument, and carry out the action."""
        argument = spec(wanted.action).arguments[len(wanted.arguments)]
        former: tuple[str, ...] = ()
        while disk := await choose_disks(self._app, self._host, argument, wanted, former):
            former = disk
            if await self.carry_out(replace(wanted, arguments=(*wanted.arguments, *disk))):
                return True
        return False

    def _watch(self, plan: Plan) -> Callable[[], tuple[Line, ...]]:
        """What happens to the pool of a plan from now on."""
        before, pool = self.host_state(), plan.intent.pool
        known = self._app.repairs.stop_in(self._host, pool)

        def alarm() -> tuple[Line, ...]:
            now = self.host_state()
            if before is None or now is None:
                return ()
            return pool_alarm((before, known), (now, self._app.repairs.stop_in(self._host, pool)), pool)

        return alarm

    async def _prepare(self, wanted: Intent) -> Plan | None:
        asked = self._app.operations.prepare(self._host, wanted)
        return await self._answer(asked, f"reading {self._host} for the plan")

    async def _answer(self, asked: Future[T], words: str) -> T | None:
        """Return the host's answer, or None after an error was shown or the user left."""
        try:
            return await answer_of(self._app, asked, words)
        except ZConsoleError as error:
            self._arguments.is_misworded = isinstance(error, UsageError)
            said = getattr(error, "said", "")
            await self._tell(line((error.message, "warn")), line(said), line((error.hint, "dim")))
            return None

    async def _execute(self, plan: Plan, typed: str) -> Run | None:
        secrets: dict[str, Secret] = {}
        for name in plan.secrets:
            asked = line(("Asked for on ", "dim"), (self._host, self._colour), (f": {name}", "title"))
            secret = SecretDialog.take(
                await self._app.push_screen_wait(SecretDialog(self._app.paint, (asked,)))
            )
            if secret is None:
                return None
            secrets[name] = secret
        known = {run.id for run in self._runs()}
        ending = self._app.operations.execute(self._host, plan, typed, secrets)
        self._app.changes.confirmed(self._host, plan.title, ending)

        def progress() -> Run | None:
            fresh = [run for run in self._runs() if run.id not in known and run.title == plan.title]
            return fresh[-1] if fresh else None

        own = {self._host, *(() if plan.other is None else (plan.other.identity.label,))}

        def ahead() -> Run | None:
            under_way = self._app.changes.runs(self._app.states.newest())
            return next((run for run in under_way if own.intersection((run.host, *run.hosts))), None)

        states, end_stream = self._app.states, self._app.operations.end_stream
        dialog = RunDialog(self._app.paint, ending, progress, states.now, end_stream)
        dialog.ahead = ahead
        if plan.frees_bytes is not None:
            free = self._free_space()
            dialog.measured = lambda: tuple(space_lines(free, self._free_space()))
        leads_on = plan.intent.action in REPAIRING and self._app.is_in_repair(self._host, plan.intent)
        dialog.then = TO_THE_REPAIR if leads_on else ""
        run = await self._app.push_screen_wait(dialog)
        states.refresh(self._host)
        self._app.repairs.run_ended()
        if leads_on and run is not None and run.state is RunState.DONE:
            self._app.lead_on(self._host, plan.intent)
        return run

    def _runs(self) -> tuple[Run, ...]:
        state = self.host_state()
        return state.runs if state is not None else ()

    def _free_space(self) -> dict[str, int]:
        """Free usable space of each pool as last read, bytes."""
        state = self.host_state()
        known = [] if state is None else [each.pool.value for each in state.pools]
        return {
            each.name: each.usable_available_bytes
            for each in known
            if each is not None and each.usable_available_bytes is not None
        }

    def host_state(self) -> HostState | None:
        """The newest state of the host, if it is known."""
        return next((state for state in self._app.states.newest() if state.host == self._host), None)

    def host_facts(self, state: HostState, near: str) -> PlanFacts:
        """What is known for a plan without reading the host."""
        return known_facts(state, self._app.states.now(), self._app.operations.policy(self._host), near)

    async def _tell(self, *words: Line) -> None:
        await tell(self._app, *words)


async def _unread_runs(asked: Future[int]) -> int:
    """Runs of the journal that cannot be read; the run reports a journal that cannot be read at all."""
    with suppress(ZConsoleError, TimeoutError):
        return await asyncio.wait_for(asyncio.wrap_future(asked), UNREAD_WITHIN_S)
    return 0
