"""Dialog of an unknown host key: its fingerprint, and whether to trust it."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from zconsole.actions.typed_confirmation_state_machine import AT_ONCE
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.text_input import TextBox
from zconsole.views.layout.styled_text import EMPTY, Line, line, line_width, wrap

YES: Final = "yes"
WIDEST: Final = 76
_FRAME: Final = 4  # cells of the border and its padding
_HIGHEST: Final = 18
_OTHERS: Final = 2  # lines of the answer and of the keys


class HostKeyDialog(Dialog[bool]):
    """Dialog that answers no unless `yes` is typed in full, key by key."""

    OPENS_BY_ITSELF = True

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "no", show=False)]
    DEFAULT_CSS = """
    HostKeyDialog { align: center middle; background: $background; }
    HostKeyDialog Vertical { width: 100%; max-width: 76; height: auto; border: solid $warning; padding: 0 1; }
    HostKeyDialog TextBox { height: 1; border: none; padding: 0; background: $surface; color: $foreground; }
    """

    def __init__(self, paint: Paint, host: str, fingerprint: str) -> None:
        super().__init__()
        self._paint = paint
        self._host = host
        self._fingerprint = fingerprint
        self._is_refused = False  # text that came all at once

    def compose(self) -> ComposeResult:
        with Vertical():
            yield TextLines(self._paint, id="question")
            yield TextBox(id="answer", takes_paste=False, max_length=len(YES))
            yield TextLines(self._paint, id="ways")

    def on_mount(self) -> None:
        no, yes = ("Enter or Esc", "key"), (f"{YES} Enter", "key")
        ways = line(no, " no, stay disconnected     ", yes, " trust it")
        if line_width(ways) > min(WIDEST, self.app.size.width) - _FRAME:
            ways = line(no, " no   ", yes, " trust it")
        self.query_one("#ways", TextLines).show((ways,))
        self.query_one("#answer", Input).focus()

    def on_resize(self, event: events.Resize) -> None:
        cells = min(WIDEST, event.size.width) - _FRAME
        lines = [each for words in self._words() for each in (wrap(words, cells) if words else [EMPTY])]
        question = self.query_one("#question", TextLines)
        question.styles.height = max(1, min(len(lines), _HIGHEST, event.size.height - _OTHERS))
        question.show(tuple(lines))

    def _words(self) -> tuple[Line, ...]:
        return (
            line((f"first connection to {self._host}", "title")),
            EMPTY,
            line("Its key has the fingerprint"),
            line((self._fingerprint, "warn")),
            EMPTY,
            line("Compare it with what the host itself says, on its own console:"),
            line(("ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub", "key")),
            line("If they differ, somebody may intercept the connection: do not go on."),
            EMPTY,
            line(f"To trust it from now on, type {YES}:"),
        )

    @on(Input.Submitted)
    def _answered(self, event: Input.Submitted) -> None:
        if event.value or not self._is_refused:  # else somebody believes to have answered
            self.dismiss(event.value == YES)

    @on(TextBox.Refused)
    def _refused(self) -> None:
        self._is_refused = True
        self.query_one("#ways", TextLines).show((line((AT_ONCE, "warn")),))

    def action_no(self) -> None:
        """Stay disconnected."""
        self.dismiss(False)
