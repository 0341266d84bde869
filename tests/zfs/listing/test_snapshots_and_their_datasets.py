"""Listings of very many snapshots: read in whatever chunks as the other parser reads them, never guessed."""

from __future__ import annotations

from array import array
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.datasets.snapshot_table import DatasetSnapshots, SnapshotColumns, SnapshotTable
from zconsole.zfs.listing.datasets import parse_datasets
from zconsole.zfs.listing.snapshots_and_their_datasets import (
    SnapshotReader,
    System,
    list_details_of,
    list_snapshots_of,
    list_systems,
    parse_systems,
)

LISTINGS = sorted(CAPTURES.glob("*/*/zfs_list_all.tsv"))


def read(text: bytes, *cuts: int) -> dict[str, SnapshotColumns]:
    reader = SnapshotReader()
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    for start, end in pairwise(edges):
        reader.feed(text[start:end])
    return reader.close()


def rows(found: dict[str, SnapshotColumns]) -> list[tuple[str, int, int]]:
    return [
        (f"{name}@{columns.name(at)}", columns.guids[at], columns.createtxgs[at])
        for name, columns in found.items()
        for at in range(len(columns))
    ]


def test_only_what_zfs_answers_fast_is_asked_for() -> None:
    argv = list_snapshots_of(["tank/a", "tank/with space"]).argv

    assert ("-o", "name,guid,createtxg", "-d", "1", "--", "tank/a", "tank/with space") == argv[5:]
    assert "snapshots_changed" in " ".join(list_systems("tank").argv)
    assert "snapshots_changed" not in " ".join(list_systems("tank", with_changes=False).argv)
    assert ("--", "tank/a@1", "tank/a@2") == list_details_of(["tank/a@1", "tank/a@2"]).argv[-3:]


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_real_snapshots_are_read_as_the_full_parser_reads_them(path: object) -> None:
    listed = [each for each in parse_datasets(path.read_text()) if each.type == "snapshot"]  # type: ignore[attr-defined]
    text = "".join(f"{each.name}\t{each.guid}\t{each.createtxg}\n" for each in listed).encode()

    found = rows(read(text, 7, 100, 1001))

    assert sorted((each.name, each.guid or 0, each.createtxg or 0) for each in listed) == sorted(found)


DATASETS = st.lists(
    st.tuples(
        st.text("ab/ -", min_size=1, max_size=4),
        st.lists(st.tuples(st.text("xyz_.:- ", min_size=1, max_size=5), st.integers(0, 2**64 - 1),
                           st.integers(0, 50)), max_size=6),
    ),
    max_size=4, unique_by=lambda each: each[0],
)  # fmt: skip


@given(datasets=DATASETS, cuts=st.lists(st.integers(0, 400), max_size=5))
def test_reading_inverts_printing_whatever_the_chunks(
    datasets: list[tuple[str, list[tuple[str, int, int]]]], cuts: list[int]
) -> None:
    lines = [f"{name}@{short}\t{guid}\t{txg}\n" for name, kept in datasets for short, guid, txg in kept]

    found = rows(read("".join(lines).encode(), *cuts))

    expected = [
        (f"{name}@{short}", guid, txg)
        for name, kept in datasets
        for short, guid, txg in sorted(kept, key=lambda each: each[2])
    ]
    assert expected == found


def test_every_cut_is_refused_or_a_beginning() -> None:
    text = b"tank/a@1\t11\t5\ntank/a@2\t12\t6\ntank/b@1\t13\t7\n"
    whole = rows(read(text))

    for cut in range(len(text)):
        with suppress(ParseError):
            found = rows(read(text[:cut]))
            assert whole[: len(found)] == found
            assert text[:cut].endswith(b"\n") or not cut


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"tank/a@1\t11\n", "expected 3 fields"),
        (b"tank/a@1\t11\t5\t6\n", "expected 3 fields"),
        (b"tank/a@1\t11\t5\nx\n", "expected 3 fields"),
        (b"tank/a\t11\t5\n", "not the name of a snapshot"),
        (b"tank/a@1\t-5\t5\n", "not numbers"),
        (b"tank/a@1\t1_0\t5\n", "not numbers"),
        (b"tank/a@1\t\t5\n", "not numbers"),
        (b"tank/a@1\t99999999999999999999\t5\n", "not numbers"),
        (b"tank/a@\x1b[31m\t1\t5\n", "names that ZFS allows"),
        (b"tank/\x1b@1\t1\t5\n", "name that ZFS allows"),
        (b"tank/a@1\t1\t5\ntank/b@1\t2\t5\ntank/a@2\t3\t5\n", "are not contiguous"),
        (b"tank/a@1\t1\t5", "truncated"),
    ],
)
def test_what_zfs_does_not_print_is_refused(text: bytes, said: str) -> None:
    with pytest.raises(ParseError, match=said):
        read(text)


def test_systems_are_read_with_and_without_changes() -> None:
    new = parse_systems("tank\tfilesystem\t1\t1\t-\t1795\ntank/c\tvolume\t2\t9\ttank@s\t-\n")
    old = parse_systems("tank\tfilesystem\t1\t1\t-\n")

    assert (
        System("tank", "filesystem", 1, 1, None, 1795),
        System("tank/c", "volume", 2, 9, "tank@s", None),
    ) == new
    assert (System("tank", "filesystem", 1, 1, None, None),) == old
    for wrong in ("1\t1\n", "1\t1\t-\t5\t6\n", "x\t1\t-\t5\n", "1\t1\t-\t5"):
        with pytest.raises(ParseError):
            parse_systems(f"tank\tfilesystem\t{wrong}")
    with pytest.raises(ParseError, match="neither"):
        parse_systems("tank#b\tbookmark\t1\t1\t-\t-\n")


def test_rows_count_through_all_datasets() -> None:
    columns = SnapshotColumns(b"a\nbb\n", array("I", [2, 5]), array("Q", [7, 8]), array("Q", [1, 2]))
    table = SnapshotTable(
        "tank", 1, (DatasetSnapshots("tank", 1, 1, snapshots=columns),
                    DatasetSnapshots("tank/x", 2, 1, "tank@a"),
                    DatasetSnapshots("tank/y", 3, 1, snapshots=columns, listed_at=5.0)),
    )  # fmt: skip

    assert ["tank@a", "tank@bb", "tank/y@a", "tank/y@bb"] == [table.name(row) for row in range(len(table))]
    assert (8, 2) == (table.guid_of(3), table.createtxg(3))
    assert {"tank@a": ("tank/x",)} == table.clones()
    assert ["tank", "tank/x"] == [each.name for each in table.unlisted()]
    assert [0, 1, None, None, None] == [columns.place(each) for each in ("a", "bb", "b", "", "a\nbb")]
    assert ["a\nbb", "bb", ""] == [columns.text(0, 2), columns.text(1, 2), columns.text(1, 1)]
    assert (table.datasets[1], None) == (table.dataset("tank/x"), table.dataset("tank/z"))
    for wrong in (-1, 4):
        with pytest.raises(IndexError):
            table.name(wrong)
