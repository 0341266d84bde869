"""Reasons not to replace a device now, each with what to do instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from zconsole.analysis.repair.bay_to_put_back_into import put_back_in_words
from zconsole.analysis.repair.common_cause.same_errors_on_all_copies import (
    SAME_ERRORS,
    memory_comes_first,
    same_errors_in,
)
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import (
    GOOD_COPIES,
    blocks_may_be_on_failed_devices,
    copies_away,
)
from zconsole.analysis.repair.data_at_stake.only_copy import ONLY_COPY, copy_comes_first, has_only_copy
from zconsole.analysis.repair.data_at_stake.pool_that_is_not_open import pool_is_not_open
from zconsole.analysis.repair.data_at_stake.resilver_with_errors import (
    RESILVER_ERRORS,
    last_resilver_had_errors,
)
from zconsole.analysis.repair.data_at_stake.unsound_siblings import (
    UNSOUND_SIBLINGS,
    failed_one_may_have_what_they_lack,
)
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import DEGRADED, DeviceFacts
from zconsole.analysis.repair.disk_or_cable import (
    NOT_LIVE,
    ONLINE,
    PARTS_OF_OTHERS,
    SHARED_CAUSES,
    WAY_PARTS,
    CauseFound,
)
from zconsole.analysis.repair.not_opened.gone_together import (
    GONE,
    GONE_TOGETHER,
    gone_with,
    one_that_is_gone_comes_back_first,
    they_come_back_first,
)
from zconsole.analysis.repair.not_opened.online_or_detach_first import (
    NOT_OPENED,
    device_may_serve_again,
)
from zconsole.analysis.repair.other_work_first.repairs_of_others import (
    a_repair_comes_first,
    another_of_the_vdev_comes_first,
    another_vdev_is_worse_off,
)
from zconsole.analysis.repair.other_work_first.work_of_pool import (
    RESILVER_RUNS,
    another_resilver_runs,
    pool_has_a_checkpoint,
    pool_is_read_only,
    vdev_is_being_removed,
)
from zconsole.analysis.repair.several_failed_devices import (
    has_what_others_lack,
)
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.repair.unreadable_sectors import (
    UNREADABLE,
    unreadable_sectors_are_written_again,
)
from zconsole.analysis.repair.wrong_disk_pulled import failed_in_words, meant_instead, missing_while_suspended
from zconsole.analysis.vdevs.redundancy import (
    has_all_data,
    in_words,
    is_scrub_for_later,
    is_vital,
    pool_redundancy,
    redundancy_in_pool,
)
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import DEAD_STATES, SUSPENDED, Vdev
from zconsole.model.repair import Certainty, NotNow, RepairCause, RepairTrouble

DAY_S: Final = 86400
VDEV_INCOMPLETE: Final = "vdev-incomplete"  # id of the reason, and of the refusal
SCRUB_OLD_DAYS: Final = 45
SLOW_LEAST_S: Final = 600.0  # a disk that is slow, without an error, for less than that is watched first
_READ_FIRST: Final = {RepairTrouble.SLOW, RepairTrouble.WARNED, RepairTrouble.TOO_SMALL}
_MOST_OF_IT: Final = 0.8  # of what a device of the vdev holds, copied by a resilver that read the others
WAY_CHECKS: Final = frozenset(f"check-{cause.name.lower()}" for cause in SHARED_CAUSES)  # ids
TURN_OF_OTHERS: Final = frozenset({RESILVER_RUNS, "same-vdev-first", "other-vdev-first", "repair-first"})
ADVICE: Final = WAY_CHECKS | {
    "unexplained",
    "steady",
    UNREADABLE,
    "slow-minutes",
    "scrub-first",
    "put-back",
    "same-vdev-first",
    GOOD_COPIES,
    RESILVER_ERRORS,
    NOT_OPENED,
    ONLY_COPY,
    SAME_ERRORS,
    UNSOUND_SIBLINGS,
    GONE_TOGETHER,
    GONE,
}  # what a user may know better

Rule = Callable[[PoolFacts, DevicePlace, RepairTrouble, CauseFound], Iterator[NotNow]]


def reasons_not_now(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> tuple[NotNow, ...]:
    """Everything that speaks against replacing a device now, the most important first."""
    return tuple(each for rule in RULES for each in rule(facts, place, trouble, cause))


def pool_is_suspended(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A suspended pool takes no command that writes."""
    del place, trouble, cause
    if facts.of.state == SUSPENDED:
        yield NotNow(
            "suspended",
            f"{facts.pool.name} is suspended: all its I/O waits; waiting loses no data",
            _resumed_by(facts),
        )


def _resumed_by(facts: PoolFacts) -> str:
    """What lets a suspended pool go on: the disks that are out, by name, and clear."""
    out = missing_while_suspended(facts)
    if together := [leaf for leaf in out if leaf.state != "REMOVED" and gone_with(facts, leaf)]:
        names = joined_by_and([facts.identity(leaf).label for leaf in together])
        return (
            f"bring {names} back: look whether they are in their bays, then check what they share "
            f"{WAY_PARTS}, parts that other disks use with the host shut down; then clear"
        )
    if out:
        return f"{joined_by_and([put_back_in_words(facts, leaf) for leaf in out])}, then clear"
    if any(facts.identity(each.vdev).is_present is None for each in facts.devices.values()):
        return "bring the missing disks back, then clear"
    is_there = f"clear {facts.pool.name}: its disks are there"
    failed = [
        each.vdev for each in facts.devices.values() if each.vdev.state == "FAULTED" and each.vdev.has_errors
    ]
    if len(failed) > 1:
        names = joined_by_and([facts.identity(leaf).label for leaf in failed])
        return (
            f"check what {names} share {WAY_PARTS}, parts that other disks use with the host shut down; "
            f"then {is_there}"
        )
    return is_there


def vdev_is_lost(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """Nothing can be copied from a vdev that has lost more than it can make up for."""
    del trouble, cause
    redundancy = redundancy_in_pool(facts.pool, place.top)
    is_stopped = facts.pool.state in DEAD_STATES or facts.of.state == SUSPENDED
    then = "clear" if is_stopped else "online or clear"
    if redundancy is not None and redundancy.is_lost and is_vital(place.top):
        yield NotNow(
            "vdev-lost",
            f"{in_words(redundancy)}: there is nothing to copy from",
            f"reconnect a missing disk ({PARTS_OF_OTHERS}), then {then}; if none of them works any more, "
            "only a backup has the data",
        )


def vdev_is_incomplete(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """What a device that is behind lacks is on a failed one only: that one is brought back, and stays in."""
    del trouble, cause
    redundancy = redundancy_in_pool(facts.pool, place.top)
    if redundancy is not None and redundancy.needs_failed_back and is_vital(place.top):
        failed = joined_by_and(has_what_others_lack(facts, place.top))
        is_on = "is on" if redundancy.is_incomplete else "may be on"
        yield NotNow(
            VDEV_INCOMPLETE,
            f"{in_words(redundancy)}: what the others lack {is_on} {failed}",
            f"bring {failed} back: check cable, slot and power ({PARTS_OF_OTHERS}), then clear "
            f"or online; pull, detach and replace no disk of {place.top.name} before that",
        )


def disk_was_pulled_by_mistake(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A sound disk that was pulled in place of a failed one goes back where it was."""
    del trouble, cause
    meant = meant_instead(facts, place)
    if meant is not None:
        device = facts.identity(place.member)
        yield NotNow(
            "put-back",
            f"{device.label} had no error when it vanished; {failed_in_words(facts, meant.member)}",
            put_back_in_words(facts, place.member),
        )


def cause_is_shared(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A new disk does not cure a cable, a controller or a shelf."""
    del facts, place, trouble
    is_held = cause.cause is RepairCause.CABLE or cause.certainty is not Certainty.UNCLEAR
    if cause.cause in SHARED_CAUSES and is_held:
        them, they = ("them", "they disappear") if cause.shared else ("it", "it disappears")
        back, part = cause.returned is not None, cause.shared or cause.cause.value
        dead = "if one is dead, replace that one" if cause.shared else "if it is dead, replace it"
        is_of_one = cause.cause is RepairCause.CABLE and not cause.shared
        again = "; if they do, replace the disk" if is_of_one else ""
        yield NotNow(
            f"check-{cause.cause.name.lower()}",
            f"{cause.words}: another disk would fail in the same way",
            f"bring {them} online again, and watch whether {they} again; {dead}"
            if back
            else f"check {part}, {NOT_LIVE}; then clear and scrub, and watch whether the errors come "
            f"back{again}",
        )
    if cause.cause is RepairCause.MOVED:
        yield NotNow(
            "moved",
            f"{cause.words}; its data is still on it",
            "bring it online: ZFS copies only what was written meanwhile; if ZFS cannot open it, replace it",
        )


def errors_are_unexplained(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A few errors of a disk that serves and calls itself sound: whether they come back tells more."""
    device = facts.identity(place.member)
    is_sound = _is_in_use(place.member) and device.is_present is not False
    if trouble is not RepairTrouble.FAILING or not is_sound or cause.cause is not RepairCause.UNKNOWN:
        return
    if has_only_copy(facts.pool, place.top) or any(same_errors_in(facts.pool, place.top)):
        return  # these have a reason of their own
    why = f"{device.label} serves, and the cause of its errors is not known"
    if away := copies_away(facts.pool, place.top):
        names = joined_by_and([facts.identity(leaf).label for leaf in away])
        are, have = ("are", "have") if len(away) > 1 else ("is", "has")
        yield NotNow(
            "unexplained",
            why,
            f"leave the errors of {device.label} as they are until {names} {are} in use again, which {have} "
            f"another copy; then scrub {facts.pool.name}, and see whether they grow",
        )
    elif is_scrub_for_later(facts.pool) or any(each.failed for each in pool_redundancy(facts.pool)):
        yield NotNow(
            "unexplained",
            why,
            f"leave the errors of {device.label} as they are until the redundancy is back and no resilver "
            f"runs; then clear them, scrub {facts.pool.name}, and see whether they come back",
        )
    elif (scan := facts.pool.scan) is not None and scan.function == "scrub" and scan.is_running:
        yield NotNow(
            "unexplained",
            why,
            f"wait for the running scrub, and clear nothing before its end: what it counts of {device.label} "
            "tells whether the errors go on",
        )
    elif place.top.vdev_class in {"cache", "log"}:
        yield NotNow(
            "unexplained",
            why,
            f"clear the errors of {device.label} and watch whether they come back while it is in use: a "
            "scrub reads no cache, and hardly anything of a log",
        )
    else:
        yield NotNow(
            "unexplained",
            why,
            f"clear the errors of {device.label} and scrub {facts.pool.name}; if they come back, change the "
            f"cable or the slot first ({NOT_LIVE}), then the disk",
        )


def _is_in_use(leaf: Vdev) -> bool:
    """Whether ZFS uses a device as before; it marks one as DEGRADED for checksum errors that come fast.

    A cable, a controller or memory causes those as well as a disk does (zed's diagnosis, `checksum_n`).
    """
    is_marked = leaf.state == DEGRADED and bool(leaf.checksum_errors)
    return leaf.state == ONLINE or (is_marked and not leaf.read_errors and not leaf.write_errors)


def warning_is_steady(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A disk that lost a few sectors once, and none since, may serve for years."""
    del cause
    known = facts.of_leaf(place.member)
    if trouble is RepairTrouble.WARNED and known.is_steady:
        yield NotNow(
            "steady",
            f"{facts.identity(place.member).label} serves without an error, and the numbers that SMART warns "
            "of have not grown in a week",
            f"scrub {facts.pool.name}; replace the disk when a number grows or ZFS counts an error",
        )


def slow_for_minutes_only(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A disk that is slow, and nothing else, may be itself again soon: load, a cable, a trim, vibration."""
    del cause
    known = facts.of_leaf(place.member)
    if trouble is not RepairTrouble.SLOW or known.slow is None or known.complaints:
        return
    lasted_s = facts.now - known.slow.first_at
    if lasted_s < SLOW_LEAST_S and not known.counted.has_errors:
        yield NotNow(
            "slow-minutes",
            f"{facts.identity(place.member).label} has been slow for {duration(max(0.0, lasted_s))} only, "
            "without an error",
            "watch it, and compare what it does with its peers; replace it if it stays slow",
        )


def survivors_were_not_read(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A device that still serves is replaced after a scrub: it may have the last good copy of a block."""
    del cause
    days = days_since_scrub(facts)
    if trouble is RepairTrouble.WARNED and facts.of_leaf(place.member).is_getting_worse:
        return  # it may not last until the end of a scrub
    is_choice = trouble in _READ_FIRST and has_all_data(place.member) and is_vital(place.top)
    if is_choice and (days is None or days > SCRUB_OLD_DAYS) and not read_by_resilver(facts, place.top):
        age = "no finished scrub is known" if days is None else f"the last scrub ended {days:.0f}d ago"
        yield NotNow(
            "scrub-first",
            f"{age}: the other disks of {place.top.name} may have unreadable sectors that nobody has seen",
            "scrub first, while this disk can still repair what the others cannot read",
        )


RULES: Final[tuple[Rule, ...]] = (
    pool_is_suspended,
    pool_is_read_only,
    vdev_is_lost,
    vdev_is_incomplete,
    pool_is_not_open,
    blocks_may_be_on_failed_devices,
    pool_has_a_checkpoint,
    vdev_is_being_removed,
    disk_was_pulled_by_mistake,
    device_may_serve_again,
    they_come_back_first,
    copy_comes_first,
    memory_comes_first,
    failed_one_may_have_what_they_lack,
    one_that_is_gone_comes_back_first,
    cause_is_shared,
    errors_are_unexplained,
    warning_is_steady,
    unreadable_sectors_are_written_again,
    slow_for_minutes_only,
    another_resilver_runs,
    last_resilver_had_errors,
    another_vdev_is_worse_off,
    another_of_the_vdev_comes_first,
    a_repair_comes_first,
    survivors_were_not_read,
)


def days_since_scrub(facts: PoolFacts) -> float | None:
    """Days since the last finished scrub; None where the status shows none."""
    scrub = facts.pool.last_scrub
    return None if scrub is None or scrub.end is None else max(0.0, (facts.now - scrub.end) / DAY_S)


def read_by_resilver(facts: PoolFacts, top: Vdev) -> bool:
    """Whether the last resilver filled a device of the vdev lately, and so read what the others have."""
    scan = facts.pool.scan
    if scan is None or scan.function != "resilver" or scan.state != "finished" or scan.end is None:
        return False
    if scan.errors or facts.now - scan.end > SCRUB_OLD_DAYS * DAY_S:
        return False
    parts = 1 if top.type == "mirror" or top.is_leaf else max(1, len(top.children))
    return (scan.repaired_bytes or 0) >= _MOST_OF_IT * (top.allocated_bytes or 0) / parts


def failing_survivors(facts: PoolFacts, place: DevicePlace) -> tuple[Vdev, ...]:
    """Other devices of the vdev that work with errors, are slow, or are warned of by SMART."""
    return tuple(
        leaf
        for leaf in place.top.leaves()
        if leaf is not place.member
        and leaf not in place.newcomers
        and has_all_data(leaf)
        and _is_unsound(facts.of_leaf(leaf))
    )


def _is_unsound(known: DeviceFacts) -> bool:
    return known.is_failing or known.slow is not None or bool(known.warnings)
