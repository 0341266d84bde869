"""Bay for a disk that has to be put back, and how to find the disk of a device that is gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import path_before
from zconsole.base.name_lists import in_ranges, joined_by_and
from zconsole.model.pools.pool import HEALTHY_STATES, Vdev

BY_ID: Final = "/dev/disk/by-id/"


def put_back_in_words(facts: PoolFacts, leaf: Vdev) -> str:
    """`put ZC13A1JN back into bay 4`."""
    return f"put {facts.identity(leaf).label} back{_into(facts, leaf)}"


def to_be_put_back(facts: PoolFacts, leaf: Vdev) -> str:
    """`ZC13A1JN (bay 4)`; a bay that another disk has now is not named here."""
    device = facts.identity(leaf)
    return device.label if device.is_bay_taken else device.in_bay


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
        words += _beside(facts, leaf)
        empty = in_ranges(facts.empty_bays)
        words += [f"bays without a disk: {empty}"] if empty else []
    return f"{device.label}: {'; '.join(words)}"


def where_it_goes(facts: PoolFacts, leaf: Vdev) -> str:
    """Where to put the disk of a leaf whose own bay is not known, or is taken; empty where it is free."""
    device = facts.identity(leaf)
    if device.is_bay_taken:
        return f"{device.label}: {'; '.join(_where_taken(facts, leaf))}"
    if device.bay or not device.serial or not _is_found_anywhere(leaf):
        return how_to_find(facts, leaf)
    words = [f"its bay is not known to this console; {_any_bay(facts)}", *_beside(facts, leaf)]
    return f"{device.label}: {'; '.join(words)}"


def _where_taken(facts: PoolFacts, leaf: Vdev) -> Iterator[str]:
    bay = facts.identity(leaf).bay
    other = facts.in_bay(bay)
    label = other.serial if other is not None else "another disk"
    serves = other is not None and other.leaf is not None
    yield f"bay {bay}, where it was, has {label} now"
    if serves and other is not None and other.top is not None:
        is_in_use = other.leaf is not None and other.leaf.state in HEALTHY_STATES
        yield (
            f"{label} serves {other.top.name}: leave it in" if is_in_use else f"it is of {other.top.name} too"
        )
    if _is_found_anywhere(leaf):
        yield _any_bay(facts)
    elif not serves:
        yield f"take {label} out first: ZFS looks for the disk in its own bay"


def _into(facts: PoolFacts, leaf: Vdev) -> str:
    device = facts.identity(leaf)
    if device.bay and not device.is_bay_taken:
        return f" into bay {device.bay}"
    return " into any empty bay" if _is_found_anywhere(leaf) else ""


def _any_bay(facts: PoolFacts) -> str:
    empty = in_ranges(facts.empty_bays)
    return f"any empty bay will do{f' ({empty})' if empty else ''}, since ZFS knows the disk by its identity"


def _is_found_anywhere(leaf: Vdev) -> bool:
    """Whether the pool has the disk by its identity, and not by the slot that it is in."""
    return path_before(leaf).startswith(BY_ID)


def _beside(facts: PoolFacts, leaf: Vdev) -> list[str]:
    beside = facts.beside_by_path(leaf)
    return [f"by its path it was beside {joined_by_and(beside)}"] if beside else []
