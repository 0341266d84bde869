"""Histograms side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui import states, watched
from tests.ui.frames import make_app
from zconsole.analysis.vdevs.latency_quantiles import Spreads, spread
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.iostat import Histogram
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.styled_text import line_width, plain
from zconsole.views.pools import pool_page as pool_present
from zconsole.views.pools.vdev_latency_and_request_sizes import (
    LATENCIES,
    SIZES,
    About,
    HistogramView,
    about,
    notes,
    page,
    readings,
    scale,
    strip,
)

BUCKETS = LATENCIES.last - LATENCIES.first + 1


def of_tank(name: str | None) -> tuple[About, View]:
    view = make_app(watched.slow()).view()
    pool = pool_present.subject(view, "storage1", "tank")
    assert pool is not None
    found = about(pool, name)
    assert found is not None
    return found, view


def shown(counts: dict[int, int], of: str = "disk_read", cells: int = BUCKETS) -> str:
    """The histogram of so many operations that ended below a power of two."""
    found = spread(Histogram(tuple((1 << power) - 1 for power in counts), tuple(counts.values())))
    assert found is not None
    return plain(strip(found, LATENCIES, of, cells))


def test_a_disk_stands_first_its_siblings_follow_and_the_pool_is_last() -> None:
    whose, _ = of_tank(watched.SLOW_DISK)

    assert ["ZL2F0C44", "ZL2F0D02", "tank"] == [each.name[-8:].split(" ")[-1] for each in whose.members]
    assert [True, False, False] == [each.is_subject for each in whose.members]
    assert whose.verdict == watched.verdict()


def test_the_pool_stands_beside_its_top_level_vdevs() -> None:
    whose, _ = of_tank(None)

    assert ["all of tank", "mirror-0", "mirror-1", "mirror-2"] == [each.name for each in whose.members][:4]
    assert whose.members[0].is_subject


def test_a_vdev_that_is_gone_is_nobody() -> None:
    whose, _ = of_tank(None)

    assert about(whose.pool, "mirror-9") is None


def test_each_block_is_a_share_on_a_scale_of_its_own() -> None:
    assert "▁▂▃▄▆█" == shown({18: 1, 19: 30, 20: 60, 21: 140, 22: 500, 23: 1500}).strip()


def test_a_single_operation_among_many_is_seen() -> None:
    assert shown({12: 100_000, 30: 1}).rstrip().endswith("▁")


def test_what_lies_beyond_the_scale_stands_at_its_ends() -> None:
    assert shown({3: 1, 36: 1}) == "█" + " " * (BUCKETS - 2) + "█"


def test_slow_i_os_stand_out_at_the_disk_and_not_in_a_queue() -> None:
    found = spread(Histogram(tuple((1 << power) - 1 for power in (23, 28, 31)), (1, 1, 1)))
    assert found is not None

    at_disk = [span.style for span in strip(found, LATENCIES, "disk_write", BUCKETS) if span.text.strip()]
    in_queue = {span.style for span in strip(found, LATENCIES, "asyncq_write", BUCKETS)}

    assert ["strip", "warn", "bad"] == at_disk
    assert {"strip"} == in_queue


@pytest.mark.parametrize(
    ("expected", "kind", "cells"),
    [
        ("2us   131us 8ms   537ms", LATENCIES, 25),
        ("2us      16us     131us    1ms      8ms      67ms     537ms    4s       34s", LATENCIES, 75),
        ("512 2K  8K  32K 128K    2M  8M", SIZES, 32),
        ("512 8K  128K  8M", SIZES, 16),
    ],
)
def test_the_scale_names_buckets_where_they_begin(expected: str, kind: HistogramView, cells: int) -> None:
    assert expected == scale(kind, cells)


@given(st.sampled_from((LATENCIES, SIZES)), st.integers(1, 120))
def test_the_scale_is_never_wider_than_the_column(kind: HistogramView, cells: int) -> None:
    assert width(scale(kind, cells)) <= cells


def test_each_class_has_a_heading_and_a_row_for_each() -> None:
    whose, view = of_tank(watched.SLOW_DISK)
    spreads = Spreads(clock=lambda: 0.0)
    spreads.take_in(readings(whose, LATENCIES).value or ())

    rows = page(whose, view, LATENCIES, spreads, BUCKETS).table.rows

    assert len(LATENCIES.classes) * 4 == len(rows)
    assert ["class disk_read", "disk_read data/1/0", "disk_read data/1/1", "disk_read pool"] == [
        row.key for row in rows[:4]
    ]
    assert ["100", "67", "268", "1074"] == [cell.text for cell in rows[1].cells[1:5]]


def test_a_class_that_this_version_does_not_have_is_left_out() -> None:
    """2.1 counts no rebuild apart."""
    whose, view = of_tank(None)
    old = tuple(
        replace(
            sample,
            rows=tuple(
                replace(row, histograms={of: each for of, each in row.histograms.items() if of != "rebuild"})
                for row in sample.rows
            ),
        )
        for sample in readings(whose, LATENCIES).value or ()
    )
    state = replace(whose.pool.state, latencies=Reading(old, states.TICKS))
    whose = replace(whose, pool=replace(whose.pool, state=state))

    rows = page(whose, view, LATENCIES, Spreads(clock=lambda: 0.0), BUCKETS).table.rows

    assert not [row for row in rows if row.key.startswith("class rebuild")]


def test_until_they_come_and_when_they_cannot_it_says_so() -> None:
    whose, view = of_tank(None)

    def words(reading: Reading[tuple[()]]) -> str:
        state = replace(whose.pool.state, latencies=reading)
        row = page(
            replace(whose, pool=replace(whose.pool, state=state)),
            view,
            LATENCIES,
            Spreads(clock=lambda: 0.0),
            25,
        )
        return plain(row.table.rows[0].line or ())

    assert "The first histograms come within a second or two ..." == words(Reading())
    assert "tank is suspended" == words(Reading(problem="tank is suspended"))


def test_the_selected_histogram_is_told_in_numbers_beside_the_others() -> None:
    whose, _ = of_tank(watched.SLOW_DISK)
    spreads = Spreads(clock=lambda: 0.0)
    spreads.take_in(readings(whose, LATENCIES).value or ())

    first, second, third = map(plain, notes(whose, LATENCIES, spreads, "disk_read data/1/0"))

    assert first.endswith("at the disk: reads, 100/s · half within 67, 99% 268, all 1074 ms")
    assert "beside it, 1: half 8.4, 99% 34" == second
    assert "up to ... ms: 17 5%, 34 25%, 67 50%, 134 15%, 268 4%, 1074 1%" == third
    assert () == tuple(notes(whose, LATENCIES, spreads, "class disk_read"))
    assert ["no I/O"] == [plain(each)[-6:] for each in notes(whose, LATENCIES, spreads, "trim pool")]


@given(st.dictionaries(st.integers(0, 40), st.integers(0, 10_000), min_size=1), st.integers(1, 4))
def test_a_histogram_is_as_wide_as_its_buckets(counts: dict[int, int], each: int) -> None:
    bounds = tuple((1 << power) - 1 for power in sorted(counts))
    found = spread(Histogram(bounds, tuple(counts[power] for power in sorted(counts))))

    assert found is None or BUCKETS * each == line_width(strip(found, LATENCIES, "disk_read", BUCKETS * each))
