"""An estimate is a range that holds, or an admission."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.captured import captured
from zconsole.analysis.vdevs.scan_eta import (
    STALLED_S,
    Estimate,
    Sample,
    estimate,
    estimate_scan,
    in_words,
    left_at_mean_rate,
)
from zconsole.model.pools.pool import Scan

MIB = 1024 * 1024
TOTAL = 100_000 * MIB
RESILVER = Scan("resilver", "scanning", percent=41.2, to_issue_bytes=TOTAL)


def steady(seconds: int, *, rate: int, start: float = 0.0, issued: int = 0, step: int = 5) -> list[Sample]:
    """Samples every few seconds at one rate."""
    return [(start + at, issued + at * rate) for at in range(0, seconds + 1, step)]


def test_a_steady_scan_is_told_to_the_minute() -> None:
    history = steady(600, rate=10 * MIB)

    judged = estimate(history, TOTAL, now=600)

    assert judged is not None
    assert judged.rate == 10 * MIB
    assert 6.0 == judged.percent
    assert (9400, 9400) == (judged.low_s, judged.high_s)
    assert "resilver 6%, about 2h40m left" == in_words(RESILVER, judged)


@pytest.mark.parametrize(
    ("expected", "scan"),
    [
        ("about 25m left", replace(RESILVER, start=0, issued_bytes=TOTAL // 4)),
        ("", replace(RESILVER, start=0, issued_bytes=TOTAL)),
        ("", replace(RESILVER, start=0, issued_bytes=0)),
        ("", replace(RESILVER, start=490, issued_bytes=TOTAL // 4)),
        ("", replace(RESILVER, issued_bytes=TOTAL // 4)),
        ("", replace(RESILVER, state="paused", start=0, issued_bytes=TOTAL // 4)),
    ],
)
def test_without_samples_the_mean_rate_since_its_start_tells(expected: str, scan: Scan) -> None:
    assert expected == left_at_mean_rate(scan, 500.0)


def test_a_varying_scan_is_told_as_a_range() -> None:
    fast = steady(600, rate=15 * MIB)
    slow = steady(600, rate=10 * MIB, start=600, issued=fast[-1][1])

    judged = estimate([*fast, *slow], TOTAL, now=1200)

    assert judged is not None
    assert judged.low_s == (TOTAL - slow[-1][1]) / (15 * MIB)
    assert judged.high_s == (TOTAL - slow[-1][1]) / (10 * MIB)
    assert "resilver 15%, 1h30m-2h20m left" == in_words(RESILVER, judged)


def test_only_the_window_counts() -> None:
    crawl = steady(7200, rate=1 * MIB)
    now_fast = steady(1300, rate=20 * MIB, start=7200, issued=crawl[-1][1])

    judged = estimate([*crawl, *now_fast], TOTAL, now=8500)

    assert judged is not None
    assert judged.rate == 20 * MIB


def test_time_that_passed_since_the_last_sample_is_taken_off() -> None:
    judged = estimate(steady(600, rate=10 * MIB), TOTAL, now=700)

    assert judged is not None
    assert 9300 == judged.high_s


@pytest.mark.parametrize(
    "history",
    [[(0.0, 0)], steady(30, rate=MIB), [(0.0, 0), (300.0, MIB)], [(at * 30.0, 0) for at in range(5)]],
    ids=["one sample", "too short", "too few", "no progress yet"],
)
def test_it_admits_when_it_is_too_early(history: list[Sample]) -> None:
    judged = estimate(history, TOTAL, now=history[-1][0])

    assert judged is not None
    assert (None, None, None, False) == (judged.low_s, judged.high_s, judged.rate, judged.is_stalled)
    assert in_words(RESILVER, judged).endswith("estimating time left")


def test_no_history_is_no_estimate() -> None:
    assert estimate([], TOTAL, now=0.0) is None
    assert "resilver 41%" == in_words(RESILVER, None)
    assert "resilver" == in_words(replace(RESILVER, percent=None), None)


def test_an_unknown_total_gives_no_time() -> None:
    judged = estimate(steady(600, rate=MIB), None, now=600)

    assert judged is not None
    assert (None, None) == (judged.percent, judged.high_s)


def test_a_stall_is_named_with_its_length() -> None:
    moving = steady(600, rate=10 * MIB)
    still = steady(int(STALLED_S), rate=0, start=605, issued=moving[-1][1])

    judged = estimate([*moving, *still], TOTAL, now=1205)

    assert judged is not None
    assert judged.is_stalled
    assert 605 == judged.stalled_for_s
    assert judged.high_s is None
    assert "resilver 6%, stalled for 10m05s" == in_words(RESILVER, judged)


def test_a_scan_that_still_reads_metadata_is_not_called_stalled() -> None:
    history = steady(900, rate=0)
    examining = replace(RESILVER, examined_bytes=10, to_examine_bytes=20)
    issuing = replace(RESILVER, examined_bytes=20, to_examine_bytes=20)

    patient, stalled = (estimate_scan(scan, history, 900) for scan in (examining, issuing))

    assert patient is not None
    assert not patient.is_stalled
    assert stalled is not None
    assert stalled.is_stalled


def test_a_restart_is_named_and_what_was_before_does_not_count() -> None:
    before = steady(600, rate=50 * MIB)
    after = steady(600, rate=10 * MIB, start=605)

    judged = estimate([*before, *after], TOTAL, now=1205)

    assert judged is not None
    assert 1 == judged.restarts
    assert judged.rate == 10 * MIB
    assert "resilver 6%, about 2h40m left, restarted" == in_words(RESILVER, judged)
    assert "resilver 6%, about 2h40m left, restarted 3 times" == in_words(RESILVER, judged, restarts=2)


def test_a_paused_scan_has_no_estimate() -> None:
    paused = replace(RESILVER, function="scrub", state="paused")

    assert estimate_scan(paused, steady(600, rate=MIB), 600) is None
    assert "scrub 41%, paused" == in_words(paused, None)


@pytest.mark.parametrize(
    ("words", "remaining_s"),
    [
        ("10s", 1),
        ("40s", 42),
        ("25m", 1490),
        ("1h", 3590),
        ("1h50m", 6700),
        ("23h50m", 85900),
        ("3d4h", 273_600),
    ],
)
def test_times_are_as_coarse_as_they_are_known(words: str, remaining_s: int) -> None:
    history = steady(600, rate=MIB)

    judged = estimate(history, 600 * MIB + remaining_s * MIB, now=600)

    assert f"about {words} left" in in_words(RESILVER, judged)


@given(st.lists(st.tuples(st.floats(1, 300), st.integers(0, 10**9)), max_size=60), st.integers(1, 10**12))
def test_a_range_holds_the_mean_and_is_never_negative(steps: list[tuple[float, int]], total: int) -> None:
    history: list[Sample] = [(0.0, 0)]
    for wait_s, grown in steps:
        history.append((history[-1][0] + wait_s, history[-1][1] + grown))

    judged = estimate(history, total, now=history[-1][0])

    assert judged is not None
    assert judged.percent is not None
    assert judged.percent == 100 * history[-1][1] / total
    assert judged.is_open == (bool(judged.rate) and history[-1][1] >= total)
    if judged.rate and not judged.is_open:
        assert judged.low_s is not None
        assert judged.high_s is not None
        remaining = max(0, total - history[-1][1])
        assert 0 <= judged.low_s <= remaining / judged.rate * 1.000001
        assert remaining / judged.rate <= judged.high_s * 1.000001


@pytest.mark.parametrize(
    ("percent", "expected"),
    [(41.4, "41%"), (99.4, "99%"), (99.6, "99.6%"), (99.99, "99.9%"), (100.0, "99.9%")],
)
def test_a_scan_that_runs_is_not_at_a_hundred_per_cent(percent: float, expected: str) -> None:
    """Only a finished one is."""
    judged = Estimate(percent, low_s=60.0, high_s=60.0)

    assert f"resilver {expected}, about 1m left" == in_words(RESILVER, judged)


def test_beyond_what_zfs_estimated_nothing_is_known_of_the_rest() -> None:
    """A scrub of a draid: `114.64% done, no estimated completion time`."""
    pool = captured("2.4", "draid-scrub-over-100").pools[0].pool.value
    assert pool is not None
    assert pool.scan is not None
    done = pool.scan.done_bytes or 0
    watched = steady(600, rate=MIB, issued=done - 600 * MIB)

    told = in_words(pool.scan, estimate_scan(pool.scan, watched, now=600))

    assert "scrub 115% of ZFS's estimate, time left not known" == told
    assert told == in_words(pool.scan, None)


@pytest.mark.parametrize("over", [0, 1, 14])
def test_an_end_that_did_not_come_gives_no_time(over: int) -> None:
    """All of the estimate is issued, by however much, and the scan still runs."""
    history = steady(600, rate=MIB)

    judged = estimate(history, (600 - over) * MIB, now=600)

    assert judged is not None
    assert (None, None, True) == (judged.low_s, judged.high_s, judged.is_open)
    assert in_words(RESILVER, judged).endswith("time left not known")


def test_a_time_that_is_over_is_not_told_again() -> None:
    """The last sample is two hours old, and gave 19 minutes."""
    judged = estimate(steady(600, rate=MIB), (600 + 19 * 60) * MIB, now=600 + 7200)

    assert judged is not None
    assert "resilver 34%, time left not known" == in_words(RESILVER, judged)


@given(
    st.lists(
        st.tuples(st.sampled_from((0.0, 60.0, 61.0, 600.0, -300.0)), st.sampled_from((0, 1, MIB))),
        max_size=40,
    ),
    st.integers(1, 10**12),
)
def test_a_clock_that_was_set_back_stops_nobody(steps: list[tuple[float, int]], total: int) -> None:
    """Samples of one moment, and of moments before those that came before them."""
    history: list[Sample] = [(1000.0, 0)]
    for wait_s, grown in steps:
        history.append((history[-1][0] + wait_s, history[-1][1] + grown))

    judged = estimate(history, total, now=2000.0)

    assert judged is not None
    assert judged.rate is None or judged.rate >= 0
