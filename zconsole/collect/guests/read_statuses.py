"""States and counters of a host's guests, in one command; and the disks that have paused a guest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import NOT_STARTED, Command
from zconsole.model.guests.guest import Guest, GuestStatus, StoredDisk
from zconsole.system.libvirt.disk_errors import disk_errors, parse_disk_errors
from zconsole.system.libvirt.domain_stats import domain_stats, parse_domain_stats

SYSTEM: Final = "qemu:///system"
NO_LIBVIRT: Final = "there is no virsh on this host"


class NoLibvirt(CommandFailed):
    """Host without libvirt's virsh."""


async def read_statuses(asker: Asker) -> tuple[GuestStatus, ...]:
    """States and counters of all guests. Raises NoLibvirt, CommandFailed, ParseError, and link errors."""
    return parse_domain_stats(await text_of(asker, domain_stats(SYSTEM)))


def with_statuses(guests: Iterable[Guest], statuses: Iterable[GuestStatus]) -> tuple[Guest, ...]:
    """The guests in their states of now, without the errors of their disks."""
    fresh = {each.name: each for each in statuses}
    return tuple(_in_state(guest, fresh.get(guest.name, guest.status)) for guest in guests)


async def with_errors(asker: Asker, guests: Iterable[Guest]) -> tuple[Guest, ...]:
    """The guests, those that an I/O error has paused with the errors of their disks. Raises link errors."""
    return await all_of(_with_errors(asker, guest) for guest in guests)


async def text_of(asker: Asker, command: Command) -> str:
    """Output of a command of libvirt. Raises NoLibvirt, CommandFailed and link errors."""
    try:
        return (await asker.ask(command, kind="guests")).decode("utf-8", "surrogateescape")
    except CommandFailed as error:
        if error.status in NOT_STARTED:
            raise NoLibvirt(NO_LIBVIRT, status=error.status) from error
        raise


def counters_in(disk: StoredDisk, status: GuestStatus) -> StoredDisk:
    """The disk with its counters."""
    counted = next((each for each in status.disks if each.target == disk.disk.target), None)
    return replace(disk, counters=counted, error="")


def _in_state(guest: Guest, status: GuestStatus) -> Guest:
    return replace(guest, status=status, disks=tuple(counters_in(disk, status) for disk in guest.disks))


async def _with_errors(asker: Asker, guest: Guest) -> Guest:
    if not guest.status.is_paused_by_io_error:
        return guest
    try:
        text = await text_of(asker, disk_errors(SYSTEM, guest.definition.uuid))
        errors: Mapping[str, str] = parse_disk_errors(text)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return guest  # resumed or stopped meanwhile
    disks = (replace(disk, error=errors.get(disk.disk.target, "")) for disk in guest.disks)
    return replace(guest, disks=tuple(disks))
