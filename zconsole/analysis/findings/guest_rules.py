"""Findings on guests: those that an I/O error of their storage has paused."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.base.name_lists import shortened
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import Guest, StoredDisk
from zconsole.model.host.host_state import HostState

PLACES_NAMED = 3


def findings_of_guests(state: HostState) -> Iterator[Finding]:
    """A guest that an I/O error has paused stands still until it is resumed."""
    for guest in state.guests.value or ():
        if guest.status.is_paused_by_io_error:
            yield _paused(guest)


def _paused(guest: Guest) -> Finding:
    failed = [disk for disk in guest.disks if disk.error]
    places = tuple(dict.fromkeys(place for disk in failed or guest.disks for place in _places(disk)))
    pool = next((place.partition("/")[0] for place in places if not place.startswith("/")), None)
    on = f" on {shortened(places, PLACES_NAMED)}" if places else ""
    if failed:
        errors = shortened(tuple(f"{disk.error} for {disk.disk.target}" for disk in failed), PLACES_NAMED)
        words = f"{errors}{on}"
    else:
        words = f"its disks are{on}" if on else "what its disks are on is not known"
    return Finding(
        "guest-paused-io-error",
        Severity.CRITICAL,
        guest.name if pool is None else f"{pool} {guest.name}",
        f"guest {guest.name} is paused by an I/O error: {words}; it stands still until it is resumed",
        {
            "pool": pool,
            "guest": guest.name,
            "uuid": guest.definition.uuid,
            "disks": tuple(disk.disk.target for disk in failed),
            "errors": tuple(disk.error for disk in failed),
            "places": places,
        },
    )


def _places(disk: StoredDisk) -> Iterator[str]:
    """What takes a disk's writes: the place of its uppermost image."""
    if disk.images and disk.images[0].place:
        yield disk.images[0].place
