"""The words of the filter on the page of keys."""

from __future__ import annotations

from zconsole.views.layout.filter_help import DATASETS, filter_lines
from zconsole.views.layout.screen_key_registry import PLACES
from zconsole.views.layout.styled_text import plain


def text_of(place: str) -> str:
    return "\n".join(plain(line) for line in filter_lines(place))


def test_a_screen_without_a_filter_tells_no_words() -> None:
    assert "" == text_of("help")
    assert "" != text_of(DATASETS)


def test_the_words_are_those_of_the_screen() -> None:
    """Columns are named in lists; the tree of datasets has words of its own."""
    lists = [place for place in PLACES if place != DATASETS and text_of(place)]

    assert lists
    assert {False} == {text_of(place) == text_of(DATASETS) for place in lists}
    assert 1 == len({text_of(place) for place in lists})
