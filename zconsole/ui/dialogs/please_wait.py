"""Waiting dialog: a slow host, the elapsed time, and a key to leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual.binding import Binding, BindingType

from zconsole.base.fixed_width_formatting import duration
from zconsole.ui.dialogs.text_prompts_and_notices import WordsDialog
from zconsole.ui.line_to_strip import Paint
from zconsole.views.layout.styled_text import line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

PATIENCE_S: Final = 1.0  # an answer within this time needs no dialog
TICK_S: Final = 0.2
T = TypeVar("T")


async def answer_of(app: ConsoleApp, asked: Future[T], words: str) -> T | None:
    """Return the answer of a host; None where the user stopped waiting. Raises ZConsoleError."""
    awaited = asyncio.wrap_future(asked)
    await asyncio.wait({awaited}, timeout=PATIENCE_S)
    if not awaited.done():
        await app.push_screen_wait(WaitDialog(app.paint, awaited, words, app.states.now))
        if not awaited.done():
            awaited.cancel()
            return None
    return await awaited


class WaitDialog(WordsDialog):
    """Dialog that closes itself when the answer arrives. The user may leave before that."""

    OPENS_BY_ITSELF = True

    WAYS = line(("Esc", "key"), (" do not wait for it", "dim"))
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", show=False)]

    def __init__(self, paint: Paint, asked: asyncio.Future[T], words: str, now: Callable[[], float]) -> None:
        super().__init__(paint)
        self._asked = asked
        self._words = words
        self._now = now
        self._since = now()

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._draw)
        self._draw()

    def _draw(self) -> None:
        if not self._asked.done():
            waited = duration(max(0.0, self._now() - self._since + PATIENCE_S))
            self.tell([line((self._words, "info"), (f"  {waited}", "dim"))])
        elif self.is_active:
            self.dismiss(None)
