"""Resilver time and yearly probability of losing the pool, by a stated model.

Disks fail independently at a constant rate, and are as good as new once resilvered. A vdev is a Markov chain
of the number of failed disks: from i to i+1 at (n - i) times the rate of a disk, and back at i repairs per
replacement time. The mean time to loss is solved exactly; vdevs are independent. Not modelled: correlated
failures (batch, shock, heat), unreadable sectors, human errors. Hence the numbers suit comparisons and are
too optimistic as predictions.
"""

from __future__ import annotations

from math import expm1, log1p
from typing import Final

from zconsole.analysis.pool_layouts.layout import DRAID, MIRROR, SPARE, STRIPE, Layout, PlannedVdev
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass

YEAR_S: Final = 365.25 * 86400
HOUR_S: Final = 3600
RAIDZ_SPEED: Final = 0.5  # of a disk's rate: a raidz resilvers by blocks, reading all of its disks for each
MOST_YEARLY_FAILURES: Final = 0.5  # the worst models known lost a third of their disks in a year


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Assumptions of the model. Rates are of nominal disks under daily load."""

    yearly_failures: float = 0.015  # fraction of disks that fail per year (AFR)
    used: float = 0.8  # used fraction of the pool
    rate_bytes_per_s: float = 150e6  # rate of a disk while resilvering
    wait_s: float = 24 * HOUR_S  # until a disk is replaced by hand, without a spare

    def __post_init__(self) -> None:
        if not 0 < self.yearly_failures <= MOST_YEARLY_FAILURES:
            raise UsageError(f"the yearly failure rate is above 0 % and at most {MOST_YEARLY_FAILURES:.0%}")
        if not 0 < self.used <= 1:
            raise UsageError("a pool is used from 1 % to 100 %")
        if not 10**5 <= self.rate_bytes_per_s <= 10**12:
            raise UsageError("a resilver runs at 0.1 MB to 1 TB a second")
        if not 0 <= self.wait_s <= YEAR_S:
            raise UsageError("somebody comes with a disk within 0 hours to a year")


def resilver_s(vdev: PlannedVdev, assumed: Assumptions) -> float | None:
    """Time to restore a failed disk's data; None without redundancy.

    A mirror copies one disk. A draid with distributed spares uses all disks: per byte of the failed disk, one
    read from each data disk of a group and one write.
    """
    shape = vdev.shape
    if not shape.tolerates:
        return None
    lost = assumed.used * min(drive.size_bytes for drive in vdev.drives)
    alone = lost / assumed.rate_bytes_per_s
    if shape.kind == MIRROR:
        return alone
    if shape.kind == DRAID:
        return alone * (shape.data + 1) / (shape.width - 1) if shape.spares else alone
    return alone / RAIDZ_SPEED


def slowest_resilver_s(layout: Layout, assumed: Assumptions) -> float | None:
    """The longest resilver of a relevant vdev; None if one has no redundancy."""
    times = [resilver_s(vdev, assumed) for vdev in layout.keepers]
    known = [time for time in times if time is not None]
    return max(known) if len(known) == len(times) else None


def yearly_loss(layout: Layout, assumed: Assumptions) -> float:
    """Probability, 0 to 1, of losing the pool within a year."""
    has_spare = bool(layout.of_class(SPARE))
    rate = sum(1 / mean_time_to_loss_s(vdev, assumed, has_spare=has_spare) for vdev in layout.keepers)
    return -expm1(-YEAR_S * rate)


def mean_time_to_loss_s(vdev: PlannedVdev, assumed: Assumptions, *, has_spare: bool = False) -> float:
    """Mean time until a vdev is lost, from the chain of failures and repairs."""
    per_disk = -log1p(-assumed.yearly_failures) / YEAR_S
    resilver = resilver_s(vdev, assumed) or 0.0
    wait = 0.0 if has_spare or vdev.shape.spares or vdev.shape.kind == STRIPE else assumed.wait_s
    repair_s = max(resilver + wait, 1.0)
    total = onward = 0.0
    for failed in range(vdev.shape.tolerates + 1):
        fails = (vdev.shape.width - failed) * per_disk
        onward = (
            1 + failed / repair_s * onward
        ) / fails  # mean time from `failed` to one more failure failure
        total += onward
    return total
