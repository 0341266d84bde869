"""One line of `zpool iostat`: its columns, and what makes it no row."""

from __future__ import annotations

import pytest

from zconsole.model.pools.iostat import Latency, Queues
from zconsole.zfs.iostat.row import DEFAULT_COLUMNS, LATENCY_COLUMNS, LAYOUTS, QUEUE_COLUMNS, RowParser

PLAIN = b"tank\t10\t20\t1\t2\t3\t4"
WAITS = b"\t".join(str(number).encode() for number in range(100, 111))
QUEUED = b"\t".join(str(number).encode() for number in range(14))
FULL = b"\t".join((PLAIN, WAITS, QUEUED))


def test_a_line_without_waits_has_space_and_rates() -> None:
    row = RowParser().row(PLAIN)

    assert ("tank", 10, 20) == (row.name, row.allocated_bytes, row.free_bytes)
    assert (1, 2, 3, 4) == (row.read_ops, row.write_ops, row.read_bytes, row.write_bytes)
    assert Latency() == row.latency
    assert Queues() == row.queues


def test_a_full_line_has_waits_and_queues_in_the_order_of_the_columns() -> None:
    row = RowParser().row(FULL)

    assert Latency(*map(float, range(100, 111))) == row.latency
    assert Queues(*range(14)) == row.queues


def test_a_recorded_line_has_its_time_in_front() -> None:
    at, row = RowParser().parse(b"1700000000\t" + FULL)

    assert 1_700_000_000 == at
    assert "tank" == row.name


def test_no_wait_is_a_dash_or_minus_one_and_is_unknown() -> None:
    first, *others = [b"-", b"-1", *[b"7"] * 9]

    row = RowParser().row(b"\t".join((PLAIN, first, *others)))

    assert row.latency.total_read is None
    assert row.latency.total_write is None
    assert 7 == row.latency.disk_read


def test_two_noughts_are_no_space_and_one_is() -> None:
    empty = RowParser().row(b"sda\t0\t0\t1\t2\t3\t4")
    full = RowParser().row(b"tank\t10\t0\t1\t2\t3\t4")

    assert (None, None) == (empty.allocated_bytes, empty.free_bytes)
    assert (10, 0) == (full.allocated_bytes, full.free_bytes)


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("fields, got 3", b"tank\t1\t2"),
        ("not a number", b"tank\t10\t20\tx\t2\t3\t4"),
        ("not a number", b"tank\t10\t20\t-1\t2\t3\t4"),
        ("not a number", b"tank\t10\t20\t" + b"9" * 21 + b"\t2\t3\t4"),
        ("not a count", b"tank\t-\t20\t1\t2\t3\t4"),
        ("without a name", b"\t10\t20\t1\t2\t3\t4"),
        ("a negative wait", b"\t".join((PLAIN, b"-2", *[b"7"] * 10))),
        ("not a number", b"\t".join((PLAIN, b"x", *[b"7"] * 10))),
    ],
)
def test_what_is_no_row_says_why(reason: str, line: bytes) -> None:
    with pytest.raises(ValueError, match=reason):
        RowParser().row(line)


def test_all_lines_have_as_many_columns_as_the_first() -> None:
    parser = RowParser()
    parser.row(PLAIN)

    with pytest.raises(ValueError, match="expected 7 fields, got 32"):
        parser.row(FULL)


def test_a_line_is_certain_only_once_the_columns_are_known() -> None:
    parser = RowParser()

    assert parser.name_of_sound(PLAIN) is None
    parser.row(PLAIN)
    assert "tank" == parser.name_of_sound(PLAIN)
    assert parser.are_sound([PLAIN, PLAIN])
    assert not parser.are_sound([PLAIN, b"tank\t10\t20\tx\t2\t3\t4"])


def test_every_layout_has_the_columns_of_its_options() -> None:
    widths = len(DEFAULT_COLUMNS), len(LATENCY_COLUMNS), len(QUEUE_COLUMNS)

    assert {widths[0], sum(widths[:2]), sum(widths), sum(widths) + 1} <= set(LAYOUTS)
