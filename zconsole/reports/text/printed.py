"""Styled lines as plain text for a terminal or a file.

Colours are left out, so a document must say in words what its colours say; control characters are visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zconsole.base.harmless_text import visible
from zconsole.views.layout.styled_text import EMPTY, HANGING, Line, hang, plain


def printed(lines: Iterable[Line], cells: int | None = None, hanging: int = HANGING) -> Iterator[str]:
    """Yield lines as text that no terminal obeys, without spaces at their ends.

    A line wider than `cells` comes in pieces, and each further piece `hanging` cells further in than the
    line begins. Without `cells` a line stays one line, so that commands can be copied and lines be searched.
    """
    for words in lines:
        pieces = (words,) if cells is None else (*hang(words, cells, hanging),)
        for piece in pieces or (EMPTY,):
            yield visible(plain(piece)).rstrip(" ")
