"""Leaves of pools by the disk that they are on: a quick choice of those that can be on a device."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Pool, Vdev

_Leaf = tuple[int, Pool, Vdev]  # number in the order of the pools


@dataclass(frozen=True, slots=True)
class _Index:
    """Leaves by each key that leads to their disk; `pools` and `inventory` are those it was made of."""

    pools: tuple[Pool, ...]
    inventory: Inventory
    leaves: dict[tuple[str, ...], list[_Leaf]]


_last: list[_Index] = []  # the newest: many disks are asked for with the same facts


def leaves_near(device: JoiningDevice, facts: PlanFacts) -> Iterator[tuple[Pool, Vdev]]:
    """Leaves whose path leads to the disk of a device by any way, in the order of the pools."""
    if facts.inventory is None or device.disk is None:
        return
    index = _index(facts.pools, facts.inventory)
    whole = facts.inventory.disk_of(device.disk.name)
    keys: set[tuple[str, ...]] = {("name", part.name) for part in device.disk.walk()}
    keys.add(disk_identity(device.whole or device.disk))
    if whole is not None:
        keys.add(("whole", whole.name))
    found = {number: (pool, leaf) for key in keys for number, pool, leaf in index.leaves.get(key, ())}
    for number in sorted(found):
        yield found[number]


def _index(pools: tuple[Pool, ...], inventory: Inventory) -> _Index:
    known = _last[0] if _last else None
    if known is None or known.pools is not pools or known.inventory is not inventory:
        known = _Index(pools, inventory, _leaves(pools, inventory))
        _last[:] = [known]
    return known


def _leaves(pools: tuple[Pool, ...], inventory: Inventory) -> dict[tuple[str, ...], list[_Leaf]]:
    found: defaultdict[tuple[str, ...], list[_Leaf]] = defaultdict(list)
    leaves = ((pool, leaf) for pool in pools for leaf in pool.walk() if leaf.is_leaf)
    for number, (pool, leaf) in enumerate(leaves):
        name = inventory.kernel_name(leaf.path) if leaf.path is not None else None
        whole = inventory.disk_of(name) if name is not None else None
        if name is None or whole is None:
            continue
        for key in {("name", name), ("whole", whole.name), disk_identity(whole)}:
            found[key].append((number, pool, leaf))
    return found
