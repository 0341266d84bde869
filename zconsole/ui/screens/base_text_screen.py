"""Base of text screens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from zconsole.ui.screens.shared.base_screen import with_margin
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import link_words
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, Lines, plain
from zconsole.views.layout.table import Table

if TYPE_CHECKING:
    from zconsole.views.layout.copyable_values import CopyableValue

_NO_TABLE: Final = Table((), ())


class TextScreen(ConsoleScreen):
    """Screen of text to be scrolled through, without a cursor."""

    host = ""  # the one that a live page is of: a lost connection to it is said on top
    HAS_NOTES = False
    HAS_CURSOR = False

    def heading(self) -> tuple[Line, Line]:
        """The two lines on top."""
        raise NotImplementedError

    def text(self) -> Sequence[Line]:
        """The lines, not wrapped yet."""
        raise NotImplementedError

    def wrapped(self, words: Line, cells: int) -> Iterable[Line]:
        """Wrap a line at a width."""
        return wrapped(words, cells)

    def copyable(self) -> Iterable[CopyableValue]:
        """The serial number of its disk, and the text."""
        from zconsole.views.layout.copyable_values import (  # noqa: PLC0415  # of one key
            WHOLE_TEXT,
            CopyableValue,
        )

        yield from super().copyable()
        yield CopyableValue(WHOLE_TEXT, "\n".join(plain(each) for each in self.text()))

    def page(self, view: View) -> Page:
        first, second = self.heading()
        host = view.host(self.host) if self.host else None
        lost = EMPTY if host is None else link_words(host, view)
        return Page(first, EMPTY, lost or second, _NO_TABLE)

    def lines(self, page: Page) -> tuple[Lines, Line]:
        del page
        cells = self.app.size.width - 2
        rows = [with_margin(each) for words in self.text() for each in self.wrapped(words, cells)]
        return FixedLines(tuple(rows)), EMPTY
