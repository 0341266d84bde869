"""How does a live pool become one of another layout? Step by step, how long, and where redundancy is thin.

ZFS turns no layout into another: the data is sent to a pool that is made anew, beside the old one, or on
disks that are taken out of its mirrors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.analysis.pool_growth.live_pool import Today
from zconsole.analysis.pool_layouts.layout import DATA, MIRROR, Layout, VdevShape
from zconsole.analysis.pool_layouts.loss_risk import Assumptions
from zconsole.analysis.pool_layouts.performance import speed_of
from zconsole.analysis.pool_layouts.survival import survival
from zconsole.analysis.pool_layouts.usable_space import layout_space
from zconsole.base.errors import UsageError
from zconsole.base.quantities import both

FULL: Final = 0.8  # that a pool should not begin above


@dataclass(frozen=True, slots=True)
class MigrationStage:
    """One step. `survives` is how many failures the data survives meanwhile, whichever disks they are.

    `duration_s` is None for what takes minutes, or as long as its owner likes.
    """

    what: str
    survives: int
    duration_s: float | None = None
    is_offline: bool = False  # the data is not to be written meanwhile


@dataclass(frozen=True, slots=True)
class Migration:
    """The way from a live pool to another layout."""

    stages: tuple[MigrationStage, ...]
    drives: int  # that must be had in addition
    usable_before: int
    usable_after: int
    size_after: int
    notes: tuple[str, ...] = ()

    @property
    def duration_s(self) -> float:
        """What is known of the time that it takes."""
        return sum(stage.duration_s or 0 for stage in self.stages)

    @property
    def thinnest(self) -> int:
        """How many failures are survived in the weakest stage."""
        return min(stage.survives for stage in self.stages)


def beside(now: Today, layout: Layout, assumed: Assumptions) -> Migration:
    """Return the way with all drives of the new pool in place beside the old one.

    The old pool stays whole until the new one has been checked, so that redundancy is thin nowhere.
    Raises UsageError for a layout that has no room for the data.
    """
    used, usable = _room(now, layout)
    before, after = _survives(now), survival(layout).any_failures
    copy_s = _copy_s(now, _data_shapes(layout), used, assumed)
    stages = (
        MigrationStage(f"make the new pool: {layout.name}", before),
        *_copying(used, copy_s, before),
        MigrationStage("scrub the new pool", max(before, after), copy_s),
        MigrationStage("keep the old pool for a while, then destroy it; its drives are free", after),
    )
    size = layout_space(layout).size_bytes
    return Migration(stages, layout.drives, now.usable_bytes, usable, size, _notes(used, usable))


def on_halves(now: Today, layout: Layout, assumed: Assumptions) -> Migration:
    """Return the way on disks that are detached from the mirrors of the old pool, with no drive more.

    Raises UsageError where the pool is not of mirrors, or has too few disks to spare.
    """
    bare = [each.name for each in now.vdevs if each.shape.kind != MIRROR]
    if bare:
        raise UsageError(f"{bare[0]} is no mirror: no disk of it can be spared for a new pool")
    spared = sum(each.shape.width - 1 for each in now.vdevs)
    if layout.drives > spared:
        raise UsageError(
            f"{layout.name} takes {layout.drives} drives, and mirrors of {now.pool.name} can spare {spared}"
        )
    used, usable = _room(now, layout)
    after = survival(layout).any_failures
    lone = [VdevShape("stripe", 1) for each in now.vdevs if each.vdev.vdev_class == DATA]
    copy_s = _copy_s(now, _data_shapes(layout), used, assumed, reads=lone)
    stages = (
        MigrationStage(f"detach all but one disk of each mirror of {now.pool.name}: {spared} disks", 0),
        MigrationStage(f"make the new pool on them: {layout.name}", 0),
        *_copying(used, copy_s, 0),
        MigrationStage("scrub the new pool", after, copy_s),
        MigrationStage("destroy the old pool, and give its disks to the new one", after),
    )
    notes = (
        *_notes(used, usable),
        "until the last copy is done, any failure of the old pool loses it: have a backup",
    )
    return Migration(stages, 0, now.usable_bytes, usable, layout_space(layout).size_bytes, notes)


def _room(now: Today, layout: Layout) -> tuple[int, int]:
    used, usable = now.pool.usable_used_bytes or 0, layout_space(layout).usable_bytes
    if used > usable:
        raise UsageError(f"{layout.name} holds {both(usable)}, and {now.pool.name} has {both(used)} of data")
    return used, usable


def _copying(used: int, copy_s: float, survives: int) -> tuple[MigrationStage, ...]:
    return (
        MigrationStage(f"snapshot, and send all of it: {both(used)}", survives, copy_s),
        MigrationStage("send what has changed meanwhile, again and again until that is little", survives),
        MigrationStage("stop what writes, send the last of it, switch over", survives, is_offline=True),
    )


def _notes(used: int, usable: int) -> tuple[str, ...]:
    if used <= FULL * usable:
        return ()
    return (f"the new pool begins {used / usable:.0%} full: too full from the start",)


def _copy_s(
    now: Today,
    writes: Sequence[VdevShape],
    used: int,
    assumed: Assumptions,
    *,
    reads: Sequence[VdevShape] | None = None,
) -> float:
    """The slower of reading the old pool and writing the new one, as streams."""
    old = reads if reads is not None else [each.shape for each in now.vdevs if each.vdev.vdev_class == DATA]
    read = sum(speed_of(shape).stream_reads for shape in old)
    write = sum(speed_of(shape).stream_writes for shape in writes)
    return used / (min(read, write) * assumed.rate_bytes_per_s)


def _data_shapes(layout: Layout) -> list[VdevShape]:
    return [vdev.shape for vdev in layout.of_class(DATA)]


def _survives(now: Today) -> int:
    return min(each.shape.tolerates for each in now.vdevs)
