"""How fast is a layout, next to one of its disks? Rules of the field, for comparing and not for promising.

Random I/O: a raidz works on every block with all of its disks and so has the operations of one; a mirror
reads with each of its disks and writes with all at once. Streams: what parity leaves. A vdev waits for its
slowest disk, so that disks within it are taken as alike. Log, cache and special vdevs are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from zconsole.analysis.pool_layouts.layout import DATA, DRAID, MIRROR, Layout, VdevShape


@dataclass(frozen=True, slots=True)
class LayoutSpeed:
    """How many times as fast as one disk."""

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
    """Return the speed of all data vdevs together."""
    total = LayoutSpeed(0, 0, 0, 0)
    for vdev in layout.of_class(DATA):
        total += speed_of(vdev.shape)
    return total


def speed_of(shape: VdevShape) -> LayoutSpeed:
    """Return the speed of one vdev."""
    if shape.kind == MIRROR:
        return LayoutSpeed(shape.width, 1, shape.width, 1)
    if shape.kind == DRAID:  # the capacity of its distributed spares is kept free, not their speed
        groups = shape.width / shape.group_width
        streams = groups * shape.data
        return LayoutSpeed(groups, groups, streams, streams)
    return LayoutSpeed(1, 1, shape.data_disks, shape.data_disks)
