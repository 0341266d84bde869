"""Attach a device to a mirror or single disk, or expand a raidz by one disk."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option, PlanAgain
from zconsole.actions.checks.device_lookup_and_description import vdev_argument
from zconsole.actions.checks.new_device_checks import JOIN_TIMEOUT_S, join, labels_of
from zconsole.actions.checks.unread_or_read_only_pool import refuse_read_only
from zconsole.actions.checks.vdev_change_checks import (
    object_of,
    refuse_checkpoint,
    refuse_moving,
    refuse_while_removing,
    saw_vdev,
    say_resilver,
    warn_of_redundancy,
)
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, the_vdev, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, WayOut
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import fit
from zconsole.analysis.vdevs.redundancy import is_vital, unnamed_resilver, vdev_redundancy
from zconsole.analysis.vdevs.topology_after_change import (
    EXPANSION_SINCE,
    attached,
    is_raidz,
    new_leaf,
    parent_of,
    resilvered,
    top_of,
)
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.change.argv_template import DEVICE, GUID, NUMBER, POOL, CommandForm
from zconsole.zfs.change.topology_argv import attach

EXPANSION: Final = "feature@raidz_expansion"
ALIVE: Final = frozenset({"ONLINE", "DEGRADED"})


def plan_attach(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution for a mirror, which can be undone; destructive for a raidz expansion, which is permanent."""
    pool = the_pool(intent.target, facts)
    if len(intent.arguments) != 2:
        raise UsageError("attach needs a device of the pool and the new one",
                         hint="zconsole plan attach POOL EXISTING NEW")  # fmt: skip
    existing = the_vdev(pool, intent.argument(0))
    top = top_of(pool, existing)
    widens = bool(existing.children) and existing is top and is_raidz(top)
    verb = f"expand {top.name} of {pool.name}" if widens else f"mirror {existing.name} of {pool.name}"
    draft = Draft(verb, object_of(pool, existing), Risk.DESTRUCTIVE if widens else Risk.CAUTION)
    saw_vdev(top, draft)
    refuse_checkpoint(pool, draft, "attach a device")
    refuse_read_only(pool, facts, draft)
    refuse_moving(top, draft)
    refuse_while_removing(pool, draft)
    if widens:
        _judge_expansion(pool, top, facts, draft)
        if intent.flag("sequential"):
            draft.refuse(
                "sequential", "a raidz grows in one way only", "", PlanAgain("sequential", is_given=False)
            )
    else:
        _judge_mirror(pool, existing, intent.argument(1), draft)
    device = join(intent.argument(1), facts, draft, pool=pool)
    if device is None:
        return draft
    suits = fit(device, top)
    for each in suits.objections:
        draft.refuse_answer(WayOut.DISKS, each.rule, each.reason, each.instead)
    draft.warnings += suits.warnings
    draft.notes.append(f"new: {device.in_words}, {device.path}")
    draft.steps.append(
        Step(
            attach(
                pool.name, vdev_argument(existing, draft), device.path,
                ashift=suits.ashift, sequential=intent.flag("sequential"),
            ),
            f"spread {top.name} over {device.in_words} too" if widens
            else f"copy all that {existing.name} has to {device.in_words}, and keep both alike",
            timeout_s=JOIN_TIMEOUT_S,
            settled_by=(Condition(ConditionKind.LEAF_THERE, device.path, pool.name),),
        )
    )  # fmt: skip
    draft.before = pool
    if not draft.refusals or widens or _can_stand_beside(pool, existing):
        leaf = new_leaf(device.path, existing.vdev_class)
        draft.during = attached(pool, existing, leaf, is_resilvering=not widens)
        joined = attached(pool, existing, leaf)
        draft.after = joined if widens else resilvered(joined)
    if not widens:
        draft.is_reversible = True
        draft.undo = f"zpool detach {quote(pool.name)} {quote(device.path)}"
        say_resilver(pool, draft)
        warn_of_redundancy(draft)
    return draft


def _can_stand_beside(pool: Pool, existing: Vdev) -> bool:
    """Whether ZFS can mirror a device here: single, or in a mirror."""
    parent = parent_of(pool, existing)
    is_place = parent is None or parent.type == "mirror"
    return not existing.children and is_place and top_of(pool, existing).vdev_class not in {"cache", "spare"}


def _judge_mirror(pool: Pool, existing: Vdev, new: str, draft: Draft) -> None:
    top = top_of(pool, existing)
    parent = parent_of(pool, existing)
    if existing.children:
        each = ", ".join(leaf.name for leaf in existing.leaves())
        instead = f"name one of its devices: {each}" if existing.type == "mirror" else ""
        takes = "ZFS attaches to a device of a mirror, to a lone device, and to a raidz as a whole"
        draft.refuse("only-devices", f"{existing.name} is a {existing.type}: {takes}", instead)
    elif top.vdev_class in {"cache", "spare"}:
        what = f"{existing.name} is a {top.vdev_class} device, and those are not mirrored"
        draft.refuse("not-mirrored", what, f"add another {top.vdev_class} device")
    elif parent is not None and is_raidz(parent):
        draft.refuse("raidz-child", f"a single device of {parent.name} cannot be mirrored",
                     f"name {parent.name} itself to expand it by one disk")  # fmt: skip
    elif parent is not None and parent.type != "mirror":
        why = f"{existing.name} is part of {parent.name}: ZFS attaches only to lone devices and to mirrors"
        draft.refuse("only-mirrors", why, "wait until the replacement is over, or detach what stands in")
    redundancy = vdev_redundancy(top, unnamed_resilver(pool))
    if redundancy is not None and is_vital(top) and redundancy.is_lost:
        draft.refuse("nothing-to-copy", f"{top.name} has lost more devices than its redundancy covers",
                     "bring a device back: online, or clear")  # fmt: skip
    elif existing.state not in ALIVE:
        draft.warnings.append(
            f"{existing.name} is {existing.state}: attaching adds a device and leaves it in the pool; "
            "replace puts the new one in its place"
        )
        instead_of = str(existing.guid or existing.name)
        draft.alternatives.append(
            (f"replace {existing.name}", Intent("replace", pool.name, (instead_of, new)))
        )


def _judge_expansion(pool: Pool, top: Vdev, facts: PlanFacts, draft: Draft) -> None:
    """Preconditions of a raidz expansion, and its limited gain."""
    draft.undo = "cannot be undone: a raidz cannot be made narrower"
    draft.warnings.append(
        f"{top.name} stays wider for good: the disk cannot be taken out again, only replaced"
    )
    draft.notes.append(
        "blocks that are there keep the ratio of data to parity that they were written with until they "
        "are rewritten (zfs rewrite), and ZFS still reports space with the old ratio"
    )
    draft.notes.append("redundancy stays the same, also during the expansion")
    if facts.version.numbers and facts.version.numbers < EXPANSION_SINCE:
        draft.refuse("version", f"OpenZFS {facts.version.userland} cannot expand a raidz: 2.3 can",
                     "add a vdev, or replace every disk by a larger one")  # fmt: skip
    feature = facts.property(pool.name, EXPANSION)
    draft.saw(f"{EXPANSION} of {pool.name}", feature)
    if feature == "disabled":
        draft.refuse("feature", f"{pool.name} does not have the feature raidz_expansion",
                     f"enable it: zpool set {EXPANSION}=enabled {pool.name}")  # fmt: skip
    growing = next(
        (each for each in pool.activities if each.kind == "raidz_expand" and each.state == "active"), None
    )
    if growing is not None:
        which = growing.vdev or "a raidz"
        draft.refuse("expanding", f"{which} of {pool.name} is being expanded: ZFS expands one at a time",
                     "wait until that is done")  # fmt: skip
    for child in top.children:
        if child.children:
            draft.refuse("replacing", f"{child.name} of {top.name} is not done", "wait until it is")
        elif child.state not in ALIVE:
            why = f"{child.name} is {child.state}: ZFS expands a raidz only while it has all of its devices"
            draft.refuse("degraded", why, f"replace {child.name} first")


def _needs(intent: Intent) -> Needs:
    return Needs(disk_uses=True, properties=((intent.target, "all"),))


def _labels(intent: Intent, facts: PlanFacts) -> Needs:
    return labels_of(intent.arguments[1:2], facts)


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    vdev = vdev_of(target, pool)
    if pool is None or vdev is None:
        return ""
    if pool.has_checkpoint:
        return "the pool has a checkpoint"
    if target.kind is TargetKind.VDEV:
        return "" if is_raidz(vdev) else "only a raidz is expanded as a whole; pick a device"
    return "" if _can_stand_beside(pool, vdev) else "only lone devices and those of a mirror are mirrored"


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "attach", "Attach disk",
        "Attach a new disk to a device as a mirror, or expand a raidz by one disk.",
        frozenset({TargetKind.LEAF, TargetKind.VDEV}), plan_attach,
        arguments=(
            Argument("EXISTING", "vdev", "a lone device, a device of a mirror, or a raidz"),
            Argument("NEW", "disk", "the new disk"),
        ),
        options=(Option("sequential", "rebuild sequentially, and scrub afterwards"),),
        needs=_needs, further=_labels, why_not=_why_not,
        commands=(CommandForm(attach, (POOL, GUID, DEVICE), {"ashift": NUMBER, "sequential": True}),),
    ),
)  # fmt: skip
