"""Flow of the actions on an object: which action, its object and its questions, then its plan."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument
from zconsole.actions.available_actions import DELEGATED, Offer, intent_of, offers, still_to_ask
from zconsole.actions.intent import Intent, OptionValue, Target, TargetKind, intent
from zconsole.actions.replication.receive import RECEIVE, suggested_name
from zconsole.actions.replication.sending_host_and_interrupted_receive import FROM
from zconsole.actions.replication.syncoid import SYNCOID
from zconsole.base.errors import ZConsoleError
from zconsole.model.host.host_state import LinkState
from zconsole.model.host.plan_facts import BY_UNLOCKING, PlanFacts
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TextDialog
from zconsole.ui.flows.plan_and_run import PlanDialogs
from zconsole.views.changes.action_menu import heading, menu, screen_key_lines, screen_keys
from zconsole.views.layout.screen_key_registry import key_of
from zconsole.views.layout.styled_text import EMPTY, line

IMPORT: Final = "import"


class ChangeDialogs(PlanDialogs):
    """Dialogs of a change, one flow at a time. Leaving one goes one step back, at last to the menu."""

    async def offer(self, target: Target, action: str | None = None) -> bool:
        """Let the user choose among the target's actions, or take the action of an id; carry it out.

        False where the user went back from the first question.
        """
        begun = ""
        while True:
            state = self.host_state()
            if state is None:
                return True
            facts = self.host_facts(state, target.name)
            offered = tuple(offers(target, state, facts))
            offer = await self._choose(target, offered, action, begun)
            if offer is None:
                return False
            if offer.spec.id in {RECEIVE, SYNCOID}:
                has_ended = await self._send(offer.spec, target, facts)
            else:
                has_ended = await self._ask_and_carry_out(offer.spec, target, facts)
            if has_ended or action is not None:
                return has_ended
            begun = offer.spec.id

    async def _ask_and_carry_out(self, action: ActionSpec, target: Target, facts: PlanFacts) -> bool:
        """Ask for what the action needs, and carry it out; False where the first question was left."""
        while True:
            wanted = await self._target(action, target, facts)
            if wanted is None:
                return False
            if await self._arguments.ask(action, wanted, facts, self.carry_out):
                return True
            if wanted == intent_of(action, target):
                return False  # its object was no question
            self._arguments.is_misworded = False

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
            front = self._app.front()
            further = screen_keys(front.PLACE) if front is not None else ()
            dialog = MenuDialog(
                self._app.paint,
                heading(self._host, target, self._colour),
                partial(menu, offered),
                closed=_closed(offered),
                keys={offer.spec.key: offer.spec.id for offer in offered if offer.spec.key},
                explained={offer.spec.id: line((offer.spec.help, "dim")) for offer in offered},
                start=(begun,),
                found=screen_key_lines(further),
                ends=self._what_would_allow(),
            )
            asking = asyncio.create_task(self._tell_what_is_lacking(dialog, target, still_to_ask(offered)))
            answer = await self._app.push_screen_wait(dialog)
            asking.cancel()
            chosen = answer[0] if answer else None
            if (key := next((each for each in further if each.id == chosen), None)) is not None:
                self._app.press(key)
                return None
        offer = next((each for each in offered if each.spec.id == chosen), None)
        if offer is not None and offer.why_not:
            about = heading(self._host, target, self._colour)
            await self._tell(about, line(f"{offer.spec.title}; unavailable: {offer.why_not}"))
            return None
        return offer

    def _what_would_allow(self) -> str:
        """What would end that nothing at all can be done on this host; empty where it is something else."""
        state, policy = self.host_state(), self._app.operations.policy(self._host)
        if state is not None and state.link.state is not LinkState.UP:
            return f"{key_of('refresh')} on the screens connects again at once"
        is_locked = policy.read_only_ends == BY_UNLOCKING
        return f"{key_of('unlock')} on the screens unlocks it" if is_locked else policy.read_only_ends

    async def _tell_what_is_lacking(self, dialog: MenuDialog, target: Target, more: Sequence[str]) -> None:
        """Disable actions that lack means or occasion; the menu does not wait for the host."""
        with suppress(ZConsoleError):
            dataset = target.name if target.kind in DELEGATED else ""
            means = await asyncio.wrap_future(self._app.queries.means(self._host, dataset, more))
            state = self.host_state()
            if state is not None:
                offered = tuple(offers(target, state, self.host_facts(state, target.name), means))
                dialog.learn(partial(menu, offered), _closed(offered))

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
            start = self._names.get(spec.id) or ("" if target.kind is TargetKind.HOST else wanted.target)
            name = await self._app.push_screen_wait(
                TextDialog(self._app.paint, (line((spec.title, "title")), line("Its name:")), start)
            )
            if name is not None:
                self._names[spec.id] = name
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
        there = PlanDialogs(self._app, host)
        state = there.host_state()
        known = () if state is None else there.host_facts(state, "").pools
        words = (
            line((spec.title, "title"), f" {host}"),
            line(f"Name of the dataset on {host} that receives {target.name}:"),
        )
        name: str | None = suggested_name(target, tuple(pool.name for pool in known))
        given: dict[str, OptionValue] = {FROM: self._host} if host != self._host else {}
        further = tuple(option for option in spec.options if option.name != FROM)
        while True:
            name = await self._app.push_screen_wait(TextDialog(self._app.paint, words, name or ""))
            if name is None:
                return False
            if await self._with_options(
                there, replace(spec, options=further), (name, target.name, given), facts
            ):
                return True

    async def _with_options(
        self,
        there: PlanDialogs,
        spec: ActionSpec,
        about: tuple[str, str, Mapping[str, OptionValue]],
        facts: PlanFacts,
    ) -> bool:
        """Ask for the options of a send, and carry it out on the receiving host."""
        name, source, given = about

        async def carry_out(options: Mapping[str, OptionValue]) -> bool:
            return await there.carry_out(intent(spec.id, name, source, options={**given, **options}))

        wanted = intent(spec.id, name, source, options=given)
        return await (
            self._arguments.options(spec, wanted, facts, carry_out) if spec.options else carry_out({})
        )


def _closed(offered: Sequence[Offer]) -> dict[str, str]:
    """Return the reasons, by the ids of the actions that are disabled now."""
    return {offer.spec.id: offer.why_not for offer in offered if offer.why_not}
