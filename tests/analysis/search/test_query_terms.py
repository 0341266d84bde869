"""Words of the query language, as they are typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.search.query_terms import (
    FilterError,
    column_names,
    comparison,
    taken_as_text,
    while_typing,
    words_of,
)


@pytest.mark.parametrize(
    ("expected", "typed"),
    [
        (["a", "b"], " a  b "),
        (["two words", "x"], '"two words" x'),
        (["two words"], '"two words'),
        (["a b"], "/a b/"),
        (['name="two words"'], 'name="two words"'),
        ([], '"" // "'),
    ],
)
def test_words_are_taken_apart(expected: list[str], typed: str) -> None:
    assert expected == [word.text for word in words_of(typed)]


def test_a_column_is_named_by_id_or_title() -> None:
    names = column_names([("read", "R MiB/s"), ("used", "USED")])

    assert [("read", ">", "5"), ("read", ">", "5"), ("used", "<=", "80%")] == [
        comparison(word, names) for word in words_of("R-MiB/s>5 read>5 Used<=80%")
    ]


@given(st.text(max_size=60))
def test_every_word_stands_where_it_says(typed: str) -> None:
    assert all(word.text in typed[word.at :] for word in words_of(typed))


def test_while_the_last_word_is_wrong_those_before_it_count() -> None:
    def parse(typed: str) -> str:
        if "!" in typed:
            raise FilterError("no", hint="Yes.")
        return typed

    assert ("a", "no. Yes.") == while_typing("a b!", parse)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("stat:locked", "there is no column stat here: its text is looked for; did you mean state:locked?"),
        ("size:1", "there is no column size here: its text is looked for"),
        ("state:locked", ""),
        ("older:30d has:holds", ""),
        ("pci-0000:03", ""),
        ('"stat:locked" /a:b/ text', ""),
    ],
)
def test_what_looks_like_a_comparison_with_no_column_is_told(typed: str, told: str) -> None:
    assert told == taken_as_text(typed, (("state", "STATE"), ("used", "USED")))
