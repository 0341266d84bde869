"""Work of ZFS on the pool that keeps a device from being replaced: checkpoint, removal, resilver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.data_at_stake.read_only_pool import way_out_of_read_only
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import (
    ALIVE_STATES,
    is_worth_waiting_for,
    pool_redundancy,
)
from zconsole.analysis.vdevs.scan_eta import percent_of, unfinished
from zconsole.base.fixed_width_formatting import percent
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import NotNow, RepairTrouble

RESILVER_RUNS: Final = "resilver-runs"  # id of the reason, and of the refusal


def pool_is_read_only(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """ZFS changes nothing of a pool that was imported read-only."""
    del place, trouble, cause
    if facts.pool.is_read_only:
        yield NotNow(
            "read-only",
            f"{facts.pool.name} is imported read-only: ZFS changes nothing of it",
            way_out_of_read_only(facts.pool),
        )


def pool_has_a_checkpoint(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """ZFS neither attaches nor replaces nor detaches nor removes while a checkpoint exists."""
    del trouble, cause
    changes = "removes" if place.top.vdev_class in {"cache", "spare"} else "replaces"
    if facts.pool.is_discarding_checkpoint:
        yield NotNow(
            "checkpoint",
            f"the checkpoint of {facts.pool.name} is being discarded; ZFS {changes} no device before its end",
            f"wait until the checkpoint is discarded: ZFS {changes} no device before",
        )
    elif facts.pool.has_checkpoint:
        yield NotNow(
            "checkpoint",
            f"{facts.pool.name} has a checkpoint; ZFS {changes} no device while it exists",
            f"discard the checkpoint if you do not need it: zpool checkpoint -d {facts.pool.name}",
        )


def vdev_is_being_removed(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A removal ends first. The expansion of a raidz does not: it waits until a failed disk is replaced."""
    del place, trouble, cause
    removal = facts.pool.running_removal
    if removal is None:
        return
    used_up = filled_without_redundancy(facts.pool)
    at = f", {percent(removal.percent)} done" if removal.percent is not None else ""
    yield NotNow(
        "vdevs-moving",
        f"a removal is running in {facts.pool.name}{at}: ZFS replaces no device meanwhile",
        f"stop it (zpool remove -s {facts.pool.name}), and replace then: {', '.join(used_up)} has no "
        "redundancy, and what is removed may be copied there too"
        if used_up
        else removal_to_stop(facts.pool)
        or f"wait for the removal to finish, or stop it (zpool remove -s {facts.pool.name})",
    )


def removal_to_stop(pool: Pool) -> str:
    """Why and how to stop a removal whose source returns errors, and what then; empty where it may go on.

    It copies from a device that can be read, without checksums (`spa_vdev_copy_segment`): one that is out,
    and write errors, say nothing against what is copied.
    """
    going = (top for top in pool.vdevs if any(each.is_removing for each in top.walk()))
    top = next((each for each in going if any(map(_returns_errors, each.leaves()))), None)
    if top is None or pool.running_removal is None:
        return ""
    if top.is_leaf:
        then = "attach a second disk to it, which copies with checksums, and remove it after that"
    elif any(leaf.state not in ALIVE_STATES for leaf in top.leaves()):
        then = "bring its failed devices back, scrub, and remove it after that"
    else:
        then = "scrub, and remove it after that"
    stop = f"stop it (zpool remove -s {pool.name})"
    return f"{stop}: {top.name} counts errors, and what is copied from it is not checked; {then}"


def _returns_errors(leaf: Vdev) -> bool:
    return leaf.state in ALIVE_STATES and bool(leaf.read_errors or leaf.checksum_errors)


def filled_without_redundancy(pool: Pool) -> tuple[str, ...]:
    """The vdevs without redundancy that a running removal may copy to: not the one that is removed."""
    running = pool.running_removal
    going = {top.name for top in pool.vdevs if any(each.is_removing for each in top.walk())}
    if running is not None and running.vdev is not None:
        going.add(running.vdev)
    if running is not None and not going:
        return ()  # which one goes is not known
    return tuple(each.vdev for each in pool_redundancy(pool) if each.is_used_up and each.vdev not in going)


def resilver_comes_first(pool: Pool, place: DevicePlace) -> bool:
    """Whether a replacement in a place waits for the running resilver, or would restart it.

    Of a suspended pool it does not run, and does not end by waiting.
    """
    return is_worth_waiting_for(pool) and place.newcomer is None and not pool.is_suspended


def another_resilver_runs(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A second replacement makes a running resilver start again, or waits for its end."""
    del trouble, cause
    if not resilver_comes_first(facts.pool, place):
        return
    scan, to = facts.pool.scan, _resilvering(facts, place)
    percent = None if scan is None else percent_of(scan)
    at = "" if percent is None else f", {unfinished(percent)} done"
    yield NotNow(
        RESILVER_RUNS,
        f"a resilver{to} is running{at}: a replacement now would restart it or wait for it",
        "wait until it ends",
    )


def _resilvering(facts: PoolFacts, place: DevicePlace) -> str:
    names = [facts.identity(each.vdev).label for each in facts.devices.values() if each.vdev.is_resilvering]
    if place.spare is not None and place.spare.is_resilvering:
        return f" onto the spare {facts.identity(place.spare).label}"
    return f" onto {' and '.join(names)}" if names else ""
