"""Space to free: the fullest of pool and quotas, the levels that it exceeds."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.snapshots.amount_to_free import LEVELS, SpaceLimit, space_goals, tightest
from zconsole.analysis.vdevs.pool_used_percent import Fill

GIB = 1 << 30


@dataclass(frozen=True)
class Listed:
    name: str
    used_bytes: int | None = None
    quota_bytes: int | None = None


def test_the_levels_are_those_of_the_findings() -> None:
    assert (95, 90, 80) == LEVELS


def test_levels_that_are_exceeded_are_told_the_smallest_amount_first() -> None:
    goals = space_goals(SpaceLimit("tank", Fill(92 * GIB, 100 * GIB)))

    assert [(90, 2 * GIB), (80, 12 * GIB)] == [(each.percent, each.need_bytes) for each in goals]


def test_below_the_warning_no_amount_is_proposed() -> None:
    assert () == space_goals(SpaceLimit("tank", Fill(80 * GIB, 100 * GIB)))
    assert () == space_goals(None)


@given(st.integers(0, 1 << 60), st.integers(1, 1 << 60))
def test_after_freeing_it_no_more_than_the_level_is_used(used: int, total: int) -> None:
    for goal in space_goals(SpaceLimit("tank", Fill(used, total))):
        assert (used - goal.need_bytes) * 100 <= goal.percent * total
        assert (used - goal.need_bytes + 1) * 100 > goal.percent * total
    assert len(space_goals(SpaceLimit("tank", Fill(used, total)))) == sum(
        used * 100 > at * total for at in LEVELS
    )


def test_a_quota_above_the_dataset_counts_where_it_is_fuller_than_the_pool() -> None:
    pool = SpaceLimit("tank", Fill(85 * GIB, 100 * GIB))
    listed = (
        Listed("tank", 85 * GIB),
        Listed("tank/vm", 19 * GIB, 20 * GIB),
        Listed("tank/vm2", 20 * GIB, 20 * GIB),
        Listed("tank/vm/web01", None, 1),
    )

    assert (
        "tank/vm (by its quota) is 95% used, of 20.0 GiB"
        == (tightest("tank/vm/web01", pool, listed) or pool).in_words
    )
    assert pool == tightest("tank/home", pool, listed)
    assert None is tightest("tank/home", None, listed)
