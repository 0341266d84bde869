"""Screens of text to be read from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.ui.present.cells import EMPTY, FixedLines, Line, Lines, wrap
from zconsole.ui.present.page import Page
from zconsole.ui.present.table import Table
from zconsole.ui.present.view import View
from zconsole.ui.screens.base import ConsoleScreen
from zconsole.ui.screens.drawn import with_margin

_NO_TABLE: Final = Table((), ())


class TextScreen(ConsoleScreen):
    """A screen of text to be scrolled through, without a cursor."""

    HAS_NOTES = False
    HAS_CURSOR = False

    def heading(self) -> tuple[Line, Line]:
        """The two lines on top."""
        raise NotImplementedError

    def text(self) -> Sequence[Line]:
        """The lines, not wrapped yet."""
        raise NotImplementedError

    def wrapped(self, words: Line, cells: int) -> Iterable[Line]:
        """A line that is not empty in pieces of that width."""
        return wrap(words, cells)

    def page(self, view: View) -> Page:
        del view
        first, second = self.heading()
        return Page(first, EMPTY, second, _NO_TABLE)

    def lines(self, page: Page) -> tuple[Lines, Line]:
        del page
        cells = self.app.size.width - 2
        wrapped = [
            with_margin(each)
            for words in self.text()
            for each in (self.wrapped(words, cells) if words else [EMPTY])
        ]
        return FixedLines(tuple(wrapped)), EMPTY
