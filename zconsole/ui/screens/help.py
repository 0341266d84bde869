"""Help screen: all keys, from the registry of actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from textual.binding import BindingType

from zconsole import __version__
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.views.layout.filter_help import filter_lines
from zconsole.views.layout.key_help import help_lines
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.screen_key_registry import ACTIONS
from zconsole.views.layout.styled_text import Line, beside, line
from zconsole.views.layout.words_of_need import is_named, near_words

NO_KEY: Final = (
    "no key does that: Esc shows all, and : finds actions, screens, pools and disks by their names"
)


class HelpScreen(TextScreen):
    """Keys of this screen, and of the others."""

    PLACE = "help"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    FILTER_HINT: ClassVar[str] = "words of what a key does: destroy, filter, copy"

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def heading(self) -> tuple[Line, Line]:
        return line((f"zconsole {__version__}", "title"), (" · keys", "dim")), line(
            ("/ finds a key by what it does   Esc goes back", "dim")
        )

    def wrapped(self, words: Line, cells: int) -> Iterable[Line]:
        """Wrap a line; the description of a key stays beside the key."""
        return beside(words, cells) if words and words[0].style == "key" else wrapped(words, cells)

    def matching(self) -> tuple[int, int]:
        return sum(is_named(each, self._shape.words) for each in ACTIONS), len(ACTIONS)

    def text(self) -> Sequence[Line]:
        words = self._shape.words
        more = tuple(filter_lines(self._place))
        if self.console.exercise is not None:
            from zconsole.views.exercise_and_rack_words import rack_help  # noqa: PLC0415  # exercises only

            more = (*rack_help(), *more)
        return tuple(help_lines(self._place, more, words)) or tuple(self._near(words))

    def _near(self, words: str) -> Iterator[Line]:
        """That no key has the words, and the keys of words that may be meant."""
        yield line((NO_KEY, "dim"))
        near = near_words(words)
        if near:
            yield ()
            yield line(("Near it: ", "dim"), (near, "mark"))
            yield from help_lines(self._place, (), near)
