"""Reader of the facts for one intent: exactly those that its plan needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, reduce
from typing import Any, Final

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.guest.shut_down_guests_first import SHUT_DOWN_GUESTS
from zconsole.actions.intent import Intent
from zconsole.base.errors import CommandFailed, Stuck, ZConsoleError
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.privilege import Privilege
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_excerpt
from zconsole.collect.readings.facts_for_plans import (
    read_found,
    read_holds,
    read_labels,
    read_may_run_programs,
    read_missing_tools,
    read_pool_properties,
    read_properties,
    read_properties_below,
)
from zconsole.collect.readings.folders_and_file_states import (
    read_extent,
    read_files,
    read_resolved,
)
from zconsole.collect.readings.send_base_search import read_bases
from zconsole.collect.readings.storage_consumers import (
    SHARE_KEYS,
    UsesRead,
    read_disk_uses,
    read_mounted,
    read_mounts,
    read_uses,
    uses_by_shares,
)
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.guests_and_their_images import Addition, guest_parts
from zconsole.execution.facts.mount_points import read_mount_targets
from zconsole.execution.facts.read_machine_version_pools_disks import HostBasics
from zconsole.execution.facts.sending_host import (
    SenderNeeds,
    read_measured,
    read_sending,
)
from zconsole.execution.libzfs_core_availability import CoreFinder
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.replication import SendBase
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope
from zconsole.model.host.plan_facts import (
    OutsideUse,
    PlanFacts,
    Privileges,
    SendingSide,
)
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Pool
from zconsole.storage.send_bases_of_known_replicas import seen_at
from zconsole.system.mounts_and_boot_pools import boot_pools, kernel_pools
from zconsole.zfs.status.importable import DESTROYED, IMPORTABLE

PROCESS: Final = "process"  # kind of a use, and the name of one whose program is not known
LABEL_READER: Final = "zdb["
MOST_ROUNDS: Final = 2  # of what an action needs last
COPIES_TIMEOUT_S: Final = 15.0  # timeout of the search for copies, which is informational


async def read_facts(reader: Reader, intent: Intent, *, privileges: Privileges | None = None) -> PlanFacts:
    """Read the facts for an intent. Raises HostError, and UsageError for an unknown action.

    Without `privileges` only the user's identity is read.
    """
    action = spec(intent.action)
    needs = action.needs(intent)
    further = None if action.further is None else partial(action.further, intent)
    ahead = further if needs.disk_uses else None
    facts = await read_needs(reader, needs, intent.pool, privileges=privileges, ahead=ahead)
    is_used = False
    if further is not None:
        more = further(facts)
        is_used = more.uses
        facts = await _with_needs(reader, more, intent.pool, facts)
    if facts.uses is None and (is_used or facts.mounting.may_hide_something):
        facts = await _with_uses(reader, intent.pool, facts)
    if action.last is not None:
        facts = await _with_last(reader, partial(action.last, intent), intent.pool, facts)
    if action.option(SHUT_DOWN_GUESTS.name) and any(use.kind == "guest" for use in facts.uses or ()):
        facts = await _with_needs(reader, Needs(guests=True), intent.pool, facts)
        if intent.flag(SHUT_DOWN_GUESTS.name):
            facts = await _with_needs(reader, _definitions_of_users(facts), intent.pool, facts)
    if action.other is not None:
        facts = await _with_other_host(reader, partial(action.other, intent), facts)
    return replace(facts, taken_at=reader.clock.now())


async def _with_last(
    reader: Reader, last: Callable[[PlanFacts], Needs], pool: str, facts: PlanFacts
) -> PlanFacts:
    """The facts with what is needed last, which may be asked of what was listed for it."""
    read: Needs | None = None
    for _ in range(MOST_ROUNDS):
        needs = last(facts)
        if needs == (read or Needs()):
            break
        read, facts = needs, await _with_needs(reader, needs, pool, facts)
        if facts.uses is None and needs.uses:
            facts = await _with_uses(reader, pool, facts)
    return facts


def _definitions_of_users(facts: PlanFacts) -> Needs:
    """Needs to know of the running guests whether they have a definition once they are off."""
    names = {use.name for use in facts.uses or () if use.kind == "guest"}
    read = {each.address for each in facts.stored}
    active = [each for each in facts.guests or () if each.name in names and each.status.state.is_active]
    return Needs(
        stored_guests=tuple(each.definition.address for each in active if each.definition.address not in read)
    )


async def _with_uses(reader: Reader, pool: str, facts: PlanFacts) -> PlanFacts:
    """The facts with who uses datasets and files: a mount may hide what a guest names."""
    inventory = facts.inventory or await HostBasics(reader.asker, reader.known).disks(with_bays=False)
    return await _with_needs(reader, Needs(uses=True), pool, replace(facts, inventory=inventory))


async def _with_other_host(
    reader: Reader, other: Callable[[PlanFacts], tuple[str, Needs]], facts: PlanFacts
) -> PlanFacts:
    """The facts with those of the second host that the plan changes. Raises HostError."""
    label, needs = other(facts)
    if not label:
        return facts
    there = reader.at(label)
    await there.host.connect()
    facts = replace(facts, other=await read_needs(there, needs, ""))
    label, more = other(facts)
    assert facts.other is not None  # noqa: S101 - set above
    return replace(facts, other=await _with_needs(there, more, "", facts.other))


async def read_needs(
    reader: Reader,
    needs: Needs,
    pool: str,
    *,
    privileges: Privileges | None = None,
    ahead: Callable[[PlanFacts], Needs] | None = None,
) -> PlanFacts:
    """Read the intent's pool and its further needs; often only the names of other pools.

    `ahead` tells from the pools and disks whose labels are read together with the rest.
    """
    basics = HostBasics(reader.asker, reader.known)
    wants_disks = needs.disks or needs.uses or needs.disk_uses
    async with together() as group:
        identity = group.create_task(basics.identity())
        user = group.create_task(reader.privilege.user())
        version = group.create_task(basics.version())
        names = group.create_task(basics.pool_names())
        inventory = group.create_task(basics.disks(with_bays=needs.bays)) if wants_disks else None
        group.create_task(_ask_ahead(reader))
        running = await version
        pools = await all_of(
            basics.pool(name, running, pool)
            if wants_disks or name == pool
            else basics.named_pool(name, running, pool)
            for name in await names
        )
    who = identity.result()
    facts = PlanFacts(
        who,
        running,
        taken_at=reader.clock.now(),
        pools=pools,
        inventory=inventory.result() if inventory is not None else None,
        privileges=privileges or Privileges(user.result().name, user.result().number),
        places=reader.known.places if reader.known is not None else (),
        running=reader.running,
        slow_disks=reader.slow_disks,
        suspects=reader.suspects,
        policy=reader.policy if reader.policy_of is None else await reader.policy_of(who),
    )
    if ahead is not None:
        needs = replace(needs, labels=(*needs.labels, *ahead(facts).labels))
    return await _with_needs(reader, needs, pool, facts, is_first=True)


async def _ask_ahead(reader: Reader) -> None:
    """What fails here is asked for again, and reported, when the command is due."""
    with suppress(CommandFailed, Stuck):
        await reader.privilege.ask_ahead(reader.expected)


async def _with_needs(
    reader: Reader, needs: Needs, pool: str, facts: PlanFacts, *, is_first: bool = False
) -> PlanFacts:
    """Read missing needs, all concurrently."""
    live = [each.name for each in facts.pools if not each.is_suspended]
    listed = [name for name in dict.fromkeys(needs.datasets) if name in live and name not in facts.listed]
    parts: list[Coroutine[Any, Any, Addition]] = []
    opening: list[Coroutine[Any, Any, Addition]] = []  # these open the disks
    if listed:
        parts.append(_datasets(reader, listed, needs))
    if needs.importable and facts.importable is None:
        opening.append(_importable(reader))
    if needs.destroyed and facts.destroyed is None:
        opening.append(_destroyed(reader))
    if needs.labels and not facts.labels_asked.issuperset(needs.labels):
        opening.append(_labels(reader, [path for path in needs.labels if path not in facts.labels_asked]))
    if is_first or needs.properties or needs.properties_below or needs.shared:
        about = facts.pool(pool) if is_first and pool in live else None
        parts.append(_properties(reader, _with_shares(needs), live, about))
    if needs.boot:
        parts.append(_boot(reader))
    if needs.elsewhere and not facts.elsewhere:
        parts.append(_elsewhere(reader))
    if needs.programs and facts.may_run_programs is None and pool in live:
        parts.append(_programs(reader, pool))
    if needs.tools and facts.missing_tools is None:
        parts.append(_tools(reader, needs.tools))
    if needs.mounts and facts.files.mounts is None:
        parts.append(_mounts(reader))
    if needs.files or needs.resolved or needs.measured:
        parts.append(_files(reader, needs))
    if needs.targets:
        parts.append(_targets(reader, needs.targets))
    if needs.sender is not None and facts.sending is None:
        parts.append(_sending(reader, needs.sender, needs))
    elif needs.send and facts.sending is not None and not facts.sending.problem:
        parts.append(_measured(reader, facts.sending, needs))
    parts += guest_parts(reader, needs, facts)
    if needs.core and facts.core is None and reader.core is not None:
        parts.append(_core(reader.core, reader.privilege, needs.core))
    async with together() as group:
        asked = [group.create_task(part) for part in (*parts, *opening)]
        if needs.uses and facts.uses is None and facts.inventory is not None:
            concerned = sorted(facts.listed.union(listed, [pool] if pool in live else []))
            reading = _uses(
                reader, concerned, facts.inventory, behind=asked[len(parts) :], shares=needs.shared is None
            )
            asked.append(group.create_task(reading))
        elif needs.disk_uses and facts.uses is None and facts.inventory is not None:
            reading = _disk_uses(reader, facts.inventory, beside=asked[len(parts) :])
            asked.append(group.create_task(reading))
    facts = _with_uses_by_shares(needs, reduce(lambda known, task: task.result()(known), asked, facts))
    if needs.copies and is_first and pool in facts.listed:
        facts = await _with_copies(reader, facts, pool, [name for name in live if name != pool])
    return facts


async def _datasets(reader: Reader, names: Sequence[str], needs: Needs) -> Addition:
    found = await all_of(
        read_excerpt(reader.asker, name, [each for each in needs.snapshots if pool_of(each.name) == name])
        for name in names
    )
    fresh = tuple(dataset for each in found for dataset in each.datasets)
    known = [snapshot for each in found for snapshot in each.known]
    held = await read_holds(reader.asker, known) if needs.holds else None

    def added_to(facts: PlanFacts) -> PlanFacts:
        scope = facts.scope or SnapshotScope()
        for each in found:
            scope |= each.scope
        return replace(
            facts,
            datasets=(*facts.datasets, *fresh),
            listed=facts.listed.union(names),
            scope=scope,
            holds=facts.holds if held is None else (*(facts.holds or ()), *held),
        )

    return added_to


def _with_shares(needs: Needs) -> Needs:
    """The needs with the properties that tell of the shares of the datasets in question."""
    shares = tuple((name, key) for name in needs.shared or () for key in SHARE_KEYS)
    return replace(needs, properties_below=(*needs.properties_below, *shares))


def _with_uses_by_shares(needs: Needs, facts: PlanFacts) -> PlanFacts:
    if not needs.shared or facts.uses is None:
        return facts
    return replace(facts, uses=(*facts.uses, *uses_by_shares(facts.properties)))


async def _uses(
    reader: Reader,
    pools: Sequence[str],
    inventory: Inventory,
    *,
    behind: Sequence[asyncio.Task[Addition]],
    shares: bool,
) -> Addition:
    """Users of storage; runs after readers that open disks, so that our own processes do not count."""
    if behind:
        await asyncio.wait(behind)
    return _with_users(await read_uses(reader.asker, pools, inventory, reader.privilege, shares=shares))


async def _disk_uses(
    reader: Reader, inventory: Inventory, *, beside: Sequence[asyncio.Task[Addition]]
) -> Addition:
    """Users of disks. Readers of labels, which may run beside it, are none: they open disks to read only."""
    found = await read_disk_uses(reader.asker, inventory, reader.privilege)
    if beside and any(_is_of_unknown_program(use) for use in found.uses):  # it may have been such a reader
        await asyncio.wait(beside)
        found = await read_disk_uses(reader.asker.anew, inventory, reader.privilege)
    uses = tuple(use for use in found.uses if use.kind != PROCESS or not use.name.startswith(LABEL_READER))
    return _with_users(replace(found, uses=uses))


def _with_users(found: UsesRead) -> Addition:
    return lambda facts: replace(
        facts,
        uses=found.uses,
        unseen=(*facts.unseen, *found.unseen),
        guests_unread=found.guests_unread or facts.guests_unread,
    )


def _is_of_unknown_program(use: OutsideUse) -> bool:
    return use.kind == PROCESS and use.name.startswith(f"{PROCESS}[")


async def _importable(reader: Reader) -> Addition:
    importable = await read_found(reader.asker, reader.privilege, IMPORTABLE)
    return lambda facts: replace(facts, importable=importable)


async def _destroyed(reader: Reader) -> Addition:
    destroyed = await read_found(reader.asker, reader.privilege, DESTROYED)
    return lambda facts: replace(facts, destroyed=destroyed)


async def _labels(reader: Reader, paths: Sequence[str]) -> Addition:
    labels = await read_labels(reader.asker, reader.privilege, paths)
    return lambda facts: replace(
        facts,
        labels=(*(facts.labels or ()), *labels.found),
        labels_asked=facts.labels_asked.union(paths),
        labels_unread=facts.labels_unread | labels.unread,
        labels_barred=facts.labels_barred | labels.barred,
    )


async def _properties(reader: Reader, needs: Needs, live: Sequence[str], of: Pool | None) -> Addition:
    """Needed properties, and whether this pool is imported read-only, where its listing did not tell."""
    asker, pool = reader.asker, "" if of is None else of.name
    told = None if of is None else of.readonly
    names = sorted(
        {name for name, _ in needs.properties if name in live}.union([pool] if not told and pool else [])
    )
    answers = await all_of(read_pool_properties(asker, name) for name in names)
    every = dict(zip(names, answers, strict=True))
    found = await read_properties(asker, needs.properties, live, every)
    below = await read_properties_below(asker, needs.properties_below, live, of_snapshots=needs.of_snapshots)
    is_read_only = any(key == "readonly" and value == "on" for _, key, value, _ in every.get(pool, ()))
    altroots = [
        (name, value) for name, key, value, _ in every.get(pool, ()) if key == "altroot" and value[:1] == "/"
    ]
    if of is not None and told:
        is_read_only = told == "on"
        altroots = [(pool, root) for root in (of.altroot,) if root is not None and root[:1] == "/"]
    return lambda facts: replace(
        facts,
        properties=tuple(dict.fromkeys((*facts.properties, *found, *below))),
        read_only_pools=facts.read_only_pools.union([pool] if is_read_only else []),
        altroots=tuple(dict.fromkeys((*facts.altroots, *altroots))),
    )


async def _boot(reader: Reader) -> Addition:
    mounts = await read_mounts(reader.asker)

    def added_to(facts: PlanFacts) -> PlanFacts:
        if mounts is None:
            return facts
        return replace(facts, boot_pools=boot_pools(mounts), kernel_pools=kernel_pools(mounts))

    return added_to


async def _with_copies(reader: Reader, facts: PlanFacts, pool: str, others: Sequence[str]) -> PlanFacts:
    """Send bases of copies: present ones here, last seen ones elsewhere, with gaps reported."""
    own = [each for each in facts.datasets if each.pool == pool]
    found = await read_bases(
        reader.asker, own, facts.scope or SnapshotScope(), others, within_s=COPIES_TIMEOUT_S
    )
    unseen = list(found.unseen)
    kept: tuple[SendBase, ...] = ()
    try:
        kept = await asyncio.to_thread(reader.send_bases) if reader.send_bases is not None else ()
    except ZConsoleError as error:
        unseen.append(f"whether copies elsewhere build on it is not known: {error.message}")
    now = tuple(seen_at(base, facts.taken_at) for base in found.bases)
    known = {(each.guid, each.peer) for each in now}
    older = [each for each in kept if (each.guid, each.peer) not in known]
    return replace(facts, send_bases=(*now, *older), unseen=(*facts.unseen, *unseen))


async def _elsewhere(reader: Reader) -> Addition:
    elsewhere, unseen = await reader.elsewhere()
    return lambda facts: replace(facts, elsewhere=elsewhere, unseen=(*facts.unseen, *unseen))


async def _programs(reader: Reader, pool: str) -> Addition:
    known = None if reader.abilities is None else reader.abilities.programs
    may = None if known is None else known.get(pool)
    if may is None:
        may = await read_may_run_programs(reader.asker, reader.privilege, pool)
    if known is not None:
        known[pool] = may
    return lambda facts: replace(facts, may_run_programs=may)


async def _tools(reader: Reader, tools: Sequence[str]) -> Addition:
    missing = await read_missing_tools(reader.asker, tools)
    return lambda facts: replace(facts, missing_tools=missing)


async def _mounts(reader: Reader) -> Addition:
    mounts = await read_mounted(reader.asker)
    return lambda facts: replace(facts, files=replace(facts.files, mounts=mounts))


async def _targets(reader: Reader, paths: Sequence[str]) -> Addition:
    read = await read_mount_targets(reader.asker, reader.privilege, paths)
    return lambda facts: replace(facts, mounting=read)


async def _files(reader: Reader, needs: Needs) -> Addition:
    asker, privilege = reader.asker, reader.privilege
    async with together() as group:
        found = group.create_task(read_files(asker, privilege, needs.files))
        resolved = group.create_task(read_resolved(asker, privilege, needs.resolved))
        extents = [group.create_task(read_extent(asker, privilege, path)) for path in needs.measured]
    measured = tuple(zip(needs.measured, (each.result() for each in extents), strict=True))

    def added_to(facts: PlanFacts) -> PlanFacts:
        files = facts.files
        files = replace(
            files,
            asked=files.asked.union(needs.files),
            found=(*files.found, *found.result()),
            resolved=(*files.resolved, *resolved.result()),
            extents=(*files.extents, *measured),
        )
        return replace(facts, files=files)

    return added_to


async def _sending(reader: Reader, sender: tuple[str, str], needs: Needs) -> Addition:
    label, pool = sender
    peer, name = reader.peer(label), label or reader.host.label
    wanted = SenderNeeds(pool, needs.sender_snapshots, needs.sought)
    side = await read_sending(peer, name, wanted, is_elsewhere=name != reader.host.label)
    if needs.send and peer is not None and not side.problem:
        side = await read_measured(peer, side, needs.send, needs.sends)
    return lambda facts: replace(facts, sending=side)


async def _measured(reader: Reader, side: SendingSide, needs: Needs) -> Addition:
    peer = reader.peer(side.identity.label)
    measured = side if peer is None else await read_measured(peer, side, needs.send, needs.sends)
    return lambda facts: replace(facts, sending=measured)


async def _core(finder: CoreFinder, privilege: Privilege, verbs: Sequence[str]) -> Addition:
    way = await finder.find(privilege, verbs)
    return lambda facts: replace(facts, core=way)
