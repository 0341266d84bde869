"""Rows that are made when they are looked at."""

from __future__ import annotations

from zconsole.model.pools.iostat import IoRow, IoSample, LazyRows


def row(name: str) -> IoRow:
    return IoRow(name, None, None, 0.0, 0.0, 0.0, 0.0)


def lazy(made: list[bytes]) -> LazyRows:
    def make(line: bytes) -> IoRow:
        made.append(line)
        return row(line.decode())

    return LazyRows(("tank", "sda", "sdb"), [b"tank", row("sda"), b"sdb"], make)


def test_a_row_is_made_once_and_only_when_it_is_looked_at() -> None:
    made: list[bytes] = []
    rows = lazy(made)

    assert 3 == len(rows)
    assert [] == made
    assert rows[2] is rows[2]
    assert "sda" == rows[1].name
    assert [b"sdb"] == made


def test_rows_are_equal_to_those_that_were_made_at_once() -> None:
    whole = (row("tank"), row("sda"), row("sdb"))

    assert whole == tuple(lazy([]))
    assert lazy([]) == whole
    assert whole[1:] == lazy([])[1:]
    assert lazy([]) != whole[1:]
    assert hash(whole) == hash(lazy([]))


def test_names_are_known_without_making_a_row() -> None:
    made: list[bytes] = []

    assert ("tank", "sda", "sdb") == IoSample("tank", 0.0, lazy(made)).names
    assert [] == made
    assert ("tank",) == IoSample("tank", 0.0, (row("tank"),)).names
