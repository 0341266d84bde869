"""Remove a vdev from a pool; data, special and dedup vdevs are evacuated first."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs
from zconsole.actions.checks.command_to_free_space import space_to_free
from zconsole.actions.checks.device_lookup_and_description import described, vdev_argument
from zconsole.actions.checks.unread_or_read_only_pool import refuse_read_only
from zconsole.actions.checks.vdev_change_checks import (
    may_be_wrong,
    never_leaves,
    object_of,
    refuse_before_scrub,
    refuse_checkpoint,
    saw_tops,
    saw_vdev,
    warn_of_thinner_redundancy,
)
from zconsole.actions.guest.space_taken_from_guests import guests_of_pool, tell_space_of_smaller_pool
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, the_vdev, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Rehearsal, Risk, Step
from zconsole.analysis.vdevs.redundancy import has_all_data, is_vital
from zconsole.analysis.vdevs.topology_after_change import removed, top_of
from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.change.argv_template import GUID, POOL, CommandForm
from zconsole.zfs.change.topology_argv import rehearse_remove, remove

REMOVAL: Final = "feature@device_removal"
SMALLEST_SLOP_SHARE: Final = 5  # ZFS reserves at least 1/32 of the pool, twice that before 2.2
DOUBLE_SLOP_UNTIL: Final = (2, 2)

_MOVES_TO_DATA: Final = {"special": "metadata, with the small blocks,", "dedup": "the deduplication table"}


def plan_remove(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: nothing is lost; refused where ZFS would refuse."""
    pool = the_pool(intent.target, facts)
    vdev = _meant(pool, intent.argument(0))
    top = top_of(pool, vdev)
    what = (
        f"{top.vdev_class} device"
        if top.vdev_class in {"cache", "spare", "log"}
        else f"{top.vdev_class} vdev"
    )
    draft = Draft(f"remove the {what} {vdev.name} from {pool.name}", object_of(pool, vdev), Risk.CAUTION)
    saw_vdev(top, draft)
    saw_tops(pool, draft)
    refuse_checkpoint(pool, draft, "remove anything")
    refuse_read_only(pool, facts, draft)
    if vdev is not top:
        _refuse_part(vdev, top, draft)
        return draft
    named = vdev_argument(top, draft)
    argv = remove(pool.name, named)
    gone = Condition(ConditionKind.VDEV_GONE, named, pool.name)
    begun = Condition(ConditionKind.HISTORY, pool.name, pool.name, value=" ".join(argv))
    verb = f"let {described(top, facts) if top.is_leaf else top.name} go"
    if is_vital(top):
        verb = f"move what is on {top.name} to the other vdevs, then remove it"
    draft.steps.append(Step(argv, verb, settled_by=(begun if is_vital(top) else gone,)))
    match top.vdev_class:
        case "spare":
            _judge_spare(pool, top, draft)
        case "cache":
            draft.risk = Risk.ROUTINE
            draft.notes.append("nothing is lost: a cache holds copies")
        case "log":
            draft.notes.append(
                "what it holds is in memory as well, and is written to the data vdevs; synchronous writes "
                "wait for those then"
            )
        case _:
            _judge_evacuation(pool, top, facts, draft)
            warn_of_thinner_redundancy(pool, top, draft)
    draft.before, draft.after = pool, removed(pool, top)
    if not is_vital(top):
        draft.is_reversible = True
        draft.undo = f"zpool add {quote(pool.name)} {top.vdev_class} and its devices again"
    return draft


def _meant(pool: Pool, word: str) -> Vdev:
    """The vdev that a word means; a spare by its entry among the spares."""
    if not word:
        raise UsageError(
            "remove needs a vdev", hint=f"Those of {pool.name}: {', '.join(t.name for t in pool.vdevs)}."
        )
    vdev = the_vdev(pool, word)
    spare = next((each for each in pool.of_class("spare") if each.guid == vdev.guid and vdev.guid), None)
    return spare or vdev


def _refuse_part(vdev: Vdev, top: Vdev, draft: Draft) -> None:
    instead = f"detach {vdev.name}, or remove {top.name} as a whole"
    if not top.type.startswith("mirror"):
        instead = f"replace {vdev.name}: a {top.type} keeps its number of devices"
    draft.refuse("only-tops", f"{vdev.name} is part of {top.name}: ZFS removes top-level vdevs only", instead)


def _judge_spare(pool: Pool, top: Vdev, draft: Draft) -> None:
    if top.type == "dspare":
        draft.refuse(
            "distributed-spare", f"{top.name} is spread over the disks of its draid: it cannot be removed"
        )
    elif top.state == "INUSE":
        draft.refuse("spare-in-use", f"{top.name} stands in for a device now",
                     "replace that device, or detach the spare first")  # fmt: skip
    rest = [each for each in pool.of_class("spare") if each is not top]
    if not rest:
        draft.notes.append(f"{pool.name} has no other spare")


def _judge_evacuation(pool: Pool, top: Vdev, facts: PlanFacts, draft: Draft) -> None:
    """All conditions of ZFS for an evacuation, in its order."""
    why = never_leaves(pool)
    if why:
        draft.refuse(
            "never-leaves",
            f"no data vdev can be removed from this pool: {why} "
            "(ZFS: all top-level vdevs must have the same sector size and not be raidz)",
            "move the data to a new pool",
        )
    feature = facts.property(pool.name, REMOVAL)
    draft.saw(f"{REMOVAL} of {pool.name}", feature)
    if feature == "disabled":
        draft.refuse("feature", f"{pool.name} does not have the feature device_removal",
                     f"enable it: zpool set {REMOVAL}=enabled {pool.name}")  # fmt: skip
    if top.is_removing or pool.running_removal is not None:
        draft.refuse("removing", f"a removal from {pool.name} is running, and ZFS does one at a time",
                     "wait until it is done")  # fmt: skip
    if any(not has_all_data(leaf) for leaf in top.leaves()):
        draft.refuse("not-whole", f"{top.name} is {top.state}: ZFS removes only what has all its data",
                     "replace what fails in it, or detach it, and wait for the resilver")  # fmt: skip
    nested = [
        child.name
        for each in pool.vdevs
        if each.type == "mirror"
        for child in each.children
        if child.children
    ]
    if nested:
        draft.refuse("replacing", f"{', '.join(nested)} of {pool.name} is not done", "wait until it is")
    others = [each for each in pool.vdevs if is_vital(each) and each is not top]
    if not any(each.vdev_class == "data" for each in others):
        draft.refuse("last-vdev", f"{top.name} is the last data vdev of {pool.name}", "destroy the pool")
    else:
        _judge_space(pool, top, facts, draft)
    if wrong := may_be_wrong(top):
        names = joined_by_and([each.name for each in wrong])
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.loses.append(f"not known: what {names} may return wrongly is copied unchecked, and stays wrong")
        refuse_before_scrub(pool, wrong, draft)
    draft.rehearsals.append(Rehearsal(rehearse_remove(pool.name, vdev_argument(top, draft))))
    draft.during = pool
    if top.allocated_bytes is not None:
        draft.notes.append(
            f"{size(top.allocated_bytes)} are copied to other vdevs, and no checksum is verified: scrub first"
        )
        draft.not_binding.append("how much is copied")
    if top.vdev_class in _MOVES_TO_DATA:
        draft.warnings.append(
            f"{_MOVES_TO_DATA[top.vdev_class]} moves to the data vdevs and is as slow as they are; a "
            f"{top.vdev_class} vdev that is added later gets only what is written from then on"
        )
    draft.notes.append("a mapping table of the moved blocks stays in memory while they exist")
    draft.undo = f"while it copies: zpool remove -s {quote(pool.name)}; afterwards add its devices again"
    draft.is_reversible = True


def _judge_space(pool: Pool, top: Vdev, facts: PlanFacts, draft: Draft) -> None:
    """Whether the rest has room: for a data vdev ZFS requires its whole size to be free."""
    normal = [each for each in pool.of_class("data") if each is not top]
    free = [each.free_bytes for each in normal]
    if top.vdev_class != "data":
        if top.allocated_bytes is not None and None not in free:
            room = sum(each for each in free if each is not None)
            _refuse_space(pool, top, (top.allocated_bytes, room), draft)
        return
    available, needed = pool.usable_available_bytes, top.size_bytes
    if available is None or needed is None:
        draft.warnings.append(
            "whether there is room for its data is not known; ZFS refuses when there is not"
        )
        return
    leaves = needed
    if facts.version.numbers < DOUBLE_SLOP_UNTIL and pool.size_bytes is not None:
        needed += min(pool.size_bytes >> SMALLEST_SLOP_SHARE, 128 << 30)
    _refuse_space(pool, top, (needed, available), draft)
    if available >= needed:
        draft.notes.append(
            f"{pool.name} has {size(available)} available, and is smaller by {size(leaves)} then: about "
            f"{size(available - leaves)} are left"
        )
        draft.not_binding.append("how much is left")
        tell_space_of_smaller_pool(draft, pool.name, leaves, facts)


def _refuse_space(pool: Pool, top: Vdev, needed_and_room: tuple[int, int], draft: Draft) -> None:
    needed, room = needed_and_room
    if room < needed:
        draft.refuse_for_space(
            "not-enough-space", f"{size(room)} are free, and to remove {top.name} ZFS wants {size(needed)}",
            "free space first, or add a vdev", space_to_free(pool.name, needed - room),
        )  # fmt: skip


def _who_writes(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs who writes to a pool that becomes smaller."""
    pool = facts.pool(intent.pool)
    if pool is None or not intent.argument(0):
        return Needs()
    is_data = top_of(pool, _meant(pool, intent.argument(0))).vdev_class == "data"
    return Needs(datasets=(pool.name,), uses=True) if is_data else Needs()


def _needs(intent: Intent) -> Needs:
    return Needs(disks=True, properties=((intent.target, "all"),))


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    vdev = vdev_of(target, pool)
    if pool is None or vdev is None:
        return ""
    if pool.has_checkpoint:
        return "the pool has a checkpoint"
    top = top_of(pool, vdev)
    if vdev is not top:
        return "it is part of a vdev: detach it, or remove the whole vdev"
    return never_leaves(pool) if is_vital(top) else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "remove", "Remove",
        "Take a vdev, log, cache or spare out of a pool; data moves to the other vdevs first.",
        frozenset({TargetKind.VDEV, TargetKind.LEAF}), plan_remove,
        arguments=(Argument("DEVICE", "vdev", "a top-level vdev, log, cache device or spare"),),
        needs=_needs, further=_who_writes, last=guests_of_pool, why_not=_why_not,
        commands=(
            CommandForm(rehearse_remove, (POOL, GUID), only_reads=True),
            CommandForm(remove, (POOL, GUID)),
        ),
    ),
)  # fmt: skip
