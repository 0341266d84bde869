"""Help on the filter language, for the page of keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.search.dataset_query import OF_SNAPSHOTS
from zconsole.analysis.search.query_terms import OF_LISTS, WORDS
from zconsole.views.layout.screen_key_registry import LISTS
from zconsole.views.layout.styled_text import Line, line

DATASETS: Final = "datasets"
COLUMNS: Final = "A column is named by its title, in any case and without spaces and signs."


def filter_lines(place: str) -> Iterator[Line]:
    """A line for each kind of word; none on a screen without a filter."""
    if place not in LISTS:
        return
    yield line(("Words of the filter ( / ), all of which must hold", "section"))
    for examples, what in (*WORDS, *(OF_SNAPSHOTS if place == DATASETS else OF_LISTS)):
        yield line((f"  {', '.join(examples):<27} ", "key"), what)
    yield line(f"  {COLUMNS}")
