"""What a pool still survives, and what has the data of the failed device, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import (
    damage_in_words,
    devices_with_damaged_blocks,
)
from zconsole.analysis.repair.data_at_stake.only_copy import only_copies_gone
from zconsole.analysis.repair.data_at_stake.unsound_siblings import relied_on_with_errors
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.several_failed_devices import has_what_others_lack
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import (
    ALIVE_STATES,
    Redundancy,
    has_all_data,
    in_words,
    is_vital,
    newcomers,
    pool_redundancy,
    redundancy_in_pool,
    unnamed_resilver,
    written_without_reason,
)
from zconsole.analysis.vdevs.scan_eta import percent_of, unfinished
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import DEAD_STATES, SUSPENDED, Vdev

SPARE: Final = "the spare "
LOG: Final = "log"
NOT_LOST: Final = "Nothing is known to be lost"  # a scrub or the resilver shows whether each block is whole


def survives_in_words(facts: PoolFacts) -> tuple[str, ...]:
    """A clause for each vdev that the pool's data depends on, the worst first; equal ones in one."""
    found = sorted(pool_redundancy(facts.pool), key=lambda each: each.left)
    if facts.pool.state in DEAD_STATES:  # nothing of it is in use: what the others would survive is open
        found = [each for each in found if each.failed]
    weak = [in_words(each) for each in found if each.failed or each.left <= 0 or each.is_at_most]
    sound = [each for each in found if not (each.failed or each.left <= 0 or each.is_at_most)]
    if len(sound) > 2:
        least = min(each.left for each in sound)
        failures = "failure" if least == 1 else "failures"
        at_least = "" if all(each.left == least for each in sound) else "at least "
        other = "other " if weak else ""
        return (*weak, f"each of the {other}{len(sound)} vdevs survives {at_least}{least} {failures}")
    return (*weak, *map(in_words, sound))


def safety_in_words(facts: PoolFacts, place: DevicePlace) -> str:
    """Whether anything is lost, and which disks serve."""
    pool, top = facts.pool, place.top
    if facts.of.state == SUSPENDED:
        return (
            f"{pool.name} is suspended: what it had is not lost by waiting, and nothing is written meanwhile"
        )
    if damage := damage_in_words(pool):
        if out := devices_with_damaged_blocks(pool) or only_copies_gone(facts):
            names = joined_by_and([facts.identity(leaf).label for leaf in out])
            return f"{damage}: with {names} back ZFS may read these blocks again; delete nothing before that"
        return f"{damage}: what a scrub does not repair has to come from a backup"
    if top.vdev_class == LOG:
        return _log_in_words(facts, place)
    if not is_vital(top):
        return f"Nothing is lost: no data depends on the {top.vdev_class} device alone"
    redundancy = redundancy_in_pool(pool, top)
    if redundancy is None or redundancy.is_lost:
        return f"{top.name} cannot be read until a disk of it is back"
    if redundancy.is_incomplete:
        back = _back(facts, top)
        return f"Not all of {top.name} can be read until {back} back: what another disk missed is there"
    if redundancy.needs_failed_back:
        back = _back(facts, top)
        return f"Perhaps not all of {top.name} can be read until {back} back: what others missed may be there"
    serving = list(_serving(facts, place))
    filled = "".join(f"; {each} is being filled" for each in _filled(facts, place))
    if not serving:
        return f"{NOT_LOST}{filled}"
    listed = _counted(serving, _wanted(place)) if len(serving) > 3 else joined_by_and(serving)
    unsound = [facts.identity(leaf).label for leaf in relied_on_with_errors(pool, top)]
    doubt = f"; whether all can be read there is open: errors are counted of {joined_by_and(unsound)}"
    told = f"{doubt if unsound else ''}{_written_in_words(facts, top, redundancy)}"
    return f"{NOT_LOST}: {top.name} runs on {listed}{filled}{told}"


def _back(facts: PoolFacts, top: Vdev) -> str:
    """`SER0001 is`, `SER0001 and SER0002 are`."""
    names = has_what_others_lack(facts, top)
    return f"{joined_by_and(names)} {'is' if len(names) == 1 else 'are'}"


def _written_in_words(facts: PoolFacts, top: Vdev, redundancy: Redundancy) -> str:
    """Devices that a resilver wrote to, and that may have been away."""
    parts = (part for part in top.children if part.name in redundancy.in_doubt)
    doubted = {id(leaf) for part in parts for leaf in part.leaves()}
    leaves = (leaf for leaf in written_without_reason(top) if id(leaf) in doubted)
    written = [facts.identity(leaf).label for leaf in leaves]
    have = "has" if len(written) == 1 else "have"
    return f"; ZFS does not show whether {joined_by_and(written)} {have} all data" if written else ""


def _log_in_words(facts: PoolFacts, place: DevicePlace) -> str:
    """What is in a log is read at an import only: until then it is in memory as well."""
    pool = facts.pool
    if DEAD_STATES & {pool.state, facts.of.state}:
        name = facts.identity(place.member).label
        return (
            f"{pool.name} is not open: what was only in its log when the host went down is on {name}. Bring "
            "it back; zpool clear opens the pool without, and loses the last seconds of synchronous writes"
        )
    redundancy = redundancy_in_pool(pool, place.top)
    if redundancy is not None and redundancy.left >= 0 and not redundancy.may_be_incomplete:
        serving = joined_by_and(list(_serving(facts, place)))
        return f"{NOT_LOST}: the log {place.top.name} runs on {serving}"
    return (
        f"Nothing is lost while {pool.name} stays imported: what was written since the import is in memory "
        "as well. Records of before, of datasets that were not mounted since, are in the log alone"
    )


def _counted(names: Sequence[str], wanted: int) -> str:
    """`5 of its 6 disks and the spare X (resilver 4%)`."""
    spares = [each for each in names if each.startswith(SPARE)]
    serving = len(names) - len(spares)
    disks = f"all of its {wanted} disks" if serving >= wanted else f"{serving} of its {wanted} disks"
    return joined_by_and([disks, *spares])


def _wanted(place: DevicePlace) -> int:
    """How many devices the vdev was made of: a spare or a new disk is beside one, not one more."""
    return sum(1 for each in place.top.children if each.vdev_class != "spare")


def _serving(facts: PoolFacts, place: DevicePlace) -> Iterator[str]:
    spares = set(map(id, newcomers(place.top, ("spare",))))
    new = set(map(id, newcomers(place.top, ("replacing",))))  # also where ZFS does not mark them yet
    for leaf in place.top.leaves():
        if id(leaf) not in new and has_all_data(leaf) and not _is_filled(facts, place, leaf):
            yield f"{SPARE if id(leaf) in spares else ''}{facts.identity(leaf).label}"


def _filled(facts: PoolFacts, place: DevicePlace) -> Iterator[str]:
    """The hot spares that are in use and do not have all data yet, with how far the resilver is."""
    scan = facts.pool.scan_of(place.top.name)
    percent = None if scan is None else percent_of(scan)
    at = "" if percent is None else f" (resilver {unfinished(percent)})"
    new = set(map(id, newcomers(place.top, ("replacing",))))  # also where ZFS does not mark them yet
    for leaf in place.top.leaves():
        if id(leaf) not in new and _is_filled(facts, place, leaf):
            yield f"{SPARE}{facts.identity(leaf).label}{at}"


def _is_filled(facts: PoolFacts, place: DevicePlace, leaf: Vdev) -> bool:
    is_spare = any(leaf is each for each in newcomers(place.top, ("spare",)))
    is_running = leaf.is_resilvering or unnamed_resilver(facts.pool) is not None
    return is_spare and leaf.state in ALIVE_STATES and is_running
