"""Where space has to be freed for a guest that an I/O error has paused."""

from __future__ import annotations

from typing import Final

from zconsole.model.dataset_names import pool_of
from zconsole.model.guests.guest import Guest

NO_SPACE: Final = "no space"  # as libvirt words ENOSPC


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
