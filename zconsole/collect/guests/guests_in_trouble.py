"""Guests in trouble, read once, for `status` and `check`: these do not wait for libvirt.

They are those that an I/O error has paused, those that run on one disk, and where a pool is full soon all
that run on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.guests.disks_shared_by_guests import on_one_disk, paths_of_active
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, HostUnreachable, LinkLost, Stuck, ZConsoleError
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt, VirshSource
from zconsole.collect.guests.read_guests import read_guests
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.hosts.host import Host
from zconsole.model.dataset_names import pool_of
from zconsole.model.guests.guest import LIBVIRT_SILENT, Guest
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.file_programs import AT_ONCE, parse_all_resolved, resolve_missing

SHARE: Final = 0.5  # of the time that the caller has left
DEFINITIONS_SHARE: Final = 0.3  # of that time, for definitions, and again for images


async def with_guests_in_trouble(  # noqa: PLR0913 - each is another limit
    state: HostState,
    host: Host,
    clock: Clock,
    *,
    left_s: float,
    pools: Sequence[str] = (),
    filling: Collection[str] = (),
) -> HostState:
    """The state with guests paused by an I/O error, guests on one disk, and those on pools that are filling.

    Of these `pools` only if any are named. One command where there are none. Without an answer of libvirt the
    reading has the problem.
    """
    asker = Asker(host, timeout_s=SHARE * left_s)
    try:
        async with asyncio.timeout(SHARE * left_s):
            found = await _in_trouble(asker, state.inventory.value or Inventory(), filling, SHARE * left_s)
    except TimeoutError:
        problem = f"{LIBVIRT_SILENT} within {SHARE * left_s:.0f} s"
        return replace(state, guests=Reading(problem=problem))
    except ZConsoleError as error:
        is_silent = isinstance(error, Stuck) or (isinstance(error, CommandFailed) and error.status is None)
        is_silent = is_silent and not isinstance(error, NoLibvirt)
        words = f"{LIBVIRT_SILENT}: {in_words(error)}" if is_silent else in_words(error)
        return replace(state, guests=Reading(problem=words))
    held = (each for each in found if not pools or {pool_of(place) for place in each.all_places} & {*pools})
    return replace(state, guests=Reading(tuple(held), clock.monotonic()))


async def _in_trouble(
    asker: Asker, inventory: Inventory, filling: Collection[str], within_s: float
) -> tuple[Guest, ...]:
    source = VirshSource(asker)
    statuses = await source.statuses()
    real = await _real_paths(asker, paths_of_active(statuses))
    names = {each.name for each in statuses if each.is_paused_by_io_error} | on_one_disk(statuses, real)
    if not names and not (filling and any(each.state.is_active for each in statuses)):
        return ()
    try:
        async with asyncio.timeout(None if names else SHARE * within_s):
            guests = await read_guests(
                asker, Privilege(asker), inventory, sources=(source,), read=statuses, with_datasets=False,
                with_sizes=bool(names), within_s=DEFINITIONS_SHARE * within_s,
            )  # fmt: skip
    except (LinkLost, HostUnreachable):
        raise
    except (TimeoutError, ZConsoleError):
        if names:
            raise
        return ()  # what a full pool would do to them is not told then
    return tuple(each for each in guests if each.name in names or _writes_to(each, filling))


async def _real_paths(asker: Asker, paths: Sequence[str]) -> dict[str, str]:
    """Where paths lead that everybody may follow: one command, and none where fewer than two guests run."""
    found: dict[str, str] = {}
    for at in range(0, len(paths), AT_ONCE):
        batch = paths[at : at + AT_ONCE]
        try:
            told = parse_all_resolved(await asker.ask(resolve_missing(batch), kind="real paths"))
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError:
            continue
        if len(told) == len(batch):
            found |= zip(batch, told, strict=True)
    return found


def _writes_to(guest: Guest, pools: Collection[str]) -> bool:
    return guest.status.state.is_active and any(pool_of(place) in pools for place in guest.places)
