"""Disks whose SMART data a repair needs: those of the pools in question, then what could replace them."""

from __future__ import annotations

from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import HEALTHY_STATES, Pool


@dataclass(frozen=True, slots=True)
class DisksToAsk:
    """Disks that a repair is about, in the order in which they are asked, and all the others."""

    first: tuple[Disk, ...]
    others: tuple[Disk, ...]


def disks_to_ask(state: HostState, *, is_one_pool: bool) -> DisksToAsk:
    """The order of a host's disks; `is_one_pool`: the state has the pool alone that the user asks about."""
    ailing = {
        of.pool.value.name
        for of in state.pools
        if of.pool.value is not None and (is_one_pool or _is_ailing(of.pool.value))
    }
    of_pools, candidates, others = [], [], []
    for each in host_disks(state):
        if each.disk is None:
            continue
        if each.pool is not None and each.pool.name in ailing:
            of_pools.append(each.disk)
        elif ailing and each.pool is None and _may_join(each.disk, ailing):
            candidates.append(each.disk)
        else:
            others.append(each.disk)
    return DisksToAsk((*of_pools, *candidates), tuple(others))


def _is_ailing(pool: Pool) -> bool:
    leaves = (leaf for top in pool.vdevs for leaf in top.leaves())
    return pool.state != "ONLINE" or any(
        leaf.state not in HEALTHY_STATES or leaf.state == "INUSE" or leaf.has_errors or leaf.is_resilvering
        for leaf in leaves
    )


def _may_join(disk: Disk, pools: set[str]) -> bool:
    """Whether nothing is on a disk but labels of these pools."""
    return all(
        not each.mountpoints and (not each.fstype or (each.fstype == "zfs_member" and each.label in pools))
        for each in disk.walk()
    )
