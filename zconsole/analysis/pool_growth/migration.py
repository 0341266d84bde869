"""Migration of a live pool to another layout: steps, duration, and redundancy meanwhile.

ZFS cannot convert a layout: the data is sent to a new pool, on additional drives or on disks detached from
the old pool's mirrors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from zconsole.analysis.pool_growth.live_pool import LivePool, not_whole
from zconsole.analysis.pool_layouts.layout import DATA, MIRROR, SPARE, SPECIAL, Layout, VdevShape
from zconsole.analysis.pool_layouts.performance import speed_of
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.pool_layouts.survivable_failures import survival
from zconsole.analysis.pool_layouts.usable_space import DEFLATED_BLOCK, layout_space
from zconsole.analysis.pool_layouts.usable_space_by_block_size import data_shares, relative
from zconsole.analysis.vdevs.redundancy import survivable
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import block_size, both
from zconsole.model.pools.space_samples import DatasetUse

FULL: Final = 0.8  # a new pool should start below it


@dataclass(frozen=True, slots=True)
class MigrationStage:
    """One step. `survives` is the number of arbitrary failures that the data survives meanwhile.

    `duration_s` is None for minutes, or for a duration that the user decides.
    """

    what: str
    survives: int
    duration_s: float | None = None
    is_offline: bool = False  # the data must not be written meanwhile


@dataclass(frozen=True, slots=True)
class Migration:
    """Plan of a migration to another layout."""

    stages: tuple[MigrationStage, ...]
    drives: int  # additional drives needed
    usable_before: int
    usable_after: int
    size_after: int
    used_after: int  # of the data in the new pool, with the parity and padding of its blocks there
    notes: tuple[str, ...] = ()

    @property
    def duration_s(self) -> float:
        """The known part of the duration."""
        return sum(stage.duration_s or 0 for stage in self.stages)


@dataclass(frozen=True, slots=True)
class MovedData:
    """Space that a pool's data takes in another one; `basis` is a note on the block sizes."""

    used_bytes: int
    basis: str


def moved_data(
    now: LivePool, layout: Layout, uses: Iterable[DatasetUse] = (), *, block_bytes: int = DEFLATED_BLOCK
) -> MovedData:
    """Space of the data in the new layout: parity and padding are per block, as its dataset has them.

    What no dataset of `uses` accounts for is taken in blocks of `block_bytes`. Compression makes blocks
    smaller than these.
    """
    old, new = now.data_shares, data_shares(layout)
    used, total, sizes = now.pool.usable_used_bytes or 0, Fraction(0), {block_bytes}
    rest = used
    for use in uses if block_bytes == DEFLATED_BLOCK else ():
        if use.block_bytes:
            own = min(rest, use.live_bytes + (use.snapshots_bytes or 0))
            rest -= own
            total += own * relative(old, use.block_bytes) / relative(new, use.block_bytes)
            sizes.add(use.block_bytes)
    total += rest * relative(old, block_bytes) / relative(new, block_bytes)
    of = " to ".join(dict.fromkeys((block_size(min(sizes)), block_size(max(sizes)))))
    taken = int(total)
    return MovedData(
        taken,
        f"the data takes {both(taken)} there, and {both(used)} here, in blocks of {of} before compression",
    )


def beside(now: LivePool, layout: Layout, assumed: Assumptions, data: MovedData | None = None) -> Migration:
    """Migration with all drives of the new pool connected besides the old one.

    The old pool stays intact until the new one has been verified, so redundancy is never reduced. Raises
    UsageError for a layout that is too small for the data.
    """
    data = data or moved_data(now, layout)
    used, usable = _room(now, layout, data)
    before, after = _survives(now), survival(layout).any_failures
    copy_s = _copy_s(now, _data_shapes(layout), used, assumed)
    stages = (
        _made(f"make the new pool: {layout.name}", before),
        *_copying(used, copy_s, (before, before + after + 1), name=now.pool.name),
        MigrationStage(
            "keep the old pool for a while, then import it under another name without mounting (-N) and "
            "destroy it; clear the labels of its drives (labelclear) before they serve elsewhere",
            after,
        ),
    )
    size = layout_space(layout).size_bytes
    return Migration(stages, layout.drives, now.usable_bytes, usable, size, used, _notes(data, usable))


def on_halves(
    now: LivePool, layout: Layout, assumed: Assumptions, data: MovedData | None = None
) -> Migration:
    """Migration on disks detached from the old pool's mirrors, without additional drives.

    Disks serve in the class that they come from: a special mirror's SSD is no disk for data. Raises
    UsageError when the pool has other data vdevs than mirrors, or too few disks.
    """
    detached = _spared(now, layout)
    data = data or moved_data(now, layout)
    used, usable = _room(now, layout, data)
    after = survival(layout).any_failures
    lone = [VdevShape("stripe", 1) for each in now.vdevs if each.vdev.vdev_class == DATA]
    copy_s = _copy_s(now, _data_shapes(layout), used, assumed, reads=lone)
    stages = (
        MigrationStage(f"detach all but one disk of each of these mirrors of {now.pool.name}: {detached}", 0),
        MigrationStage("clear the labels of these disks (labelclear)", 0),
        _made(f"make the new pool on them: {layout.name}", 0),
        *_copying(used, copy_s, (0, after + 1), name=now.pool.name),
        MigrationStage("import the old pool under another name without mounting (-N), and destroy it", after),
        MigrationStage("clear the labels of its disks (labelclear), and give them to the new pool", after),
    )
    has_special = any(each.vdev.vdev_class == SPECIAL for each in now.vdevs)
    gone = "the new pool has no special vdev: metadata and small blocks are on its data disks then"
    notes = (
        *not_whole(now),
        *_notes(data, usable),
        *((gone,) if has_special and not layout.of_class(SPECIAL) else ()),
        "until the last copy is done, any failure of the old pool loses it: have a backup",
    )
    return Migration(stages, 0, now.usable_bytes, usable, layout_space(layout).size_bytes, used, notes)


def _spared(now: LivePool, layout: Layout) -> str:
    """The disks that mirrors can spare for each class that the layout has."""
    told = []
    for kind in dict.fromkeys(DATA if vdev.vdev_class == SPARE else vdev.vdev_class for vdev in layout.vdevs):
        own = [each for each in now.vdevs if each.vdev.vdev_class == kind]
        bare = [each.name for each in own if each.shape.kind != MIRROR]
        if bare:
            raise UsageError(f"{bare[0]} is not a mirror: no disk of it can be spared for a new pool")
        spared = sum(each.shape.width - 1 for each in own)
        wanted = {kind, SPARE} if kind == DATA else {kind}
        needed = sum(vdev.shape.width for vdev in layout.vdevs if vdev.vdev_class in wanted)
        if needed > spared:
            raise UsageError(
                f"{layout.name} takes {needed} {kind} drives, and {kind} mirrors of {now.pool.name} can "
                f"spare {spared}"
            )
        told.append(
            f"{spared} {kind} disk{'s' if spared != 1 else ''} from {', '.join(each.name for each in own)}"
        )
    return "; ".join(told)


def _made(what: str, survives: int) -> MigrationStage:
    return MigrationStage(
        f"{what}, under another name and with an altroot (-R), so that nothing is mounted over the old "
        "pool's mount points",
        survives,
    )


def _room(now: LivePool, layout: Layout, data: MovedData) -> tuple[int, int]:
    used, usable = data.used_bytes, layout_space(layout).usable_bytes
    if used > usable:
        raise UsageError(f"{layout.name} holds {both(usable)}, and {now.pool.name} needs {both(used)} there")
    return used, usable


def _copying(used: int, copy_s: float, failures: tuple[int, int], *, name: str) -> tuple[MigrationStage, ...]:
    """Mount points and paths stay the same only if the new pool has the old one's name.

    `failures` is what the data survives while the old pool alone has all of it, and once both have.
    """
    survives, both_survive = failures
    return (
        MigrationStage(
            f"snapshot, and send all of it (send -R -L -e -c, with -w if anything is encrypted; "
            f"receive -d -u: not mounted): {both(used)}",
            survives,
            copy_s,
        ),
        MigrationStage("send what has changed meanwhile, again and again until that is little", survives),
        MigrationStage("scrub the new pool", survives, copy_s),
        MigrationStage(
            "compare mount points, shares and other properties of both pools: those of the pool are not "
            "sent, "
            f"and those of the root dataset of {name} only where it was received over that of the new one "
            "(-F)",
            survives,
        ),
        MigrationStage("stop what writes, and send the last of it", survives, is_offline=True),
        MigrationStage(
            f"export both pools, and import the new one as {name} (zpool import NEW {name}), without the "
            "altroot: paths of guests and shares are as before",
            both_survive,
            is_offline=True,
        ),
    )


def _notes(data: MovedData, usable: int) -> tuple[str, ...]:
    full = data.used_bytes / usable if usable else 1.0
    return (
        data.basis,
        *((f"the new pool begins {full:.0%} full: too full from the start",) if full > FULL else ()),
    )


def _copy_s(
    now: LivePool,
    writes: Sequence[VdevShape],
    used: int,
    assumed: Assumptions,
    *,
    reads: Sequence[VdevShape] | None = None,
) -> float:
    """The longer of reading the old pool and writing the new one, sequentially."""
    old = reads if reads is not None else [each.shape for each in now.vdevs if each.vdev.vdev_class == DATA]
    read = sum(speed_of(shape).stream_reads for shape in old)
    write = sum(speed_of(shape).stream_writes for shape in writes)
    return used / (min(read, write) * assumed.rate_bytes_per_s)


def _data_shapes(layout: Layout) -> list[VdevShape]:
    return [vdev.shape for vdev in layout.of_class(DATA)]


def _survives(now: LivePool) -> int:
    """Failures that the old pool survives as it is now, which may be fewer than by its layout."""
    by_layout = min(each.shape.tolerates for each in now.vdevs)
    left = survivable(now.pool)
    return by_layout if left is None else min(by_layout, left)
