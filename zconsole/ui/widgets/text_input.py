"""Text input line that handles keys in order of arrival."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input

from zconsole.base.typing_and_paste_speed import AT_ONCE_S

_OWN: Final = {  # editing keys; arrows up and down belong to the screen
    key.strip(): binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
}


class TextBox(Input, inherit_css=False):
    """Text box of Textual with editing keys (Backspace, Home) handled in order of arrival.

    Textual obeys them on their way up, letters at once; over a slow link both arrive together, and Backspace
    would then delete what was typed after it.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = Input.COMPONENT_CLASSES
    DEFAULT_CSS = """
    TextBox {
        background: $surface; color: $foreground; padding: 0; width: 100%; height: 1;
        border: none; scrollbar-size-horizontal: 0; pointer: text;
    }
    TextBox:focus { background-tint: $foreground 5%; }
    TextBox > .input--cursor {
        background: $input-cursor-background; color: $input-cursor-foreground;
        text-style: $input-cursor-text-style;
    }
    TextBox > .input--selection {
        background: $input-selection-background; color: $input-selection-foreground;
    }
    TextBox > .input--placeholder, TextBox > .input--suggestion { color: $text-disabled; }
    TextBox:ansi { background: ansi_default; color: ansi_default; }
    TextBox:ansi > .input--cursor { background: ansi_white; color: ansi_black; }
    TextBox:ansi > .input--placeholder, TextBox:ansi > .input--suggestion {
        text-style: dim; color: ansi_default;
    }
    """

    class Refused(Message):
        """Message of refused text: it was pasted, where it has to be typed."""

    class LineBreakPasted(Message):
        """Message of pasted text with a line break, of which the first line is taken, and no Enter."""

    def __init__(  # noqa: PLR0913  # as Textual's own
        self,
        value: str = "",
        *,
        placeholder: str = "",
        password: bool = False,
        takes_paste: bool = True,
        max_length: int = 0,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Without `takes_paste` only keys count; pasted text is `Refused`."""
        super().__init__(
            value,
            placeholder=placeholder,
            password=password,
            max_length=max_length,
            id=id,
            compact=True,
            select_on_focus=False,
        )
        self._takes_paste = takes_paste
        self._pressed = (0.0, 0.0)  # times of the last two keys

    def _on_paste(self, event: events.Paste) -> None:
        if self._takes_paste:
            super()._on_paste(event)
            if "\n" in event.text or "\r" in event.text:
                self.post_message(self.LineBreakPasted())
        else:
            self._refuse()
        event.stop()
        event.prevent_default()

    def _refuse(self) -> None:
        self.value = ""
        self.post_message(self.Refused())

    async def _on_key(self, event: events.Key) -> None:
        before, self._pressed = self._pressed, (self._pressed[1], event.time)
        if not self._takes_paste and event.is_printable and event.time - before[0] < AT_ONCE_S:
            event.stop()
            event.prevent_default()
            self._refuse()
            return
        action = _OWN.get(event.key)
        if action is not None:
            event.stop()
            event.prevent_default()
            await self.run_action(action)
            return
        await super()._on_key(event)
