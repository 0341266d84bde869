"""Odds of failures, against counting every set of failed disks one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout import VdevShape, draid
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.survivable_failures import MOST_FAILURES, survival, survival_of


def counted(shapes: list[VdevShape], failed: int) -> int:
    """Sets of failed disks that the pool survives."""
    vdev_of = [at for at, shape in enumerate(shapes) for _ in range(shape.width)]
    return sum(
        all(
            sum(1 for disk in lost if vdev_of[disk] == at) <= shape.tolerates
            for at, shape in enumerate(shapes)
        )
        for lost in combinations(range(len(vdev_of)), failed)
    )


small = st.one_of(
    st.integers(2, 4).map(lambda width: VdevShape("mirror", width)),
    st.builds(
        lambda parity, more: VdevShape("raidz", parity + more, parity), st.integers(1, 3), st.integers(1, 3)
    ),
    st.just(VdevShape("stripe", 1)),
    st.just(draid(1, 5, 2, 1)),
)


@given(st.lists(small, min_size=1, max_size=3))
def test_odds_are_those_of_counting(shapes: list[VdevShape]) -> None:
    found = survival_of(shapes)

    disks = sum(shape.width for shape in shapes)
    for failed, odds in enumerate(found.odds):
        ways = counted(shapes, failed)
        # Each surviving set, and each disk that may fail next: in how many does the pool survive?
        assert odds == Fraction(counted(shapes, failed + 1) * (failed + 1), ways * (disks - failed))
    assert 0 == found.odds[-1]
    assert all(odds == 1 for odds in found.odds[: found.any_failures])
    assert found.odds[found.any_failures] < 1


@given(st.integers(1, 40))
def test_mirrors_of_two(mirrors: int) -> None:
    """1 - f / (n - f)."""
    disks = 2 * mirrors

    odds = survival_of([VdevShape("mirror", 2)] * mirrors).odds

    assert [1 - Fraction(failed, disks - failed) for failed in range(mirrors + 1)] == list(odds)


def test_eight_disks_of_the_article() -> None:
    found = survival(parse_layout("mirror:2 x4", parse_drive("4TB")))

    assert 1 == found.any_failures
    assert [100, 85.7, 66.7] == [round(float(100 * odds), 1) for odds in found.odds[:3]]


def test_a_special_vdev_is_as_fatal_as_data_and_a_log_is_not() -> None:
    drive = parse_drive("4TB")

    assert 0 == survival(parse_layout("raidz2:6 special:1", drive)).any_failures
    assert 2 == survival(parse_layout("raidz2:6 log:1 cache:1 spare:1", drive)).any_failures


def test_many_vdevs_are_counted_in_time() -> None:
    found = survival_of([VdevShape("raidz", 11, 3)] * 1000)

    assert MOST_FAILURES == len(found.odds)
    assert found.odds[3] == pytest.approx(1, abs=1e-6)
