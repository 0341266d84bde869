"""Copy flow: the value under the cursor to the clipboard of the terminal, by OSC 52."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.views.layout.copyable_values import CopyableValue, menu
from zconsole.views.layout.styled_text import line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp


async def copy_one_of(app: ConsoleApp, values: Sequence[CopyableValue]) -> None:
    """Let the user choose one of several values, and copy it."""
    chosen = await app.push_screen_wait(MenuDialog(app.paint, line(("Copy", "title")), menu(values)))
    if chosen:
        copy(app, values[int(chosen[0])])


def copy(app: ConsoleApp, value: CopyableValue) -> None:
    """Copy a value. Terminals do not say whether they allow it."""
    app.copy_to_clipboard(value.text)
    front = app.front()
    if front is not None:
        shown = value.text.replace("\n", " ")
        front.say(f"copied, if the terminal allows OSC 52: {shown}", "dim")
