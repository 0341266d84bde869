"""Gaps and delays of schedules of snapshots."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshots.schedule_periods_and_gaps import DAY_S, HOUR_S, Gap, Taken, rhythms, slots

NOW = 1_795_000_000


def hourlies(*hours_ago: float) -> list[Taken]:
    return [
        Taken(f"t@autosnap_2026-11-01_00:00:{number:02}_hourly", int(NOW - HOUR_S * ago))
        for number, ago in enumerate(hours_ago)
    ]


def test_a_family_without_gaps_is_late_by_nothing() -> None:
    (rhythm,) = rhythms(hourlies(0.4, 1.6, 2.4, 3.4), NOW)

    assert ("sanoid hourly", HOUR_S, (), False) == (
        rhythm.family.label,
        rhythm.period_s,
        rhythm.gaps,
        rhythm.is_late,
    )
    assert (NOW - 3.4 * HOUR_S, NOW - 0.4 * HOUR_S) == (rhythm.oldest.creation, rhythm.newest.creation)


def test_what_is_missing_between_two_is_counted() -> None:
    (rhythm,) = rhythms(hourlies(0.5, 1.5, 4.5), NOW)

    assert (Gap(int(NOW - 4.5 * HOUR_S), int(NOW - 1.5 * HOUR_S), 2),) == rhythm.gaps
    assert not rhythm.is_late


def test_a_family_that_stopped_is_late() -> None:
    (rhythm,) = rhythms(hourlies(10, 11, 12), NOW)

    assert (Gap(NOW - 10 * HOUR_S, NOW, 10),) == rhythm.gaps
    assert rhythm.is_late


def test_the_calendar_has_what_was_taken_in_each_period() -> None:
    (rhythm,) = rhythms(hourlies(0.5, 0.6, 2.5), NOW)

    assert (0, 1, 0, 2, 0) == slots(rhythm, NOW - 4 * HOUR_S, 5)


def test_families_are_told_apart_and_ordered_by_their_period() -> None:
    snapshots = [
        Taken("t@x", NOW - 9),
        Taken("t@autosnap_2026-11-01_00:00:00_monthly", NOW - 20 * DAY_S),
        Taken("t@syncoid_vault_2026-11-21:03:00:12-GMT01:00", NOW - 99 * DAY_S),
        *hourlies(1),
    ]
    found = rhythms(snapshots, NOW)

    assert ["sanoid hourly", "sanoid monthly", "manual", "syncoid"] == [one.family.label for one in found]
    assert [None, None] == [one.period_s for one in found[2:]]
    assert ((), ()) == (found[3].gaps, slots(found[3], 0, 5))


def test_the_rhythm_of_names_without_a_kind_is_that_of_the_newer_ones() -> None:
    ages = [0.2, 1.2, 2.2, 3.2, 24, 48, 72]
    snapshots = [
        Taken(f"t@zrepl_20261101_0000{n:02}_000", int(NOW - HOUR_S * age)) for n, age in enumerate(ages)
    ]

    (rhythm,) = rhythms(snapshots, NOW)
    assert (HOUR_S, ()) == (rhythm.period_s, rhythm.gaps)
    (rhythm,) = rhythms(snapshots, NOW + 5 * HOUR_S)
    assert rhythm.is_late
    (rhythm,) = rhythms(snapshots[:2], NOW)
    assert rhythm.period_s is None


@given(
    st.lists(st.integers(0, 400), min_size=1, max_size=60),
    st.sampled_from(["hourly", "daily", "weekly", "monthly", "yearly"]),
)
def test_gaps_are_within_what_there_is_and_apart(hours: list[int], kind: str) -> None:
    snapshots = [Taken(f"t@autosnap_2026-11-01_00:00:00_{kind}", NOW - HOUR_S * hour) for hour in hours]
    (rhythm,) = rhythms(snapshots, NOW)
    times = {each.creation for each in rhythm.snapshots}

    for gap in rhythm.gaps:
        assert gap.start < gap.end <= NOW
        assert gap.missed >= 1
        assert not any(gap.start < time < gap.end for time in times)
