"""Reading one host for one intent: everything that its plan is made from, and nothing that it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.catalogue import spec
from zconsole.actions.intent import Intent
from zconsole.actions.spec import Needs
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, ParseError
from zconsole.live.ask import Asker
from zconsole.live.gather import (
    read_importable,
    read_inventory,
    read_kstat_state,
    read_pool,
    read_pool_names,
    read_version,
)
from zconsole.live.identity import read_identity, read_user
from zconsole.model.dataset import Dataset
from zconsole.model.facts import Facts, Hold, Policy, Privileges
from zconsole.model.pool import SUSPENDED, Pool
from zconsole.model.version import ZfsVersion
from zconsole.zfs.datasets import list_datasets, parse_datasets
from zconsole.zfs.holds import batches, list_holds, parse_holds

ALL_TYPES: Final = ("filesystem", "volume", "snapshot", "bookmark")
LISTING_TIMEOUT_S: Final = 300.0  # a million snapshots take a minute and more
LISTING_MAX_BYTES: Final = 1024 * 1024 * 1024


async def read_facts(  # noqa: PLR0913 - what the host cannot tell is given
    asker: Asker,
    clock: Clock,
    intent: Intent,
    *,
    policy: Policy | None = None,
    privileges: Privileges | None = None,
    elsewhere: Sequence[tuple[str, int]] = (),
) -> Facts:
    """Read what the intent needs to be known. Raises HostError, and UsageError for no such action."""
    needs = spec(intent.action).needs(intent)
    identity, version, names = await asyncio.gather(
        read_identity(asker), read_version(asker), read_pool_names(asker)
    )
    if privileges is None:
        user, user_id = await read_user(asker)
        privileges = Privileges(user, user_id)
    pools = await asyncio.gather(*(_read_pool(asker, name, version, intent.pool) for name in names))
    facts = Facts(
        identity,
        version,
        taken_at=clock.now(),
        pools=tuple(pools),
        inventory=await read_inventory(asker),
        privileges=privileges,
        policy=policy or Policy(),
        elsewhere=tuple(elsewhere),
    )
    return await _with_needs(asker, needs, facts)


async def _with_needs(asker: Asker, needs: Needs, facts: Facts) -> Facts:
    """What the intent needs beyond the pools and the disks."""
    live = [pool.name for pool in facts.pools if not pool.is_suspended]
    listed = [name for name in dict.fromkeys(needs.datasets) if name in live]
    datasets = [each for name in listed for each in await read_datasets(asker, name)]
    facts = replace(facts, datasets=tuple(datasets), listed=frozenset(listed))
    if needs.holds:
        facts = replace(facts, holds=await read_holds(asker, facts.datasets))
    if needs.importable:
        facts = replace(facts, importable=await read_importable(asker))
    return facts


async def read_datasets(asker: Asker, pool: str) -> tuple[Dataset, ...]:
    """Every dataset, snapshot and bookmark of a pool. Raises HostError."""
    command = replace(
        list_datasets(pool, types=ALL_TYPES), timeout_s=LISTING_TIMEOUT_S, max_bytes=LISTING_MAX_BYTES
    )
    answer = await asker.ask(command, kind="datasets", pool=pool)
    return tuple(parse_datasets(answer.decode("utf-8", "surrogateescape")))


async def read_holds(asker: Asker, datasets: Sequence[Dataset]) -> tuple[Hold, ...]:
    """The holds of those of these snapshots that have any."""
    held = [each.name for each in datasets if each.type == "snapshot" and each.holds != 0]
    found: list[Hold] = []
    for batch in batches(held):
        answer = await asker.ask(list_holds(batch), kind="holds", pool=batch[0].partition("/")[0])
        found += parse_holds(answer.decode("utf-8", "surrogateescape"))
    return tuple(found)


async def _read_pool(asker: Asker, name: str, version: ZfsVersion, wanted: str) -> Pool:
    """One pool; of a suspended one, and of another's that cannot be read, no more than its state."""
    state = await read_kstat_state(asker.host, name)
    if state == SUSPENDED:
        return Pool(name, SUSPENDED)
    try:
        return await read_pool(asker, name, version)
    except (CommandFailed, ParseError):
        if name == wanted:
            raise
        return Pool(name, state or "")
