"""Guests in their states of now, and the disks that have paused a guest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.guests.guest_source_protocol_and_virsh import GuestSource
from zconsole.model.guests.guest import Guest, GuestStatus, StoredDisk


def with_statuses(guests: Iterable[Guest], statuses: Iterable[GuestStatus]) -> tuple[Guest, ...]:
    """The guests in their states of now, without the errors of their disks."""
    fresh = {each.key: each for each in statuses}
    return tuple(_in_state(guest, fresh.get(guest.key, guest.status)) for guest in guests)


async def with_errors(sources: Iterable[GuestSource], guests: Iterable[Guest]) -> tuple[Guest, ...]:
    """The guests, those that an I/O error has paused with the errors of their disks. Raises link errors."""
    by_connection = {each.connection: each for each in sources}
    return await all_of(_with_errors(by_connection.get(each.definition.connection), each) for each in guests)


def counters_in(disk: StoredDisk, status: GuestStatus) -> StoredDisk:
    """The disk with its counters."""
    counted = next((each for each in status.disks if each.target == disk.disk.target), None)
    return replace(disk, counters=counted, error="", rates=None)


def _in_state(guest: Guest, status: GuestStatus) -> Guest:
    return replace(guest, status=status, disks=tuple(counters_in(disk, status) for disk in guest.disks))


async def _with_errors(source: GuestSource | None, guest: Guest) -> Guest:
    if source is None or guest.unread or not guest.status.is_paused_by_io_error:
        return guest
    try:
        errors = await source.disk_errors(guest.definition.uuid)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return guest  # resumed or stopped meanwhile
    disks = (replace(disk, error=errors.get(disk.disk.target, "")) for disk in guest.disks)
    return replace(guest, disks=tuple(disks))
