"""Histograms as a stream: cut anywhere, of a pool that changes, of real ZFS and of nobody."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from tests.doubles.histograms_since_import import parse_latency_histograms, parse_size_histograms
from zconsole.base.errors import ParseError
from zconsole.model.pools.histograms import HistogramSample
from zconsole.zfs.iostat.histogram_stream import LATENCIES, SIZES, HistogramKind, HistogramReader, stream

NAMES = ["tank", "mirror-0", "sda", "sdb"]


def printed(at: int, names: list[str] = NAMES, count: int = 0, columns: int = 11) -> bytes:
    """A sample with two buckets a vdev."""
    zeros = "\t".join(["0"] * (columns - 1))
    rows = "".join(
        f"\n{name}\n1023\t{count}\t{zeros}\n2047\t{number}\t{zeros}\n" for number, name in enumerate(names)
    )
    return f"{at}\n{rows}".encode()


def counts(samples: list[HistogramSample]) -> list[tuple[float, list[int]]]:
    return [
        (sample.at, [row.histograms["total_read"].counts[1] for row in sample.rows]) for sample in samples
    ]


def test_one_pool_is_asked_for_and_the_first_sample_is_left_out() -> None:
    assert ("zpool", "iostat", "-T", "u", "-wHpvy", "tank", "0.5") == stream(LATENCIES, "tank").argv
    assert ("zpool", "iostat", "-T", "u", "-rHpvy", "tank", "2") == stream(SIZES, "tank", 2).argv


@pytest.mark.parametrize("version", ["2.1", "2.4"])
@pytest.mark.parametrize("kind", [LATENCIES, SIZES], ids=["w", "r"])
@pytest.mark.parametrize("size", [1, 7, 4096, 1 << 20])
def test_what_real_zfs_prints_is_read_as_when_it_is_asked_once(
    version: str, kind: HistogramKind, size: int
) -> None:
    output = (CAPTURES / "live" / version / f"iostat_{kind.letter}Hpv.txt").read_bytes()
    parse = parse_latency_histograms if kind is LATENCIES else parse_size_histograms
    text = b"1800000000\n" + b"".join(b"%d\n" % (1_800_000_001 + number) + output for number in range(3))
    reader = HistogramReader(kind, "tank")

    samples = [sample for at in range(0, len(text), size) for sample in reader.feed(text[at : at + size])]

    assert [1_800_000_001.0, 1_800_000_002.0, 1_800_000_003.0] == [sample.at for sample in samples]
    for sample in samples:
        assert list(parse(output.decode())) == list(sample.rows)


def test_a_sample_is_given_when_its_last_line_came() -> None:
    """Only of the first one the end is not known before the next begins."""
    reader = HistogramReader(LATENCIES, "tank")

    first = reader.feed(printed(1))
    second = reader.feed(printed(2))
    third = reader.feed(printed(3)[:-1])
    rest = reader.feed(b"\n")

    assert ([], [1.0, 2.0], [], [3.0]) == tuple(
        [sample.at for sample in samples] for samples in (first, second, third, rest)
    )


def test_a_sample_is_given_once() -> None:
    reader = HistogramReader(LATENCIES, "tank")

    given_out = [sample.at for at in range(1, 6) for sample in reader.feed(printed(at))]

    assert [1.0, 2.0, 3.0, 4.0, 5.0] == given_out


def test_a_vdev_that_is_named_by_a_number_is_no_time() -> None:
    """A missing disk is named by its guid; and there is a blank line between classes."""
    names = ["tank", "mirror-0", "108384038113", "\nlog-disk"]
    reader = HistogramReader(LATENCIES, "tank")

    samples = reader.feed(printed(1, names) + printed(2, names))

    assert [["tank", "mirror-0", "108384038113", "log-disk"]] * 2 == [
        [row.name for row in sample.rows] for sample in samples
    ]


def test_of_a_pool_that_changes_the_samples_that_compare_different_vdevs_are_left_out() -> None:
    reader = HistogramReader(LATENCIES, "tank")
    more = [*NAMES, "sdc"]

    samples = reader.feed(printed(1) + printed(2) + printed(3, more) + printed(4, more) + printed(5, more))

    assert [(1.0, 4), (2.0, 4), (4.0, 5), (5.0, 5)] == [(each.at, len(each.rows)) for each in samples]
    assert 1 == reader.left_out


def test_rows_that_come_behind_a_sample_that_was_given_change_nothing_of_it() -> None:
    reader = HistogramReader(LATENCIES, "tank")
    samples = reader.feed(printed(1) + printed(2))

    samples += reader.feed(printed(0, ["sdc"])[2:])
    samples += reader.feed(printed(3, [*NAMES, "sdc"]) + printed(4, [*NAMES, "sdc"]))

    assert [(1.0, 4), (2.0, 4), (3.0, 5), (4.0, 5)] == [(each.at, len(each.rows)) for each in samples]


def test_garbage_behind_a_sample_that_was_given_is_refused() -> None:
    reader = HistogramReader(LATENCIES, "tank")
    reader.feed(printed(1) + printed(2))

    with pytest.raises(ParseError, match="not a histogram"):
        reader.feed(b"what is this\n3\n\n")


def test_counters_that_went_back_are_left_out() -> None:
    """ZFS prints the difference of two unsigned numbers."""
    reader = HistogramReader(LATENCIES, "tank")

    samples = reader.feed(printed(1) + printed(2, count=18446744073709551615) + printed(3))

    assert [1.0, 3.0] == [sample.at for sample in samples]
    assert 1 == reader.left_out


def test_rows_are_found_by_name_and_by_place() -> None:
    (sample,) = HistogramReader(LATENCIES, "tank").feed(printed(1) + b"2\n\n")

    assert [(1.0, [0, 1, 2, 3])] == counts([sample])
    assert sample.rows[-1] == sample.row("sdb") == sample.rows[3]
    assert ("mirror-0", "sda") == tuple(row.name for row in sample.rows[1:3])
    assert sample.row("sdz") is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (printed(1, ["bulk"]) + b"2\n\n", "not of tank"),
        (b"nonsense\n1\n\n", "neither a time nor a vdev"),
        (printed(1)[:-6] + b"\n2\n\n", "not a histogram"),
        (printed(1).replace(b"2047\t", b"2047\t\t") + b"2\n\n", "not a histogram"),
        (printed(1).replace(b"2047", b"2O47") + b"2\n\n", "not a histogram"),
        (printed(1).replace(b"2047", b"1023") + b"2\n\n", "out of place"),
        (printed(1, columns=9) + b"2\n\n", "not a histogram"),
        (b"1\n\ntank\n2\n\n", "not a histogram"),
        (b"x" * 17_000_000, "does not end"),
    ],
)
def test_what_is_no_histogram_is_refused(text: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        HistogramReader(LATENCIES, "tank").feed(text)


def test_versions_without_rebuild_have_no_such_class() -> None:
    (sample,) = HistogramReader(LATENCIES, "tank").feed(printed(1, columns=10) + b"2\n\n")

    assert "rebuild" not in sample.rows[0].histograms
    assert "trim" in sample.rows[0].histograms


@given(st.lists(st.sampled_from([printed(1), printed(2), b"\n", b"3\n", b"tank\n", b"\t", b"7", b"\xff"])))
def test_noise_is_refused_or_its_rows_can_all_be_made(pieces: list[bytes]) -> None:
    reader = HistogramReader(LATENCIES, "tank")

    with suppress(ParseError):
        for piece in pieces:
            for sample in reader.feed(piece):
                assert [len(row.histograms["trim"].counts) for row in sample.rows]
