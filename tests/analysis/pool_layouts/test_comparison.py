"""Layouts side by side: what fits the bays, what the model of risk says, what growing costs."""

from __future__ import annotations

from math import log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.pool_growth.next_step import next_steps
from zconsole.analysis.pool_layouts.comparison import Costs, compare, usual_layouts
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout import DATA, Layout
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.loss_risk import (
    YEAR_S,
    Assumptions,
    mean_time_to_loss_s,
    resilver_s,
    yearly_loss,
)
from zconsole.analysis.pool_layouts.performance import LayoutSpeed, speed
from zconsole.analysis.pool_layouts.usable_space import layout_space
from zconsole.base.errors import UsageError

DRIVE = parse_drive("12TB")
USUAL = Assumptions()


def made(text: str) -> Layout:
    return parse_layout(text, DRIVE)


@given(st.integers(2, 300), st.integers(0, 4))
def test_all_bays_are_used_and_no_more(bays: int, spares: int) -> None:
    if bays - spares < 2:
        return
    for layout in usual_layouts(DRIVE, bays, spares=spares):
        assert bays == layout.drives
        assert len(layout.of_class("spare")) >= spares


def test_each_kind_is_there_once_for_a_shelf() -> None:
    names = [layout.name for layout in usual_layouts(DRIVE, 24)]

    assert names == [
        "mirror:2 x12",
        "mirror:3 x8",
        "raidz1:4 x6",
        "raidz2:8 x3",
        "raidz3:12 x2",
        "draid2:8d:24c:1s",
    ]


@pytest.mark.parametrize(("bays", "spares"), [(0, 0), (1, 0), (4, 3), (4, -1), (1001, 0)])
def test_impossible_bays_are_refused(bays: int, spares: int) -> None:
    with pytest.raises(UsageError, match="disks are needed for data"):
        usual_layouts(DRIVE, bays, spares=spares)


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


def test_speeds() -> None:
    assert LayoutSpeed(8, 4, 8, 4) == speed(made("mirror:2 x4 special mirror:2"))
    assert LayoutSpeed(2, 2, 12, 12) == speed(made("raidz2:8 x2"))
    assert LayoutSpeed(3, 3, 3, 3) == speed(made("stripe:3"))


def test_growing_by_a_vdev_or_by_a_disk() -> None:
    attach, add = next_steps(made("raidz2:6"))

    assert (1, 6) == (attach.drives, add.drives)
    twice = layout_space(made("raidz2:6 x2")).usable_bytes - layout_space(made("raidz2:6")).usable_bytes
    assert twice == add.gained_bytes
    # A disk more at the old ratio of two thirds, though of seven wide more would be data.
    assert attach.gained_bytes == pytest.approx(DRIVE.size_bytes * 341 / 512, rel=0.01)
    assert ["add another mirror:2"] == [step.how for step in next_steps(made("mirror:2 x3"))]
    assert ["add another raidz1:255"] == [step.how for step in next_steps(made("raidz1:255"))]


def test_costs_are_of_all_drives_and_unknown_without_prices() -> None:
    (priced,) = compare([made("mirror:2 x2 spare:1")], 131072, USUAL, Costs(200, 5))
    (free,) = compare([made("mirror:2")], 131072, USUAL, Costs())

    assert (1000, 25) == (priced.price, priced.watts)
    assert priced.price_per_tib == pytest.approx(1000 / (priced.usable_bytes / 2**40))
    assert priced.watts_per_tib == pytest.approx(25 / (priced.usable_bytes / 2**40))
    assert (None, None, None) == (free.price, free.price_per_tib, free.watts_per_tib)
    assert free.efficiency < 0.5
    assert 2 == len(priced.layout.of_class(DATA))
