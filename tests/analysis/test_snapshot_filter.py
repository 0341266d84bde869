"""A filter finds the rows that looking at every full name finds."""

from __future__ import annotations

from array import array
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshot_filter import pieces_with, rows_matching, rows_with
from zconsole.base.errors import UsageError
from zconsole.model.snapshot_table import Listed, SnapshotColumns, SnapshotTable

SHORT = st.lists(st.text("ab-", min_size=1, max_size=3), max_size=40)
NAMES = st.lists(st.tuples(st.text("ab/", min_size=1, max_size=3), SHORT), max_size=3)


def table_of(datasets: list[tuple[str, list[str]]]) -> SnapshotTable:
    def columns(names: list[str]) -> SnapshotColumns:
        numbers = array("Q", range(len(names)))
        ends = array("I", accumulate(len(name) + 1 for name in names))
        return SnapshotColumns("".join(f"{name}\n" for name in names).encode(), ends, numbers, numbers)

    listed = (Listed(name, at, 1, snapshots=columns(names)) for at, (name, names) in enumerate(datasets))
    return SnapshotTable("tank", 1, tuple(listed))


@given(datasets=NAMES, text=st.text("ab-@/", max_size=4))
def test_a_text_finds_what_holds_it(datasets: list[tuple[str, list[str]]], text: str) -> None:
    table = table_of(datasets)

    found = list(rows_with(table, text))

    assert found == [row for row in range(len(table)) if text in table.name(row)]
    assert found == [row for piece in pieces_with(table, text) for row in piece]


@given(datasets=NAMES, pattern=st.sampled_from(("a$", "^b", "@a|b-", "[ab]{2}@", "")))
def test_a_pattern_finds_what_it_fits(datasets: list[tuple[str, list[str]]], pattern: str) -> None:
    import re  # noqa: PLC0415

    table = table_of(datasets)

    expected = [row for row in range(len(table)) if re.search(pattern, table.name(row))]
    assert expected == list(rows_matching(table, pattern))


def test_a_wrong_pattern_is_said() -> None:
    with pytest.raises(UsageError, match="no regular expression"):
        rows_matching(table_of([]), "(")
