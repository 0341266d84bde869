"""How often a pool is lost, against the textbook."""

from __future__ import annotations

from math import log1p

import pytest

from tests.analysis.pool_layouts.made import USUAL, made
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import (
    YEAR_S,
    Assumptions,
    mean_time_to_loss_s,
    resilver_s,
    yearly_loss,
)
from zconsole.base.errors import UsageError


def test_the_chain_of_a_mirror_is_the_textbook_formula() -> None:
    """(3 l + m) / (2 l^2) for two disks of rate l and repairs of rate m."""
    (vdev,) = made("mirror:2").vdevs
    rate = -log1p(-USUAL.yearly_failures) / YEAR_S
    repairs = 1 / ((resilver_s(vdev, USUAL) or 0) + USUAL.wait_s)

    assert mean_time_to_loss_s(vdev, USUAL) == pytest.approx((3 * rate + repairs) / (2 * rate**2))


def test_a_lone_disk_is_lost_as_often_as_disks_fail() -> None:
    assert yearly_loss(made("stripe:1"), USUAL) == pytest.approx(USUAL.yearly_failures)
    assert yearly_loss(made("stripe:10"), USUAL) == pytest.approx(1 - (1 - USUAL.yearly_failures) ** 10)


def test_more_redundancy_is_safer_and_more_vdevs_are_not() -> None:
    order = ["raidz3:8", "raidz2:8", "raidz2:8 x2", "raidz1:8", "stripe:8"]

    losses = [yearly_loss(made(text), USUAL) for text in order]

    assert losses == sorted(losses)
    assert yearly_loss(made("mirror:2 spare:1"), USUAL) < yearly_loss(made("mirror:2"), USUAL)


def test_resilver_times() -> None:
    """12 TB, 80 % full, at 150 MB/s: 64,000 s for a mirror."""
    times = [resilver_s(made(text).vdevs[0], USUAL) for text in ("mirror:2", "raidz2:8", "stripe:1")]

    assert [pytest.approx(64000, rel=0.001), pytest.approx(128000, rel=0.001), None] == times
    draid = resilver_s(made("draid2:8d:24c:1s").vdevs[0], USUAL)
    assert draid == pytest.approx(64000 * 9 / 23, rel=0.001)


@pytest.mark.parametrize(
    "wrong",
    [
        {"yearly_failures": 0},
        {"yearly_failures": 1},
        {"used": 0},
        {"used": 1.5},
        {"rate_bytes_per_s": 0},
        {"wait_s": -1},
    ],
)
def test_impossible_assumptions_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Assumptions(**wrong)
