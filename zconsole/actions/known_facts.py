"""Facts known to a screen: enough to decide which actions an object has, and what a repair needs.

Nothing is read for this. A plan is made from facts that are read for it.
"""

from __future__ import annotations

from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import HostPolicy, PlanFacts
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Inventory

UNREAD = ZfsVersion("unknown")


def known_facts(state: HostState, now: float, policy: HostPolicy, near: str = "") -> PlanFacts:
    """A host's state as facts; `now` in epoch seconds. Datasets are those of listed pools.

    Of very many snapshots only those of the dataset of `near` are included.
    """
    listed = [
        pool for pool in state.pools if pool.datasets.value is not None or pool.listing.value is not None
    ]
    return PlanFacts(
        identity=MachineIdentity(state.host, state.hostname),
        version=state.version.value or UNREAD,
        taken_at=now,
        pools=tuple(pool.pool.value for pool in state.pools if pool.pool.value is not None),
        inventory=_named_disks(state),
        datasets=tuple(dataset for pool in listed for dataset in _datasets(pool, near)),
        listed=frozenset(pool.name for pool in listed),
        holds=tuple(hold for pool in listed for hold in pool.holds.value or ()),
        policy=policy,
        guests=_changeable(state),
    )


def _changeable(state: HostState) -> tuple[Guest, ...] | None:
    """The guests that plans can change: those of libvirt."""
    known = state.guests.value
    return None if known is None else tuple(each for each in known if each.is_of_libvirt)


def _named_disks(state: HostState) -> Inventory | None:
    """The host's disks; None without their names, since which of them serve a pool is then in doubt."""
    found = state.inventory.value
    return None if found is None or found.links_problem else found


def _datasets(pool: PoolState, near: str) -> tuple[Dataset, ...]:
    if pool.datasets.value is not None:
        return pool.datasets.value
    return () if pool.listing.value is None else pool.listing.value.around(near)
