"""Paragraphs with a label at their left, in documents that screens draw and reports print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.lazy_dataclass import fast_dataclass
from zconsole.views.layout.styled_text import EMPTY, Line, Span, beside, wrap

LABEL_CELLS: Final = 10  # of the longest label, `WOULD RUN`, and a space behind it


@fast_dataclass
class ParagraphLabel(Span):
    """Label of a paragraph; the text begins behind the label, in each line of the paragraph."""


def labelled(label: str, words: Line, style: str = "section") -> Line:
    """A labelled paragraph; an empty label continues the paragraph above."""
    return (ParagraphLabel(f"{label:<{LABEL_CELLS}}", style if label else "dim"), *words)


def wrapped(spans: Line, cells: int) -> Iterator[Line]:
    """The line in pieces of at most a width; text of a paragraph stays beside its label."""
    if not spans:
        yield EMPTY
    elif isinstance(spans[0], ParagraphLabel):
        yield from beside(spans, cells)
    else:
        yield from wrap(spans, cells)
