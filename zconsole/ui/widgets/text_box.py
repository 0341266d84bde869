"""A line of text to type into that obeys keys in the order in which they came."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.binding import Binding
from textual.widgets import Input

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

    def __init__(
        self,
        value: str = "",
        *,
        placeholder: str = "",
        password: bool = False,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(
            value, placeholder=placeholder, password=password, id=id, compact=True, select_on_focus=False
        )

    async def _on_key(self, event: events.Key) -> None:
        action = _OWN.get(event.key)
        if action is not None:
            event.stop()
            event.prevent_default()
            await self.run_action(action)
            return
        await super()._on_key(event)
