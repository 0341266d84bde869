"""Paragraphs: each line of one begins behind its label."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.views.layout.labelled_paragraph import LABEL_CELLS, labelled, wrapped
from zconsole.views.layout.styled_text import EMPTY, line, line_width, plain

WORDS = st.lists(st.text("abcé日", min_size=1, max_size=12), min_size=1, max_size=12)


def test_a_paragraph_is_wrapped_beside_its_label() -> None:
    paragraph = labelled("RUNS", line("zpool offline tank sdb"))

    assert ["RUNS      zpool", "          offline", "          tank sdb"] == [
        plain(each) for each in wrapped(paragraph, 18)
    ]


def test_a_line_without_a_label_is_wrapped_from_its_beginning() -> None:
    assert ["zpool", "scrub"] == [plain(each) for each in wrapped(line("zpool scrub"), 6)]
    assert [EMPTY] == list(wrapped(EMPTY, 6))


def test_a_label_without_words_stays() -> None:
    assert ["NOTE"] == [plain(each).rstrip() for each in wrapped(labelled("NOTE", EMPTY), 40)]


@given(st.sampled_from(["", "WOULD RUN", "NOTE"]), WORDS, st.integers(LABEL_CELLS + 2, 60))
def test_wrapping_loses_no_letter_and_stays_within_its_width(
    label: str, words: list[str], cells: int
) -> None:
    pieces = list(wrapped(labelled(label, line(" ".join(words))), cells))

    assert all(line_width(each) <= cells for each in pieces)
    assert {" " * LABEL_CELLS} >= {plain(each)[:LABEL_CELLS] for each in pieces[1:]}
    assert "".join(words) == "".join(plain(each)[LABEL_CELLS:] for each in pieces).replace(" ", "")
