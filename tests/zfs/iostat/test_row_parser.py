"""One line of `zpool iostat`: its columns, and what makes it no row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.model.pools.iostat import Latency, Queues
from zconsole.zfs.iostat.row_parser import (
    KNOWN_LAYOUTS,
    LATENCY_COLUMNS,
    LAYOUTS,
    QUEUE_COLUMNS,
    IostatLayout,
    RowParser,
)

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
        ("3 columns, where zpool iostat -Hp prints 7, 17, 18, 29, 32 in", b"tank\t1\t2"),
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

    with pytest.raises(ValueError, match="32 columns, and 7 in the lines before"):
        parser.row(FULL)


def test_a_line_is_certain_only_once_the_columns_are_known() -> None:
    parser = RowParser()

    assert parser.name_of_sound(PLAIN) is None
    parser.row(PLAIN)
    assert "tank" == parser.name_of_sound(PLAIN)
    assert parser.are_sound([PLAIN, PLAIN])
    assert not parser.are_sound([PLAIN, b"tank\t10\t20\tx\t2\t3\t4"])


def test_every_layout_has_its_own_width() -> None:
    """Lines have no titles: of two layouts of one width, one would be misread."""
    assert [7, 17, 18, 29, 32] == sorted(layout.width for layout in KNOWN_LAYOUTS)


@pytest.mark.parametrize("layout", KNOWN_LAYOUTS, ids=lambda layout: f"{layout.width} columns")
def test_a_layout_has_the_first_columns_of_each_group(layout: IostatLayout) -> None:
    assert layout.latencies == LATENCY_COLUMNS[: len(layout.latencies)]
    assert layout.queues == QUEUE_COLUMNS[: len(layout.queues)]


CELLS = st.lists(
    st.sampled_from([b"-", b"0", b"7", b"1700000000", b"tank", b"18446744073709551615"]), max_size=3
)


def printed() -> list[bytes]:
    """A pool's line and a vdev's line of each capture of a host."""
    outputs = [
        path.read_bytes().split(b"\n") for path in sorted(CAPTURES.glob("2.*/*/*Hpvlq_since_boot.tsv"))
    ]
    return [line for lines in outputs for line in lines[:2] if line]


@given(line=st.sampled_from(printed()), more=CELLS, at=st.integers(0, 40), dropped=st.integers(0, 3))
def test_a_line_with_columns_more_or_fewer_is_refused_and_never_misread(
    line: bytes, more: list[bytes], at: int, dropped: int
) -> None:
    """A newer OpenZFS may print them anywhere. Only whole groups may be missing: without -q, without -l."""
    cells = line.split(b"\t")
    changed = [*cells[:at], *more, *cells[at + dropped :]]
    if len(changed) in LAYOUTS:
        return

    with pytest.raises(ValueError, match=rf"^{len(changed)} columns, where zpool iostat -Hp prints 7, 17"):
        RowParser().row(b"\t".join(changed))


def test_the_captures_have_lines_of_both_widths() -> None:
    assert {29, 32} == {line.count(b"\t") + 1 for line in printed()}
