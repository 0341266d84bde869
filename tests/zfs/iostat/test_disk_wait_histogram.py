"""The two columns that tell how disks do are the same whether a row is made of its lines or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.pools.histograms import HistogramRow
from zconsole.model.pools.iostat import Histogram
from zconsole.zfs.iostat.disk_wait_histogram import POWERS, ended_at_disk, names_of
from zconsole.zfs.iostat.histogram_stream import LATENCIES, SIZES, HistogramReader

BOUNDS = tuple((1 << power) - 1 for power in range(1, 38))
counts = st.lists(
    st.lists(st.sampled_from((0, 0, 0, 1, 7, 120)), min_size=11, max_size=11), min_size=37, max_size=37
)


def printed(rows: dict[str, list[list[int]]]) -> bytes:
    """A sample of a `-w` stream, and the stamp of the next one."""
    blocks = [
        name
        + "\n"
        + "".join("\t".join(map(str, (bound, *of))) + "\n" for bound, of in zip(BOUNDS, row, strict=True))
        for name, row in rows.items()
    ]
    return "\n".join(["5\n", *blocks, "6\n\n"]).encode()


@pytest.mark.slow
@given(first=counts, second=counts)
def test_reads_and_writes_of_lines_are_those_of_rows(first: list[list[int]], second: list[list[int]]) -> None:
    (sample,) = HistogramReader(LATENCIES, "tank").feed(printed({"tank": first, "sda": second}))
    made = tuple(sample.rows)

    assert [*ended_at_disk(made, (1, 0))] == [*ended_at_disk(sample.rows, (1, 0))]
    assert ("tank", "sda") == names_of(sample.rows) == names_of(made)
    expected = [(at + 1, row[2], row[3]) for at, row in enumerate(second) if row[2] or row[3]]
    assert expected == next(iter(ended_at_disk(sample.rows, (1,))))


def test_what_takes_longer_than_the_last_bucket_is_in_it() -> None:
    took = Histogram(((1 << 50) - 1,), (3,))
    row = HistogramRow("sda", {"disk_read": took, "disk_write": took})

    assert [[(POWERS - 1, 3, 3)]] == [*ended_at_disk([row], (0,))]


def test_histograms_of_sizes_have_no_latencies() -> None:
    row = HistogramRow("sda", {name: Histogram((1,), (1,)) for name in SIZES.columns})

    assert [[]] == [*ended_at_disk([row], (0,))]
