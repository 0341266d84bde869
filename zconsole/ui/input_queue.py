"""Input queue: keys, pasted text and clicks reach the active screen one after the other, in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from zconsole.ui.delayed_calls import Once
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.key_filter import REPEAT_S, AfterClosing, Keyboard, KeyFate, KeyFilter, Waiting
from zconsole.views.layout.screen_key_registry import ACTIONS, EVERYWHERE

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

ALWAYS: Final = frozenset(
    key for action in ACTIONS if EVERYWHERE in action.where and action.id != "palette" for key in action.keys
)
SETTLES_S: Final = 0.05  # a key takes effect in this time, unless the console is very busy
LOST_S: Final = 0.25  # a probe that is not back by then was lost with its widget
FLOW_ENDS_S: Final = 0.02  # a flow whose list was left is over after a moment
FLOW_ROUNDS: Final = 12  # so often a key waits for it; one that goes on working has no place for keys
ROUNDS: Final = 2  # a key may make its widget send a message to the screen, which then acts
STRICTEST_FIRST: Final = (AfterClosing.TYPED_ON, AfterClosing.CONFIRMED, AfterClosing.FOR_SCREEN)
TOO_SOON: Final = "a key right after a dialog is not taken: wait a moment, and press it again"
PASTED: Final = "pasted text is not taken as keys: nothing was done"


class Settled(Message):
    """Probe message sent after a key; back at the app, every widget on the path has handled the key."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Gate:
    """Input gate: passes a key after the one before has settled, and drops keys meant for another screen."""

    def __init__(
        self, app: ConsoleApp, forward: Callable[[events.Event], Awaitable[None]], quiet_s: float
    ) -> None:
        self._app = app
        self._forward = forward
        self._quiet = KeyFilter(quiet_s)
        self._waiting = Keyboard()
        self._target: Widget | Screen[object] | None = None  # of the last one
        self._forwarded_at = 0.0
        self._number = 0
        self._rounds_left = 0  # until the last one has settled; 0 while none is awaited
        self._flow_rounds = 0  # that the oldest key has waited for the end of a flow
        self._doubted: events.Key | None = None
        self._dialogs: tuple[Screen[object], ...] = ()

    # Dialogs open and close

    def expect_dialog(self) -> None:
        """Expect a dialog that was just requested; keys can only be meant for it."""
        self._quiet.expect(monotonic())

    def screen_changed(self) -> None:
        """Note another screen in front."""
        now, before = monotonic(), self._dialogs
        self._dialogs = tuple(each for each in self._app.screen_stack if isinstance(each, ModalScreen))
        gone = [each for each in before if each not in self._dialogs]
        if gone:
            after = {
                each.AFTER_CLOSING if isinstance(each, Dialog) else AfterClosing.FOR_SCREEN for each in gone
            }
            self._quiet.closed(now, next(each for each in STRICTEST_FIRST if each in after))
        for each in self._dialogs:
            if each not in before:
                self._quiet.opened(now, is_unasked=isinstance(each, Dialog) and each.OPENS_BY_ITSELF)
        if self._rounds_left:
            self._app.call_next(self._release, self._number)

    # Keys

    async def take(self, event: events.Event) -> None:
        """Queue a key, a click, or pasted text."""
        if isinstance(event, events.Key) and event.key in ALWAYS:
            await self._forward(event)
        elif isinstance(event, events.Key | events.Paste | events.MouseDown | events.MouseUp):
            self._waiting.add(event)
            await self._let_in()
        else:
            await self._forward(event)

    async def settled(self, number: int) -> None:
        """Note that the probe behind the last one is back."""
        if number != self._number or not self._rounds_left:
            return
        self._rounds_left -= 1
        if self._rounds_left and self._send_after():
            return
        await self._release(number)

    async def _release(self, number: int) -> None:
        if number == self._number:
            self._rounds_left = 0
            self._target = None
            await self._let_in()

    async def _let_in(self) -> None:
        while not self._rounds_left:
            event = self._waiting.next()
            if event is None:
                return
            if self._is_between_dialogs() and self._flow_rounds < FLOW_ROUNDS:
                self._wait_for_flow(event)
                return
            self._flow_rounds = 0
            if self._target is not None and monotonic() - self._forwarded_at < SETTLES_S:
                self._waiting.put_back(event)
                self._rounds_left = ROUNDS
                self._number += 1
                if self._send_after():
                    loop = asyncio.get_running_loop()
                    loop.call_later(LOST_S, self._app.call_next, self._release, self._number)
                    return
                self._rounds_left = 0
                self._target = None
                continue
            await self._judge(event)

    def _is_between_dialogs(self) -> bool:
        """Whether a flow is in progress, without a dialog in front."""
        return self._app.is_acting and not isinstance(self._app.screen, ModalScreen)

    def _wait_for_flow(self, event: Waiting) -> None:
        """Keep a key for the screen, in case that the flow ends now."""
        self._flow_rounds += 1
        self._waiting.put_back(event)
        self._rounds_left = 1
        self._number += 1
        asyncio.get_running_loop().call_later(FLOW_ENDS_S, self._app.call_next, self._release, self._number)

    def _send_after(self) -> bool:
        """Send a probe after the last one; False where its widget accepts none any more."""
        target = self._target
        return target is not None and target.is_attached and target.post_message(Settled(self._number))

    async def _judge(self, event: events.Event) -> None:
        name = event.key if isinstance(event, events.Key) else ""
        screen = self._app.screen
        fate = self._quiet.fate(name, event.time, monotonic())
        if name == "escape" and isinstance(screen, Dialog) and screen.is_stopped_by_escape:
            fate = KeyFate.PASSES
        match fate:
            case KeyFate.DROPPED:
                self._doubted = None
                is_typing = isinstance(self._app.focused, Input)
                if _is_an_answer(event, is_typing=is_typing):
                    self._tell_unheard(screen)
                if isinstance(event, events.MouseDown):
                    self._app._mouse_down_widget = None  # noqa: SLF001  # what was not pressed is not clicked
            case KeyFate.DOUBTED if isinstance(event, events.Key):
                self._doubted = event
                Once(self._app, REPEAT_S, partial(self._pass_doubted, event))
            case _:
                if self._doubted is not None:
                    doubted, self._doubted = self._doubted, None
                    await self._pass(doubted)
                await self._pass(event)

    def _tell_unheard(self, screen: Screen[object]) -> None:
        """Say that somebody's key or text was dropped."""
        if isinstance(screen, Dialog):
            screen.unheard()
        elif not isinstance(screen, ModalScreen) and (console := self._app.front()) is not None:
            console.say(TOO_SOON, "warn")

    async def _pass_doubted(self, event: events.Key) -> None:
        if self._doubted is event and self._quiet.is_still_doubted(event.time):
            self._doubted = None
            await self._pass(event)

    async def _pass(self, event: events.Event) -> None:
        screen, console = self._app.screen, self._app.front()
        if not isinstance(screen, ModalScreen) and not isinstance(event, events.MouseUp):
            if self._is_between_dialogs():
                return  # between two dialogs of one flow, no key has a target
            is_typing = isinstance(self._app.focused, Input)
            if isinstance(event, events.Paste) and not is_typing:
                if console is not None:
                    console.say(PASTED, "warn")
                return
            is_key = isinstance(event, events.Key) and not is_typing
            if is_key and console is not None and console.refuses(getattr(event, "key", "")):
                return
        self._target = self._app.focused or screen
        self._forwarded_at = monotonic()
        await self._forward(event)


def _is_an_answer(event: events.Event, *, is_typing: bool) -> bool:
    """Whether somebody believes to have answered a dialog with it; in a field also Enter and pasted text."""
    if isinstance(event, events.Key):
        return event.is_printable or (is_typing and event.key == "enter")
    return is_typing and isinstance(event, events.Paste)
