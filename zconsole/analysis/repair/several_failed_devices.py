"""Several failures in one vdev: which device comes first, and what that means."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import OFFLINE, is_dead
from zconsole.analysis.repair.returned_disk_search import returned_disk
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.repair.wrong_disk_pulled import meant_instead
from zconsole.analysis.vdevs.redundancy import (
    ALIVE_STATES,
    has_all_data,
    in_words,
    is_vital,
    redundancy_in_pool,
)
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import GONE_STATES, HEALTHY_STATES, SUSPENDED, Vdev


def failed_in(facts: PoolFacts, place: DevicePlace) -> tuple[DevicePlace, ...]:
    """The places of the same vdev whose member is dead or whose spare or new disk lacks data, in order.

    A sound disk that has to be put back is none of them.
    """
    if not is_vital(place.top):
        return ()
    found = [
        each
        for each in places(facts.pool)
        if each.top is place.top
        and not has_all_data(each.holder)
        and not has_all_data(each.member)
        and meant_instead(facts, each) is None
    ]
    return tuple(sorted(found, key=lambda each: _rank(facts, each)))


def several_in_words(facts: PoolFacts, place: DevicePlace) -> str:
    """What is to be known where more than one device of the vdev failed; empty for one."""
    failed = failed_in(facts, place)
    redundancy = redundancy_in_pool(facts.pool, place.top)
    if len(failed) < 2 or redundancy is None:
        return ""
    if redundancy.needs_failed_back:
        back = joined_by_and(has_what_others_lack(facts, place.top))
        return (
            f"{_failed_and_back(facts, failed)}; {in_words(redundancy)}. Bring {back} back first, and pull "
            "none: what the others lack is there only"
        )
    if redundancy.is_lost:
        return (
            f"{_failed_and_back(facts, failed)}; {in_words(redundancy)}. One of them has to come back first"
        )
    first = facts.identity(failed[0].member).label
    return (
        f"{_failed_and_back(facts, failed)}; {in_words(redundancy)}. "
        f"{first} comes first: {_why_first(facts, failed[0])}"
    )


def has_what_others_lack(facts: PoolFacts, top: Vdev) -> tuple[str, ...]:
    """The failed devices of a vdev that works without them, and in which others lack data."""
    members = (each.member for each in places(facts.pool) if each.top is top)
    return tuple(facts.identity(leaf).label for leaf in members if leaf.state not in ALIVE_STATES)


def _failed_and_back(facts: PoolFacts, failed: Sequence[DevicePlace]) -> str:
    """`2 devices of raidz2-0 have failed: A and B`; one that serves and lacks data has not failed."""
    dead = [facts.identity(each.member).label for each in failed if each.member.state not in HEALTHY_STATES]
    back = [facts.identity(each.member).label for each in failed if each.member.state in HEALTHY_STATES]
    words = []
    if len(dead) > 1:
        words.append(f"{len(dead)} devices of {failed[0].top.name} have failed: {joined_by_and(dead)}")
    elif dead:
        words.append(f"{dead[0]} has failed")
    if back:
        words.append(
            f"{joined_by_and(back)} {'lacks' if len(back) == 1 else 'lack'} data until the resilver ends"
        )
    return "; ".join(words) if len(dead) > 1 else joined_by_and(words)


def state_in_words(vdev: Vdev) -> str:
    """`has failed`, of an administrator's own doing `is OFFLINE`."""
    return f"is {vdev.state}" if vdev.state == OFFLINE else "has failed"


def _rank(facts: PoolFacts, place: DevicePlace) -> int:
    if _is_filling(place):
        return 0
    if returned_disk(facts, place.member) is not None:
        return 1
    if place.member.state == OFFLINE:
        return 2
    return 3 if _is_gone_without_error(facts, place.member) else 4


def _is_gone_without_error(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether nothing is known of a disk but that the host does not see it: a cable or a slot may be all."""
    is_out = leaf.state in GONE_STATES and facts.identity(leaf).is_present is False
    return is_out and not facts.of_leaf(leaf).counted.has_errors


def _is_filling(place: DevicePlace) -> bool:
    return any(not is_dead(each) and each.is_resilvering for each in (*place.newcomers, *place.spares))


def _why_first(facts: PoolFacts, place: DevicePlace) -> str:
    match _rank(facts, place):
        case 0:
            runs = "waits for the pool" if facts.of.state == SUSPENDED else "is running"
            return f"its resilver {runs}; a second replacement would restart it or wait for it"
        case 1:
            return "its disk is present; ZFS copies only the data written since"
        case 2:
            return "it was taken offline by hand; online copies only what was written since"
        case 3:
            return "no error of it is known, and back in its slot it lacks only what was written since"
        case _:
            return "one at a time: a second resilver waits for the first"
