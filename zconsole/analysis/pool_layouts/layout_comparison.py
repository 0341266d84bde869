"""Comparison of layouts for given drives and bays: capacity, survival, speed, cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.pool_growth.next_expansion_cost import GrowthStep, next_steps
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import (
    DATA,
    DEFAULT_ASHIFT,
    MIRROR,
    RAIDZ,
    SPARE,
    STRIPE,
    Layout,
    PlannedVdev,
    VdevShape,
    draid,
)
from zconsole.analysis.pool_layouts.layout_advice import SERIOUS, LayoutAdvice, advice
from zconsole.analysis.pool_layouts.performance import LayoutSpeed, speed
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import (
    Assumptions,
    slowest_resilver_s,
    yearly_loss,
)
from zconsole.analysis.pool_layouts.survivable_failures import Survival, survival
from zconsole.analysis.pool_layouts.usable_space import layout_space
from zconsole.analysis.pool_layouts.usable_space_by_block_size import usable_at
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import TIB

MOST_BAYS: Final = 1000
FEWEST_FOR_DRAID: Final = 12
_RAIDZ_WIDTHS: Final = (
    (1, range(3, 6), 5),
    (2, range(6, 11), 8),
    (3, range(9, 13), 11),
)  # the last is preferred
DRAID_DATA: Final = 8
_BAYS_PER_SPARE: Final = 24


@dataclass(frozen=True, slots=True)
class Costs:
    """Prices, if given, in any currency; power in watts per drive."""

    drive_price: float | None = None
    drive_watts: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One layout of a comparison. `resilver_s` is None if a vdev has no redundancy."""

    layout: Layout
    usable_bytes: int
    usable_at_block_bytes: int
    efficiency: float  # usable fraction of all drives, spares included
    survival: Survival
    yearly_loss: float
    resilver_s: float | None
    speed: LayoutSpeed
    steps: tuple[GrowthStep, ...]
    advice: tuple[LayoutAdvice, ...]
    price: float | None = None
    watts: float | None = None

    @property
    def is_sound(self) -> bool:
        """Whether nothing serious speaks against it."""
        return not any(each.id in SERIOUS for each in self.advice)

    @property
    def held_bytes(self) -> int:
        """What it holds for certain: as `zfs list` counts, and in blocks of the size that was asked for."""
        return min(self.usable_bytes, self.usable_at_block_bytes)

    @property
    def price_per_tib(self) -> float | None:
        """Price per usable TiB."""
        return None if self.price is None or not self.usable_bytes else self.price / (self.usable_bytes / TIB)

    @property
    def watts_per_tib(self) -> float | None:
        """Power per usable TiB."""
        return None if self.watts is None or not self.usable_bytes else self.watts / (self.usable_bytes / TIB)


def compare(
    layouts: Sequence[Layout], block_bytes: int, assumed: Assumptions, costs: Costs
) -> tuple[Candidate, ...]:
    """Each layout with its numbers, in the given order."""
    return tuple(_candidate(layout, block_bytes, assumed, costs) for layout in layouts)


def usual_layouts(
    drive: Drive, bays: int, *, spares: int = 0, ashift: int = DEFAULT_ASHIFT
) -> tuple[Layout, ...]:
    """Common layouts for this many drives, of each type the width that leaves the fewest over.

    Left-over drives are hot spares. Raises UsageError for fewer than two disks, or too many.
    """
    if not 2 <= bays - spares <= MOST_BAYS or spares < 0:
        raise UsageError(f"{bays} bays and {spares} spares: 2 to {MOST_BAYS} disks are needed for data")
    return tuple(_filled(shape, drive, bays, spares, ashift) for shape in _shapes(bays - spares))


def _shapes(disks: int) -> Iterator[VdevShape]:
    yield VdevShape(MIRROR, 2)
    if disks >= 6:
        yield VdevShape(MIRROR, 3)
    for parity, widths, preferred in _RAIDZ_WIDTHS:
        fitting = [width for width in widths if width <= disks]
        if fitting:
            best = min(fitting, key=lambda width: (disks % width, abs(width - preferred)))
            yield VdevShape(RAIDZ, best, parity)
        elif disks >= parity + 2:
            yield VdevShape(RAIDZ, disks, parity)
    if disks >= FEWEST_FOR_DRAID:
        spares = draid_spares(disks)
        yield draid(2, min(disks, 255), min(DRAID_DATA, disks - spares - 2), spares)


def draid_spares(disks: int) -> int:
    """Distributed spares of a draid of so many disks."""
    return max(1, disks // _BAYS_PER_SPARE)


def _filled(shape: VdevShape, drive: Drive, bays: int, spares: int, ashift: int) -> Layout:
    count, left = divmod(bays - spares, shape.width)
    vdev = PlannedVdev(shape, (drive,) * shape.width, DATA, ashift)
    spare = PlannedVdev(VdevShape(STRIPE, 1), (drive,), SPARE, ashift)
    return Layout((vdev,) * count + (spare,) * (left + spares))


def _candidate(layout: Layout, block_bytes: int, assumed: Assumptions, costs: Costs) -> Candidate:
    usable = layout_space(layout).usable_bytes
    whole = sum(drive.size_bytes for vdev in layout.vdevs for drive in vdev.drives)
    return Candidate(
        layout,
        usable,
        usable_at(layout, block_bytes),
        usable / whole,
        survival(layout),
        yearly_loss(layout, assumed),
        slowest_resilver_s(layout, assumed),
        speed(layout),
        next_steps(layout),
        advice(layout, block_bytes),
        None if costs.drive_price is None else costs.drive_price * layout.drives,
        None if costs.drive_watts is None else costs.drive_watts * layout.drives,
    )
