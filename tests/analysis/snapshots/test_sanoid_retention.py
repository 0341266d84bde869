"""Which snapshots sanoid would prune."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshots.sanoid_retention import retention
from zconsole.analysis.snapshots.schedule_periods_and_gaps import DAY_S, HOUR_S, Taken
from zconsole.zfs.sanoid_conf import SanoidPolicy

NOW = 1_795_000_000
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
