"""What the console has just read of a host: a plan need not read it again before it is shown.

A plan that runs is made again from what is read then, without any of this.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.connected_machine_and_user import User
from zconsole.model.host.host_state import HostState, LinkState, PoolState
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import SUSPENDED, Pool

FRESH_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class KnownHost:
    """Parts of a host's state, each just read, or unchanged since by what ZFS tells in its events.

    None and absent pools have to be read.

    `expected` are the disks of any age: good for asking ahead, and for nothing else. `places`, also of any
    age, tell where a disk was that is gone.
    """

    identity: MachineIdentity
    user: User
    version: ZfsVersion
    names: tuple[str, ...] | None = None
    pools: tuple[Pool, ...] = ()
    inventory: Inventory | None = None
    expected: Inventory | None = None
    places: tuple[DiskPlace, ...] = ()

    def pool(self, name: str) -> Pool | None:
        """The pool with this name, if it was just read."""
        return next((pool for pool in self.pools if pool.name == name), None)


def known_host(
    state: HostState, monotonic: float, connection: int | None, *, unchanged_s: float = math.inf
) -> KnownHost | None:
    """What was read of a host within the last seconds, and its machine and user.

    What is older than `unchanged_s`, seconds since the console itself changed something there, is left out.

    None where these were not read over this connection.
    """
    machine, version = state.machine, state.version.value
    if state.link.state is not LinkState.UP or machine is None or version is None:
        return None
    if machine.connection != connection or machine.identity.label != state.host:
        return None
    within_s = min(FRESH_S, unchanged_s)
    names_age = None if state.pools_at is None else monotonic - state.pools_at
    is_listed = names_age is not None and names_age < within_s and not state.pools_problem
    disks = state.inventory
    is_fresh = not disks.problem and _is_fresh(disks.age(monotonic), within_s)
    return KnownHost(
        machine.identity,
        machine.user,
        version,
        tuple(pool.name for pool in state.pools) if is_listed else None,
        tuple(pool for of in state.pools if (pool := _pool(of, monotonic, unchanged_s)) is not None)
        if is_listed
        else (),
        disks.value if is_fresh else None,
        disks.value,
        state.places,
    )


def _pool(of: PoolState, monotonic: float, unchanged_s: float) -> Pool | None:
    """A pool that was just read, or since when no event told of a change; see `PoolState.status_every_s`."""
    pool = of.pool.value
    followed_s = of.status_every_s if of.status_every_s > FRESH_S else 0.0
    within_s = min(FRESH_S + followed_s, unchanged_s)
    if pool is None or of.pool.problem or not _is_fresh(of.pool.age(monotonic), within_s):
        return None
    return replace(pool, state=SUSPENDED) if of.kstat_state == SUSPENDED else pool


def _is_fresh(age_s: float | None, within_s: float) -> bool:
    return age_s is not None and age_s < within_s
