"""Cells of a column compared with what was typed: units, rounding, and what cannot be compared."""

from __future__ import annotations

import pytest

from zconsole.analysis.search.column_comparison import UNKNOWN, ColumnTest, column_test
from zconsole.analysis.search.query_terms import Word
from zconsole.base.errors import UsageError

GIB = 1 << 30


@pytest.mark.parametrize(
    ("expected", "sign", "typed", "text", "sort"),
    [
        (True, ">", "10G", "12.0 GiB", 12 * GIB),
        (False, ">", "10G", "9.50 GiB", 9.5 * GIB),
        (True, "<=", "30d", "29d", None),
        (False, "<", "1d", "2d 3h", None),
        (True, ">=", "80%", "80%", 0.8),
        (True, ">", "5", "6", 6),
        (True, ">", "1k", "1.50k", 1500),
        (True, "=", "2", "2.00x", 2.0),
        (True, "=", "online", "ONLINE", None),
        (True, "!=", "online", "FAULTED", None),
        (True, ":", "NLI", "online", None),
        (False, ":", "fault", "ONLINE", None),
    ],
)
def test_a_cell_is_compared_by_its_kind_of_quantity(
    sign: str, typed: str, text: str, sort: float | None, *, expected: bool
) -> None:
    assert expected is ColumnTest("c", "C", sign, typed).fits(text, sort)


def test_the_exact_value_counts_where_the_cell_shows_it_rounded() -> None:
    exact = 10 * GIB - 1

    assert not ColumnTest("used", "USED", ">=", "10G").fits("10.0 GiB", exact)
    assert ColumnTest("used", "USED", "=", "10G").fits("10.0 GiB", exact)  # as it is shown
    assert ColumnTest("used", "USED", ">=", "10G").fits("10.0 GiB", 3)  # sorted by something else


def test_a_title_gives_bare_numbers_their_unit() -> None:
    assert ColumnTest("wait", "WAIT ms", ">", "5ms").fits("7.5", None)
    assert ColumnTest("wait", "WAIT ms", ">", "5").fits("7.5", None)
    assert not ColumnTest("rate", "READ MiB/s", ">", "5").fits("4.9", None)


@pytest.mark.parametrize("sign", ["=", "!=", ">", "<"])
@pytest.mark.parametrize("text", sorted(UNKNOWN))
def test_what_is_not_known_fits_nothing(text: str, sign: str) -> None:
    assert not ColumnTest("c", "C", sign, "5").fits(text, None)


def test_a_size_beside_a_time_is_a_problem_until_one_cell_can_be_compared() -> None:
    test = ColumnTest("age", "AGE", ">", "10GiB")

    assert not test.fits("3d", None)
    assert test.said
    assert test.fits("11.0 GiB", None)
    assert "" == test.said


def test_a_column_of_words_shows_no_quantity() -> None:
    test = ColumnTest("state", "STATE", ">", "5")

    assert not test.fits("ONLINE", None)
    assert "state shows no quantity to compare with '5'" == test.said


def test_more_than_a_word_is_refused_where_it_stands() -> None:
    with pytest.raises(UsageError, match="character 5: 'many' is not a quantity"):
        column_test(Word("used>many", 4), "USED", ("used", ">", "many"))

    assert ColumnTest("state", "STATE", "=", "many") == column_test(
        Word("state=many", 0), "STATE", ("state", "=", "many")
    )
