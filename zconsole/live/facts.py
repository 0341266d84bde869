"""Reading one host for one intent: everything that its plan is made from, and nothing that it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from zconsole.actions.catalogue import spec
from zconsole.actions.intent import Intent
from zconsole.actions.spec import Needs
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.disks.mounts import boot_pools, kernel_pools
from zconsole.hosts.host import Host
from zconsole.live.ask import Asker
from zconsole.live.gather import (
    read_inventory,
    read_kstat_state,
    read_pool,
    read_pool_names,
    read_version,
)
from zconsole.live.identity import read_identity
from zconsole.live.privilege import Privilege
from zconsole.live.readings import (
    read_datasets,
    read_found,
    read_holds,
    read_kstat_guid,
    read_labels,
    read_may_run_programs,
    read_pool_properties,
    read_properties,
    read_properties_below,
)
from zconsole.live.uses import read_mounts, read_uses
from zconsole.model.facts import Facts, Policy, Privileges
from zconsole.model.pool import SUSPENDED, Pool
from zconsole.model.version import ZfsVersion
from zconsole.zfs.importable import DESTROYED, IMPORTABLE

Elsewhere = Callable[[], Awaitable[tuple[tuple[tuple[str, int], ...], tuple[str, ...]]]]


async def nowhere_else() -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """There are no other hosts of ours."""
    return (), ()


@dataclass(frozen=True, slots=True)
class Reader:
    """All that reading facts takes besides the intent.

    `elsewhere` tells which pools our other hosts have imported, and which of them could not be asked.
    """

    asker: Asker
    clock: Clock
    privilege: Privilege
    policy: Policy = field(default_factory=Policy)
    elsewhere: Elsewhere = nowhere_else

    @property
    def host(self) -> Host:
        """The host that is read."""
        return self.asker.host


async def read_facts(reader: Reader, intent: Intent, *, privileges: Privileges | None = None) -> Facts:
    """Read what the intent needs to be known. Raises HostError, and UsageError for no such action.

    Without `privileges` no more is told of the user than who it is.
    """
    action = spec(intent.action)
    needs = action.needs(intent)
    facts = await read_needs(reader, needs, intent.pool, privileges=privileges)
    if action.further is not None:
        facts = await _with_needs(reader, action.further(intent, facts), intent.pool, facts)
    return replace(facts, taken_at=reader.clock.now())


async def read_needs(
    reader: Reader, needs: Needs, pool: str, *, privileges: Privileges | None = None
) -> Facts:
    """Read the pools, the disks and what is needed beyond; `pool` is the one that it is about."""
    asker = reader.asker
    identity, version, names = await asyncio.gather(
        read_identity(asker), read_version(asker), read_pool_names(asker)
    )
    if privileges is None:
        user = await reader.privilege.user()
        privileges = Privileges(user.name, user.number)
    pools = await asyncio.gather(*(_read_pool(asker, name, version, pool) for name in names))
    live = [each.name for each in pools if not each.is_suspended]
    facts = Facts(
        identity,
        version,
        taken_at=reader.clock.now(),
        pools=tuple(pools),
        inventory=await read_inventory(asker),
        read_only_pools=frozenset([pool] if pool in live and await _is_read_only(asker, pool) else ()),
        privileges=privileges,
        policy=reader.policy,
    )
    return await _with_needs(reader, needs, pool, facts)


async def _with_needs(reader: Reader, needs: Needs, pool: str, facts: Facts) -> Facts:
    """What is needed beyond the pools and the disks, as far as it is not there yet."""
    asker, privilege = reader.asker, reader.privilege
    live = [each.name for each in facts.pools if not each.is_suspended]
    listed = [name for name in dict.fromkeys(needs.datasets) if name in live and name not in facts.listed]
    fresh = [each for name in listed for each in await read_datasets(asker, name)]
    facts = replace(facts, datasets=(*facts.datasets, *fresh), listed=facts.listed.union(listed))
    if needs.holds:
        facts = replace(facts, holds=(*(facts.holds or ()), *await read_holds(asker, fresh)))
    if needs.uses and facts.uses is None and facts.inventory is not None:
        concerned = sorted(facts.listed.union([pool] if pool in live else []))
        uses, unseen = await read_uses(asker, concerned, facts.inventory, privilege)
        facts = replace(facts, uses=uses, unseen=(*facts.unseen, *unseen))
    if needs.importable and facts.importable is None:
        facts = replace(
            facts,
            importable=await read_found(asker, privilege, IMPORTABLE),
            destroyed=await read_found(asker, privilege, DESTROYED),
        )
    if needs.labels:
        known = {label.path for label in facts.labels or ()}
        paths = [path for path in needs.labels if path not in known]
        labels, unread = await read_labels(asker, privilege, paths)
        facts = replace(
            facts,
            labels=(*(facts.labels or ()), *labels),
            labels_unread=facts.labels_unread.union(unread),
        )
    if needs.properties or needs.properties_below:
        found = await read_properties(asker, needs.properties, live)
        below = await read_properties_below(asker, needs.properties_below, live)
        facts = replace(facts, properties=tuple(dict.fromkeys((*facts.properties, *found, *below))))
    if needs.boot:
        mounts = await read_mounts(asker)
        if mounts is not None:
            facts = replace(facts, boot_pools=boot_pools(mounts), kernel_pools=kernel_pools(mounts))
    if needs.elsewhere and not facts.elsewhere:
        elsewhere, unseen = await reader.elsewhere()
        facts = replace(facts, elsewhere=elsewhere, unseen=(*facts.unseen, *unseen))
    if needs.programs and facts.may_run_programs is None and pool in live:
        facts = replace(facts, may_run_programs=await read_may_run_programs(asker, privilege, pool))
    return facts


async def _is_read_only(asker: Asker, pool: str) -> bool:
    """Whether the pool was imported so that nothing in it can be changed."""
    properties = await read_pool_properties(asker, pool)
    return any(key == "readonly" and value == "on" for _, key, value, _ in properties)


async def _read_pool(asker: Asker, name: str, version: ZfsVersion, wanted: str) -> Pool:
    """One pool; of a suspended one that hangs, and of another that cannot be read, only what the kernel says.

    Raises HostError where the pool that it is about cannot be read.
    """
    state = await read_kstat_state(asker.host, name)
    try:
        pool = await read_pool(asker, name, version)
    except (CommandFailed, ParseError, Stuck):
        if name == wanted and state != SUSPENDED:
            raise
        return Pool(name, state or "", guid=await read_kstat_guid(asker.host, name))
    return replace(pool, state=SUSPENDED) if state == SUSPENDED else pool
