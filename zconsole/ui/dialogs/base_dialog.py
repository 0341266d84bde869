"""Base of all dialogs: each is answered once."""

from __future__ import annotations

from typing import ClassVar, Final, Generic, TypeVar

from textual import events, on
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

from zconsole.ui.key_filter import AfterClosing
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.views.layout.key_help import key_at

T = TypeVar("T")
CHARACTERS: Final = {"space": " "}  # of keys with a longer name
LOW: Final = 10  # rows of a terminal below which dialogs have no frame
FRAME_LINES: Final = 2


class Dialog(ModalScreen[T], Generic[T]):
    """Dialog whose first answer counts, and only while it is in front; later answers are dropped."""

    OPENS_BY_ITSELF: ClassVar[bool] = False  # it opens without a key
    AFTER_CLOSING: ClassVar[AfterClosing] = AfterClosing.CONFIRMED
    DEFAULT_CSS = "Dialog.low Vertical { border: none !important; }"

    _is_answered = False

    @property
    def is_stopped_by_escape(self) -> bool:
        """Whether Esc stops something here: then it counts at any time."""
        return False

    @property
    def is_low(self) -> bool:
        """Whether the terminal is so low that the rows need the lines of the frame."""
        return self.app.size.height < LOW

    def without_frame(self, lines: int) -> int:
        """So many lines, less those of a frame that is left out."""
        return lines - FRAME_LINES if self.is_low else lines

    @on(events.Mount)
    @on(events.Resize)
    def _give_rows_the_frame(self) -> None:
        self.set_class(self.is_low, "low")

    @on(TextLines.Clicked, "#ways")
    def _press_clicked_key(self, event: TextLines.Clicked) -> None:
        """Press the key of the last lines that was clicked, as if by hand."""
        event.stop()
        key = key_at(event.lines.line_at(event.at.y), event.at.x)
        if key is not None and self.is_active:
            self.app.call_later(self._press, key)  # a message of the dialog would not bubble up to it

    def _press(self, key: str) -> None:
        self.app.post_message(events.Key(key, key if len(key) == 1 else CHARACTERS.get(key)))

    def unheard(self) -> None:
        """Handle input that was dropped because it came too soon for this dialog."""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        if self._is_answered or not self.is_active:
            return AwaitComplete()
        self._is_answered = True
        return super().dismiss(result)
