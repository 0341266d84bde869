"""Speed of a layout relative to one of its disks, by rules of thumb for comparison.

Random I/O: a raidz uses all its disks for every block and so has the operations of one; a mirror reads from
each of its disks and writes to all at once. Sequential I/O: data disks count, parity does not. A vdev is as
fast as its slowest disk, so its disks are assumed equal. Log, cache and special vdevs are ignored.
"""

from __future__ import annotations

from zconsole.analysis.pool_layouts.layout import DATA, DRAID, MIRROR, Layout, VdevShape
from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LayoutSpeed:
    """Speed as multiples of one disk."""

    random_reads: float
    random_writes: float
    stream_reads: float
    stream_writes: float

    def __add__(self, other: LayoutSpeed) -> LayoutSpeed:
        return LayoutSpeed(
            self.random_reads + other.random_reads,
            self.random_writes + other.random_writes,
            self.stream_reads + other.stream_reads,
            self.stream_writes + other.stream_writes,
        )


def speed(layout: Layout) -> LayoutSpeed:
    """Speed of all data vdevs together."""
    total = LayoutSpeed(0, 0, 0, 0)
    for vdev in layout.of_class(DATA):
        total += speed_of(vdev.shape)
    return total


def speed_of(shape: VdevShape) -> LayoutSpeed:
    """Speed of one vdev."""
    if shape.kind == MIRROR:
        return LayoutSpeed(shape.width, 1, shape.width, 1)
    if shape.kind == DRAID:  # distributed spares reserve capacity, not speed
        groups = shape.width / shape.group_width
        streams = groups * shape.data
        return LayoutSpeed(groups, groups, streams, streams)
    return LayoutSpeed(1, 1, shape.data_disks, shape.data_disks)
