"""What disks did according to lines is what they did according to the rows that these make."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.model.pools.iostat import IoRow, IoSample, LazyRows, Queues
from zconsole.zfs.iostat.iostat_stream import IostatReader
from zconsole.zfs.iostat.read_disk_performance_as_columns import Work, queued, work
from zconsole.zfs.iostat.row_parser import RowParser

STREAMS = sorted(CAPTURES.glob("live/*/iostat_changes.txt"))
CELL = st.sampled_from(["-", "0", "7", "1000", "100663295"])


def samples(data: bytes) -> list[IoSample]:
    """All samples of a stream of several pools, whose rows nobody has looked at."""
    reader = IostatReader({"tank": (), "bulk": ()})
    return reader.feed(data) + reader.finish()


def read(*lines: bytes) -> Work:
    """What lines tell, which is what the rows tell that they make."""
    parser = RowParser()
    rows = tuple(parser.row(line) for line in lines)
    places = range(len(rows))
    of_lines = work(LazyRows(tuple(row.name for row in rows), lines, parser.row), places)

    assert work(rows, places) == of_lines
    assert [work(rows, places).is_sync(at) for at in places] == [of_lines.is_sync(at) for at in places]
    return of_lines


def disk(*, latencies: list[str] | None = None, queues: dict[int, int] | None = None) -> bytes:
    """The line of a disk."""
    active = [str((queues or {}).get(at, 0)) for at in range(14)]
    return "\t".join(["sda", *"003479", *(latencies or ["-"] * 11), *active]).encode()


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.parts[-2])
def test_captured_lines_tell_what_their_rows_do(path: Path) -> None:
    """Of 2.1, which prints no rebuild columns, as well; and of some rows, in any order."""
    data = path.read_bytes()

    seen = 0
    for lazy, made in zip(samples(data), samples(data), strict=True):
        rows = tuple(made.rows)
        for places in (range(len(rows)), range(len(rows) - 1, 0, -2)):
            expected, found = work(rows, places), work(lazy.rows, places)
            assert expected == found
            assert all(expected.is_sync(at) == found.is_sync(at) for at in range(len(places)))
            seen += sum(found.has_completed(at) for at in range(len(places)))
    assert seen > 100


@given(
    st.lists(
        st.tuples(
            st.lists(CELL, min_size=11, max_size=11),
            st.dictionaries(st.integers(0, 13), st.integers(0, 2), max_size=3),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_lines_tell_what_their_rows_do(disks: list[tuple[list[str], dict[int, int]]]) -> None:
    found = read(*(disk(latencies=latencies, queues=queues) for latencies, queues in disks))

    assert len(disks) == len(found.read_ns)
    assert not found.idle & (found.reading | found.writing | found.scrubbing | found.trimming)


def test_the_columns_are_those_of_each_disk() -> None:
    found = read(
        disk(latencies=["1", "2", "3", "-", "-", "-", "5", "6", "7", "-", "-"]),
        disk(latencies=["-", "-", "-", "8", "-", "9", "-", "-", "-", "4", "4"]),
    )

    assert ([3.0, 3.0], [4.0, 4.0]) == (found.reads, found.writes)
    assert ([7.0, 7.0], [9.0, 9.0]) == (found.read_bytes, found.write_bytes)
    assert ([3.0, None], [None, 8.0]) == (found.read_ns, found.write_ns)
    assert ({0}, {1}, {1}, set()) == (found.scrubbing, found.trimming, found.rebuilding, found.idle)
    assert [False, True] == [found.is_sync(at) for at in (0, 1)]


def test_a_disk_without_work_is_idle() -> None:
    found = read(disk())

    assert ({0}, False) == (found.idle, found.has_completed(0))


def test_a_disk_that_leaves_its_work_undone_is_told_from_one_without() -> None:
    found = read(disk(queues={1: 3}))  # syncq_read active

    assert (set(), {0}, set(), False) == (found.idle, found.reading, found.writing, found.has_completed(0))


def test_a_trim_that_takes_long_is_no_work_left_undone() -> None:
    assert {0} == read(disk(queues={11: 3})).idle  # trim active


def test_without_latencies_there_is_nothing_to_tell() -> None:
    assert {0} == work((IoRow("sda", None, None, 5, 5, 5, 5),), (0,)).idle
    assert {0, 1} == work(LazyRows(("a", "b"), [b"a\t0\t0\t5\t5\t5\t5"] * 2, RowParser().row), (0, 1)).idle


def test_of_no_disks_there_is_nothing() -> None:
    assert [] == work(LazyRows(("a",), [disk()], RowParser().row), ()).reads


def test_a_time_that_no_operation_takes_is_none() -> None:
    assert {0} == read(disk(latencies=["9" * 20] * 11)).idle


def test_what_is_queued_is_all_but_trim() -> None:
    row = IoRow("sda", None, None, 0, 0, 0, 0, queues=Queues(*range(14)))

    assert sum(range(14)) - 10 - 11 == queued(row)
