"""Live pools of planned vdevs, as ZFS would tell of them."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import disk, group, in_class, pool
from zconsole.analysis.pool_growth.live_pool import LivePool, today
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import Layout
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.pool_layouts.usable_space import layout_space, vdev_space
from zconsole.model.pools.pool import Pool, Vdev

GIB = 2**30
TB = 10**12
LAB_DEVICE = 8579448832  # of the lab's disks of 8 GiB
USUAL = Assumptions()


def exactly(size_bytes: int) -> Drive:
    return Drive(size_bytes, size_bytes)


def live(layout: Layout, used: float = 0.5) -> Pool:
    """A pool of this layout as it is after a while, each vdev used by as much."""
    space = layout_space(layout)
    tops = []
    for number, vdev in enumerate(layout.keepers):
        size = vdev_space(vdev).size_bytes
        leaves = tuple(
            disk(f"d{number}-{at}", physical_bytes=drive.device_bytes) for at, drive in enumerate(vdev.drives)
        )
        shape = vdev.shape
        kind = f"{shape.kind}{shape.parity or ''}"
        name = f"{shape.name}-{number}" if shape.kind == "draid" else f"{kind}-{number}"
        top = leaves[0] if shape.kind == "stripe" else group(name, *leaves, vdev_type=kind)
        tops.append(_sized(in_class(top, vdev.vdev_class), size, round(size * used), vdev.ashift))
    usable = space.usable_bytes
    return pool(
        *tops,
        size_bytes=space.size_bytes,
        ashift=layout.vdevs[0].ashift,
        usable_used_bytes=round(usable * used),
        usable_available_bytes=usable - round(usable * used),
    )


def _sized(top: Vdev, size: int, allocated: int, ashift: int) -> Vdev:
    return replace(
        top, size_bytes=size, allocated_bytes=allocated, free_bytes=size - allocated, configured_ashift=ashift
    )


def now(text: str, size: int = TB, used: float = 0.5) -> LivePool:
    return today(live(parse_layout(text, exactly(size)), used))
