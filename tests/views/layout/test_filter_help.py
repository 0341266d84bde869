"""The words of the filter, where they are told."""

from __future__ import annotations

from pathlib import Path

from zconsole.views.layout.filter_help import words_table

GUIDE = Path(__file__).parents[3] / "docs" / "guide.md"


def test_the_manual_has_the_table_of_words() -> None:
    """Otherwise: put `words_table()` between the two marks."""
    begin, end = "<!-- the table is generated from the words of the filter -->\n", "<!-- end of the"

    assert words_table() == GUIDE.read_text().partition(begin)[2].partition(end)[0]
