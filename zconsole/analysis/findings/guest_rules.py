"""Findings on guests: paused by an I/O error, unable to start, and disks that two of them have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zconsole.analysis.guests.broken_chain_of_images import broken_chain
from zconsole.analysis.guests.disks_shared_by_guests import DiskOfTwoGuests, disks_shared_by_guests
from zconsole.analysis.guests.where_to_free_space import bytes_left
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import Guest, StoredDisk
from zconsole.model.host.host_state import HostState

PLACES_NAMED = 3


def findings_of_guests(state: HostState) -> Iterator[Finding]:
    """A guest that an I/O error has paused stands still until it is resumed."""
    for guest in state.guests.value or ():
        if guest.status.is_paused_by_io_error:
            yield _paused(guest, state)
        elif why_no_start := _why_no_start(guest):
            yield _cannot_start(guest, why_no_start)
    yield from _on_two_hosts(state)
    for shared in disks_shared_by_guests(state.guests.value or ()):
        yield _shared(shared)


def _shared(shared: DiskOfTwoGuests) -> Finding:
    name, other, path = shared.guest.name, shared.other.name, shared.path
    disks = sorted(shared.guest.disks, key=lambda each: each.disk.target != shared.target)
    place = next((each for disk in disks for each in _places(disk)), "")
    pool = place.partition("/")[0] if place and not place.startswith("/") else None
    if shared.is_below:
        words = f"is the backing file of a disk of {other}: what {name} writes damages that disk"
    elif shared.is_of_one_guest:
        words = f"is its {shared.second_target} too: QEMU does not start a guest with one disk twice"
    elif shared.is_running:
        words = f"is a disk of {other} too: both running, they destroy its file system"
    else:
        words = f"is a disk of {other} too: never start both, which would destroy its file system"
    return Finding(
        "guest-disk-shared",
        Severity.CRITICAL if shared.is_running else Severity.WARNING,
        " ".join(filter(None, (pool, name, shared.target, other))),
        f"guest {name}: its disk {shared.target}, {path}, {words}",
        {
            "pool": pool,
            "guest": name,
            "uuid": shared.guest.definition.uuid,
            "disk": shared.target,
            "other": other,
            "path": path,
            "is_below": shared.is_below,
        },
    )


def _paused(guest: Guest, state: HostState) -> Finding:
    failed = [disk for disk in guest.disks if disk.error]
    places = tuple(dict.fromkeys(place for disk in failed or guest.disks for place in _places(disk)))
    pool = _pool(places)
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
            "left_bytes": bytes_left(guest, state),
        },
    )


def _on_two_hosts(state: HostState) -> Iterator[Finding]:
    """Each of the two copies takes writes that the other has not got."""
    for uuid, other in state.guests_elsewhere:
        guest = next((each for each in state.guests.value or () if each.definition.uuid == uuid), None)
        if guest is None:
            continue
        places = tuple(dict.fromkeys(place for disk in guest.disks for place in _places(disk)))
        pool = _pool(places)
        yield Finding(
            "guest-on-two-hosts",
            Severity.CRITICAL,
            guest.name if pool is None else f"{pool} {guest.name}",
            f"guest {guest.name} runs here and on {other}: each copy has writes that the other lacks",
            {"pool": pool, "guest": guest.name, "uuid": uuid, "other_host": other, "places": places},
        )


def _why_no_start(guest: Guest) -> tuple[tuple[StoredDisk, str], ...]:
    """Its disks that libvirt or QEMU cannot open, each with the reason."""
    gone = tuple((disk, f"{path} does not exist") for disk, path in guest.missing)
    return (*gone, *((disk, why) for disk in guest.disks if (why := broken_chain(disk))))


def _cannot_start(guest: Guest, disks: tuple[tuple[StoredDisk, str], ...]) -> Finding:
    """A medium that is only read is taken out of the definition, and nothing is lost with it."""
    places = tuple(dict.fromkeys(place for disk, _ in disks for place in _places(disk)))
    pool = _pool(places)
    why = shortened(tuple(f"{disk.disk.target}, {words}" for disk, words in disks), PLACES_NAMED)
    when = "would not start again once it is off" if guest.status.state.is_active else "cannot start"
    return Finding(
        "guest-cannot-start",
        Severity.WARNING if any(disk.is_written for disk, _ in disks) else Severity.INFO,
        guest.name if pool is None else f"{pool} {guest.name}",
        f"guest {guest.name} {when}: {why}",
        {
            "pool": pool,
            "guest": guest.name,
            "uuid": guest.definition.uuid,
            "disks": tuple(dict.fromkeys(disk.disk.target for disk, _ in disks)),
            "places": places,
        },
    )


def _pool(places: Iterable[str]) -> str | None:
    """The pool of the first that is on one, and no path of another file system."""
    return next((pool_of(place) for place in places if not place.startswith("/")), None)


def _places(disk: StoredDisk) -> Iterator[str]:
    """What takes a disk's writes: the place of its uppermost image."""
    if disk.images and disk.images[0].place:
        yield disk.images[0].place
