"""Places of a pool's devices: the member, and what stands in for it or replaces it.

ZFS groups them: `spare-N` holds a member and its hot spare, `replacing-N` the old and the new disk;
either may be within the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES
from zconsole.analysis.vdevs.topology_after_change import TEMPORARY_TYPES
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Pool, Vdev

REPLACING: Final = "replacing"
SPARE: Final = "spare"


@dataclass(frozen=True, slots=True)
class DevicePlace:
    """One member of a top-level vdev. `holder` is the member itself, or the group that ZFS made around it."""

    pool: Pool
    top: Vdev
    holder: Vdev
    member: Vdev
    newcomers: tuple[Vdev, ...] = ()  # replace it; the last one is the newest
    spares: tuple[Vdev, ...] = ()  # stand in for it

    @property
    def newcomer(self) -> Vdev | None:
        """The disk that replaces it now."""
        return self.newcomers[-1] if self.newcomers else None

    @property
    def spare(self) -> Vdev | None:
        """The hot spare that stands in now."""
        return self.spares[-1] if self.spares else None


def places(pool: Pool) -> Iterator[DevicePlace]:
    """Every member of a pool, in the order of `zpool status`; devices that a removal left are none."""
    for top in pool.vdevs:
        if top.type in WITHOUT_DEVICES:
            continue
        holders = (top,) if top.is_leaf or top.type in TEMPORARY_TYPES else top.children
        for holder in holders:
            member, newcomers, spares = _roles(holder)
            yield DevicePlace(pool, top, holder, member, newcomers, spares)


def _roles(holder: Vdev) -> tuple[Vdev, tuple[Vdev, ...], tuple[Vdev, ...]]:
    """Member, newcomers and spares of a holder."""
    if holder.is_leaf:
        return holder, (), ()
    first, *others = holder.children
    member, newcomers, spares = _roles(first)
    leaves = tuple(leaf for other in others for leaf in other.leaves())
    if holder.type == SPARE:
        return member, newcomers, (*spares, *leaves)
    return member, (*newcomers, *leaves), spares
