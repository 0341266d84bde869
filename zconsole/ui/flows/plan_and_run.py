"""Change flow, from the object under the cursor to a run: action, plan, guard, and outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import ActionSpec, Argument
from zconsole.actions.answers_to_change import TARGET, AnswerToChange, answers_to_change
from zconsole.actions.available_actions import DELEGATED, Offer, intent_of, known_facts, offers, still_to_ask
from zconsole.actions.intent import Intent, OptionValue, Target, TargetKind, intent
from zconsole.actions.plan import Plan
from zconsole.actions.replication.receive import RECEIVE, suggested_name
from zconsole.actions.replication.sending_host_and_interrupted_receive import FROM
from zconsole.actions.replication.syncoid import SYNCOID
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.secret import Secret
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.run import Run, RunState
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.plan import Anew, AskAgain, AskOne, Confirmed, Instead, PlanDialog
from zconsole.ui.dialogs.please_wait import answer_of
from zconsole.ui.dialogs.run import RunDialog
from zconsole.ui.dialogs.text_prompts_and_notices import SecretDialog, TextDialog
from zconsole.ui.flows.ask_for_arguments import ArgumentDialogs, tell
from zconsole.ui.flows.disk_choice import choose_disks
from zconsole.views.changes.action_menu import heading, menu
from zconsole.views.changes.pool_alarm import pool_alarm
from zconsole.views.changes.run import space_lines
from zconsole.views.layout.styled_text import EMPTY, Line, line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

IMPORT: Final = "import"
REPAIRING: Final = frozenset({"replace", "detach", "offline", "online"})  # steps of a repair
TO_THE_REPAIR: Final = "to the next step of the repair"
UNREAD_WITHIN_S: Final = 1.0  # of waiting for the journal once the plan is made
T = TypeVar("T")


class ChangeDialogs:
    """Dialogs of a change, one flow at a time. Leaving a question goes back to the one before."""

    def __init__(self, app: ConsoleApp, host: str) -> None:
        self._app = app
        self._host = host
        self._colour = app.host_colour(host)
        self._arguments = ArgumentDialogs(app, host)
        self._typed = ""  # the name that was given to a new object
        self._is_misworded = False  # what was asked last was not understood

    async def offer(self, target: Target, chosen: str | None = None) -> None:
        """Let the user choose among the target's actions, or take the action of an id; carry it out."""
        begun = ""
        while True:
            state = self._state()
            if state is None:
                return
            facts = self._facts(state, target.name)
            offered = tuple(offers(target, state, facts))
            offer = await self._choose(target, offered, chosen, begun)
            if offer is None:
                return
            if offer.spec.id in {RECEIVE, SYNCOID}:
                is_left = not await self._send(offer.spec, target, facts)
            else:
                is_left = not await self._ask_and_carry_out(offer.spec, target, facts)
            if not is_left or chosen is not None:
                return
            begun = offer.spec.id

    async def _ask_and_carry_out(self, action: ActionSpec, target: Target, facts: PlanFacts) -> bool:
        """Ask for what the action needs, and carry it out; False where the first question was left."""
        while True:
            wanted = await self._target(action, target, facts)
            if wanted is None:
                return False
            is_target_asked = wanted != intent_of(action, target)
            whole = await self._arguments.ask(action, wanted, facts)
            if whole is None and is_target_asked:
                continue
            if whole is None:
                return False
            has_questions = bool(action.options) or is_target_asked or whole != wanted
            if not await self._carried_out(whole, has_questions=has_questions):
                return True

    async def carry_out(self, wanted: Intent) -> None:
        """Plan, guard, run; plan again when the host has changed or the user asks for it."""
        await self._carried_out(wanted, has_questions=False)

    async def _carried_out(self, wanted: Intent, *, has_questions: bool) -> bool:
        """The same; True where the user wants to answer the questions before it otherwise."""
        changed: tuple[str, ...] = ()
        read_before: Plan | None = None
        asked: AnswerToChange | None = None  # which was answered otherwise
        left: list[Intent] = []  # of the plans before, whose other way was taken
        while True:
            unread = self._app.queries.unread_runs(self._host)
            self._is_misworded = False
            plan = await self._prepare(wanted)
            if plan is None and asked is not None and self._is_misworded:
                wanted, asked = await self._answered_otherwise(wanted, asked)
                continue
            if plan is None:
                return has_questions and self._is_misworded
            if read_before is not None:
                changed = read_before.basis.differences(plan.basis)
                read_before = None
            dialog = PlanDialog(self._app.paint, plan, colour=self._colour)
            dialog.pool_watch = self._watch(plan)
            dialog.has_questions = has_questions
            dialog.answers = answers_to_change(spec(wanted.action), plan)
            age_s = self._app.states.now() - plan.made_at
            dialog.made(age_s, changed, unread_runs=await _unread_runs(unread))
            answer = await self._app.push_screen_wait(dialog)
            match answer:
                case Confirmed(typed):
                    run = await self._execute(plan, typed)
                    if run is None or run.state is not RunState.STALE:
                        return False
                    changed = run.differences
                case Instead(other):
                    words = await self._whole(other)
                    if words is not None:
                        left.append(wanted)
                        wanted = words
                    changed, asked = (), None
                case Anew():
                    read_before = plan
                case AskOne(about):
                    changed = ()
                    wanted, asked = await self._answered_otherwise(wanted, about)
                case AskAgain():
                    return True
                case _ if left:
                    wanted, changed, asked = left.pop(), (), None
                case _:
                    return False

    async def _answered_otherwise(
        self, wanted: Intent, about: AnswerToChange
    ) -> tuple[Intent, AnswerToChange | None]:
        """The intent with another answer to one question, and that answer; as it was where it was left."""
        action = spec(wanted.action)
        value = await self._arguments.one(about, action, wanted)
        if value is None:
            return about.changed(action, wanted, about.former), None
        if about.place == TARGET:
            self._typed = value
        return about.changed(action, wanted, value), replace(about, value=value)

    async def complete(self, wanted: Intent) -> None:
        """Ask for the arguments that are missing, then carry it out."""
        words = await self._whole(wanted)
        if words is not None:
            await self.carry_out(words)

    async def _whole(self, wanted: Intent) -> Intent | None:
        """The intent with its missing arguments, asked from the user; None where there is no such state."""
        state = self._state()
        if state is None:
            return None
        return await self._arguments.missing(spec(wanted.action), wanted, self._facts(state, wanted.target))

    def _watch(self, plan: Plan) -> Callable[[], tuple[Line, ...]]:
        """What happens to the pool of a plan from now on."""
        before, pool = self._state(), plan.intent.pool
        known = self._app.repairs.stop_in(self._host, pool)

        def alarm() -> tuple[Line, ...]:
            now = self._state()
            if before is None or now is None:
                return ()
            return pool_alarm((before, known), (now, self._app.repairs.stop_in(self._host, pool)), pool)

        return alarm

    async def choose_disk(self, wanted: Intent) -> None:
        """Let the user choose the disk that is the next argument, and carry out the action."""
        action = spec(wanted.action)
        disk = await choose_disks(self._app, self._host, action.arguments[len(wanted.arguments)], wanted)
        if disk:
            await self.carry_out(replace(wanted, arguments=(*wanted.arguments, *disk)))

    async def unlock(self) -> None:
        """Allow changes on this host for a while: the user types its name as a confirmation."""
        why = self._app.operations.policy(self._host).read_only
        if not why:
            await self._tell(line(f"{self._host} is not locked."))
            return
        asked = line("To allow changes for 15 minutes, type its name: ", (self._host, self._colour))
        words = (line((why, "warn")), EMPTY, asked)
        typed = await self._app.push_screen_wait(TextDialog(self._app.paint, words, takes_paste=False))
        if typed != self._host:
            return
        self._app.operations.unlock(self._host)
        still = self._app.operations.policy(self._host).read_only
        await self._tell(line(f"It stays locked: {still}." if still else f"{self._host} is unlocked."))

    # Which action

    async def _choose(
        self, target: Target, offered: Sequence[Offer], chosen: str | None, begun: str
    ) -> Offer | None:
        """The chosen action; the menu begins at the one that was `begun` before."""
        if not offered:
            await self._tell(line(f"There is no action for a {target.kind.value}."))
            return None
        if chosen is None:
            dialog = MenuDialog(
                self._app.paint,
                heading(self._host, target, self._colour),
                menu(offered),
                closed=_closed(offered),
                keys={offer.spec.key: offer.spec.id for offer in offered if offer.spec.key},
                explained={offer.spec.id: line((offer.spec.help, "dim")) for offer in offered},
                start=(begun,),
            )
            asking = asyncio.create_task(self._tell_what_is_lacking(dialog, target, still_to_ask(offered)))
            answer = await self._app.push_screen_wait(dialog)
            asking.cancel()
            chosen = answer[0] if answer else None
        offer = next((each for each in offered if each.spec.id == chosen), None)
        if offer is not None and offer.why_not:
            about = heading(self._host, target, self._colour)
            await self._tell(about, line(f"{offer.spec.title}; unavailable: {offer.why_not}"))
            return None
        return offer

    async def _tell_what_is_lacking(self, dialog: MenuDialog, target: Target, more: Sequence[str]) -> None:
        """Disable actions that lack means or occasion; the menu does not wait for the host."""
        with suppress(ZConsoleError):
            dataset = target.name if target.kind in DELEGATED else ""
            means = await asyncio.wrap_future(self._app.queries.means(self._host, dataset, more))
            state = self._state()
            if state is not None:
                offered = tuple(offers(target, state, self._facts(state, target.name), means))
                dialog.learn(menu(offered), _closed(offered))

    # Its arguments

    async def _target(self, spec: ActionSpec, target: Target, facts: PlanFacts) -> Intent | None:
        """Return the intent with its first argument: the object itself, or a chosen or typed one."""
        if target.kind is TargetKind.HOST and TargetKind.HOST not in spec.targets:
            return await self._arguments.chosen(
                spec, Argument("DISK", "labelled", "a disk with a label"), facts
            )
        wanted = intent_of(spec, target)
        if spec.id == IMPORT:
            asked = self._app.queries.importable(self._host)
            found = await self._answer(asked, f"reading the disks of {self._host}")
            if found is None:
                return None
            facts = replace(facts, importable=found)
            return await self._arguments.chosen(
                spec, Argument("POOL", "importable", "a pool to import"), facts
            )
        if target.kind is TargetKind.HOST or wanted.target.endswith(("/", "@")):
            start = self._typed or ("" if target.kind is TargetKind.HOST else wanted.target)
            name = await self._app.push_screen_wait(
                TextDialog(self._app.paint, (line((spec.title, "title")), line("Its name:")), start)
            )
            self._typed = name or ""
            return replace(wanted, target=name) if name is not None else None
        return wanted

    async def _send(self, spec: ActionSpec, target: Target, facts: PlanFacts) -> bool:
        """Send the dataset or snapshot under the cursor: the receiving host is the target of the action.

        False where the first question was left.
        """
        while True:
            host = await self._arguments.host(spec, "to which host") if spec.id == RECEIVE else self._host
            if host is None:
                return False
            if await self._send_to(host, spec, target, facts):
                return True
            if spec.id != RECEIVE or len(self._app.states.newest()) == 1:
                return False  # the host was no question

    async def _send_to(self, host: str, spec: ActionSpec, target: Target, facts: PlanFacts) -> bool:
        there = ChangeDialogs(self._app, host)
        state = there._state()
        known = () if state is None else there._facts(state, "").pools
        words = (
            line((spec.title, "title"), f" {host}"),
            line(f"The dataset that {target.name} becomes there:"),
        )
        name: str | None = suggested_name(target, tuple(pool.name for pool in known))
        given: dict[str, OptionValue] = {FROM: self._host} if host != self._host else {}
        further = tuple(option for option in spec.options if option.name != FROM)
        while True:
            name = await self._app.push_screen_wait(TextDialog(self._app.paint, words, name or ""))
            if name is None:
                return False
            wanted = intent(spec.id, name, target.name, options=given)
            options = (
                await self._arguments.options(replace(spec, options=further), wanted, facts)
                if further
                else {}
            )
            if options is not None:
                await there.carry_out(intent(spec.id, name, target.name, options={**given, **options}))
                return True

    # The plan, and its outcome

    async def _prepare(self, wanted: Intent) -> Plan | None:
        asked = self._app.operations.prepare(self._host, wanted)
        return await self._answer(asked, f"reading {self._host} for the plan")

    async def _answer(self, asked: Future[T], words: str) -> T | None:
        """Return the host's answer, or None after an error was shown or the user left."""
        try:
            return await answer_of(self._app, asked, words)
        except ZConsoleError as error:
            self._is_misworded = isinstance(error, UsageError)
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
        state = self._state()
        return state.runs if state is not None else ()

    def _free_space(self) -> dict[str, int]:
        """Free usable space of each pool as last read, bytes."""
        state = self._state()
        known = [] if state is None else [each.pool.value for each in state.pools]
        return {
            each.name: each.usable_available_bytes
            for each in known
            if each is not None and each.usable_available_bytes is not None
        }

    def _state(self) -> HostState | None:
        return next((state for state in self._app.states.newest() if state.host == self._host), None)

    def _facts(self, state: HostState, near: str) -> PlanFacts:
        return known_facts(state, self._app.states.now(), self._app.operations.policy(self._host), near)

    async def _tell(self, *words: Line) -> None:
        await tell(self._app, *words)


async def _unread_runs(asked: Future[int]) -> int:
    """Runs of the journal that cannot be read; the run reports a journal that cannot be read at all."""
    with suppress(ZConsoleError, TimeoutError):
        return await asyncio.wait_for(asyncio.wrap_future(asked), UNREAD_WITHIN_S)
    return 0


def _closed(offered: Sequence[Offer]) -> dict[str, str]:
    """Return the reasons, by the ids of the actions that are disabled now."""
    return {offer.spec.id: offer.why_not for offer in offered if offer.why_not}
