"""Text prompts: a name, a tag, a size; or a secret, which is never shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from zconsole.actions.typed_confirmation_state_machine import AT_ONCE
from zconsole.base.secret import Secret
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.key_filter import AfterClosing
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.text_input import TextBox
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.styled_text import EMPTY, Line, line

PASTED_LINE: Final = "a pasted line break is no Enter"
UNHEARD: Final = "that came too soon after the last dialog: type it again"
_ENTER: Final = (("Enter", "key"), (" go on", "dim"))
_WIDEST = 100
_FRAME = 4
_ROWS_AROUND: Final = 3  # borders, and the keys
_SCROLL_BAR: Final = 2


class _LineDialog(Dialog[str | None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]
    DEFAULT_CSS = """
    _LineDialog { align: center middle; background: $background; }
    _LineDialog Vertical {
        width: 100%; max-width: 100; height: auto; border: solid $primary; padding: 0 1;
    }
    _LineDialog TextBox { height: 1; border: none; padding: 0; background: $surface; color: $foreground; }
    """

    def __init__(  # noqa: PLR0913  # each is one part of the dialog
        self,
        paint: Paint,
        words: Sequence[Line],
        *,
        is_secret: bool,
        value: str = "",
        may_be_empty: bool = False,
        takes_paste: bool = True,
    ) -> None:
        super().__init__()
        self._may_be_empty = may_be_empty
        self._words = tuple(words)
        self._text = TextLines(paint, id="words")
        self._box = TextBox(value, id="box", password=is_secret, takes_paste=takes_paste)
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._text, self._box, self._ways)

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        """Wrap the words at the present width."""
        cells = max(10, min(_WIDEST, self.app.size.width) - _FRAME)
        lines = [each for words in self._words for each in wrapped(words, cells)]
        self._text.styles.height = len(lines)
        self._text.show(tuple(lines))

    def on_mount(self) -> None:
        self._lay_out()
        self._ways.show((line(*_ENTER, ("   ", "dim"), ("Esc", "key"), (" go back", "dim")),))
        self._box.focus()

    @on(Input.Submitted)
    def _answered(self, event: Input.Submitted) -> None:
        if event.value or self._may_be_empty:
            self.dismiss(event.value)

    @on(TextBox.LineBreakPasted)
    def _line_break(self) -> None:
        self._ways.show((line((PASTED_LINE, "warn"), ("   ", "dim"), *_ENTER),))

    def unheard(self) -> None:
        self._ways.show((line((UNHEARD, "warn"), ("   ", "dim"), *_ENTER),))

    @on(TextBox.Refused)
    def _refused(self) -> None:
        self._ways.show((line((AT_ONCE, "warn")),))

    def action_leave(self) -> None:
        """Leave without an answer."""
        self.dismiss(None)


class TextDialog(_LineDialog):
    """Dialog that returns the typed text, or None. The text is empty only where that is allowed."""

    AFTER_CLOSING = AfterClosing.FOR_SCREEN

    def __init__(
        self,
        paint: Paint,
        words: Sequence[Line],
        value: str = "",
        *,
        may_be_empty: bool = False,
        takes_paste: bool = True,
    ) -> None:
        super().__init__(
            paint, words, is_secret=False, value=value, may_be_empty=may_be_empty, takes_paste=takes_paste
        )


class ProposalDialog(TextDialog):
    """Text dialog with a proposal: Enter takes it, and the first letter that is typed replaces it."""

    def on_mount(self) -> None:
        self._box.action_select_all()


class SecretDialog(_LineDialog):
    """Masked text dialog; `take` wraps the answer so that it shows nowhere."""

    AFTER_CLOSING = AfterClosing.TYPED_ON

    def __init__(self, paint: Paint, words: Sequence[Line]) -> None:
        super().__init__(paint, words, is_secret=True)

    @staticmethod
    def take(answer: str | None) -> Secret | None:
        """Return the answer as a secret."""
        return None if answer is None else Secret(answer)


class WordsDialog(Dialog[None]):
    """Dialog of sentences, and the keys to go on."""

    WAYS: ClassVar[Line] = EMPTY
    DEFAULT_CSS = """
    WordsDialog { align: center middle; background: $background; }
    WordsDialog Vertical { width: 100%; max-width: 100; height: auto; border: solid $primary; padding: 0 1; }
    """

    def __init__(self, paint: Paint) -> None:
        super().__init__()
        self._text = TextLines(paint, id="words")
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._text, self._ways)

    def tell(self, told: Sequence[Line]) -> None:
        """Show sentences, as wide as the terminal allows."""
        cells = max(10, min(_WIDEST, self.app.size.width) - _FRAME)
        lines = [each for words in told for each in wrapped(words, cells)]
        if len(lines) + _ROWS_AROUND > self.app.size.height:  # a scroll bar is beside them
            lines = [each for words in told for each in wrapped(words, max(10, cells - _SCROLL_BAR))]
        self._text.styles.height = len(lines)
        self._text.show(tuple(lines))
        self._ways.show((self.WAYS,))

    def action_leave(self) -> None:
        """Leave the dialog."""
        self.dismiss(None)


class TellDialog(WordsDialog):
    """Dialog of sentences that must be read; any of Enter, Esc and q goes on."""

    OPENS_BY_ITSELF = True
    AFTER_CLOSING = AfterClosing.FOR_SCREEN

    WAYS = line(("Enter", "key"), (" go on", "dim"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,q", "leave", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "jump(0)", show=False),
        Binding("end", "jump(-1)", show=False),
    ]
    DEFAULT_CSS = "TellDialog Vertical { border: solid $warning; }"

    def __init__(self, paint: Paint, words: Sequence[Line]) -> None:
        super().__init__(paint)
        self._words = tuple(words)

    def on_mount(self) -> None:
        self.tell(self._words)

    def on_resize(self) -> None:
        self.tell(self._words)

    def action_move(self, rows: int) -> None:
        """Scroll by rows, where the terminal is too low."""
        self.scroll_relative(y=rows, animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        self.scroll_relative(y=pages * max(1, self.size.height - 1), animate=False)

    def action_jump(self, end: int) -> None:
        """Scroll to the beginning, or to the end."""
        self.scroll_to(y=0 if end == 0 else self.max_scroll_y, animate=False)
