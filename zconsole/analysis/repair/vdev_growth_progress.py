"""Growth of a vdev by larger disks, one by one: which are larger, whose turn it is, what is gained."""

from __future__ import annotations

from typing import Final

from zconsole.analysis.pool_growth.live_pool import today
from zconsole.analysis.pool_growth.what_if import WhatIf, replace_all
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import OFFLINE
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Vdev

LARGER: Final = 1.01  # times the share of a device; disks of one size differ by less


@dataclass(frozen=True, slots=True)
class VdevGrowth:
    """Devices of a vdev on the way to larger ones. `left` are in the order of their turn."""

    top: Vdev
    share_bytes: int | None  # size of the smallest device, which decides
    larger: tuple[DevicePlace, ...]
    left: tuple[DevicePlace, ...]

    @property
    def width(self) -> int:
        """Number of its devices."""
        return len(self.larger) + len(self.left)

    @property
    def is_begun(self) -> bool:
        """Whether a device is larger than the vdev can use, or is being replaced."""
        return bool(self.larger) or any(each.newcomers for each in self.left)


def vdev_growth(facts: PoolFacts, top: Vdev) -> VdevGrowth:
    """Compare the sizes of a vdev's devices. Once all are larger, ZFS reports room to expand."""
    mine = [each for each in places(facts.pool) if each.top is top and each.member.type != "dspare"]
    sizes = {id(each): size_of(facts, each.member) for each in mine}
    known = [found for found in sizes.values() if found]
    share = min(known) if known else None
    if top.expandable_bytes and not any(each.newcomers for each in mine):
        return VdevGrowth(top, share, tuple(mine), ())
    larger = tuple(each for each in mine if share and (sizes[id(each)] or 0) >= share * LARGER)
    left = [each for each in mine if each not in larger]
    return VdevGrowth(top, share, larger, tuple(sorted(left, key=lambda each: _turn(each, sizes[id(each)]))))


def expected(facts: PoolFacts, top: Vdev, device_bytes: int) -> WhatIf | None:
    """What the pool gains when every device of the vdev has that size; None where too little is known."""
    try:
        return replace_all(today(facts.pool), top.name, Drive(device_bytes, device_bytes), Assumptions())
    except UsageError:
        return None


def _turn(place: DevicePlace, size_bytes: int | None) -> tuple[bool, bool, int]:
    """One that is being replaced first, then one that was taken offline for it, then the smallest."""
    return not place.newcomers, place.member.state != OFFLINE, size_bytes or 0


def size_of(facts: PoolFacts, leaf: Vdev) -> int | None:
    """Bytes of a device that ZFS can use; None where unknown."""
    if leaf.physical_bytes:
        return leaf.physical_bytes
    name = facts.inventory.kernel_name(leaf.path) if facts.inventory is not None and leaf.path else None
    device = facts.inventory.device(name) if facts.inventory is not None and name is not None else None
    return device.size_bytes if device is not None else None
