"""The fewest vdevs like its own that a pool needs to hold given data."""

from __future__ import annotations

from zconsole.analysis.capacity.smallest_layout_for_data import MOST_DRIVES, LayoutDemand
from zconsole.analysis.pool_growth.live_pool import LivePool
from zconsole.analysis.pool_layouts.layout import DATA, Layout, PlannedVdev
from zconsole.analysis.pool_layouts.layout_advice import SERIOUS, advice
from zconsole.analysis.pool_layouts.usable_space import vdev_space
from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PoolAddition:
    """Vdevs to add, and the usable space of the pool with them."""

    layout: Layout
    usable_bytes: int


def smallest_addition(now: LivePool, demand: LayoutDemand) -> PoolAddition | None:
    """The fewest vdevs of the shape of a pool's own, of the given drives, with which it holds the data.

    None where it holds it already, where its data vdevs are of several shapes, where what would be added is
    advised against, and where no pool that is built has so many drives.
    """
    data = [each for each in now.vdevs if each.vdev.vdev_class == DATA]
    shapes = {each.shape for each in data}
    if len(shapes) != 1 or now.usable_bytes >= demand.wanted_bytes:
        return None
    shape = shapes.pop()
    vdev = PlannedVdev(shape, (demand.drive,) * shape.width, DATA, max(each.ashift for each in data))
    if any(each.id in SERIOUS for each in advice(Layout((vdev,)), demand.block_bytes)):
        return None
    space = vdev_space(vdev)
    for times in range(1, MOST_DRIVES // shape.width + 1):
        _, usable = now.usable_with([*now.spaces, *[(DATA, space)] * times])
        if usable >= demand.wanted_bytes:
            return PoolAddition(Layout((vdev,) * times), usable)
    return None
