"""Snapshots as columns: names, rows and places."""

from __future__ import annotations

from array import array
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.datasets.snapshot_table import DatasetSnapshots, SnapshotColumns, SnapshotTable


def columns(*names: str, first: int = 1) -> SnapshotColumns:
    lines = [f"{name}\n".encode() for name in names]
    numbers = range(first, first + len(names))
    return SnapshotColumns(
        b"".join(lines),
        array("I", accumulate(map(len, lines))),
        array("Q", (1000 + at for at in numbers)),
        array("Q", numbers),
    )


TABLE = SnapshotTable(
    "tank",
    5,
    (
        DatasetSnapshots("tank", 1, 1, listed_at=9.0, snapshots=columns("a", "ab", "b")),
        DatasetSnapshots("tank/empty", 2, 2),
        DatasetSnapshots(
            "tank/clone", 3, 3, origin="tank@ab", listed_at=9.0, snapshots=columns("x", first=7)
        ),
    ),
)


def test_names_are_read_from_one_text() -> None:
    found = columns("a", "ab", "b")

    assert ["a", "ab", "b"] == [found.name(at) for at in range(3)]
    assert "ab\nb" == found.text(1, 3)
    assert b"ab\nb\n" == found.lines(1, 3)
    assert ("", b"") == (found.text(2, 2), found.lines(2, 2))


@given(
    st.lists(st.text("ab-", min_size=1, max_size=4), unique=True, max_size=8), st.text("ab-\n", max_size=4)
)
def test_a_place_is_found_by_the_whole_name_alone(names: list[str], other: str) -> None:
    found = columns(*names)

    assert list(range(len(names))) == [found.place(name) for name in names]
    if other not in names:
        assert found.place(other) is None


def test_rows_run_over_all_datasets() -> None:
    assert 4 == len(TABLE)
    assert ["tank@a", "tank@ab", "tank@b", "tank/clone@x"] == [TABLE.name(row) for row in range(4)]
    assert (2, 0) == TABLE.place(3)
    assert (1007, 7) == (TABLE.guid_of(3), TABLE.createtxg(3))


@pytest.mark.parametrize("row", [-1, 4])
def test_a_row_that_is_none_is_an_error(row: int) -> None:
    with pytest.raises(IndexError):
        TABLE.name(row)


def test_clones_are_told_by_their_origins() -> None:
    assert {"tank@ab": ("tank/clone",)} == TABLE.clones()


def test_what_was_never_listed_is_told() -> None:
    assert ["tank/empty"] == [each.name for each in TABLE.unlisted()]
    assert TABLE.dataset("tank/nothing") is None
