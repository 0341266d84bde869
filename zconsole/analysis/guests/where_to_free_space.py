"""Where space has to be freed for a guest that an I/O error has paused."""

from __future__ import annotations

from typing import Final

from zconsole.model.dataset_names import pool_of
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import HostState

NO_SPACE: Final = "no space"  # as libvirt words ENOSPC
ROOM_BYTES: Final = 1 << 30  # left, with which a guest goes on for a while


def where_to_free(guest: Guest) -> str:
    """Where space is to be freed for a guest: the pool if an error told that it is full, else the dataset.

    ZFS gives ENOSPC, libvirt's `no space`, where the pool is full, and EDQUOT at a quota.
    """
    place = dataset_to_look_at(guest)
    return pool_of(place) if any(disk.error == NO_SPACE for disk in guest.disks) else place


def dataset_to_look_at(guest: Guest) -> str:
    """Dataset or volume of a disk that had an error, else of the first disk; empty where none is known."""
    disks = sorted(guest.disks, key=lambda each: not each.error)
    places = (image.place for disk in disks for image in disk.images)
    return next((place for place in places if place and not place.startswith("/")), "")


def bytes_left(guest: Guest, state: HostState | None = None) -> int | None:
    """What is left where a disk had an error, else where all its disks are: by quotas, and in the pools.

    The least of what is known; None where nothing is.
    """
    failed = [disk for disk in guest.disks if disk.error] or [disk for disk in guest.disks if disk.is_written]
    images = [disk.images[0] for disk in failed if disk.images and disk.images[0].place]
    known: list[int | None] = [image.dataset.available_bytes for image in images if image.dataset is not None]
    if state is not None:
        settings = {
            each.name: each.available_bytes for pool in state.pools for each in pool.settings.value or ()
        }
        pools = {each.name: each.pool.value for each in state.pools}
        for image in images:
            pool = pools.get(pool_of(image.place))
            known += [settings.get(image.place), None if pool is None else pool.usable_available_bytes]
    return min((each for each in known if each is not None), default=None)
