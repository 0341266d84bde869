"""Help screen: all keys, from the registry of actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole import __version__
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.views.layout.filter_help import filter_lines
from zconsole.views.layout.key_help import help_lines
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.styled_text import Line, beside, line


class HelpScreen(TextScreen):
    """Keys of this screen, and of the others."""

    PLACE = "help"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def heading(self) -> tuple[Line, Line]:
        return line((f"zconsole {__version__}", "title"), (" · keys", "dim")), line(("Esc goes back", "dim"))

    def wrapped(self, words: Line, cells: int) -> Iterable[Line]:
        """Wrap a line; the description of a key stays beside the key."""
        return beside(words, cells) if words and words[0].style == "key" else wrapped(words, cells)

    def text(self) -> Sequence[Line]:
        more = tuple(filter_lines(self._place))
        if self.console.exercise is not None:
            from zconsole.views.exercise_and_rack_words import rack_help  # noqa: PLC0415  # exercises only

            more = (*rack_help(), *more)
        return tuple(help_lines(self._place, more))
