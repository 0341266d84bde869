"""A row as the line that ZFS printed."""

from __future__ import annotations

from zconsole.model.pools.iostat import IoRow, Latency, LazyRows, Queues
from zconsole.zfs.iostat.row_parser import RowParser
from zconsole.zfs.iostat.row_to_scripted_line import line_of, lines_of

ROW = IoRow("tank", 10, 20, 1.0, 2.0, 3.0, 4.0, Latency(total_read=5.0), Queues(*range(14)))


def test_the_line_of_a_row_makes_the_row() -> None:
    assert ROW == RowParser().row(line_of(ROW))


def test_unknown_space_is_two_noughts_and_an_unknown_wait_a_dash() -> None:
    cells = line_of(IoRow("sda", None, None, 0.0, 0.0, 0.0, 0.0)).split(b"\t")

    assert [b"sda", b"0", b"0"] == cells[:3]
    assert {b"-"} == set(cells[7:18])


def test_rows_that_came_as_bytes_stay_those_bytes() -> None:
    line = b"tank\t010\t20\t1\t2\t3\t4"

    assert [line, line_of(ROW)] == lines_of(LazyRows(("tank", "tank"), [line, ROW], RowParser().row))
    assert [line_of(ROW)] == lines_of([ROW])
