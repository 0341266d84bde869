"""Guests that an I/O error has paused, read once, for `status` and `check`: these do not wait for libvirt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, Stuck, ZConsoleError
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt, VirshSource
from zconsole.collect.guests.read_guests import read_guests
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.hosts.host import Host
from zconsole.model.guests.guest import LIBVIRT_SILENT, Guest
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.disk_and_inventory import Inventory

SHARE: Final = 0.5  # of the time that the caller has left


async def with_guests_in_trouble(
    state: HostState, host: Host, clock: Clock, *, left_s: float, pools: Sequence[str] = ()
) -> HostState:
    """The state with the guests that an I/O error has paused, of these pools only if any are named.

    One command where there are none. Without an answer of libvirt the reading has the problem.
    """
    asker = Asker(host, timeout_s=SHARE * left_s)
    try:
        async with asyncio.timeout(SHARE * left_s):
            found = await _paused(asker, state.inventory.value or Inventory())
    except TimeoutError:
        problem = f"{LIBVIRT_SILENT} within {SHARE * left_s:.0f} s"
        return replace(state, guests=Reading(problem=problem))
    except ZConsoleError as error:
        is_silent = isinstance(error, Stuck) or (isinstance(error, CommandFailed) and error.status is None)
        is_silent = is_silent and not isinstance(error, NoLibvirt)
        words = f"{LIBVIRT_SILENT}: {in_words(error)}" if is_silent else in_words(error)
        return replace(state, guests=Reading(problem=words))
    held = (
        each
        for each in found
        if not pools or {place.partition("/")[0] for place in each.all_places} & {*pools}
    )
    return replace(state, guests=Reading(tuple(held), clock.monotonic()))


async def _paused(asker: Asker, inventory: Inventory) -> tuple[Guest, ...]:
    source = VirshSource(asker)
    statuses = await source.statuses()
    names = {each.name for each in statuses if each.is_paused_by_io_error}
    if not names:
        return ()
    guests = await read_guests(
        asker, Privilege(asker), inventory, sources=(source,), read=statuses, with_datasets=False
    )
    return tuple(each for each in guests if each.name in names)
