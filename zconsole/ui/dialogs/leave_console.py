"""Leave dialog: changes are in progress, and leaving the console would end or abandon them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from zconsole.ui.dialogs.text_prompts_and_notices import WordsDialog
from zconsole.ui.line_to_strip import Paint
from zconsole.views.layout.styled_text import Line, line

TICK_S: Final = 0.5


class LeaveDialog(WordsDialog):
    """Dialog that returns by Esc, and leaves the console by a key of its own.

    The key that asked to leave does not leave when pressed again: a Ctrl+C that is pressed twice, or held,
    must not abandon a change. The dialog closes itself once nothing is in progress any more.
    """

    WAYS = line(("Esc", "key"), (" stay", "dim"), ("   l", "key"), (" leave all the same", "dim"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", show=False),
        Binding("l", "leave_console", show=False),
    ]
    DEFAULT_CSS = "LeaveDialog Vertical { border: solid $warning; }"

    def __init__(
        self, paint: Paint, unfinished: Callable[[], tuple[Line, ...]], leave: Callable[[], None]
    ) -> None:
        """`unfinished` tells what is in progress, nothing once all has ended; `leave` leaves the console."""
        super().__init__(paint)
        self._unfinished = unfinished
        self._leave = leave

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._draw)
        self._draw()

    def _draw(self) -> None:
        words = self._unfinished()
        if words:
            self.tell(words)
        elif self.is_active:
            self.dismiss(None)

    def action_leave_console(self) -> None:
        """Leave the console, whatever is in progress."""
        self._leave()
