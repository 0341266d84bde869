"""The smallest layout that holds given data: no smaller one does, and none is advised against."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.capacity.smallest_layout_for_data import (
    MOST_DRIVES,
    LayoutDemand,
    compared_for_data,
    fewest_vdevs,
    order,
    proposed,
    smallest_of_each_kind,
)
from zconsole.analysis.pool_layouts.drive_size import Drive, parse_drive
from zconsole.analysis.pool_layouts.layout import Layout
from zconsole.analysis.pool_layouts.layout_advice import SERIOUS, advice
from zconsole.analysis.pool_layouts.layout_comparison import Candidate, Costs
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.pool_layouts.usable_space import layout_space
from zconsole.analysis.pool_layouts.usable_space_by_block_size import usable_at
from zconsole.base.quantities import TB, TIB

USUAL = Assumptions()
K128 = 128 * 1024


def compared(demand: LayoutDemand, *named: str) -> tuple[Candidate, ...]:
    layouts = tuple(parse_layout(text, demand.drive) for text in named)
    return compared_for_data(demand, USUAL, Costs(), layouts)


def proposal(demand: LayoutDemand, *named: str) -> Layout | None:
    found = proposed(compared(demand, *named), demand.wanted_bytes)
    return None if found is None else found.layout


def name(demand: LayoutDemand, *named: str) -> str:
    found = proposal(demand, *named)
    return "" if found is None else found.name


def holds(layout: Layout, demand: LayoutDemand) -> bool:
    usable = layout_space(layout).usable_bytes
    return min(usable, usable_at(layout, demand.block_bytes)) >= demand.wanted_bytes


def smaller(drive: Drive, drives: int) -> Iterator[Layout]:
    """All layouts of equal vdevs with fewer drives."""
    shapes = [f"mirror:{width}" for width in (2, 3, 4)]
    shapes += [f"raidz{parity}:{width}" for parity in (1, 2, 3) for width in range(parity + 1, 13)]
    shapes += [f"draid2:8d:{width}c:{max(1, width // 24)}s" for width in range(12, drives)]
    for text in ("stripe:1", *shapes):
        vdev = parse_layout(text, drive).vdevs[0]
        for times in range(1, (drives - 1) // vdev.shape.width + 1):
            yield Layout((vdev,) * times)


@given(
    wanted=st.integers(1, 60 * TB),
    drive=st.sampled_from(["1.92TB:ssd", "3TB", "4TB", "8TB", "12TB"]),
    bays=st.integers(2, 40),
    block=st.sampled_from([16 * 1024, K128, 1024 * 1024]),
)
def test_the_proposal_holds_it_and_nothing_smaller_that_is_advised_does(
    wanted: int, drive: str, bays: int, block: int
) -> None:
    demand = LayoutDemand(wanted, parse_drive(drive), bays, block)

    found = proposal(demand)

    assert found is not None
    assert holds(found, demand)
    assert not SERIOUS & {each.id for each in advice(found, block)}
    for each in smaller(demand.drive, found.drives):
        if holds(each, demand):
            assert SERIOUS & {told.id for told in advice(each, block)}, each.name


@given(wanted=st.integers(1, 300 * TB), bays=st.integers(2, 60))
def test_the_proposal_is_the_first_of_the_candidates_and_the_rest_are_in_order(
    wanted: int, bays: int
) -> None:
    found = compared(LayoutDemand(wanted, parse_drive("8TB"), bays))

    assert list(found) == sorted(found, key=lambda each: order(each, wanted))
    assert proposed(found, wanted) in {found[0], None}
    assert len(found) == len({each.layout for each in found})


@pytest.mark.parametrize(
    ("wanted", "drive", "bays", "expected"),
    [
        (2 * TIB, "4TB", 6, "mirror:2"),  # of six bays two
        (22 * TIB, "8TB", 12, "raidz2:6"),
        (22 * TIB, "8TB", 52, "raidz2:6"),  # the same, whatever room there is
        (22 * TIB, "8TB", 5, "raidz2:6"),  # one bay too few: only a raidz1 would hold it
        (21 * TIB, "8TB", 12, "raidz2:5"),
        (7 * TIB, "2TB", 12, "raidz1:5"),  # drives that are small enough for one parity disk
    ],
)
def test_the_smallest_of_a_shelf(wanted: int, drive: str, bays: int, expected: str) -> None:
    assert expected == name(LayoutDemand(wanted, parse_drive(drive), bays))


def test_of_equally_many_drives_that_against_which_nothing_is_said_is_proposed() -> None:
    """A raidz2 of six has more space than three mirrors, and less of all else."""
    demand = LayoutDemand(round(21.5 * TIB), parse_drive("8TB"), 12)
    enough = [each.layout.name for each in compared(demand) if each.layout.drives == 6]

    assert ["mirror:2 x3", "raidz2:6"] == enough
    assert "mirror:2 x3" == name(demand)


def test_those_that_use_all_bays_are_compared_and_are_not_proposed() -> None:
    found = [each.layout.name for each in compared(LayoutDemand(2 * TIB, parse_drive("4TB"), 6))]

    assert {"mirror:2 x3", "mirror:3 x2", "raidz2:6", "raidz1:3 x2", "raidz3:6"} < set(found)
    assert "mirror:2" == found[0]


def test_small_blocks_on_a_raidz_need_more_drives() -> None:
    eight = LayoutDemand(22 * TIB, parse_drive("8TB"), 12, 8 * 1024)

    assert "raidz2:6" == name(LayoutDemand(22 * TIB, parse_drive("8TB"), 12))
    assert "mirror:2 x4" == name(eight)  # a raidz of 4 KiB sectors gives a third of its disks to 8 KiB


def test_named_layouts_are_proposed_as_they_are_or_as_often_as_they_hold_it() -> None:
    demand = LayoutDemand(22 * TIB, parse_drive("8TB"), 12)

    assert "mirror:2 x6" == name(demand, "mirror:2 x6", "raidz2:8 x2")
    assert "raidz2:4 x2" == name(demand, "raidz2:4", "raidz1:5")
    assert "raidz2:6" == name(demand, "raidz1:5")  # it holds it, and is advised against
    assert "raidz1:5" in {each.layout.name for each in compared(demand, "raidz1:5")}


def test_nothing_is_proposed_where_no_pool_holds_it() -> None:
    demand = LayoutDemand(10**18, parse_drive("1TB"), 12)

    assert proposal(demand) is None
    assert compared(demand)
    assert () == smallest_of_each_kind(LayoutDemand(10**18, parse_drive("1TB"), MOST_DRIVES))


@given(wanted=st.integers(1, 80 * TB), text=st.sampled_from(["mirror:2", "raidz2:6", "draid2:8d:12c:1s"]))
def test_one_vdev_less_does_not_hold_it(wanted: int, text: str) -> None:
    (vdev,) = parse_layout(text, parse_drive("4TB")).vdevs
    demand = LayoutDemand(wanted, parse_drive("4TB"))

    times = fewest_vdevs(vdev, wanted)

    assert times is not None
    assert holds(Layout((vdev,) * times), demand)
    assert times == 1 or not holds(Layout((vdev,) * (times - 1)), demand)
    assert fewest_vdevs(vdev, wanted, most=times - 1) is None
