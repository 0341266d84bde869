"""What happens to guests and containers when their pool is full: paused by QEMU, or errors inside.

Seen on OpenZFS 2.4 and Linux 6.12: a file, and a volume written past the page cache, fail with ENOSPC; a
volume written through the page cache of the host fails with EIO; space that a volume has reserved is no
guarantee, its writes failed with ENOSPC too (openzfs/zfs#17287). QEMU's own policy, `enospc`, pauses a guest
at ENOSPC alone. The programs of a container write to ZFS themselves, and see ENOSPC. What a virtual machine
of an engine other than libvirt does is not known: its policy is not read.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import Guest, StoredDisk


class FullEffect(Enum):
    """Effect of a full pool on a guest, the worst first."""

    WRITES_LOST = "writes-lost"  # its policy ignores errors
    SEES_ERRORS = "sees-errors"
    PROGRAMS_FAIL = "programs-fail"  # of a container: they are told that there is no space
    PAUSED = "paused"  # until there is space, and it is resumed
    UNKNOWN = "unknown"  # its policy is not one of those that are known


PAST_PAGE_CACHE: Final = frozenset({"none", "directsync"})  # QEMU's cache modes that open with O_DIRECT
BY_POLICY: Final = {
    "ignore": FullEffect.WRITES_LOST,
    "report": FullEffect.SEES_ERRORS,
    "stop": FullEffect.PAUSED,
}
_QEMU_DEFAULT: Final = frozenset({"", "default", "enospace"})


@dataclass(frozen=True, slots=True)
class GuestWhenFull:
    """Guest with disks that write to a pool, by target, and what a full pool does to it."""

    guest: str
    disks: tuple[str, ...]
    effect: FullEffect
    has_reserved: bool = False  # what holds each of these disks has reserved space left
    is_paused_now: bool = False  # by an I/O error: it does not write until it is resumed


def guests_when_full(guests: Iterable[Guest], pool: str) -> tuple[GuestWhenFull, ...]:
    """Guests and containers that run and write to a pool, the worst effect first, then by name.

    A guest with disks of several effects is told with each: which disk writes first is not known.
    """
    found: list[GuestWhenFull] = []
    for guest in guests:
        if not guest.status.state.is_active:
            continue
        by_effect: dict[FullEffect, list[StoredDisk]] = {}
        for disk in guest.disks:
            if _writes_to(disk, pool):
                by_effect.setdefault(_effect(guest, disk), []).append(disk)
        found += (
            GuestWhenFull(
                guest.name,
                tuple(each.disk.target for each in disks),
                effect,
                all(has_reserved_space(each.images[0].dataset) for each in disks),
                is_paused_now=guest.status.is_paused_by_io_error,
            )
            for effect, disks in by_effect.items()
        )
    order = list(FullEffect)
    return tuple(sorted(found, key=lambda each: (order.index(each.effect), each.guest)))


def has_reserved_space(dataset: Dataset | None) -> bool:
    """Whether a dataset has reserved space that it does not use yet."""
    if dataset is None:
        return False
    reserved, used = dataset.reservation_bytes or 0, dataset.used_bytes or 0
    return bool(dataset.used_by_refreservation_bytes) or reserved > used


def _writes_to(disk: StoredDisk, pool: str) -> bool:
    """Whether its uppermost image, which takes its writes, is on the pool."""
    if not disk.images or disk.disk.is_read_only:
        return False
    place = disk.images[0].place
    return not place.startswith("/") and place.partition("/")[0] == pool


def _effect(guest: Guest, disk: StoredDisk) -> FullEffect:
    if not guest.is_of_libvirt:
        return FullEffect.PROGRAMS_FAIL if guest.definition.is_container else FullEffect.UNKNOWN
    policy = disk.disk.error_policy
    if policy in BY_POLICY:
        return BY_POLICY[policy]
    if policy not in _QEMU_DEFAULT:
        return FullEffect.UNKNOWN
    fails_with_enospc = not disk.images[0].is_volume or disk.disk.cache in PAST_PAGE_CACHE
    return FullEffect.PAUSED if fails_with_enospc else FullEffect.SEES_ERRORS
