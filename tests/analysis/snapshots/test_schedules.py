"""Snapshots are known by their names, gaps in them are found, and sanoid's pruning is foretold."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshots.sanoid_retention import retention
from zconsole.analysis.snapshots.schedule_gaps import DAY_S, HOUR_S, Gap, Taken, rhythms, slots
from zconsole.analysis.snapshots.schedules import KINDS, Family, family_of
from zconsole.zfs.sanoid_conf import SanoidPolicy

NOW = 1_795_000_000


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (Family("sanoid", "hourly", at(2026, 11, 21, 3)), "autosnap_2026-11-21_03:00:00_hourly"),
        (Family("sanoid", "frequent", at(2026, 11, 21, 3, 15, 1)), "autosnap_2026-11-21_03:15:01_frequently"),
        (Family("sanoid", "yearly", at(2026, 1, 1)), "tank/home@autosnap_2026-01-01_00:00:00_yearly"),
        (
            Family("zfs-auto-snapshot", "daily", at(2026, 11, 21, 6, 25)),
            "zfs-auto-snap_daily-2026-11-21-0625",
        ),
        (Family("zrepl", "", at(2026, 11, 21, 3, 0, 59)), "zrepl_20261121_030059_000"),
        (Family("zfs_autobackup", "", at(2026, 11, 21, 3), "offsite1"), "offsite1-20261121030000"),
        (
            Family("syncoid", "", at(2026, 11, 21, 3, 0, 12), "vault"),
            "syncoid_vault_2026-11-21:03:00:12-GMT01:00",
        ),
        (Family("syncoid", "", at(2026, 11, 21, 3, 0, 12), "a_b"), "syncoid_a_b_2026-11-21:03:00:12"),
        (Family("sanoid", "hourly", None), "autosnap_2026-99-99_03:00:00_hourly"),
        (Family(), "before-upgrade"),
        (Family(), "autosnap_2026-11-21_03:00:00_hourly2"),
        (Family(), "tank@2026-11-21"),
        (Family(), "-20261121030000"),
    ],
)
def test_a_name_tells_its_family(expected: Family, name: str) -> None:
    assert expected == family_of(name)


@given(st.text())
def test_any_name_has_a_family(name: str) -> None:
    assert family_of(name).kind in {"", *KINDS}


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


REFERENCE = SanoidPolicy("t", {"hourly": 30, "daily": 30, "monthly": 3, "yearly": 0})


def taken(kind: str, count: int, period: int) -> list[Taken]:
    return [
        Taken(f"t@autosnap_2026-11-01_00:00:00_{kind}", NOW - 60 - period * number) for number in range(count)
    ]


def test_the_reference_policy_prunes_what_is_too_old_and_too_many() -> None:
    snapshots = [*taken("hourly", 33, HOUR_S), *taken("daily", 30, DAY_S), *taken("yearly", 1, DAY_S)]
    hourly, daily, monthly, yearly = retention(REFERENCE, [*snapshots, Taken("t@mine", 5)], NOW)

    assert ("hourly", 30, 33) == (hourly.kind, hourly.wanted, len(hourly.snapshots))
    assert [NOW - 60 - HOUR_S * number for number in (32, 31, 30)] == [
        one.creation for one in hourly.prunes_now
    ]
    assert hourly.next_to_go == hourly.snapshots[3]
    assert NOW - 60 - HOUR_S * 29 + 30 * HOUR_S == hourly.next_at
    assert ((), 30) == (daily.prunes_now, len(daily.snapshots))
    assert ("monthly", (), None, None) == (
        monthly.kind,
        monthly.snapshots,
        monthly.next_to_go,
        monthly.next_at,
    )
    assert (0, 1) == (yearly.wanted, len(yearly.prunes_now))


def test_old_ones_stay_while_there_are_not_more_than_wanted() -> None:
    (hourly, *_) = retention(REFERENCE, taken("hourly", 30, 10 * DAY_S), NOW)

    assert ((), 30) == (hourly.prunes_now, len(hourly.snapshots))


def test_without_autoprune_nothing_goes() -> None:
    policy = SanoidPolicy("t", {"hourly": 1}, is_pruning=False)
    (hourly,) = retention(policy, taken("hourly", 9, DAY_S), NOW)

    assert ((), None, None) == (hourly.prunes_now, hourly.next_to_go, hourly.next_at)


def test_frequent_ones_go_by_their_own_period() -> None:
    policy = SanoidPolicy("t", {"frequently": 4}, frequent_minutes=15)
    (frequent,) = retention(policy, taken("frequently", 9, 900), NOW)

    assert 5 == len(frequent.prunes_now)


@given(st.lists(st.integers(0, 5000), max_size=50), st.integers(0, 40))
def test_pruning_is_what_sanoid_writes_down(hours: list[int], wanted: int) -> None:
    """Its loop, literally: older than its time, and still more of them than wanted."""
    snapshots = [
        Taken(f"t@autosnap_2026-11-01_00:00:{number:02}_hourly", NOW - HOUR_S * hour)
        for number, hour in enumerate(hours)
    ]
    left, pruned = len(snapshots), set()
    for each in sorted(snapshots, key=lambda one: one.creation):
        if each.creation < NOW - wanted * HOUR_S and left > wanted:
            pruned.add(each)
            left -= 1

    for kept in retention(SanoidPolicy("t", {"hourly": wanted}), snapshots, NOW):
        assert pruned == set(kept.prunes_now)
