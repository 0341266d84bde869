"""A host takes its time for an answer: who waits sees for what and how long, and may leave it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from zconsole.base.units import duration
from zconsole.ui.paint import Paint
from zconsole.ui.present.cells import line, wrap
from zconsole.ui.widgets.text_lines import TextLines

if TYPE_CHECKING:
    from zconsole.ui.app import ZConsoleApp

PATIENCE_S: Final = 1.0  # an answer that comes by then needs no words
TICK_S: Final = 0.2
_FRAME: Final = 4
_WIDEST: Final = 100
_WAYS: Final = line(("Esc", "key"), (" do not wait for it", "dim"))
T = TypeVar("T")


async def answer_of(app: ZConsoleApp, asked: Future[T], words: str) -> T | None:
    """What a host answers; None where the user did not want to wait any longer. Raises ZConsoleError."""
    awaited = asyncio.wrap_future(asked)
    await asyncio.wait({awaited}, timeout=PATIENCE_S)
    if not awaited.done():
        await app.push_screen_wait(WaitDialog(app.paint, awaited, words, app.source.now))
        if not awaited.done():
            awaited.cancel()
            return None
    return await awaited


class WaitDialog(ModalScreen[None]):
    """Goes by itself once the answer is there. It may be left before that."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", show=False)]
    DEFAULT_CSS = """
    WaitDialog { align: center middle; background: $background; }
    WaitDialog Vertical {
        width: 100%; max-width: 100; height: auto; border: solid $primary; padding: 0 1;
    }
    """

    def __init__(self, paint: Paint, asked: asyncio.Future[T], words: str, now: Callable[[], float]) -> None:
        super().__init__()
        self._asked = asked
        self._words = words
        self._now = now
        self._since = now()
        self._text = TextLines(paint, id="words")
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._text, self._ways)

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._draw)
        self._ways.show((_WAYS,))
        self._draw()

    def _draw(self) -> None:
        if self._asked.done():
            if self.is_current:
                self.dismiss(None)
            return
        cells = max(10, min(_WIDEST, self.app.size.width) - _FRAME)
        waited = duration(max(0.0, self._now() - self._since + PATIENCE_S))
        lines = tuple(wrap(line((self._words, "info"), (f"  {waited}", "dim")), cells))
        self._text.styles.height = len(lines)
        self._text.show(lines)

    def action_leave(self) -> None:
        """Back to where it was asked from; the question is withdrawn."""
        self.dismiss(None)
