"""Styled lines as plain text for a terminal or a file.

Colours are left out, so a document must say in words what its colours say; control characters are visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zconsole.base.harmless_text import visible
from zconsole.views.layout.paragraph import ParagraphLabel, wrapped
from zconsole.views.layout.styled_text import HANGING, Line, hang, plain


def printed(lines: Iterable[Line], cells: int | None = None, hanging: int = HANGING) -> Iterator[str]:
    """Yield lines as text that no terminal obeys, without spaces at their ends.

    A line wider than `cells` comes in pieces: those of a paragraph beside its label, those of any other
    line `hanging` cells further in than the line begins. Without `cells` a line stays one line, so that
    a command can be copied, and a line be searched for.
    """
    for words in lines:
        for piece in (words,) if cells is None else _pieces(words, cells, hanging):
            yield visible(plain(piece)).rstrip(" ")


def _pieces(words: Line, cells: int, hanging: int) -> Iterable[Line]:
    return (
        wrapped(words, cells)
        if words and isinstance(words[0], ParagraphLabel)
        else hang(words, cells, hanging)
    )
