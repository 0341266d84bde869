"""Lines of spans: cutting, spreading, wrapping."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from zconsole.views.layout.styled_text import (
    HANGING,
    Span,
    beside,
    fit,
    hang,
    line,
    line_width,
    merge,
    plain,
    spread,
    wrap,
)

SPANS = st.lists(
    st.builds(Span, st.text("ab c日é-", max_size=12), st.sampled_from(["text", "bad"])), max_size=6
).map(tuple)
WORDS = st.lists(st.text("abcé日", min_size=1, max_size=30), min_size=1, max_size=12)


def test_what_enters_a_span_is_cleaned() -> None:
    assert "^[[31mtank" == Span("\x1b[31mtank").text


@given(SPANS, st.integers(0, 40))
def test_a_fitted_line_is_never_wider_than_its_room(spans: tuple[Span, ...], cells: int) -> None:
    assert line_width(fit(spans, cells)) <= cells


def test_what_is_cut_says_so() -> None:
    assert "abc…" == plain(fit(line("ab", ("cdef", "bad")), 4))
    assert "ab…" == plain(fit(line("abc", "def"), 3))


@given(SPANS, SPANS, st.integers(1, 60))
def test_two_ends_fill_the_line_exactly_or_fit_into_it(
    left: tuple[Span, ...], right: tuple[Span, ...], cells: int
) -> None:
    spreaded = spread(left, right, cells)

    assert line_width(spreaded) <= cells
    if line_width(right) + 1 < cells:
        assert cells == line_width(spreaded)


@given(WORDS, st.integers(2, 40))
def test_wrapping_loses_no_letter_and_stays_within_its_room(words: list[str], cells: int) -> None:
    rows = list(wrap(line(" ".join(words)), cells))

    assert all(line_width(row) <= cells for row in rows)
    assert "".join(words) == "".join(plain(row).replace(" ", "") for row in rows)


@given(words=st.lists(st.text("abc%@", min_size=1, max_size=12), min_size=1, max_size=20),
       indent=st.integers(0, 6), cells=st.integers(24, 60))  # fmt: skip
def test_what_hangs_loses_no_letter_and_stands_further_in(words: list[str], indent: int, cells: int) -> None:
    rows = [plain(each) for each in hang(line(" " * indent + " ".join(words)), cells)]

    assert "".join(words) == "".join(rows).replace(" ", "")
    assert all(len(row) <= cells for row in rows)
    assert [indent] == [len(row) - len(row.lstrip()) for row in rows[:1]]
    assert all(row.startswith(" " * (indent + HANGING)) for row in rows[1:])


def test_what_hangs_keeps_its_styles_and_fills_the_first_line() -> None:
    rows = list(hang(line("  one ", ("two three four", "bad")), 10))

    assert ["  one two", "      thre", "      e", "      four"] == list(map(plain, rows))
    assert (Span("      "), Span("thre", "bad")) == rows[1]


def test_wrapping_breaks_between_words_and_keeps_styles() -> None:
    rows = list(wrap(line("one two ", ("three four", "bad")), 9))

    assert ["one two", "three", "four"] == [plain(row) for row in rows]
    assert "bad" == rows[2][0].style


@given(SPANS)
def test_merging_changes_neither_text_nor_the_style_of_any_letter(spans: tuple[Span, ...]) -> None:
    def letters(some: tuple[Span, ...]) -> list[tuple[str, str]]:
        return [(letter, span.style) for span in some for letter in span.text]

    merged = merge(spans)

    assert letters(spans) == letters(merged)
    assert all(one.style != other.style for one, other in pairwise(merged))


@given(st.lists(st.text("abc", min_size=1, max_size=8), min_size=1), st.integers(20, 40))
def test_what_is_told_of_a_word_stands_beside_it(words: list[str], cells: int) -> None:
    label = "  key     "

    rows = [plain(each) for each in beside(line((label, "key"), " ".join(words)), cells)]

    assert all(line_width(line(row)) <= cells for row in rows)
    assert [label, *[" " * len(label)] * (len(rows) - 1)] == [row[: len(label)] for row in rows]
    assert " ".join(words) == " ".join(row[len(label) :].strip() for row in rows)
