"""The numbers of a line are those of the row that it makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.model.io import IoRow, IoSample, LazyRows, Queues
from zconsole.zfs.iostat import IostatReader
from zconsole.zfs.iostat_numbers import Numbers, numbers, queued
from zconsole.zfs.iostat_row import RowParser

STREAMS = sorted(CAPTURES.glob("live/*/iostat_changes.txt"))
CELL = st.sampled_from(["-", "0", "7", "1000", "100663295"])


def samples(data: bytes) -> list[IoSample]:
    """All samples of a stream of several pools, whose rows nobody has looked at."""
    reader = IostatReader({"tank": (), "bulk": ()})
    return reader.feed(data) + reader.finish()


def read(line: bytes) -> tuple[Numbers | None, Numbers | None]:
    """The numbers of a line, and those of the row that it makes."""
    parser = RowParser()
    row = parser.row(line)
    lazy = LazyRows((row.name,), [line], parser.row)
    return numbers(lazy, (0,))[0], numbers((row,), (0,))[0]


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.parts[-2])
def test_a_captured_line_has_the_numbers_of_its_row(path: Path) -> None:
    """Of 2.1, which prints no rebuild columns, as well."""
    data = path.read_bytes()

    seen = 0
    for lazy, made in zip(samples(data), samples(data), strict=True):
        places = range(len(lazy.rows))
        expected = numbers(tuple(made.rows), places)
        assert expected == numbers(lazy.rows, places)
        seen += sum(one is not None for one in expected)
    assert seen > 100


@given(
    latencies=st.lists(CELL, min_size=11, max_size=11),
    queues=st.lists(st.integers(0, 2), min_size=14, max_size=14),
)
def test_a_line_has_the_numbers_of_its_row(latencies: list[str], queues: list[int]) -> None:
    line = "\t".join(["sda", "0", "0", "3", "4", "4096", "8192", *latencies, *map(str, queues)])

    of_line, of_row = read(line.encode())

    assert of_row == of_line


def test_a_disk_without_work_has_no_numbers() -> None:
    line = "\t".join(["sda", *"000000", *["-"] * 11, *["0"] * 14])

    assert (None, None) == read(line.encode())


def test_a_disk_that_leaves_its_work_undone_is_told_from_one_without() -> None:
    queues = ["0"] * 14
    queues[1] = "3"  # syncq_read active
    found, _ = read("\t".join(["sda", *"000000", *["-"] * 11, *queues]).encode())

    assert found is not None
    assert (False, True, False) == (found.has_completed, found.is_reading, found.is_writing)


def test_a_trim_that_takes_long_is_no_work_left_undone() -> None:
    queues = ["0"] * 14
    queues[11] = "3"  # trim active

    assert (None, None) == read("\t".join(["sda", *"000000", *["-"] * 11, *queues]).encode())


def test_without_latencies_there_is_nothing_to_tell() -> None:
    assert [None] == numbers((IoRow("sda", None, None, 5, 5, 5, 5),), (0,))
    assert None is read(b"sda\t0\t0\t5\t5\t5\t5")[0]


def test_a_time_that_no_operation_takes_is_none() -> None:
    latencies = ["9" * 400] * 11
    line = "\t".join(["sda", "0", "0", "3", "4", "4096", "8192", *latencies, *["0"] * 14])

    assert (None, None) == read(line.encode())


def test_what_is_queued_is_all_but_trim() -> None:
    row = IoRow("sda", None, None, 0, 0, 0, 0, queues=Queues(*range(14)))

    assert sum(range(14)) - 10 - 11 == queued(row)
