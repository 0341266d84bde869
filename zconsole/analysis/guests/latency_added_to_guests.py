"""Latency that a slow disk adds to the I/O of the guests on its pool, from its measured excess.

It is the mean over the pool: the excess of an operation that waits for the disk's vdev, times the share of
the pool's operations that the vdev did. How the blocks of one guest are spread over the vdevs is not known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import READ, STALLING, STRIPED, WRITE, Cost, SlowDiskVerdict

if TYPE_CHECKING:
    from zconsole.model.guests.guest import Guest  # not needed by the first frame

LEAST_NS: Final = 50_000.0  # less is not told: it would be printed as 0.0 or 0.1 ms
DATA, LOG = "data", "log"


@dataclass(frozen=True, slots=True)
class AddedLatency:
    """Time that a slow disk adds to an operation in nanoseconds, and the running guests on its pool."""

    operation: str  # READ; or WRITE, of those that somebody waits for
    pool_ns: float  # to one of the pool in the mean
    vdev_ns: float  # to one that waits for the disk's vdev
    share: float  # 0 to 1, of the pool's operations of this kind that the vdev did
    guests: tuple[str, ...]
    is_most: bool = False  # what full stripes wait; smaller blocks are on fewer disks


def added_latency(
    verdict: SlowDiskVerdict, pool: Pool | None, guests: Iterable[Guest]
) -> tuple[AddedLatency, ...]:
    """What the disk costs the guests that run on the pool; nothing without such guests or a measured excess.

    Guests read from data vdevs. They wait for writes only where they are synchronous, which the log takes
    where there is one. A slow tail and stalls have no mean, and are not told.
    """
    if pool is None or not verdict.is_ongoing or verdict.kind == STALLING:
        return ()
    names = tuple(each.name for each in running_guests_on(guests, pool.name))
    waited_for = _waited_for(verdict, pool)
    found = (
        _added(cost, names, is_most=verdict.shape.startswith(STRIPED))
        for cost in verdict.costs
        if cost.operation in waited_for
    )
    return tuple(each for each in found if each is not None) if names else ()


def running_guests_on(guests: Iterable[Guest], pool: str) -> tuple[Guest, ...]:
    """Guests that run now with an image on a pool, their own or one below it, by name.

    A paused guest waits for no I/O, and is left out.
    """
    found = (
        guest
        for guest in guests
        if guest.status.state.is_running and any(_pool(place) == pool for place in guest.places)
    )
    return tuple(sorted(found, key=lambda guest: guest.name))


def _waited_for(verdict: SlowDiskVerdict, pool: Pool) -> frozenset[str]:
    """The operations of the disk's vdev that a guest waits for."""
    vdev = next((each for each in pool.vdevs if each.name == verdict.vdev), None)
    if vdev is None or vdev.vdev_class not in {DATA, LOG}:
        return frozenset()  # how much of its metadata a guest reads is not known
    if vdev.vdev_class == LOG:
        return frozenset({WRITE})
    has_log = any(each.vdev_class == LOG for each in pool.vdevs)
    return frozenset({READ} if has_log else {READ, WRITE})


def _added(cost: Cost, guests: tuple[str, ...], *, is_most: bool) -> AddedLatency | None:
    vdev, pool = cost.vdev_with_ns - cost.vdev_without_ns, cost.pool_with_ns - cost.pool_without_ns
    if cost.share is not None or pool < LEAST_NS or vdev <= 0:
        return None
    return AddedLatency(cost.operation, pool, vdev, min(1.0, pool / vdev), guests, is_most)


def _pool(place: str) -> str:
    """The pool of a dataset; empty for a device."""
    return "" if place.startswith("/") else place.partition("/")[0]
