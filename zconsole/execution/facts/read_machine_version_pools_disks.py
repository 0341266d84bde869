"""Machine, version, pools and disks of a host for a plan: what was just read, or else a new reading."""

from __future__ import annotations

from dataclasses import replace

from zconsole.analysis.vdevs.enclosure_bays import with_bays_of_before
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import together
from zconsole.collect.machine_identity import read_identity
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import (
    read_inventory,
    read_kstat_state,
    read_pool_names,
    read_version,
    with_shelves,
)
from zconsole.collect.read_pool_status_and_space import read_pool
from zconsole.collect.readings.facts_for_plans import read_kstat_guid
from zconsole.execution.facts.recently_read_host import KnownHost
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import SUSPENDED, Pool


@dataclass(frozen=True, slots=True)
class HostBasics:
    """Reader of what every plan needs; `known` need not be read again."""

    asker: Asker
    known: KnownHost | None = None

    async def identity(self) -> MachineIdentity:
        """The machine that answers."""
        return self.known.identity if self.known is not None else await read_identity(self.asker)

    async def version(self) -> ZfsVersion:
        """Its OpenZFS."""
        return self.known.version if self.known is not None else await read_version(self.asker)

    async def pool_names(self) -> tuple[str, ...]:
        """The imported pools."""
        known = self.known.names if self.known is not None else None
        return await read_pool_names(self.asker) if known is None else known

    async def disks(self, *, with_bays: bool) -> Inventory:
        """The disks of the host. Raises HostError where their names cannot be read."""
        known = self.known.inventory if self.known is not None else None
        if known is not None and not known.links_problem:
            return known
        found = await read_inventory(self.asker)
        if found.links_problem:
            raise CommandFailed(
                f"the names of the disks of {self.asker.host.label} cannot be read", said=found.links_problem
            )
        if with_bays:
            return await with_shelves(self.asker, found)
        before = self.known.expected if self.known is not None else None
        return found if before is None else with_bays_of_before(found, before)

    async def named_pool(self, name: str, version: ZfsVersion, wanted: str) -> Pool:
        """Name, state and guid of a pool from the kernel; from a full reading on old kernels."""
        host = self.asker.host
        guid = await read_kstat_guid(host, name)
        if guid is None:
            return await self.pool(name, version, wanted)
        return Pool(name, await read_kstat_state(host, name) or "", guid=guid)

    async def pool(self, name: str, version: ZfsVersion, wanted: str) -> Pool:
        """One pool; for a hanging suspended one, and other unreadable ones, only the kernel's data.

        Raises HostError when the intent's own pool cannot be read.
        """
        known = self.known.pool(name) if self.known is not None else None
        if known is not None:
            return known
        host = self.asker.host
        async with together() as group:
            reading_state = group.create_task(read_kstat_state(host, name))
            reading_guid = group.create_task(read_kstat_guid(host, name))
        state = reading_state.result()
        try:
            pool = await _read_one_pool(self.asker, name, version, reading_guid.result())
        except (CommandFailed, ParseError, Stuck):
            if name == wanted and state != SUSPENDED:
                raise
            return Pool(name, state or "", guid=await read_kstat_guid(host, name))
        return replace(pool, state=SUSPENDED) if state == SUSPENDED else pool


async def _read_one_pool(asker: Asker, name: str, version: ZfsVersion, guid: int | None) -> Pool:
    """One pool whose several readings are of the same pool: `guid` is what the kernel said before the first.

    Raises CommandFailed when pools of this name replace each other during two readings in a row.
    """
    for each in (asker, asker.anew):
        pool = await read_pool(each, name, version)
        if guid is None or pool.guid is None or guid == pool.guid:
            return pool
        guid = pool.guid
    raise CommandFailed(
        f"another pool took the name {name} while it was read", hint="read it again when it stays the same"
    )
