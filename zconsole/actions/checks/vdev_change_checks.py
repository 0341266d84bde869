"""Checks of changes to the vdevs of a pool: checkpoint, removal, resilver, redundancy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.device_lookup_and_description import path_in, state_in_words
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Risk
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import (
    damage_in_words,
    devices_with_damaged_blocks,
)
from zconsole.analysis.repair.data_at_stake.unsound_siblings import relied_on_with_errors
from zconsole.analysis.vdevs.redundancy import (
    ALIVE_STATES,
    ended_badly,
    has_all_data,
    in_words,
    is_vital,
    pool_redundancy,
    redundancy_in_pool,
)
from zconsole.analysis.vdevs.topology_after_change import ashifts, continued, has_parity, resilvered, top_of
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import Pool, Vdev

_ONLY_WHOLE: Final = "not known: blocks that only {} has whole, if there are any"


def saw_vdev(top: Vdev, draft: Draft) -> None:
    """Add guids and states of a top-level vdev to the basis."""
    for each in top.walk():
        draft.saw(f"state of {path_in(top, each)}", f"{state_in_words(each)} {each.guid or ''}".strip())


def saw_tops(pool: Pool, draft: Draft) -> None:
    """Add the pool's top-level vdevs to the basis."""
    tops = (f"{top.vdev_class} {top.name} {top.guid or ''}".strip() for top in pool.vdevs)
    draft.saw(f"vdevs of {pool.name}", ", ".join(tops))


def refuse_checkpoint(pool: Pool, draft: Draft, verb: str) -> None:
    """Refuse changes of vdevs while a checkpoint exists."""
    is_discarding = pool.is_discarding_checkpoint
    draft.saw(f"checkpoint of {pool.name}", "being discarded" if is_discarding else pool.checkpoint_created)
    if is_discarding:
        discarded = f"the checkpoint of {pool.name} is being discarded: ZFS will not {verb} yet"
        draft.refuse("checkpoint", discarded, "wait until it is gone")
    elif pool.has_checkpoint:
        draft.refuse("checkpoint", f"{pool.name} has a checkpoint, and ZFS will not {verb} while it exists",
                     f"discard it first: zpool checkpoint -d {pool.name}")  # fmt: skip


def refuse_moving(top: Vdev, draft: Draft) -> None:
    """Refuse a vdev that is being removed."""
    if top.is_removing:
        draft.refuse("removing", f"{top.name} is being removed", "wait for the removal, or cancel it")


def say_resilver(pool: Pool, draft: Draft) -> None:
    """Note the effect of a second resilver."""
    scan = pool.scan
    if scan is None or not scan.is_running:
        return
    if scan.function == "resilver":
        words = (
            f"a resilver of {pool.name} is running: this one waits until it is done, or restarts it if the "
            "pool lacks the feature resilver_defer, or while that one is below "
            "zfs_resilver_defer_percent (10 %), where the module has this parameter"
        )
        used_up = [each.vdev for each in pool_redundancy(pool) if each.is_used_up]
        if used_up:
            draft.warnings.append(f"{words}; {joined_by_and(used_up)} has no redundancy until it ends")
        else:
            draft.notes.append(words)
    elif scan.function == "scrub":
        draft.notes.append(f"the scrub of {pool.name} ends: ZFS resilvers first")


def warn_of_redundancy(draft: Draft) -> None:
    """Warn of missing redundancy, during the operation and afterwards."""
    if draft.during is None:
        return
    before = _left(draft.before)
    then = {} if draft.before is None else _left(resilvered(draft.before))
    for each in pool_redundancy(draft.during):
        if each.by_design > 0 and each.left <= 0 and before.get(each.vdev, 1) <= 0:
            which = "the running resilver" if then.get(each.vdev, 0) > 0 else "the resilver"
            draft.warnings.append(f"until {which} is done, one more failure in {each.vdev} loses the pool")


def _left(pool: Pool | None) -> dict[str, int]:
    """Failures that each vital vdev survives."""
    return {} if pool is None else {each.vdev: each.left for each in pool_redundancy(pool)}


def what_is_lost(before: Pool, after: Pool, draft: Draft) -> None:
    """Raise the risk when a vdev loses its last redundancy."""
    had, was = {each.vdev: each for each in pool_redundancy(before)}, continued(before, after)
    least_before = min((max(0, each.left) for each in had.values()), default=0)
    for each in pool_redundancy(after):
        earlier = had.get(was.get(each.vdev, each.vdev))
        left_before = earlier.left if earlier is not None else least_before
        if each.left <= 0 < left_before:
            draft.raise_risk(Risk.DESTRUCTIVE)
            draft.warnings.append(f"{in_words(each)}: one more failure there loses the pool")


def never_leaves(pool: Pool) -> str:
    """Why ZFS cannot remove data, special or dedup vdevs from this pool; "" if it can."""
    if has_parity(pool):
        kinds = sorted({top.type for top in pool.vdevs if top.type.startswith(("raidz", "draid"))})
        return f"{pool.name} has a {' and a '.join(kinds)} vdev"
    mixed = sorted(ashifts(pool))
    if len(mixed) > 1:
        return f"the vdevs of {pool.name} differ in ashift ({', '.join(map(str, mixed))})"
    return ""


def common_ashift(pool: Pool) -> int | None:
    """The ashift for a new vdev of the pool; None when unknown or mixed."""
    known = ashifts(pool)
    if len(known) == 1:
        return next(iter(known))
    return (pool.ashift or None) if not known else max(known)


def object_of(pool: Pool, vdev: Vdev) -> str:
    """Confirmation text: a device, or a group with its pool, since every pool has a mirror-0."""
    return vdev.name if vdev.is_leaf else f"{pool.name} {vdev.name}"


def vital_tops(pool: Pool) -> tuple[Vdev, ...]:
    """The vdevs whose loss loses the pool."""
    return tuple(top for top in pool.vdevs if is_vital(top))


def warn_of_errors_that_stay(pool: Pool, leaf: Vdev, draft: Draft, *, is_wiped: bool) -> None:
    """A device with all its data may alone have good copies, where others of its vdev count errors.

    ZFS heals a damaged block from another device; one that is attached again gets what is left. A device
    whose label `is_wiped` takes its copies away for good: not before a scrub has read everything.
    """
    top = top_of(pool, leaf)
    if not is_vital(top) or not has_all_data(leaf):
        return
    if ended_badly(pool.scan):
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.warnings.append(
            f"the last resilver did not end well: {leaf.name} may have what it left out on the others of "
            f"{top.name}"
        )
        if is_wiped:
            draft.loses.append(_ONLY_WHOLE.format(leaf.name))
    staying = [each for each in may_be_wrong(top) if each is not leaf]
    if not staying or _make_up_for(top, staying, pool, draft):
        return
    names = joined_by_and([each.name for each in staying])
    verb = "counts" if len(staying) == 1 else "count"
    draft.raise_risk(Risk.DESTRUCTIVE)
    draft.warnings.append(
        f"{names} {verb} errors: {leaf.name} may have the only good copy of what {top.name} cannot read "
        "there; scrub before it goes"
    )
    if is_wiped:
        draft.loses.append(_ONLY_WHOLE.format(leaf.name))
        refuse_before_scrub(pool, staying, draft)


def may_be_wrong(top: Vdev) -> tuple[Vdev, ...]:
    """Devices of a vdev that count as complete, and of which ZFS counted errors."""
    counted = (leaf for leaf in top.leaves() if leaf.state == "DEGRADED" or leaf.has_errors)
    return tuple(leaf for leaf in counted if has_all_data(leaf))


def _make_up_for(top: Vdev, wrong: list[Vdev], pool: Pool, draft: Draft) -> bool:
    """Whether the vdev is left with enough others, without errors, to read what these return wrongly."""
    place = next(index for index, each in enumerate(pool.vdevs) if each is top)
    then = None if draft.after is None else redundancy_in_pool(draft.after, draft.after.vdevs[place])
    return then is not None and then.left >= len(wrong) and not then.may_be_used_up


def refuse_before_scrub(pool: Pool, wrong: Iterable[Vdev], draft: Draft) -> None:
    """Refuse to give up copies while nobody has read what devices with errors return."""
    names = joined_by_and([each.name for each in wrong])
    scrub = pool.last_scrub
    is_running = any(each.function == "scrub" for each in pool.running_scans)
    if is_running or scrub is None or scrub.errors:
        why = "no scrub without errors is known to have ended"
        instead = f"scrub {pool.name} first: ZFS repairs what another copy can still give"
        draft.refuse(
            "scrub-first",
            f"ZFS counts errors of {names}, and {'a scrub is running' if is_running else why}",
            "wait for the end of the scrub" if is_running else instead,
        )
        if not is_running and not pool.is_resilvering:
            draft.alternatives.append((f"scrub {pool.name}", Intent("scrub", pool.name)))


def warn_of_copy_given_up(pool: Pool, new: Vdev, old: Vdev, draft: Draft) -> None:
    """A new disk that is filled where no redundancy is left: with it goes the way back to redundancy."""
    top = top_of(pool, old)
    redundancy = redundancy_in_pool(pool, top)
    if redundancy is None or not is_vital(top) or redundancy.left > 0 or new.state not in ALIVE_STATES:
        return
    if has_all_data(old):
        return
    draft.raise_risk(Risk.DESTRUCTIVE)
    draft.warnings.append(
        f"{in_words(redundancy)}: what is copied to {new.name} is its way back to redundancy, and another "
        "disk begins from 0"
    )
    if old.state == "OFFLINE":
        draft.notes.append(f"{old.name} was taken offline by hand: online brings redundancy back sooner")


def warn_of_spare_not_filled(pool: Pool, old: Vdev, spare: Vdev, draft: Draft) -> None:
    """A failed device that goes while its spare is filled, and nothing else protects the vdev."""
    redundancy = redundancy_in_pool(pool, top_of(pool, old))
    if redundancy is None or redundancy.left > 0 or not is_vital(top_of(pool, old)):
        return
    draft.raise_risk(Risk.DESTRUCTIVE)
    draft.warnings.append(
        f"{in_words(redundancy)} until {spare.name} is filled: {old.name} may come back by a clear, a cable "
        "or a slot until then, and not after this; wait for the resilver"
    )


def warn_of_blocks_that_go(pool: Pool, leaf: Vdev, draft: Draft) -> None:
    """A failed device that goes where the others count errors, or blocks are damaged: it may have them."""
    if has_all_data(leaf):
        return
    sources = [each for each in relied_on_with_errors(pool, top_of(pool, leaf)) if each is not leaf]
    if any(each is leaf for each in devices_with_damaged_blocks(pool)):
        why = damage_in_words(pool)
    elif sources:
        names = joined_by_and([each.name for each in sources])
        verb = "counts" if len(sources) == 1 else "count"
        why = f"{names}, on which {top_of(pool, leaf).name} relies, {verb} errors"
    elif ended_badly(pool.scan) and is_vital(top_of(pool, leaf)):
        why = "the last resilver did not end well"
    else:
        return
    draft.raise_risk(Risk.DESTRUCTIVE)
    draft.loses.append(_ONLY_WHOLE.format(leaf.name))
    draft.warnings.append(
        f"{why}: {leaf.name} may have whole what the others cannot return, and no longer once it is out of "
        "the pool; bring it back first where it can be (clear or online; zconsole repair says how)"
    )


def refuse_while_removing(pool: Pool, draft: Draft) -> None:
    """ZFS attaches and replaces nothing in the whole pool while it moves a vdev away (`spa_vdev_attach`)."""
    if pool.running_removal is not None:
        draft.refuse(
            "removing",
            f"a removal from {pool.name} is running: ZFS attaches and replaces nothing meanwhile",
            f"wait until it is done, or stop it: zpool remove -s {pool.name}",
        )


def warn_of_thinner_redundancy(pool: Pool, top: Vdev, draft: Draft) -> None:
    """What is moved off a vdev survives afterwards what the weakest vdev that takes it survives."""
    left = {each.vdev: each for each in pool_redundancy(pool)}
    own = left.get(top.name)
    others = [left[each.name] for each in pool.of_class("data") if each is not top and each.name in left]
    if own is None or not others:
        return
    weakest = min(others, key=lambda each: each.left)
    if weakest.left < own.left:
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.warnings.append(
            f"its data moves to the other data vdevs: {in_words(weakest)}, where {in_words(own)} now"
        )
