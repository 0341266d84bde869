"""The words of the datasets' filter, for the page of keys and for the manual."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.analysis.search.query import WORDS
from zconsole.views.layout.styled_text import Line, line


def filter_lines() -> Iterator[Line]:
    """A line for each kind of word."""
    yield line(("Words of the filter ( / ), all of which must hold", "section"))
    for examples, what in WORDS:
        yield line((f"  {', '.join(examples):<27} ", "key"), what)


def words_table() -> str:
    """The words in the manual."""
    rows = (f"| {', '.join(f'`{each}`' for each in examples)} | {what} |\n" for examples, what in WORDS)
    return "| word | what it finds |\n|---|---|\n" + "".join(rows)
