"""Histograms: every recorded one, of several vdevs, and cut short."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from tests.doubles.vdev_trees import pools_of
from zconsole.base.errors import ParseError
from zconsole.model.pools.histograms import HistogramRow
from zconsole.model.pools.iostat import Histogram, Latency
from zconsole.zfs.iostat.histograms_since_import import (
    LATENCY_COLUMNS,
    SIZE_COLUMNS,
    latency_histograms,
    parse_latency_histograms,
    parse_size_histograms,
    size_histograms,
)
from zconsole.zfs.iostat.stream import row_names

Parse = Callable[[str], tuple[HistogramRow, ...]]
RECORDED: list[tuple[Path, Parse]] = [
    *((path, parse_latency_histograms) for path in sorted(CAPTURES.glob("*/*/zpool_iostat_w.txt"))),
    *((path, parse_size_histograms) for path in sorted(CAPTURES.glob("*/*/zpool_iostat_r.txt"))),
]
VERBOSE = sorted(CAPTURES.glob("*/*/zpool_iostat_*_rHpv.tsv"))
LATENCIES = (CAPTURES / "2.4" / "healthy-mirrors" / "zpool_iostat_w.txt").read_text()
SIZES = (CAPTURES / "2.4" / "healthy-mirrors" / "zpool_iostat_r.txt").read_text()


def test_one_pool_with_its_vdevs_is_asked_for() -> None:
    assert ("zpool", "iostat", "-wHpv", "tank") == latency_histograms("tank").argv
    assert ("zpool", "iostat", "-rHpv", "tank") == size_histograms("tank").argv
    assert Latency.__match_args__ == LATENCY_COLUMNS


@pytest.mark.parametrize(("path", "parse"), RECORDED)
def test_every_recorded_histogram_is_read_whole(path: Path, parse: Parse) -> None:
    text = path.read_text()

    rows = parse(text)

    lines = [[int(field) for field in line.split("\t")] for line in text.split("\n") if "\t" in line]
    assert text.count("\n\n") + text.startswith("\n") == len(rows)
    for row in rows:
        printed = [list(counts) for counts in zip(*(line[1:] for line in lines), strict=True)]
        assert printed == [list(histogram.counts) for histogram in row.histograms.values()]
        names = LATENCY_COLUMNS if parse is parse_latency_histograms else SIZE_COLUMNS
        assert list(names[: len(printed)]) == list(row.histograms)


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_the_vdevs_of_a_real_pool_come_in_the_order_of_its_tree(version: str) -> None:
    folder = CAPTURES / "live" / version

    latencies = parse_latency_histograms((folder / "iostat_wHpv.txt").read_text())
    sizes = parse_size_histograms((folder / "iostat_rHpv.txt").read_text())

    assert [row.name for row in latencies] == [row.name for row in sizes]
    assert ["tank", "mirror-0", "wwn-0x5000c500a0000000"] == [row.name for row in latencies[:3]]
    assert len(latencies) == 7
    assert {37} == {len(of.counts) for row in latencies for of in row.histograms.values()}
    assert {16} == {len(of.counts) for row in sizes for of in row.histograms.values()}


@pytest.mark.parametrize("path", VERBOSE, ids=lambda path: "-".join(path.parts[-3:]))
def test_rows_are_those_of_the_pools_tree(path: Path) -> None:
    (pool,) = pools_of(path.parent)

    rows = parse_size_histograms(path.read_text())

    assert list(row_names(pool)) == [row.name for row in rows if not row.name.startswith("indirect-")]


def test_latency_buckets_end_where_they_say_and_size_buckets_begin_there() -> None:
    (latencies,), (sizes,) = parse_latency_histograms(LATENCIES), parse_size_histograms(SIZES)

    bounds = latencies.histograms["total_read"].upper_bounds
    assert [1, 3, 7] == list(bounds[:3])
    assert latencies.histograms["total_write"].counts[bounds.index(131071)] == 289
    bounds = sizes.histograms["sync_read_individual"].upper_bounds
    assert [1023, 2047, 4095, 8191] == list(bounds[:4])
    assert sizes.histograms["sync_read_individual"].counts[bounds.index(8191)] == 7
    assert sizes.histograms["async_write_aggregated"].counts[bounds.index(16383)] == 591


def test_each_vdev_has_its_own_and_a_name_may_be_a_number() -> None:
    """A missing disk is named by its guid; between classes there is one more blank line."""
    zeros = "\t".join(["0"] * 10)
    text = "".join(
        f"\n{name}\n1\t{first}\t{zeros}\n3\t5\t{zeros}\n"
        for name, first in [("tank", 7), ("10838403811573384620", 8), ("\n[b]log[/b]", 9)]
    )

    rows = parse_latency_histograms(text)

    assert ["tank", "10838403811573384620", "[b]log[/b]"] == [row.name for row in rows]
    assert [7, 8, 9] == [row.histograms["total_read"].counts[0] for row in rows]
    assert Histogram((1, 3), (7, 5)) == rows[0].histograms["total_read"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tank\n1\t2\n", "2 fields are not expected"),
        (
            "tank\n" + "\t".join(["1"] * 11) + "\n" + "\t".join(["3"] * 12) + "\n",
            "12 fields are not expected",
        ),
        ("\t".join(["1"] * 11) + "\n", "out of place"),
        ("tank\n" + ("\t".join(["1"] * 11) + "\n") * 2, "out of place"),
        ("tank\n", "tank lacks buckets"),
        ("a\n" + "\t".join(["1"] * 11) + "\nb\n" + "\t".join(["3"] * 11) + "\n", "b lacks buckets"),
        ("tank\n" + "\t".join(["1K"] * 11) + "\n", "not a count"),
        ("tank", "truncated"),
    ],
)
def test_what_is_no_histogram_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_latency_histograms(text)


@pytest.mark.parametrize(
    ("text", "parse"), [(LATENCIES, parse_latency_histograms), (SIZES, parse_size_histograms)]
)
def test_an_output_cut_at_any_byte_is_refused_or_lacks_buckets(text: str, parse: Parse) -> None:
    (whole,) = parse(text)

    for end in range(len(text)):
        with suppress(ParseError):
            for row in parse(text[:end]):
                assert whole.name == row.name
                for name, histogram in row.histograms.items():
                    length = len(histogram.counts)
                    assert whole.histograms[name].counts[:length] == histogram.counts
                    assert whole.histograms[name].upper_bounds[:length] == histogram.upper_bounds


@given(st.text(st.sampled_from("\t\n0123456789-tank\u2028²")))
def test_noise_is_refused_or_read_and_nothing_else(noise: str) -> None:
    with suppress(ParseError):
        parse_size_histograms(noise)
