"""Add vdevs of an explicit class to a pool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs
from zconsole.actions.checks.new_device_checks import JOIN_TIMEOUT_S, join_all, labels_of
from zconsole.actions.checks.new_vdev_checks import (
    BELOW,
    CLASS_NOTES,
    VITAL_CLASSES,
    classes_in_words,
    design,
    in_words,
    judge_redundancy,
    judge_sectors,
    judge_sizes,
    mismatch,
    new_vdevs,
    warn_of_narrow_raidz,
)
from zconsole.actions.checks.unread_or_read_only_pool import refuse_read_only
from zconsole.actions.checks.vdev_change_checks import common_ashift, never_leaves, saw_tops
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Rehearsal, Risk, Step
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import least_bytes
from zconsole.analysis.vdevs.disk_identity_and_links import stable_link
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.analysis.vdevs.spare_fit import WITHOUT_SPARES
from zconsole.analysis.vdevs.topology_after_change import EXPANSION_SINCE, added, ashifts, is_raidz
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev
from zconsole.zfs.change.argv_template import LAYOUT, NUMBER, POOL, CommandForm
from zconsole.zfs.change.topology_argv import add, knows_mismatch_options
from zconsole.zfs.vdev_arguments import DATA, LONE, Group, layout_words, parse_layout

MIRROR: Final = "mirror"
SPARE: Final = "spare"
RESILVERS: Final = frozenset({"replace", "attach"})
MOST_OFFERED: Final = 4  # alternatives for a single disk


def plan_add(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution for removable vdevs, destructive for permanent ones."""
    pool = the_pool(intent.target, facts)
    groups = parse_layout(intent.arguments)
    classes = classes_in_words(groups)
    what = joined_by_and([in_words(group) for group in groups])
    draft = Draft(f"add {what} to {pool.name}", f"{pool.name} {classes}", Risk.CAUTION)
    saw_tops(pool, draft)
    words = [word for group in groups for word in group.devices]
    devices = join_all(words, facts, draft)
    draft.notes += [f"{name}: {CLASS_NOTES[name]}" for name in dict.fromkeys(g.vdev_class for g in groups)]
    least = design(pool)
    if least is not None:
        judge_redundancy(groups, least, "every data vdev of the pool", draft)
        _offer_for_one_disk(pool, groups, facts, draft)
    if len(devices) < len(set(words)):
        return draft
    draft.notes += [f"new: {device.in_words}, {device.path}" for device in devices.values()]
    judge_sizes(groups, devices, draft)
    _judge_spares(pool, groups, devices, draft)
    warn_of_narrow_raidz(groups, draft)
    ashift = _ashift(pool, groups, draft)
    judge_sectors(groups, devices, ashift, draft, pool.name)
    _say_checkpoint(pool, draft)
    refuse_read_only(pool, facts, draft)
    unlike = mismatch(groups, pool, devices)
    is_lower = any(each.rule == BELOW for each in draft.refusals)
    may_differ = bool(unlike) and not is_lower and knows_mismatch_options(facts.version)
    if may_differ:
        draft.warnings.append(
            f"{unlike}: ZFS calls that a mismatched replication level, and is told to allow it"
        )
    elif unlike and not is_lower:
        draft.refuse("replication", f"{unlike}: ZFS calls that a mismatched replication level and refuses",
                     "make the new vdev like those of the pool")  # fmt: skip
    told = layout_words(groups, {word: device.path for word, device in devices.items()})
    draft.rehearsals.append(
        Rehearsal(add(pool.name, told, ashift=ashift, may_differ=may_differ, is_rehearsal=True))
    )
    draft.steps.append(
        Step(
            add(pool.name, told, ashift=ashift, may_differ=may_differ),
            f"make {what} part of {pool.name}",
            timeout_s=JOIN_TIMEOUT_S,
            settled_by=tuple(
                Condition(ConditionKind.LEAF_THERE, device.path, pool.name) for device in devices.values()
            ),
        )
    )
    draft.before = pool
    draft.after = added(pool, new_vdevs(groups, devices, ashift))
    _judge_for_good(pool, groups, draft)
    return draft


def _judge_spares(
    pool: Pool, groups: tuple[Group, ...], devices: Mapping[str, JoiningDevice], draft: Draft
) -> None:
    """A hot spare that is smaller than the devices of a vdev never stands in there, and ZFS takes it."""
    tops = [top for top in pool.vdevs if is_vital(top) and top.vdev_class not in WITHOUT_SPARES]
    least = {top.name: needed for top in tops if (needed := least_bytes(top)[0]) is not None}
    for word in (word for group in groups if group.vdev_class == SPARE for word in group.devices):
        device = devices.get(word)
        room = None if device is None else device.usable_bytes
        if device is None or room is None:
            continue
        too_large = [name for name, needed in least.items() if room < needed]
        where = "any vdev" if len(too_large) == len(tops) else joined_by_and(too_large)
        if too_large:
            draft.warnings.append(
                f"{device.in_words} is smaller than the devices of {where}: as a hot spare it cannot stand "
                "in there, and ZFS takes it all the same"
            )


def _offer_for_one_disk(pool: Pool, groups: tuple[Group, ...], facts: PlanFacts, draft: Draft) -> None:
    """What else a single disk is good for: to replace one, to widen a vdev of its kind, to be a spare."""
    lone = [group for group in groups if group.type == LONE and group.vdev_class == DATA]
    if len(groups) != 1 or not lone or not any(each.rule == BELOW for each in draft.refusals):
        return
    new = _lasting_name(lone[0].devices[0], facts)
    tops = [top for top in pool.vdevs if top.vdev_class == DATA and is_vital(top)]
    for leaf in (leaf for top in tops for leaf in top.leaves() if leaf.state not in HEALTHY_STATES):
        draft.alternatives.append(
            (f"replace {leaf.name}, which is {leaf.state}", Intent("replace", pool.name, (_word(leaf), new)))
        )
    for top in tops:
        if top.type == MIRROR and not _is_other_kind(new, top, facts):
            what = f"attach it to {top.name}, which then survives one failure more"
            draft.alternatives.append((what, Intent("attach", pool.name, (_word(next(top.leaves())), new))))
        elif is_raidz(top) and _can_expand(pool, top, facts) and not _is_other_kind(new, top, facts):
            what = f"expand {top.name} by it: more space, and as many failures survived"
            draft.alternatives.append((what, Intent("attach", pool.name, (top.name, new))))
    if pool.is_resilvering:
        draft.alternatives = [
            (f"{words}, once the running resilver has ended" if each.action in RESILVERS else words, each)
            for words, each in draft.alternatives
        ]
    draft.alternatives.append(("keep it as a hot spare", Intent("add", pool.name, ("spare", new))))
    del draft.alternatives[MOST_OFFERED:]


def _lasting_name(word: str, facts: PlanFacts) -> str:
    """The link of a disk that is named as the kernel names it now; any other word as it is."""
    disk = facts.inventory.device(word.removeprefix("/dev/")) if facts.inventory is not None else None
    return word if disk is None else stable_link(disk) or word


def _can_expand(pool: Pool, top: Vdev, facts: PlanFacts) -> bool:
    """Whether this release expands a raidz, and all devices of this one are in use."""
    is_old = bool(facts.version.numbers) and facts.version.numbers < EXPANSION_SINCE
    is_whole = all(child.is_leaf and child.state in HEALTHY_STATES for child in top.children)
    return not is_old and is_whole and not pool.has_checkpoint


def _is_other_kind(word: str, top: Vdev, facts: PlanFacts) -> bool:
    """Whether a new disk is known to rotate where the disks of a vdev do not, or the other way round."""
    if facts.inventory is None:
        return False
    own = next((disk for disk in facts.inventory.disks if word in {disk.serial, disk.name}), None)
    paths = [word, *(leaf.path or "" for leaf in top.leaves())]
    names = [facts.inventory.kernel_name(path) for path in paths]
    found = [None if name is None else facts.inventory.disk_of(name) for name in names]
    new, *there = (None if disk is None else disk.is_rotational for disk in (found[0] or own, *found[1:]))
    return new is not None and (not new) in there


def _word(leaf: Vdev) -> str:
    return str(leaf.guid or leaf.name)


def _ashift(pool: Pool, groups: tuple[Group, ...], draft: Draft) -> int | None:
    """The pool's ashift: a different one would make every vdev permanent."""
    ashift = common_ashift(pool)
    draft.saw(f"ashift of {pool.name}", ", ".join(map(str, sorted(ashifts(pool)))) or ashift)
    if ashift is None and any(group.vdev_class in VITAL_CLASSES for group in groups):
        draft.warnings.append(
            f"the ashift of {pool.name} is not known: a new vdev of another ashift could never be removed"
        )
    return ashift if any(group.vdev_class not in {"cache", "spare"} for group in groups) else None


def _say_checkpoint(pool: Pool, draft: Draft) -> None:
    """Note: vdevs can be added despite a checkpoint; rewinding drops them, and removal is impossible."""
    if pool.has_checkpoint:
        draft.saw(f"checkpoint of {pool.name}", pool.checkpoint_created)
        draft.warnings.append(
            f"{pool.name} has a checkpoint: nothing can be removed while it exists, and a rewind to it "
            "drops what is added"
        )


def _judge_for_good(pool: Pool, groups: tuple[Group, ...], draft: Draft) -> None:
    """Note whether the vdev can be removed again."""
    if draft.after is None:
        return
    vital = [group for group in groups if group.vdev_class in VITAL_CLASSES]
    why = never_leaves(draft.after)
    if not vital:
        draft.is_reversible = True
        draft.undo = f"zpool remove {quote(pool.name)} and the new device"
        if any(group.vdev_class == "log" and group.failures == 0 for group in groups):
            draft.warnings.append("a log without a mirror: if it fails together with the host, the last "
                                  "synchronous writes are lost")  # fmt: skip
    elif why:
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.undo = "cannot be undone"
        draft.warnings.insert(0, f"it can never be removed from this pool: {why}")
        if not never_leaves(pool):
            draft.warnings.insert(1, f"and no other vdev of {pool.name} can be removed any more")
    else:
        draft.is_reversible = True
        draft.undo = (
            f"zpool remove {quote(pool.name)} and the new vdev: its data moves back, where there is room"
        )


def _labels(intent: Intent, facts: PlanFacts) -> Needs:
    groups = parse_layout(intent.arguments)
    return labels_of([word for group in groups for word in group.devices], facts)


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "add", "Add a vdev",
        "Add a data vdev, or a log, cache, special, dedup or spare device, to a pool.",
        frozenset({TargetKind.POOL}), plan_add,
        arguments=(
            Argument(
                "SPEC", "layout", "[log|cache|special|dedup|spare] [mirror|raidz1..3|draid...] DISK...",
                is_repeated=True,
            ),
        ),
        needs=lambda _: Needs(disk_uses=True), further=_labels,
        commands=tuple(
            CommandForm(
                partial(add, is_rehearsal=is_rehearsal), (POOL, (LAYOUT,)),
                {"ashift": NUMBER, "may_differ": True}, only_reads=is_rehearsal,
            )
            for is_rehearsal in (True, False)
        ),
    ),
)  # fmt: skip
