"""Reader of the facts about guests: states, agents, stored definitions, chains of images."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from typing import Any

from zconsole.actions.action_spec import Needs
from zconsole.analysis.guests.disk_io_rates import with_rates
from zconsole.base.errors import CommandFailed, ParseError
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.guests.read_guest_agents import read_agents
from zconsole.collect.guests.read_guests_to_change import read_guest_states, read_guests_to_change
from zconsole.collect.guests.read_libvirt_host import read_libvirt_host
from zconsole.collect.guests.read_statuses import with_statuses
from zconsole.collect.guests.read_stored_definition import read_chains, read_stored_definition
from zconsole.collect.holder_of_host_lock import read_holder
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.model.guests.guest import Guest
from zconsole.model.guests.stored_definition import StoredDefinition, UnreadDefinition
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Inventory

Addition = Callable[[PlanFacts], PlanFacts]  # function that adds what was read to the facts


def guest_parts(reader: Reader, needs: Needs, facts: PlanFacts) -> Iterator[Coroutine[Any, Any, Addition]]:
    """What libvirt and qemu-img are to be asked for."""
    if needs.guests and facts.guests is None:
        yield _guests(reader, facts.inventory or Inventory())
    if needs.lock_holder and reader.is_to_plan and not reader.running:
        yield _lock_holder(reader)
    if needs.guest_states:
        yield _guest_states(reader, needs.guest_states)
    if needs.guest_io:
        yield _guest_io(reader, needs.guest_io, facts.guests or ())
    if needs.agents:
        yield _agents(reader, needs.agents, may_change=bool(facts.may_change_guests))
    if needs.stored_guests or needs.image_chains:
        yield _stored_guests(reader, needs)
    if needs.guest_to_host is not None:
        yield _libvirt_host(reader, needs.guest_to_host)


async def _guests(reader: Reader, inventory: Inventory) -> Addition:
    told = reader.abilities
    guests, problem, may_change = await read_guests_to_change(
        reader.asker, reader.privilege, inventory, may_change=told is not None and told.changes_guests
    )
    if told is not None:
        told.changes_guests = may_change
    return lambda facts: replace(facts, guests=guests, guests_problem=problem, may_change_guests=may_change)


async def _lock_holder(reader: Reader) -> Addition:
    holder = await read_holder(reader.host, reader.privilege)
    return lambda facts: replace(facts, lock_holder=holder)


async def _guest_states(reader: Reader, uuids: Sequence[str]) -> Addition:
    states = await read_guest_states(reader.asker, uuids)
    return lambda facts: replace(facts, guest_states=(*facts.guest_states, *states))


async def _guest_io(reader: Reader, addresses: Sequence[str], guests: Sequence[Guest]) -> Addition:
    """Rates of the disks of these guests: as just read for a screen, or measured; without both unknown."""
    wanted = frozenset(addresses)
    rated = [each for each in reader.known_guests if each.definition.address in wanted and _is_rated(each)]
    if len(rated) < len(wanted) and reader.io_sample_s > 0:
        source = VirshSource(reader.asker.anew)  # which is asked twice, for what changes meanwhile
        try:
            before, began = await source.statuses(), reader.clock.monotonic()
            await reader.clock.sleep(reader.io_sample_s)
            after, took_s = await source.statuses(), reader.clock.monotonic() - began
        except (CommandFailed, ParseError):  # of libvirt alone: the plan does without
            return lambda facts: facts
        rated = list(with_rates(with_statuses(guests, before), with_statuses(guests, after), took_s))
    rates = {
        (each.definition.address, disk.disk.target): disk.rates
        for each in rated
        if each.definition.address in wanted
        for disk in each.disks
    }

    def with_known(guest: Guest) -> Guest:
        address = guest.definition.address
        disks = tuple(replace(e, rates=rates.get((address, e.disk.target), e.rates)) for e in guest.disks)
        return replace(guest, disks=disks)

    return lambda facts: replace(facts, guests=tuple(map(with_known, facts.guests or ())) or facts.guests)


def _is_rated(guest: Guest) -> bool:
    return any(disk.rates is not None for disk in guest.disks)


async def _agents(reader: Reader, uuids: Sequence[str], *, may_change: bool) -> Addition:
    readings = await read_agents(reader.asker, reader.privilege, uuids, may_change=may_change)
    return lambda facts: replace(facts, agents=(*facts.agents, *readings))


async def _libvirt_host(reader: Reader, needs: DomainNeeds) -> Addition:
    found = await read_libvirt_host(reader.asker, reader.privilege, needs)
    return lambda facts: replace(facts, libvirt_host=found)


async def _stored_guests(reader: Reader, needs: Needs) -> Addition:
    async with together() as group:
        chains = group.create_task(read_chains(reader.asker, reader.privilege, needs.image_chains))
        stored = group.create_task(
            all_of(read_stored_definition(reader.asker, uuid) for uuid in needs.stored_guests)
        )
    found = tuple(each for each in stored.result() if isinstance(each, StoredDefinition))
    unread = tuple(each for each in stored.result() if isinstance(each, UnreadDefinition))
    return lambda facts: replace(
        facts,
        stored=(*facts.stored, *found),
        stored_unread=(*facts.stored_unread, *unread),
        image_chains=(*facts.image_chains, *chains.result()),
    )
