"""Wrong disk pulled: a sound device that vanished after another one had failed."""

from __future__ import annotations

from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.vdevs.redundancy import (
    in_words,
    is_vital,
    unnamed_resilver,
    vdev_redundancy,
)
from zconsole.base.name_lists import joined_by_and, shortened
from zconsole.model.pools.pool import GONE_STATES, HEALTHY_STATES, SUSPENDED, Vdev
from zconsole.model.pools.shelf_and_disk_path import free_bays
from zconsole.model.repair import STOP

SERVES: Final = HEALTHY_STATES | {"DEGRADED"}
FAILED_STATES: Final = frozenset({"FAULTED", "DEGRADED"})
MOST_BAYS: Final = 4  # named
BEFORE_S: Final = 30.0  # error reports that the pulling itself causes come within this time


def meant_instead(facts: PoolFacts, place: DevicePlace) -> DevicePlace | None:
    """The failed device in whose stead or after which the disk of a place was pulled; None where not."""
    if place.member.state not in GONE_STATES:
        return None
    for other in places(facts.pool):
        is_in_trouble = other.member.state not in HEALTHY_STATES or other.member.has_errors
        if other.member is not place.member and is_in_trouble and _vanished(facts, other, place.member):
            return other if _is_where_it_was_to_go(facts, other) else None
    return None


def wrongly_pulled(facts: PoolFacts, place: DevicePlace) -> tuple[Vdev, ...]:
    """Devices that are gone without an error of their own since that of the place failed."""
    if not _is_where_it_was_to_go(facts, place):
        return ()
    return tuple(leaf for each in facts.devices.values() if _vanished(facts, place, leaf := each.vdev))


def _is_where_it_was_to_go(facts: PoolFacts, place: DevicePlace) -> bool:
    """Whether the failed disk of a place is still there, or failed before it was gone."""
    is_present = facts.identity(place.member).is_present
    return is_present is True or (is_present is False and _had_failed(facts, place.member))


def _had_failed(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether anything was said against a disk before it was gone."""
    known = facts.of_leaf(leaf)
    if known.counted.has_errors or (known.before is not None and known.before.cause is not None):
        return True
    gone_at, errors = facts.changed_at(leaf), facts.errors_of(leaf)
    if errors is not None and gone_at is not None and errors.first < gone_at - BEFORE_S:
        return True
    return any(each.field("vdev_state") in FAILED_STATES for each in facts.events_of(leaf))


def _vanished(facts: PoolFacts, place: DevicePlace, leaf: Vdev) -> bool:
    if leaf is place.member or leaf in place.newcomers or leaf.vdev_class in {"spare", "cache"}:
        return False
    if facts.identity(leaf).is_present is not False or facts.of_leaf(leaf).counted.has_errors:
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
    wanted = facts.identity(place.member)
    if wanted.is_present:
        what = "the wrong disk was pulled" if len(pulled) == 1 else f"{len(pulled)} wrong disks were pulled"
        where = f"{_meant(place.member)} is {wanted.labelled}, still in its place"
    else:
        what = (
            "a sound disk is gone: it was pulled, or lost its contact"
            if len(pulled) == 1
            else f"{len(pulled)} sound disks are gone: they were pulled, or lost their contact"
        )
        where = f"{_meant(place.member)}, {wanted.labelled}, is out already"
    hints = "".join(f" {hint}." for leaf in pulled if (hint := how_to_find(facts, leaf)))
    return f"{STOP}: {what}. Put back {named}; {where}.{hints} {_not_lost(facts, pulled)}"


def failed_in_words(facts: PoolFacts, leaf: Vdev) -> str:
    """`SER0001 failed and is still in its place`; a disk that serves is not said to have failed."""
    device = facts.identity(leaf)
    if not device.is_present:
        return f"{device.label} had failed, and is out already"
    what = f"is {leaf.state} with errors" if leaf.state in SERVES else "failed"
    return f"{device.label} {what} and is still in its place"


def _meant(leaf: Vdev) -> str:
    return "the one with errors" if leaf.state in SERVES else "the failed one"


def how_to_find(facts: PoolFacts, leaf: Vdev) -> str:
    """How to find the disk of a leaf whose bay or serial number is not known; empty where both are."""
    device = facts.identity(leaf)
    unknown = [word for word, known in (("bay", device.bay), ("serial number", device.serial)) if not known]
    if not unknown:
        return ""
    be = "is" if len(unknown) == 1 else "are"
    words = [f"its {' and '.join(unknown)} {be} not known to this console"]
    if device.serial:
        words.append("the serial number is printed on it")
    elif not device.bay:
        words.append("it is none of the disks that the host still sees")
    if not device.bay:
        beside = facts.beside_by_path(leaf)
        words += [f"by its path it was beside {joined_by_and(beside)}"] if beside else []
        empty = free_bays(facts.inventory.shelves) if facts.inventory is not None else ()
        words += [f"bays without a disk: {shortened(empty, MOST_BAYS)}"] if empty else []
    return f"{device.label}: {'; '.join(words)}"


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
