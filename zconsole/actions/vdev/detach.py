"""Detach a device from a mirror, cancel a replacement, or return a hot spare."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, only_disks
from zconsole.actions.checks.device_lookup_and_description import (
    described,
    the_device,
    vdev_argument,
    vdev_in_bay,
)
from zconsole.actions.checks.unread_or_read_only_pool import refuse_read_only
from zconsole.actions.checks.vdev_change_checks import (
    refuse_checkpoint,
    refuse_moving,
    saw_vdev,
    warn_of_blocks_that_go,
    warn_of_copy_given_up,
    warn_of_errors_that_stay,
    warn_of_spare_not_filled,
    what_is_lost,
)
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.actions.vdev.serial_to_type import printed_serial, shortest_end
from zconsole.analysis.repair.need_of_spare import Need, need_of_spare
from zconsole.analysis.vdevs.redundancy import (
    ended_badly,
    has_all_data,
    is_vital,
    redundancy_in_pool,
    unnamed_resilver,
    vdev_redundancy,
)
from zconsole.analysis.vdevs.resilver_targets import DISTRIBUTED_SPARE
from zconsole.analysis.vdevs.topology_after_change import (
    REDUNDANT_TYPES,
    TEMPORARY_TYPES,
    detached,
    parent_of,
    top_of,
)
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import DEAD_STATES, Pool, Vdev
from zconsole.zfs.change.argv_template import GUID, POOL, CommandForm
from zconsole.zfs.change.topology_argv import detach

_IN_DOUBT: Final = {
    Need.ERRORS: "has errors, or is DEGRADED for them",
    Need.RESILVER: "may lack data: a resilver runs, and may not have come to it",
    Need.NOT_SHOWN: "may lack data: the last resilver ended under a checkpoint, and did not count",
    Need.GAPS: "may lack data: the last resilver ended with errors, or was canceled",
    Need.REBUILT: "may lack what was rebuilt meanwhile onto another distributed spare: scrub first",
    Need.SUSPECT: "has all its data, and SMART warns of it or it is slower than its peers",
}


def plan_detach(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution while redundancy remains, destructive when none will, refused for the last copy."""
    pool = the_pool(intent.target, facts)
    leaf = the_device(pool, intent.argument(0), "detach")
    top, parent = top_of(pool, leaf), parent_of(pool, leaf)
    placed = vdev_in_bay(leaf, facts)
    short, whole = shortest_end(leaf, facts), printed_serial(leaf, facts)
    draft = Draft(f"detach {placed} from {pool.name}", whole, Risk.CAUTION, short_target=short)
    saw_vdev(top, draft)
    refuse_checkpoint(pool, draft, "detach a device")
    refuse_read_only(pool, facts, draft)
    refuse_moving(top, draft)
    if parent is None or parent.type not in REDUNDANT_TYPES:
        _refuse_lone(leaf, top, draft)
        return draft
    named = vdev_argument(leaf, draft)
    in_spares = any(each.guid == leaf.guid and leaf.guid for each in pool.of_class("spare"))
    gone = str(parent.guid) if in_spares and len(parent.children) == 2 else named
    draft.steps.append(
        Step(
            detach(pool.name, named),
            f"detach {described(leaf, facts)}, and wipe its label",
            settled_by=(Condition(ConditionKind.VDEV_GONE, gone, pool.name),),
        )
    )
    draft.before, draft.after = pool, detached(pool, leaf)
    _judge(pool, leaf, parent, draft)
    warn_of_errors_that_stay(pool, leaf, draft, is_wiped=True)
    warn_of_blocks_that_go(pool, leaf, draft)
    _explain(pool, leaf, parent, facts, draft)
    if draft.loses and draft.is_reversible:
        draft.is_reversible = False
        draft.undo = f"{draft.undo}, from devices that may not have all of it"
    return draft


def _refuse_lone(leaf: Vdev, top: Vdev, draft: Draft) -> None:
    why = f"{leaf.name} is in no mirror, replacement or spare: ZFS detaches only from those"
    if top.vdev_class in {"cache", "spare", "log"} and top is leaf:
        draft.refuse("only-mirrors", why, f"remove takes a {top.vdev_class} device out of a pool")
    elif top is leaf:
        draft.refuse("only-mirrors", why, "remove moves its data away, where the pool allows it")
    else:
        draft.refuse("only-mirrors", why, f"offline stops its use; {top.name} needs a replacement for it")


def _judge(pool: Pool, leaf: Vdev, parent: Vdev, draft: Draft) -> None:
    """Whether the remaining devices have all the data, and their redundancy."""
    top, after = top_of(pool, leaf), draft.after
    if after is None:
        return
    rest = [child for child in parent.children if child is not leaf]
    place = next(index for index, each in enumerate(pool.vdevs) if each is top)
    then = vdev_redundancy(after.vdevs[place])
    is_dead = not has_all_data(leaf)
    if then is None:
        draft.refuse("redundancy-unknown", f"it is not known what a vdev of type {top.type} can lose")
    elif len(then.failed) > then.by_design or (
        top is parent and not any(has_all_data(child) for child in rest)
    ):
        draft.refuse(
            "last-replica",
            f"{leaf.name} is the last that has all the data of {top.name} (ZFS: no valid replicas)",
            "wait for the resilver, or bring its siblings back first",
        )
    scan = unnamed_resilver(pool)
    is_unnamed = scan is not None and scan.vdev in (None, top.name)
    is_in_doubt = then is not None and then.at_least < 0 and len(then.failed) <= then.by_design
    # its missing data is on the old device
    gives_up = parent.type == "replacing" and leaf is not parent.children[0]
    if (is_unnamed or is_in_doubt) and not is_dead and not gives_up:
        draft.refuse(
            "resilvering", f"{pool.name} is resilvering, and ZFS does not say yet which devices lack data",
            "wait until the resilver is done",
        )  # fmt: skip
    elif is_dead and pool.is_resilvering and _may_have_what_others_lack(pool, top):
        draft.refuse(
            "resilvering",
            f"{pool.name} is resilvering, and what {top.name} lacks may be on {leaf.name} alone",
            "bring it back first (online, or clear), or wait until the resilver is done without errors",
        )
    if is_vital(top):
        what_is_lost(pool, after, draft)
    elif not after.vdevs[place].children and parent.type == "mirror":
        draft.warnings.append(f"{after.vdevs[place].name} is then a {top.vdev_class} device without a mirror")
    if not is_dead and parent.type == "mirror":
        draft.warnings.append(f"{leaf.name} works: its copy of the data is discarded, and its label is wiped")


def _may_have_what_others_lack(pool: Pool, top: Vdev) -> bool:
    now = redundancy_in_pool(pool, top)
    return now is not None and now.may_be_incomplete


def _say_what_stays(pool: Pool, spare: Vdev, first: Vdev, draft: Draft, need: Need | None) -> None:
    """Tell what becomes of the device that a spare stood in for."""
    top = top_of(pool, first)
    if need is None:
        keep = f"; to keep the spare permanently, detach {first.name} instead"
        draft.notes.append(
            f"{spare.name} is available again, and {first.name} serves alone"
            f"{'' if spare.type == DISTRIBUTED_SPARE else keep}"
        )
        return
    draft.raise_risk(Risk.DESTRUCTIVE)
    if need is Need.LACKS_DATA:
        draft.warnings.append(
            f"{first.name} is {first.state} and does not have all the data: {top.name} then has "
            "no spare for it"
        )
    else:
        draft.warnings.append(f"{first.name} {_IN_DOUBT[need]}: {top.name} then relies on it alone there")
    if need is Need.ERRORS and has_all_data(spare) and not ended_badly(pool.scan):
        draft.warnings.append(f"the complete copy on {spare.name} is discarded; {first.name} may lack blocks")
    if not has_all_data(spare):
        draft.warnings.append(f"the data resilvered to {spare.name} is discarded")
    if spare.state in DEAD_STATES:
        draft.notes.append(
            f"{spare.name} is {spare.state}: it is no spare to rely on; remove it, and add a good one"
        )
        return
    draft.notes.append(f"{spare.name} is available again; it does not come into use again by itself")


def _explain(pool: Pool, leaf: Vdev, parent: Vdev, facts: PlanFacts, draft: Draft) -> None:
    """Meaning and undo of this detach, by the parent's type."""
    placed = {each.name: vdev_in_bay(each, facts) for each in parent.children}
    sibling = next(child for child in parent.children if child is not leaf)
    first, last = parent.children[0], parent.children[-1]
    need = need_of_spare(pool, first, is_suspect=(pool.name, next(first.leaves()).name) in facts.suspects)
    again = f"zpool attach {quote(pool.name)} {sibling.guid or sibling.name} {_given(leaf)}"
    match parent.type:
        case "spare" if leaf is not first:
            draft.title = f"return the spare {placed[leaf.name]} of {pool.name}: detach it from {first.name}"
            _say_what_stays(pool, leaf, first, draft, need)
            draft.is_reversible = True
            draft.undo = (
                f"zpool replace {quote(pool.name)} {quote(str(first.guid or first.name))} {_given(leaf)}"
            )
            is_distributed = leaf.type == DISTRIBUTED_SPARE
            is_whole = has_all_data(leaf) and not leaf.has_errors and not ended_badly(pool.scan)
            if is_whole and not is_distributed:
                draft.alternatives.append(
                    (f"keep {leaf.name} permanently: detach {first.name}", _detach(pool, first))
                )
        case "spare":
            draft.title = (
                f"detach {placed[leaf.name]} from {pool.name}, and keep the spare {placed[last.name]}"
            )
            warn_of_spare_not_filled(pool, first, last, draft)
            if last.type == DISTRIBUTED_SPARE:
                draft.warnings.append(
                    f"{last.name} is a part of {top_of(pool, leaf).name} and stays in use for {leaf.name} "
                    "until that is replaced: the dRAID has one disk and one distributed spare less meanwhile"
                )
                draft.undo = f"{_replace_of(pool, last)} {_given(leaf)}"
            else:
                draft.notes.append(
                    f"{last.name} stays permanently and is no longer a spare; to return it, detach it instead"
                )
                draft.undo = f"replace {last.name} with {leaf.name}, and add {last.name} as a spare again"
            if need is None:
                draft.alternatives.append((f"return {last.name} to the spares", _detach(pool, last)))
        case "replacing" if leaf is not first:
            draft.title = (
                f"stop the replacement of {placed[first.name]} of {pool.name}: detach {placed[leaf.name]}"
            )
            draft.notes.append(f"the data copied to {leaf.name} is discarded; {first.name} stays")
            warn_of_copy_given_up(pool, leaf, first, draft)
            draft.is_reversible = True
            again = f"zpool replace {quote(pool.name)} {quote(str(first.guid or first.name))} {_given(leaf)}"
            draft.undo = f"{again}, from the beginning"
        case "replacing":
            draft.notes.append(f"the replacement ends at once, and {last.name} is resilvered from the others")
            draft.undo = "cannot be undone: its data is discarded"
        case _:
            draft.is_reversible = has_all_data(leaf)
            draft.undo = f"{again}: a full resilver"


def _replace_of(pool: Pool, leaf: Vdev) -> str:
    return f"zpool replace {quote(pool.name)} {quote(leaf.name)}"


def _detach(pool: Pool, leaf: Vdev) -> Intent:
    return Intent("detach", pool.name, (str(leaf.guid or leaf.name),))


def _given(leaf: Vdev) -> str:
    """The device's path as a user would type it."""
    path = leaf.path or leaf.name
    return path.removesuffix("-part1") if path.endswith(f"/{leaf.name}-part1") else path


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    vdev = vdev_of(target, pool)
    if pool is None or vdev is None:
        return ""
    parent = parent_of(pool, vdev)
    if parent is None or parent.type not in REDUNDANT_TYPES:
        return "it is in no mirror, replacement or spare"
    if pool.has_checkpoint:
        return "the pool has a checkpoint"
    rest = (child for child in parent.children if child is not vdev)
    if parent.type not in TEMPORARY_TYPES and not any(map(has_all_data, rest)):
        return "it is the last that has all its data"
    return ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "detach", "Detach",
        "Detach a device from a mirror, cancel a replacement, or return a hot spare.",
        frozenset({TargetKind.LEAF}), plan_detach,
        arguments=(Argument("DEVICE", "device", "a device of the pool, by guid, name or path"),),
        needs=only_disks, why_not=_why_not,
        commands=(CommandForm(detach, (POOL, GUID)),),
    ),
)  # fmt: skip
