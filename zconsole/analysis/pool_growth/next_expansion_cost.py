"""Cost of the next growth step: one more equal vdev, or one more disk in a raidz."""

from __future__ import annotations

from collections.abc import Iterator

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
from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class GrowthStep:
    """One way to grow: `how` in words, the drives needed, and the usable bytes gained."""

    how: str
    drives: int
    drive_bytes: int
    gained_bytes: int


def next_steps(layout: Layout) -> tuple[GrowthStep, ...]:
    """The smallest steps of growth, fewest drives first."""
    return tuple(sorted(_steps(layout), key=lambda step: step.drives))


def widened(vdev: PlannedVdev) -> VdevSpace:
    """Space of a raidz expanded by one disk: metaslabs and deflate ratio stay.

    Old blocks keep their parity ratio until they are rewritten (`zfs rewrite`), and `zfs list` uses the old
    deflate ratio forever. Raises UsageError for a raidz of maximum width.
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
