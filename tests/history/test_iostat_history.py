"""An hour of samples: every byte as it came, found by time, in bounded memory."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from tests.doubles.machines import ROW
from zconsole.history.iostat_history import BLOCK, SampleHistory, TimedSample
from zconsole.model.pools.iostat import IoRow, IoSample, LazyRows
from zconsole.zfs.iostat.iostat_stream import IostatReader
from zconsole.zfs.iostat.row_parser import RowParser
from zconsole.zfs.iostat.row_to_scripted_line import line_of, lines_of

NAMES = ["tank", "mirror-0", "sda", "sdb"]
HOUR_S = 3600.0


def sample_of(at: float, names: list[str] = NAMES, *, busy: tuple[float | None, ...] = ()) -> IoSample:
    dice = random.Random(at)  # noqa: S311
    lines: list[IoRow | bytes] = [ROW.format(name=name, ops=dice.randrange(1000)).encode() for name in names]
    return IoSample("tank", at, LazyRows(tuple(names), lines, RowParser().row), busy)


def kept_of(count: int, *, first: int = 1000, keep_s: float = HOUR_S) -> SampleHistory:
    samples = SampleHistory("tank", keep_s)
    for at in range(first, first + count):
        samples.add(sample_of(at), at + 0.5)
    return samples


def times(kept: tuple[TimedSample, ...]) -> list[float]:
    return [each.sample.at for each in kept]


@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3])
def test_what_comes_out_is_what_went_in(count: int) -> None:
    samples = kept_of(count)

    found = list(samples.walk())

    assert [sample_of(at) for at in range(1000, 1000 + count)] == [each.sample for each in found]
    assert [at + 0.5 for at in range(1000, 1000 + count)] == [each.came_at for each in found]
    assert [lines_of(sample_of(at).rows) for at in range(1000, 1000 + count)] == [
        lines_of(each.sample.rows) for each in found
    ]


def test_nothing_is_kept_of_nothing() -> None:
    samples = SampleHistory("tank", HOUR_S)

    assert samples.span() is None
    assert samples.oldest_at is None
    assert () == samples.until(5, 10)
    assert 0 == samples.drop_oldest()


@pytest.mark.parametrize(
    ("epoch", "most", "expected"),
    [
        (1099.0, 3, [1097, 1098, 1099]),
        (9999.0, 3, [1097, 1098, 1099]),
        (1050.7, 2, [1049, 1050]),
        (1002.0, 10, [1000, 1001, 1002]),
        (5.0, 10, [1000]),  # before the first: the first
        (1031.0, 40, [*range(1000, 1032)]),
    ],
)
def test_samples_are_found_by_time(epoch: float, most: int, expected: list[int]) -> None:
    assert expected == times(kept_of(100).until(epoch, most))


def test_an_hour_is_kept_and_no_more() -> None:
    samples = kept_of(500, keep_s=100)

    span = samples.span()

    assert span is not None
    assert (1499, 101) <= (span.last, span.samples) <= (1499, 101 + BLOCK)
    assert 1499 - 100 - BLOCK <= span.first <= 1399
    assert span.first == samples.oldest_at == next(samples.walk()).sample.at


def test_busy_is_kept_in_two_hundredths_and_what_is_not_known_stays_unknown() -> None:
    samples = SampleHistory("tank", HOUR_S)
    for at in range(2 * BLOCK):
        samples.add(sample_of(at, busy=() if at % 3 == 0 else (None, 0.123, 0.0, 1.0)), at)

    for at, kept in enumerate(samples.walk()):
        assert (() if at % 3 == 0 else (None, pytest.approx(0.123, abs=0.0026), 0.0, 1.0)) == kept.sample.busy


def test_a_pool_that_changes_has_the_rows_of_each_time() -> None:
    samples = SampleHistory("tank", HOUR_S)
    more = [*NAMES, "sdc"]
    for at in range(40):
        samples.add(sample_of(at, NAMES if at < 5 or at > 30 else more), at)

    found = [each.sample for each in samples.walk()]

    assert [4] * 5 + [5] * 26 + [4] * 9 == [len(sample.rows) for sample in found]
    assert found[10] == sample_of(10, more)


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_samples_of_a_real_pool_that_changes_come_back_byte_by_byte(version: str) -> None:
    text = (CAPTURES / "live" / version / "iostat_changes.txt").read_bytes()
    reader = IostatReader({"tank": (), "bulk": ()})
    real = [sample for sample in reader.feed(text) if sample.pool == "tank"]
    samples = SampleHistory("tank", HOUR_S)
    for sample in real:
        samples.add(sample, sample.at)

    assert real == [each.sample for each in samples.walk()]
    for each in samples.walk():
        assert all(line in text for line in lines_of(each.sample.rows))


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_rows_that_somebody_looked_at_are_kept_as_they_came(version: str) -> None:
    """A line of 2.1 has no rebuild columns: one that was printed anew would be no line of its block."""
    text = (CAPTURES / "live" / version / "iostat_changes.txt").read_bytes()
    reader = IostatReader({"tank": (), "bulk": ()})
    samples = SampleHistory("tank", HOUR_S)
    real = [sample for sample in reader.feed(text) if sample.pool == "tank"]
    for number, sample in enumerate(real):
        assert sample.rows[number % len(sample.rows)].name in sample.names
        samples.add(sample, sample.at)

    kept = [each.sample for each in samples.walk()]

    assert real == kept
    assert all(line in text for sample in kept for line in lines_of(sample.rows))


def test_a_row_without_its_line_is_printed_anew_and_is_the_same_row() -> None:
    """One of 2.1 has no rebuild columns; printed anew it has empty ones."""
    for version in ("2.1", "2.4"):
        text = (CAPTURES / "live" / version / "iostat_changes.txt").read_bytes()
        for sample in IostatReader({"tank": (), "bulk": ()}).feed(text):
            for row in sample.rows:
                assert row == RowParser().row(line_of(row))


def test_memory_is_let_go_of_from_the_oldest_on() -> None:
    samples = kept_of(10 * BLOCK + 1)
    before, first = samples.size_bytes, samples.span()

    saved = samples.drop_oldest()

    after = samples.span()
    assert saved > 0
    assert before - saved == samples.size_bytes
    assert first is not None
    assert after is not None
    assert (first.first + BLOCK, first.samples - BLOCK) == (after.first, after.samples)


def slow(at: float, read_ms: float | None, write_ms: float | None, names: list[str] = NAMES) -> IoSample:
    """A sample in which each disk's means are these."""
    lines: list[IoRow | bytes] = []
    for name in names:
        cells = ROW.format(name=name, ops=1).split("\t")
        cells[9:11] = ["-" if ms is None else str(int(ms * 1e6)) for ms in (read_ms, write_ms)]
        lines.append("\t".join(cells).encode())
    return IoSample("tank", at, LazyRows(tuple(names), lines, RowParser().row))


def test_a_strip_shows_the_slowest_of_each_stretch() -> None:
    samples = SampleHistory("tank", HOUR_S)
    for at in range(60):
        samples.add(slow(at, 2.0, 300.0 if at == 25 else None if at < 40 else 7.0), at)

    strips = samples.strips(until=59, seconds=10, columns=7)

    strip = strips.of("sda")
    assert strip is not None
    assert [None, 2e6, 2e6, 300e6, 2e6, 7e6, 7e6] == [
        None if value is None else pytest.approx(value, rel=0.05) for value in strip.values
    ]
    assert NAMES == [row.name for row in strips.rows]
    assert strips.of("sdz") is None


@given(st.floats(1e3, 1e12))
def test_a_strip_is_within_a_twentieth_of_what_was_measured(latency_ns: float) -> None:
    samples = SampleHistory("tank", HOUR_S)
    samples.add(slow(1, latency_ns / 1e6, None), 1)

    (value,) = samples.strips(until=1, seconds=1, columns=1).rows[0].values

    assert value == pytest.approx(latency_ns, rel=0.05)


def test_strips_have_the_rows_of_now_and_follow_a_name_through_changes() -> None:
    """Two vdevs of one name are two rows."""
    samples = SampleHistory("tank", HOUR_S)
    samples.add(slow(1, 5, None, ["tank", "sda", "sdb"]), 1)
    samples.add(slow(2, 9, None, ["tank", "sdb", "sdb"]), 2)

    strips = samples.strips(until=2, seconds=1, columns=2)

    assert [("tank", True, True), ("sdb", True, True), ("sdb", False, True)] == [
        (row.name, row.values[0] is not None, row.values[1] is not None) for row in strips.rows
    ]


def test_strips_are_let_go_of_with_their_hour() -> None:
    samples = SampleHistory("tank", 100)
    for at in range(2000):
        samples.add(slow(at, 5, None, ["tank", "sda" if at < 1000 else "sdb"]), at)

    strips = samples.strips(until=1999, seconds=1000, columns=2)

    assert samples.size_bytes < 40_000
    assert [(None, pytest.approx(5e6, rel=0.05))] * 2 == [row.values for row in strips.rows]
