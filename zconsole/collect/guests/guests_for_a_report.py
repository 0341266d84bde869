"""Guests read once beside something else: a libvirt that hangs or is not there costs its own part."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from zconsole.analysis.guests.disk_io_rates import with_rates
from zconsole.analysis.guests.guests_not_looked_at import not_looked_at
from zconsole.base.clock import Clock
from zconsole.base.errors import ZConsoleError
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt
from zconsole.collect.guests.libvirt_connections import LibvirtConnections, connected
from zconsole.collect.guests.read_guests import read_guests
from zconsole.collect.guests.read_statuses import with_statuses
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.disk_and_inventory import Inventory

WITHIN_S: Final = 20.0


async def read_guests_for_report(
    asker: Asker, clock: Clock, inventory: Inventory | None = None, *, within_s: float = WITHIN_S
) -> Reading[tuple[Guest, ...]]:
    """All guests, or the problem; a host without virsh has neither. One command where there are no guests.

    Without `inventory`, disks on devices that are no volumes have no place.
    """
    try:
        async with asyncio.timeout(within_s), connected(asker, clock, within_s) as libvirt:
            found, problem = await read_all(asker, libvirt, inventory or Inventory())
    except NoLibvirt:
        return Reading()
    except TimeoutError:
        return Reading(problem=f"libvirt did not answer within {within_s:.0f} s")
    except ZConsoleError as error:
        return Reading(problem=in_words(error))
    return Reading(found, clock.monotonic(), problem)


async def read_all(
    asker: Asker, libvirt: LibvirtConnections, inventory: Inventory
) -> tuple[tuple[Guest, ...], str]:
    """The guests of all libvirts that answer, and what is wrong with the others.

    Raises NoLibvirt, CommandFailed, ParseError, and link errors.
    """
    statuses, problem = await libvirt.statuses()
    if not statuses:
        return (), problem
    privilege = Privilege(asker)
    found = await read_guests(asker, privilege, inventory, sources=libvirt.answering, read=statuses)
    return found, "; ".join(filter(None, (problem, not_looked_at(found))))


async def with_live_io(
    libvirt: LibvirtConnections, clock: Clock, guests: Sequence[Guest], seconds: float
) -> tuple[Guest, ...]:
    """The guests in their states after so many seconds, with the I/O of their disks meanwhile.

    Raises CommandFailed, ParseError, and link errors.
    """
    before, _ = await libvirt.statuses()
    began = clock.monotonic()
    await clock.sleep(seconds)
    after, _ = await libvirt.statuses()
    took_s = clock.monotonic() - began
    return with_rates(with_statuses(guests, before), with_statuses(guests, after), took_s)
