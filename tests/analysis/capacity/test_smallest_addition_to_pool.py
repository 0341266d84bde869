"""What a pool needs beside its own vdevs to hold given data."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.capacity.fields import texts
from tests.ui.states import bulk, tank
from zconsole.analysis.capacity.compute_planner_results import answers
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs
from zconsole.analysis.capacity.smallest_addition_to_pool import smallest_addition
from zconsole.analysis.capacity.smallest_layout_for_data import LayoutDemand
from zconsole.analysis.pool_growth.live_pool import LiveVdev, today
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout import MIRROR, RAIDZ, STRIPE, VdevShape
from zconsole.analysis.pool_layouts.usable_space import vdev_space
from zconsole.base.quantities import TIB

DRIVE = parse_drive("8TB")
TANK = today(tank())


@given(st.integers(1, 200 * TIB))
def test_it_holds_the_data_with_it_and_not_with_one_vdev_less(wanted: int) -> None:
    found = smallest_addition(TANK, LayoutDemand(wanted, DRIVE))

    if wanted <= TANK.usable_bytes:
        assert found is None
        return
    assert found is not None
    vdevs = [("data", vdev_space(each)) for each in found.layout.vdevs]
    assert found.usable_bytes == TANK.usable_with([*TANK.spaces, *vdevs])[1] >= wanted
    assert TANK.usable_with([*TANK.spaces, *vdevs[1:]])[1] < wanted


def test_it_is_of_the_shape_of_the_pool() -> None:
    added = smallest_addition(TANK, LayoutDemand(TANK.usable_bytes + TIB, DRIVE))
    wide = smallest_addition(today(bulk()), LayoutDemand(today(bulk()).usable_bytes + TIB, DRIVE))

    assert added is not None
    assert "mirror:2" == added.layout.name
    assert wide is not None
    assert wide.layout.name.startswith("raidz2:")


def _shaped(*shapes: VdevShape) -> tuple[LiveVdev, ...]:
    return tuple(replace(TANK.vdevs[0], shape=shape) for shape in shapes)


@pytest.mark.parametrize(
    "shapes",
    [
        (VdevShape(STRIPE, 1),),  # without redundancy
        (VdevShape(RAIDZ, 5, 1),),  # one parity disk of large disks
        (VdevShape(RAIDZ, 12, 2),),  # too wide
        (VdevShape(MIRROR, 2), VdevShape(RAIDZ, 6, 2)),  # of which kind?
    ],
)
def test_nothing_is_added_that_is_advised_against(shapes: tuple[VdevShape, ...]) -> None:
    pool = replace(TANK, vdevs=_shaped(*shapes))

    assert smallest_addition(pool, LayoutDemand(100 * TIB, DRIVE)) is None


def test_no_pool_is_made_larger_than_any_that_is_built() -> None:
    assert smallest_addition(TANK, LayoutDemand(5000 * TIB, DRIVE)) is None


def test_the_planner_tells_it_where_it_takes_fewer_drives_than_a_new_pool() -> None:
    def addition(data: str) -> str:
        inputs, _ = read_inputs(texts(data=data, drive="8TB", bays="12"), USUAL)
        found = answers(inputs, TANK).addition
        return "" if found is None else found.layout.name

    assert "" == addition("3TiB")  # it holds it
    assert "mirror:2" == addition("6TiB")
    assert "" == addition("60TiB")  # a new pool of another layout takes fewer
