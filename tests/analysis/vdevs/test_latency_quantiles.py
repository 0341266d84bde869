"""Quantiles of histograms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.vdevs.latency_quantiles import AT_ONCE_S, Spreads, Window, spread
from zconsole.model.pools.histograms import HistogramRow, HistogramSample
from zconsole.model.pools.iostat import Histogram

BOUNDS = tuple((1 << power) - 1 for power in range(12))


def sample(at: float, *counts: int, name: str = "sda") -> HistogramSample:
    padded = (*counts, *(0 for _ in range(len(BOUNDS) - len(counts))))
    return HistogramSample(at, 0.5, (HistogramRow(name, {"disk_read": Histogram(BOUNDS, padded)}),))


def test_half_and_nearly_all_and_all_are_upper_bounds() -> None:
    found = spread(Histogram((1, 3, 7, 15), (50, 40, 9, 1)))

    assert found is not None
    assert (100, 1, 7, 15) == (found.rate, found.median, found.tail, found.most)


def test_a_single_slow_operation_is_the_longest() -> None:
    found = Window((sample(1.0, 0, 900), sample(1.0, 0, 900, 0, 0, 0, 0, 2))).spread(0, "sda", "disk_read")

    assert found is not None
    assert (901, 1, 1, 63) == (found.rate, found.median, found.tail, found.most)


def test_more_operations_than_a_float_counts_have_quantiles() -> None:
    found = spread(Histogram((1, 3), ((1 << 64) - 1, 0)))

    assert found is not None
    assert (1, 1, 1) == (found.median, found.tail, found.most)


def test_no_operation_has_no_quantiles() -> None:
    assert Window((sample(1.0),)).spread(0, "sda", "disk_read") is None


def test_a_class_or_a_vdev_that_is_not_there_has_none() -> None:
    window = Window((sample(1.0, 5),))

    assert window.spread(0, "sda", "rebuild") is None
    assert window.spread(0, "sdb", "disk_read") is None
    assert window.spread(4, "sda", "disk_read") is None


def test_a_disk_that_came_later_is_counted_from_then_on() -> None:
    window = Window((sample(1.0, 9, name="sdb"), sample(1.5, 0, 4)))

    assert (0, 4) == window.histogram(0, "sda", "disk_read").counts[:2]  # type: ignore[union-attr]


def test_quantiles_are_worked_out_anew_every_two_seconds() -> None:
    spreads = Spreads(clock=lambda: 0.0)
    spreads.take_in((sample(1.0, 5),))
    first = spreads.of(0, "sda", "disk_read")
    spreads.take_in((sample(1.0, 5), sample(2.0, 0, 500)))
    same = spreads.of(0, "sda", "disk_read")
    spreads.take_in((sample(1.0, 5), sample(3.0, 0, 500)))
    later = spreads.of(0, "sda", "disk_read")

    assert first == same != later


def test_there_is_little_time_for_them_and_the_rest_waits_as_it_was() -> None:
    """A key is answered first; `is_behind` says that there is more to draw."""
    ticks = iter(float(tick) for tick in range(100))
    spreads = Spreads(clock=lambda: next(ticks) * 2 * AT_ONCE_S)
    spreads.take_in((sample(1.0, 5),))
    first, second = (spreads.of(0, "sda", of) for of in ("disk_read", "disk_write"))

    assert first is not None
    assert second is None
    assert spreads.is_behind

    spreads.take_in((sample(1.0, 5), sample(4.0, 0, 500)))
    later = spreads.of(0, "sda", "disk_read")
    assert later not in {first, None}
    assert spreads.of(0, "sda", "disk_write") is None


def test_however_slow_the_machine_each_drawing_brings_it_further() -> None:
    ticks = iter(float(tick) for tick in range(1000))
    spreads = Spreads(clock=lambda: next(ticks) * 10)
    drawings = 0
    spreads.is_behind = True
    while spreads.is_behind:
        spreads.take_in((sample(1.0, 5),))
        found = [spreads.of(0, "sda", of) for of in ("disk_read", "disk_write", "scrub")]
        drawings += 1

    assert 3 == drawings
    assert found[0] is not None


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12))
def test_quantiles_are_in_order(counts: list[int]) -> None:
    found = spread(Histogram(BOUNDS[: len(counts)], tuple(counts)))

    assert (found is None) == (not any(counts))
    assert found is None or found.median <= found.tail <= found.most
