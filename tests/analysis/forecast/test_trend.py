"""When a pool is full: the true date is in the range as often as promised, and what must hold always."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.forecast.histories import (
    GIB,
    HELD_OUT,
    KINDS,
    LENGTHS,
    PERCENT,
    SEEN_FROM,
    START,
    TIB,
    case,
    filling,
    of,
    steady,
)
from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.trend import CONFIDENCE, HORIZON_DAYS, LEVELS, lacks, trend
from zconsole.model.forecast import GrowthShape, HistorySource, SpaceHistory
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.storage.space_samples import SpaceStore

QUICK, LONG = 1, 40  # pools of each kind and length
STEP_S = DAY_S / 4
VALUES = st.lists(st.floats(0, 1e15), min_size=2, max_size=120)


def holds(earliest: float | None, latest: float | None, true: float) -> bool:
    return (earliest or math.inf) - STEP_S <= true <= (latest or math.inf) + STEP_S


def hits(kind: str, days: float, seeds: range) -> list[bool]:
    """Of each pool of a kind: whether the range that was forecast holds the true date."""
    found = []
    for seed in seeds:
        one = case(kind, days, seed)
        if one is not None:
            passing = trend(one.past, now=one.now, used=one.used, usable=one.usable).passings[1]
            found.append(holds(passing.earliest, passing.latest, one.passes))
    return found


@pytest.mark.slow
@pytest.mark.timeout(3600)  # with --long; a few seconds without
def test_the_true_date_is_in_the_range_as_often_as_promised(request: pytest.FixtureRequest) -> None:
    """Over all kinds of histories and their lengths; with --long of each kind by itself, from 60 days on."""
    seeds = HELD_OUT[: LONG if request.config.getoption("--long") else QUICK]
    found = {
        (kind, days): hits(kind, days, seeds)
        for kind in KINDS
        for days in LENGTHS
        if days >= SEEN_FROM.get(kind, 0)
    }

    every = [hit for hits in found.values() for hit in hits]
    assert len(every) > 0.9 * len(found) * len(seeds)
    assert sum(every) >= CONFIDENCE * len(every)
    if len(seeds) == LONG:
        assert {} == {
            key: hits
            for key, hits in found.items()
            if key[1] >= 60 and sum(hits) < CONFIDENCE * len(hits) - 2
        }


def misses(kind: str, days: float, seeds: range) -> tuple[int, int]:
    """Of the pools of a kind: how many were full before their range, and how many after."""
    early = late = 0
    for seed in seeds:
        one = case(kind, days, seed)
        if one is not None:
            passing = trend(one.past, now=one.now, used=one.used, usable=one.usable).passings[1]
            early += one.passes < (passing.earliest or math.inf) - STEP_S
            late += one.passes > (passing.latest or math.inf) + STEP_S
    return early, late


@pytest.mark.slow
@pytest.mark.parametrize("days", [180, 500])
def test_growth_by_percent_is_seldom_full_before_its_range(days: int) -> None:
    found = [misses(kind, days, HELD_OUT[:8]) for kind in PERCENT]

    assert sum(early for early, _ in found) <= (1 - CONFIDENCE) * 8 * len(PERCENT)
    assert (0, 0) == misses("levelling off", days, HELD_OUT[:4])


def percent_growth(days: int, a_year: float) -> SpaceHistory:
    return SpaceHistory(
        HistorySource.SAMPLES,
        tuple((START + day * DAY_S, TIB * a_year ** (day / 365.25)) for day in range(days + 1)),
    )


@pytest.mark.parametrize("a_year", [1.15, 1.5, 3.0])
def test_growth_by_percent_is_followed_to_its_date(a_year: float) -> None:
    history = percent_growth(500, a_year)
    now, used = history.points[-1]
    found = of(history, used / 0.6)

    days = math.log(1 / 0.6) / math.log(a_year) * 365.25
    full = found.passings[-1]
    assert GrowthShape.PERCENT is found.shape
    assert now + days * DAY_S == pytest.approx(full.likely, abs=0.04 * days * DAY_S)
    assert holds(full.earliest, full.latest, now + days * DAY_S)
    assert used * (a_year - 1) == pytest.approx(found.year_bytes, rel=0.1)


def test_a_history_that_does_not_tell_a_line_from_a_percentage_holds_both() -> None:
    chance = random.Random(3)  # noqa: S311
    points = [(at, used + chance.gauss(0, 60 * GIB)) for at, used in percent_growth(60, 1.5).points]
    now, used = points[-1]
    found = of(SpaceHistory(HistorySource.SAMPLES, tuple(points)), used / 0.6)

    full = found.passings[-1]
    by_percent = math.log(1 / 0.6) / math.log(1.5) * 365.25
    evenly = (used / 0.6 - used) / (used * math.log(1.5) / 365.25)
    assert None is found.shape
    assert holds(full.earliest, full.latest, now + by_percent * DAY_S)
    assert holds(full.earliest, full.latest, now + evenly * DAY_S)


def test_growth_that_becomes_slower_goes_on_so() -> None:
    """It comes near to an end, which a line would pass soon."""
    points = [(START + day * DAY_S, TIB * (2 - math.exp(-day / 200))) for day in range(301)]
    _, used = points[-1]
    found = of(SpaceHistory(HistorySource.SAMPLES, tuple(points)), (2 * TIB - used) * 1.05 + used)

    assert GrowthShape.FALLING is found.shape
    assert None is found.passings[-1].likely


def test_the_season_of_a_year_is_told_from_a_change() -> None:
    def used(day: float) -> float:
        return TIB + 10 * GIB * (day - 60 * math.cos(2 * math.pi * day / 365.25))

    points = [(START + day * DAY_S, used(day)) for day in range(301)]
    level = used(700)
    found = of(SpaceHistory(HistorySource.SAMPLES, tuple(points)), level)

    full = found.passings[-1]
    assert GrowthShape.YEARLY is found.shape
    assert holds(full.earliest, full.latest, START + 700 * DAY_S)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["staircase", "purges"])
def test_steps_that_a_short_history_does_not_show_are_held_in_about_half_of_the_cases(kind: str) -> None:
    """As the sentence on a short history says; the kinds with the fewest hits."""
    found = hits(kind, 25, HELD_OUT[:24])

    assert 0.35 * len(found) <= sum(found) < CONFIDENCE * len(found)


@pytest.mark.parametrize("kind", ["linear", "weekly", "noise"])
def test_a_steady_pool_has_a_narrow_range(kind: str) -> None:
    """Of a range that is always all of time every promise would be kept."""
    one = case(kind, 180, 1)
    assert one is not None
    passing = trend(one.past, now=one.now, used=one.used, usable=one.usable).passings[1]

    assert passing.earliest is not None
    assert passing.latest is not None
    assert passing.likely is not None
    assert passing.latest - passing.earliest < 0.6 * (one.passes - one.now) + 4 * DAY_S
    assert abs(passing.likely - one.passes) < 0.1 * (one.passes - one.now) + 2 * DAY_S


@pytest.mark.parametrize("seed", range(4))
def test_a_pool_that_shrinks_may_never_be_full_and_is_likely_not(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    days = chance.choice((20, 60, 180))
    used = [5 * TIB - day * 4 * GIB + chance.gauss(0, 20 * GIB) for day in range(days)]
    points = tuple((START + day * DAY_S, each) for day, each in enumerate(used))

    for passing in of(SpaceHistory(HistorySource.SAMPLES, points), 8 * TIB).passings:
        assert (None, None) == (passing.likely, passing.latest)


def test_the_range_of_a_long_history_leaves_out_what_is_stated_and_that_of_a_short_one_less() -> None:
    """A line on which its rate drifts: the middle 80 % of its futures, not 90 %."""

    def width(days: int) -> float:
        passing = of(steady(days, 10 * GIB), TIB + (days + 100) * 10 * GIB).passings[-1]
        assert passing.earliest is not None
        assert passing.latest is not None
        return (passing.latest - passing.earliest) / (100 * DAY_S)

    assert 0.09 < width(200) < 0.125
    assert width(20) > 3 * width(200)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["linear", "weekly"])
def test_what_was_kept_and_thinned_holds_the_date_as_well(kind: str, tmp_path: Path) -> None:
    """A history is replayed into the store, and a forecast made again and again as it goes on."""
    store = SpaceStore(tmp_path / "samples.sqlite")
    values = filling(kind, random.Random(kind), 150, 220)[::4]  # noqa: S311
    usable = round(max(used for _, used in values) / 0.901)
    full = next(at for at, used in values if used >= 0.9 * usable)
    found = []
    for number, (at, used) in enumerate(values):
        store.add(SpaceSample(at, "nas", "tank", 1, round(used), usable - round(used)))
        if number % 25 == 24 and at < full:
            kept = tuple((each.at, float(each.used_bytes)) for each in store.samples("nas", 1))
            passing = trend(
                SpaceHistory(HistorySource.SAMPLES, kept), now=at, used=used, usable=usable
            ).passings[1]
            found.append(passing.is_reached or holds(passing.earliest, passing.latest, full))

    assert len(found) > 5
    assert sum(found) >= CONFIDENCE * len(found)


def test_a_line_is_followed_to_the_day() -> None:
    found = of(steady(100, 10 * GIB), 4 * TIB)

    now = START + 100 * DAY_S
    used = TIB + 1000 * GIB
    assert 10 * GIB == pytest.approx(found.bytes_per_day, rel=0.001)
    for passing, percent in zip(found.passings, LEVELS, strict=True):
        days = (percent / 100 * 4 * TIB - used) / (10 * GIB)
        assert now + days * DAY_S == pytest.approx(passing.likely, abs=DAY_S)


def test_what_does_not_grow_is_not_full_within_ten_years() -> None:
    for pace in (0.0, -GIB):
        found = of(steady(100, pace, 2 * TIB), 4 * TIB)

        assert [(None, None, None)] * 3 == [
            (each.earliest, each.likely, each.latest) for each in found.passings
        ]


def test_a_level_that_is_passed_is_reached() -> None:
    found = of(steady(100, GIB, 8.5 * TIB), 10 * TIB)

    assert [True, False, False] == [each.is_reached for each in found.passings]


def test_another_pace_of_late_is_noticed() -> None:
    points = [
        (START + day * DAY_S, TIB + GIB * (2 * day if day < 100 else 200 + 20 * (day - 100)))
        for day in range(161)
    ]
    found = of(SpaceHistory(HistorySource.SAMPLES, tuple(points)), 10 * TIB)

    assert found.has_changed
    assert 20 * GIB == pytest.approx(found.bytes_per_day, rel=0.02)


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ((), "spans 0.0d"),
        (((START, 1.0),), "spans 0.0d"),
        (tuple((START + day * DAY_S / 2, 1.0) for day in range(13)), "spans 6.0d, and at least 7"),
        (((START, 1.0), (START + 30 * DAY_S, 2.0)), "has 2 values, and at least 8"),
    ],
)
def test_it_says_when_there_is_too_little(points: tuple[tuple[float, float], ...], says: str) -> None:
    assert says in lacks(SpaceHistory(HistorySource.SAMPLES, points), START + 40 * DAY_S)


def test_a_longer_history_makes_the_range_narrower() -> None:
    def width(days: int) -> float:
        chance = random.Random(5)  # noqa: S311
        points = tuple((at, used + chance.gauss(0, 20 * GIB)) for at, used in steady(days, 10 * GIB).points)
        used = points[-1][1]
        found = trend(
            SpaceHistory(HistorySource.SAMPLES, points), now=points[-1][0], used=used, usable=used + 2 * TIB
        )
        return found.high_bytes_per_day - found.low_bytes_per_day

    assert width(14) > 2 * width(60) > 2 * width(400)


def test_doubt_makes_the_range_wider() -> None:
    sure, doubted = (of(steady(100, 10 * GIB), 4 * TIB, doubt) for doubt in (0.0, 0.6))

    assert sure.bytes_per_day == doubted.bytes_per_day
    assert doubted.high_bytes_per_day > 2 * sure.high_bytes_per_day


@settings(max_examples=8)
@given(VALUES, st.floats(0.5, 4))
def test_whatever_the_history_the_dates_are_in_order(values: list[float], room: float) -> None:
    points = tuple((START + day * DAY_S, used) for day, used in enumerate(values))
    usable = max(1.0, values[-1] * room)
    found = of(SpaceHistory(HistorySource.SAMPLES, points), usable)

    now = points[-1][0]
    before = (now, now, now)
    for passing in found.passings:
        if passing.is_reached:
            assert values[-1] >= passing.level_bytes - 1
            continue
        dates = tuple(
            each if each is not None else math.inf
            for each in (passing.earliest, passing.likely, passing.latest)
        )
        assert now <= dates[0] <= dates[1] <= dates[2]
        assert all(a <= b for a, b in zip(before, dates, strict=True))  # 80 % comes before 90 %
        assert all(each == math.inf or each <= now + HORIZON_DAYS * DAY_S for each in dates)
        before = dates
    assert found.low_bytes_per_day <= found.bytes_per_day <= found.high_bytes_per_day
    assert all(0 <= one.low_bytes <= one.likely_bytes <= one.high_bytes for one in found.ahead)


@settings(max_examples=8)
@given(st.lists(st.floats(1e9, 1e13), min_size=9, max_size=60), st.sampled_from([2.0, 1024.0, 0.5]))
def test_the_unit_does_not_matter(values: list[float], factor: float) -> None:
    """Pools that are alike but for their size are full on the same days."""

    def dates(scale: float) -> list[object]:
        points = tuple((START + day * DAY_S, used * scale) for day, used in enumerate(values))
        found = of(SpaceHistory(HistorySource.SAMPLES, points), 2e13 * scale)
        return [(each.is_reached, each.earliest, each.likely, each.latest) for each in found.passings]

    assert dates(1.0) == dates(factor)


@pytest.mark.slow
@settings(max_examples=8)
@given(st.floats(0.1, 50), st.floats(1.1, 30), st.integers(8, 300))
def test_more_room_is_full_later_and_more_growth_earlier(pace: float, room: float, days: int) -> None:
    """Twice the growth from twice the data says as much of its shape: nothing of a range may be later.

    From the same data it is the stronger evidence of a line, which may end later than a percentage
    (docs/limits.md).
    """
    history = steady(days, pace * GIB)
    used = history.points[-1][1]
    near, far = (of(history, used + room * share * TIB).passings[-1] for share in (1, 2))
    twice = SpaceHistory(HistorySource.SAMPLES, tuple((at, 2 * each) for at, each in history.points))
    sooner = of(twice, 2 * used + room * TIB).passings[-1]

    for less, more in ((near, far), (sooner, near)):
        for name in ("earliest", "likely", "latest"):
            assert (getattr(less, name) or math.inf) <= (getattr(more, name) or math.inf) + 1
