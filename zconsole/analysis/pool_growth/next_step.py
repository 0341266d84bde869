"""What does the next step of growing cost? Another vdev like those there are, or a disk more in a raidz."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zconsole.analysis.pool_layouts.layout import DATA, RAIDZ, Layout, PlannedVdev, VdevShape
from zconsole.analysis.pool_layouts.usable_space import (
    VdevSpace,
    asize_bytes,
    layout_space,
    pool_space,
    space_of,
    vdev_space,
)
from zconsole.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class GrowthStep:
    """One way to grow: `how` in words, the drives that it takes, and the usable bytes that it brings."""

    how: str
    drives: int
    drive_bytes: int
    gained_bytes: int


def next_steps(layout: Layout) -> tuple[GrowthStep, ...]:
    """Return the ways to grow by the least, that of the fewest drives first."""
    return tuple(sorted(_steps(layout), key=lambda step: step.drives))


def widened(vdev: PlannedVdev) -> VdevSpace:
    """Return the space of a raidz with one disk more: its metaslabs and its deflate ratio stay.

    Old blocks keep their parity until they are written anew (`zfs rewrite`), and `zfs list` reckons with the
    old ratio for ever. Raises UsageError for a raidz that has all the disks it can have.
    """
    before = vdev_space(vdev)
    shape = VdevShape(RAIDZ, vdev.shape.width + 1, vdev.shape.parity)
    return space_of(
        shape,
        vdev.ashift,
        asize_bytes(shape, min(drive.device_bytes for drive in vdev.drives)),
        metaslab_shift=before.metaslab_shift,
        deflate_ratio=before.deflate_ratio,
    )


def _steps(layout: Layout) -> Iterator[GrowthStep]:
    usable = layout_space(layout).usable_bytes
    for vdev in dict.fromkeys(layout.of_class(DATA)):
        name = "disk" if vdev.shape.kind == "stripe" else vdev.shape.name
        drive = min(drive.size_bytes for drive in vdev.drives)
        more = layout_space(Layout((*layout.vdevs, vdev), layout.release)).usable_bytes
        yield GrowthStep(f"add another {name}", vdev.shape.width, drive, more - usable)
        if vdev.shape.kind == RAIDZ:
            try:
                wider = widened(vdev)
            except UsageError:
                continue
            spaces = [(each.vdev_class, vdev_space(each)) for each in layout.keepers]
            spaces[spaces.index((vdev.vdev_class, vdev_space(vdev)))] = (vdev.vdev_class, wider)
            gained = pool_space(spaces).usable_bytes - usable
            yield GrowthStep(f"attach a disk to one {name} (OpenZFS 2.3)", 1, drive, gained)
