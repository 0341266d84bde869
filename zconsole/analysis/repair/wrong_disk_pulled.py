"""Wrong disk pulled: a sound device that vanished while a failed one waits to be taken out."""

from __future__ import annotations

from typing import Final

from zconsole.analysis.repair.pool_facts import PoolFacts
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.vdevs.device_safety import GONE_STATES
from zconsole.analysis.vdevs.redundancy import (
    in_words,
    is_vital,
    unnamed_resilver,
    vdev_redundancy,
)
from zconsole.model.pools.pool import HEALTHY_STATES, SUSPENDED, Vdev

BEFORE_S: Final = 30.0  # error reports that the pulling itself causes come within this time


def meant_instead(facts: PoolFacts, place: DevicePlace) -> DevicePlace | None:
    """The failed device in whose stead the disk of a place was pulled; None where it was not."""
    if place.member.state not in GONE_STATES:
        return None
    for other in places(facts.pool):
        is_in_trouble = other.member.state not in HEALTHY_STATES or other.member.has_errors
        if other.member is not place.member and is_in_trouble and _vanished(facts, other, place.member):
            return other if facts.identity(other.member).is_present else None
    return None


def wrongly_pulled(facts: PoolFacts, place: DevicePlace) -> tuple[Vdev, ...]:
    """Devices that are gone without an error of their own, while the disk of the place is still there."""
    if facts.identity(place.member).is_present is not True:
        return ()
    return tuple(leaf for each in facts.devices.values() if _vanished(facts, place, leaf := each.vdev))


def _vanished(facts: PoolFacts, place: DevicePlace, leaf: Vdev) -> bool:
    if leaf is place.member or leaf in place.newcomers or leaf.vdev_class in {"spare", "cache"}:
        return False
    if facts.identity(leaf).is_present is not False or leaf.has_errors:
        return False
    if facts.of.state == SUSPENDED and leaf.state in HEALTHY_STATES:
        return True  # its state is of before: `zpool status` waits with the pool
    if leaf.state not in GONE_STATES:
        return False
    gone_at, failed_at = facts.changed_at(leaf), facts.since(place.member)
    if gone_at is None or failed_at is None:
        return False  # which of the two went first is not known
    errors = facts.errors_of(leaf)
    return gone_at > failed_at and (errors is None or errors.first > gone_at - BEFORE_S)


def alarm_words(facts: PoolFacts, place: DevicePlace, pulled: tuple[Vdev, ...]) -> str:
    """What to put back, and why nothing is lost yet."""
    named = " and ".join(facts.identity(leaf).labelled for leaf in pulled)
    wanted = facts.identity(place.member).labelled
    what = "the wrong disk was" if len(pulled) == 1 else f"{len(pulled)} wrong disks were"
    return (
        f"STOP: {what} pulled. Put back {named}; the failed one is {wanted}, still in its place. "
        f"{_not_lost(facts, pulled)}"
    )


def _not_lost(facts: PoolFacts, pulled: tuple[Vdev, ...]) -> str:
    if facts.of.state == SUSPENDED:
        return (
            f"Nothing is lost yet: {facts.pool.name} is suspended, so nothing is written that it would miss. "
            "Once the disk is back, clear lets the I/O go on"
        )
    scan = unnamed_resilver(facts.pool)
    tops = [top for top in facts.pool.vdevs if any(leaf in pulled for leaf in top.leaves())]
    words = [
        in_words(found) for top in tops if is_vital(top) and (found := vdev_redundancy(top, scan)) is not None
    ]
    left = "; ".join(words)
    return f"Nothing is lost yet ({left}): when it is back ZFS copies only what was written meanwhile"
