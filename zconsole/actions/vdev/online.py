"""Bring a device online or expand its vdev; refused if it was changed elsewhere meanwhile."""

from __future__ import annotations

from contextlib import suppress
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option, only_disks
from zconsole.actions.checks.device_lookup_and_description import (
    described,
    saw_device,
    the_device,
    vdev_argument,
)
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, the_vdev, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.analysis.vdevs.topology_after_change import AUXILIARY_CLASSES, resilvered, top_of, with_state
from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import size
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev
from zconsole.zfs.change.argv_template import GUID, POOL, CommandForm
from zconsole.zfs.change.pool_argv import online

FAULTED: Final = "FAULTED"  # online leaves it so: it serves no more than before


@on_writable_pool
def plan_online(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: missing data is resilvered. Expansion is caution: it is permanent."""
    pool = the_pool(intent.target, facts)
    vdev = the_device(pool, intent.argument(0), "online")
    expand = intent.flag("expand")
    grows = expand and vdev.state in HEALTHY_STATES
    title = f"expand {vdev.name} of {pool.name}" if grows else f"bring {vdev.name} of {pool.name} online"
    draft = Draft(title, vdev.name, Risk.CAUTION if expand else Risk.ROUTINE, is_reversible=not expand)
    named = vdev_argument(vdev, draft)
    argv = online(pool.name, named, expand=expand)
    settled = Condition(ConditionKind.VDEV_STATE, named, pool.name, value="ONLINE|DEGRADED")
    if grows:
        settled = Condition(ConditionKind.HISTORY, pool.name, pool.name, value=" ".join(argv))
    why = f"use all of {described(vdev, facts)}" if grows else f"use {described(vdev, facts)} again"
    draft.steps.append(Step(argv, why, settled_by=(settled,)))
    saw_device(pool, vdev, draft)
    if expand:
        _judge_growth(pool, vdev, draft, is_there=grows)
    else:
        draft.undo = f"zpool offline {quote(pool.name)} {quote(named)}"
    if vdev.state in HEALTHY_STATES:
        if not expand:
            draft.refuse("online", f"{vdev.name} is {vdev.state} already")
        return draft
    _refuse_what_online_does_not_mend(pool, vdev, draft)
    _compare_labels(pool, vdev, facts, draft)
    if vdev.state != FAULTED and top_of(pool, vdev).vdev_class not in AUXILIARY_CLASSES:
        draft.before = pool
        draft.during = with_state(pool, vdev, "ONLINE", is_resilvering=True)
        draft.after = resilvered(with_state(pool, vdev, "ONLINE"))
        draft.notes.append("what was written meanwhile is resilvered to it")
    return draft


def _judge_growth(pool: Pool, vdev: Vdev, draft: Draft, *, is_there: bool) -> None:
    draft.undo = "cannot be undone: a vdev that has grown never shrinks"
    top = top_of(pool, vdev)
    room = max(filter(None, (vdev.expandable_bytes, top.expandable_bytes)), default=None)
    draft.saw(f"room for {vdev.name} to grow", room)
    if room is not None:
        draft.notes.append(f"{top.name} can grow by {size(room)}")
    elif is_there:
        draft.warnings.append("ZFS reports no room to grow; a vdev grows when all of its devices have grown")


def _refuse_what_online_does_not_mend(pool: Pool, vdev: Vdev, draft: Draft) -> None:
    if vdev.state == FAULTED:
        draft.refuse("faulted", f"{vdev.name} is faulted, and stays so when it is brought online",
                     "clear it once its fault is found")  # fmt: skip
        draft.alternatives.append(
            (
                f"clear {vdev.name}: it is tried again",
                Intent("clear", pool.name, (str(vdev.guid or vdev.name),)),
            )
        )


def _compare_labels(pool: Pool, vdev: Vdev, facts: PlanFacts, draft: Draft) -> None:
    """A device that was written to without its siblings must not be overwritten."""
    label = _label(vdev, facts)
    if label is None:
        draft.saw(f"label of {vdev.name}", "not read")
        if vdev.path in facts.labels_unread - facts.labels_barred:
            draft.refuse(
                "label-unknown",
                f"the label of {vdev.name} cannot be read: whether it is that disk, and up to when it was "
                "written to, is not known",
                f"see what the disk says: zdb -l {vdev.path}, as root; or replace the device",
            )
            return
        draft.warnings.append(f"the label of {vdev.name} cannot be read: it may be another disk, or none")
        return
    draft.saw(f"label of {vdev.name}", f"{label.pool_guid} {label.vdev_guid} {label.last_txg}")
    if pool.guid is not None and label.pool_guid not in (None, pool.guid):
        draft.refuse("another-pool", f"the label on {label.path} is of another pool: {label.pool}",
                     "find the right disk, or replace the device")  # fmt: skip
        return
    if vdev.guid is not None and label.vdev_guid not in (None, vdev.guid):
        draft.refuse("another-device", f"the label on {label.path} is of another device of {pool.name}",
                     "find the right disk, or replace the device")  # fmt: skip
        return
    siblings = [
        found
        for leaf in pool.walk()
        if leaf.is_leaf and leaf is not vdev and leaf.state in HEALTHY_STATES
        if (found := _label(leaf, facts)) is not None
    ]
    if not siblings and any(leaf.path in facts.labels_unread for leaf in pool.walk()):
        draft.warnings.append(
            f"no label of the other devices of {pool.name} can be read: whether {vdev.name} went on without "
            "them is not known"
        )
    newest = max((each.last_txg for each in siblings if each.last_txg is not None), default=None)
    if label.last_txg is not None and newest is not None and label.last_txg > newest:
        draft.refuse(
            "newer-data",
            f"{vdev.name} was last written to at txg {label.last_txg}, and {pool.name} is at {newest}: "
            "it went on without the others, and its data would be overwritten",
            "look at it on its own first: import it read-only on a host that does not have the others",
        )
    hosts = {each.hostname for each in siblings if each.hostname}
    if label.hostname and hosts and label.hostname not in hosts:
        draft.warnings.append(
            f"{vdev.name} was last used by {label.hostname}, the others by {', '.join(sorted(hosts))}"
        )
        draft.loses.append(f"what {label.hostname} has written to {vdev.name} without the others")


def _label(vdev: Vdev, facts: PlanFacts) -> DiskLabel | None:
    return next((label for label in facts.labels or () if label.path == vdev.path), None)


def _labels_needed(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the labels of the device and its siblings."""
    pool = facts.pool(intent.target)
    if pool is None:
        return Needs()
    with suppress(UsageError):  # the plan reports the invalid words
        top = top_of(pool, the_vdev(pool, intent.argument(0)))
        return Needs(labels=tuple(leaf.path for leaf in top.leaves() if leaf.path is not None))
    return Needs()


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    vdev = vdev_of(target, pool)
    if vdev is None:
        return ""
    if vdev.state in HEALTHY_STATES and not vdev.expandable_bytes:
        return f"it is {vdev.state} already"
    return "it is faulted: clear it" if vdev.state == FAULTED else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "online", "Bring online", "Bring a device online that was taken offline or was missing.",
        frozenset({TargetKind.LEAF}), plan_online,
        arguments=(Argument("DEVICE", "device", "a device of the pool, by guid, name or path"),),
        options=(Option("expand", "expand its vdev to the whole device; it cannot shrink again"),),
        needs=only_disks, further=_labels_needed, why_not=_why_not,
        commands=(CommandForm(online, (POOL, GUID), {"expand": True}),),
    ),
)  # fmt: skip
