"""A line of text to type into that obeys keys in the order in which they came."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input

from zconsole.base.typing_speed import AT_ONCE_S

_OWN: Final = {  # keys that edit; arrows up and down are the screen's
    key.strip(): binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
}


class TextBox(Input):
    """As Textual's own, whose keys with a meaning (Backspace, Home) act after the letters typed behind them.

    They are obeyed on their way up, letters at once; over a slow link both arrive together, and Backspace
    would then delete what was typed after it.
    """

    class Refused(Message):
        """Text came all at once, where it has to be typed."""

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
        """Without `takes_paste` only what is typed key by key counts; what comes all at once is `Refused`."""
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
        self._pressed = (0.0, 0.0)  # when the last two keys came

    def _on_paste(self, event: events.Paste) -> None:
        if self._takes_paste:
            super()._on_paste(event)
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
