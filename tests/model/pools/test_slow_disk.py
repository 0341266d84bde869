"""Ratios and the furthest quantile of a verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.model.host.test_host_state import SLOW
from zconsole.model.pools.slow_disk import Comparison, Judgement, Quantile, Undecided

FAR = Quantile("read", 0.99, 90.0, 10.0, 500, is_far=True)


def test_a_ratio_to_nothing_is_one() -> None:
    assert 9.0 == FAR.ratio
    assert 1.0 == replace(FAR, reference_ns=0.0).ratio
    assert 4.0 == Comparison("read", 8.0, 2.0, 9.0, 3, 1.0).ratio
    assert 1.0 == Comparison("read", 8.0, 0.0, 9.0, 3, 1.0).ratio


@pytest.mark.parametrize(("expected", "share"), [(2, 0.5), (100, 0.99), (1000, 0.999)])
def test_a_share_is_one_in_so_many(expected: int, share: float) -> None:
    assert expected == replace(FAR, share=share).one_in


def test_the_furthest_is_of_those_that_are_far_and_the_commoner_of_two_alike() -> None:
    common, rare = replace(FAR, share=0.9), replace(FAR, share=0.999)
    near = replace(FAR, value_ns=900.0, is_far=False)

    assert common is replace(SLOW, quantiles=(rare, near, common)).furthest
    assert replace(SLOW, quantiles=(near,)).furthest is None


def test_against_one_peer_it_is_a_pair() -> None:
    assert SLOW.is_pair
    assert not replace(SLOW, peers=("sdb", "sdc")).is_pair


@pytest.mark.parametrize(
    ("expected", "disks", "unknown"), [(True, 0, 0), (False, 4, 2), (True, 4, 3), (False, 1, 0)]
)
def test_a_judgement_of_less_than_half_is_too_little(
    expected: bool,
    disks: int,
    unknown: int,
) -> None:
    judged = Judgement("tank", 9, disks, undecided=(Undecided("x", "y", "idle"),) * unknown)

    assert expected is judged.is_too_little
