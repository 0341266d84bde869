"""What power-of-two buckets hide: which differences of means one border can explain, and which it cannot."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.analysis.slow_disks.bucketed_pool import Pool, watch
from zconsole.analysis.slow_disks.bucket_resolution import (
    BucketSpread,
    are_in_one_bucket_each,
    bucket_around,
    can_be_equal,
)
from zconsole.analysis.slow_disks.verdict_sentence import hidden_difference_sentence

BELOW, ABOVE, BEYOND = 1.5 * 2**22, 1.5 * 2**23, 1.5 * 2**24  # middles of 4.2 to 8.4, 8.4 to 16.8, ... ms


@pytest.mark.parametrize(
    ("expected", "own", "of_peers"),
    [
        (True, ABOVE, BELOW),
        (True, ABOVE * 0.98, BELOW * 1.04),
        (True, ABOVE, BELOW * 1.5),
        (True, ABOVE * 1.04, ABOVE),
        (False, ABOVE * 1.2, BELOW),
        (False, BEYOND, BELOW),
    ],
)
def test_one_border_explains_up_to_one_step_between_two_middles(
    expected: bool, own: float, of_peers: float
) -> None:
    assert expected == can_be_equal(own, of_peers)


def test_only_near_their_middles_are_latencies_in_one_bucket_each() -> None:
    assert are_in_one_bucket_each(ABOVE * 0.98, BELOW * 1.04)
    assert are_in_one_bucket_each(ABOVE, ABOVE)
    assert not are_in_one_bucket_each(ABOVE * 0.8, BELOW)
    assert not are_in_one_bucket_each(BEYOND, BELOW)
    assert 2**23 == bucket_around(ABOVE * 0.98)


def of(sigma: float, seconds: int = 60) -> BucketSpread:
    """A disk of 9 ms, its operations so different from each other."""
    dice, spread = random.Random(sigma), BucketSpread()  # noqa: S311 - a simulation
    pool = Pool(1, sigma, 9e6)
    for _ in range(seconds):
        spread.add(30, pool.mean(dice, 9e6, 30))
    return spread


def test_wide_latencies_are_in_three_buckets_and_narrow_ones_are_not() -> None:
    assert [False, False, True, True] == [of(sigma).is_resolved for sigma in (0.02, 0.1, 0.5, 0.8)]
    assert not of(0.8, 5).is_resolved


@pytest.mark.parametrize(
    ("own", "peers", "sigma"),
    [(8.6, 8.2, 0.01), (8.9, 8.1, 0.02), (9.0, 7.8, 0.04), (9.3, 7.2, 0.05), (0.137, 0.126, 0.02)],
)
def test_both_sides_of_a_border_are_never_slow_and_what_is_known_is_said(
    own: float, peers: float, sigma: float
) -> None:
    """5 to 29 % slower, and printed as twice as slow."""
    judgement = watch(Pool(6, sigma, peers * 1e6, own * 1e6))

    assert ((), ()) == (judgement.verdicts, judgement.slightly)
    (one,) = judgement.hidden
    assert "d5" == one.disk
    assert "d5 is slower than its peers by something from 1.0x to " in hidden_difference_sentence(one)
    assert one.at_most is not None
    assert max(bound.ratio for bound in judgement.bounds) == one.at_most
    assert "from 1.0x to 4.0x" in hidden_difference_sentence(replace(one, at_most=None))


@pytest.mark.parametrize("sigma", [0.02, 0.1, 0.3, 0.5])
@pytest.mark.parametrize("own", [10.0, 11.5])
def test_no_ratio_beyond_the_bound_is_said_to_be_possible(own: float, sigma: float) -> None:
    """And none at all, where latencies spread over three buckets or more."""
    judgement = watch(Pool(6, sigma, 8e6, own * 1e6))

    for one in (*judgement.slightly, *judgement.hidden):
        assert one.at_most is not None
        assert one.at_most <= max(bound.ratio for bound in judgement.bounds)
        if max(bound.widened for bound in judgement.bounds) == 1:
            assert not one.is_within_a_step
    if sigma == 0.5:
        assert ["d5"] == [one.disk for one in judgement.slightly]


def test_whole_vdevs_on_both_sides_of_a_border_are_not_slow_either() -> None:
    judgement = watch(Pool(6, 0.01, 8.2e6, 8.6e6, is_vdev_slow=True))

    assert () == judgement.slow_vdevs


def test_a_disk_two_buckets_above_is_slow_however_little_its_latencies_vary() -> None:
    (verdict,) = watch(Pool(6, 0.01, 8.2e6, 17e6)).verdicts

    assert "d5" == verdict.disk


def test_a_disk_of_narrow_latencies_in_the_bucket_of_its_peers_has_no_bound_below_two() -> None:
    """16.0 against 8.9 ms: all of them are printed as 12.6."""
    judgement = watch(Pool(6, 0.01, 8.9e6, 16e6))

    assert [2.0, 2.0] == [round(each.widened, 2) for each in judgement.bounds]
    assert all(1.8 <= each.ratio <= 2.1 for each in judgement.bounds)


@pytest.mark.parametrize("sigma", [0.02, 0.1, 0.3, 0.8])
def test_the_bound_is_true_whether_latencies_vary_or_not(sigma: float) -> None:
    """Fewer than one of twenty is false; each pool has reads and writes."""
    dice, false, number = random.Random(sigma), 0, 0  # noqa: S311 - a simulation
    for seed in range(12):
        factor, base = dice.choice((1.0, 1.15, 1.3, 1.5, 1.8)), 8e6 * 2 ** dice.random()
        judgement = watch(Pool(6, sigma, base, factor * base, seed=seed, operations=20))
        for bound in judgement.bounds:
            number += 1
            false += factor > bound.ratio + 0.02
    assert 24 == number
    assert 20 * false < number


def test_the_bound_is_true_where_half_of_the_disks_are_slower() -> None:
    """The median of three fast and two slow peers is the slowest of the fast ones, of each second another."""
    dice, false, number = random.Random(5), 0, 0  # noqa: S311 - a simulation
    for seed in range(12):
        factor, base = dice.choice((1.3, 1.4, 1.5)), 8e6 * 2 ** dice.random()
        judgement = watch(Pool(6, 0.45, base, factor * base, seed=seed, slow=3))
        for bound in judgement.bounds:
            number += 1
            false += factor > bound.ratio + 0.02
    assert 24 == number
    assert 20 * false < number


def test_whole_vdevs_have_a_bound_beside_each_other() -> None:
    """All disks of one take 1.6 times as long: none is slower than those beside it."""
    judgement = watch(Pool(6, 0.5, 8e6, 12.8e6, is_vdev_slow=True))

    assert 2 == judgement.vdevs
    assert all(each.ratio < 1.4 for each in judgement.bounds)
    assert [True, True] == [1.6 <= each.ratio < 1.9 for each in judgement.vdev_bounds]
    assert [2, 2] == [each.disks for each in judgement.vdev_bounds]
