"""Places of the disks of pools: where each was seen now, and last, when it is gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zconsole.analysis.vdevs.device_overwrite_checks import GONE_STATES
from zconsole.analysis.vdevs.enclosure_bays import Bays
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.disk_place import DiskPlace


def seen_places(state: HostState, now: float) -> Iterator[DiskPlace]:
    """The place of each disk that the host sees and a pool uses; `now` in epoch seconds."""
    inventory = state.inventory.value
    if inventory is None or inventory.links_problem:
        return
    bays = Bays(inventory)
    for of in state.pools:
        pool = of.pool.value
        if pool is None or pool.guid is None:
            continue
        for leaf in (each for top in pool.vdevs for each in top.leaves()):
            name = inventory.kernel_name(leaf.path) if leaf.path is not None else None
            disk = inventory.disk_of(name) if name is not None else None
            # A path that names a slot leads to whatever disk is in it.
            if disk is not None and leaf.guid is not None and leaf.state not in GONE_STATES:
                path = leaf.phys_path or disk.hctl
                yield DiskPlace(pool.guid, leaf.guid, disk.serial, disk.model, bays.name(disk), path, now)


def merged_places(before: Iterable[DiskPlace], seen: Iterable[DiskPlace]) -> tuple[DiskPlace, ...]:
    """The newest place of each device."""
    found: dict[tuple[int, int], DiskPlace] = {}
    for each in (*before, *seen):
        known = found.get(each.key)
        if known is None or each.at >= known.at:
            found[each.key] = each
    return tuple(found[key] for key in sorted(found))
