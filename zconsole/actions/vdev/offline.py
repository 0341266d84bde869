"""Take a device offline or mark it faulted; refused for the last copy of data."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Option, only_disks
from zconsole.actions.checks.device_lookup_and_description import (
    described,
    saw_device,
    the_device,
    vdev_argument,
    vdev_in_bay,
    warn_of_shared_trouble,
)
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.checks.vdev_change_checks import warn_of_errors_that_stay
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.analysis.vdevs.redundancy import (
    Redundancy,
    has_all_data,
    in_words,
    is_vital,
    unnamed_resilver,
    vdev_redundancy,
)
from zconsole.analysis.vdevs.topology_after_change import AUXILIARY_CLASSES, top_of, with_state
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.change.argv_template import GUID, POOL, CommandForm
from zconsole.zfs.change.pool_argv import offline

UNUSED: Final = frozenset({"OFFLINE", "FAULTED", "UNAVAIL", "REMOVED"})  # states without I/O


@on_writable_pool
def plan_offline(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution while redundancy remains, destructive when none will, refused when data would be lost."""
    pool = the_pool(intent.target, facts)
    vdev = the_device(pool, intent.argument(0), "offline")
    fault, temporary = intent.flag("fault"), intent.flag("temporary")
    verb = "fault" if fault else "take offline"
    until = " until the next import" if temporary else ""
    placed = vdev_in_bay(vdev, facts)
    title = f"{verb} {placed} of {pool.name}{until}"
    draft = Draft(title, vdev.name, Risk.CAUTION, is_reversible=True)
    named = vdev_argument(vdev, draft)
    settled = Condition(ConditionKind.VDEV_STATE, named, pool.name, value="FAULTED" if fault else "OFFLINE")
    draft.steps.append(
        Step(
            offline(pool.name, named, temporary=temporary, fault=fault),
            f"{verb} {described(vdev, facts)}{until}",
            settled_by=(settled,),
        )
    )
    draft.undo = f"zpool {'clear' if fault else 'online'} {quote(pool.name)} {quote(named)}"
    saw_device(pool, vdev, draft)
    draft.before = pool
    draft.after = with_state(pool, vdev, "FAULTED" if fault else "OFFLINE")
    _refuse_what_cannot_be(vdev, draft, fault=fault)
    _judge(pool, vdev, draft)
    warn_of_errors_that_stay(pool, vdev, draft, is_wiped=False)
    if temporary:
        draft.notes.append("a reboot or an import brings it back by itself")
    warn_of_shared_trouble(pool, vdev, draft)
    return draft


def _refuse_what_cannot_be(vdev: Vdev, draft: Draft, *, fault: bool) -> None:
    why_not = _cannot(vdev)
    if why_not:
        draft.refuse("not-a-member", why_not)
    elif fault and vdev.state == "FAULTED":
        draft.refuse("faulted", f"{vdev.name} is faulted already")
    elif not fault and vdev.state == "OFFLINE":
        draft.refuse("offline", f"{vdev.name} is offline already")


def _cannot(vdev: Vdev) -> str:
    """Why ZFS cannot take such a device offline."""
    if vdev.type == "dspare":
        return f"{vdev.name} is spread over the disks of its draid and cannot be taken offline"
    if vdev.vdev_class == "spare":
        return f"{vdev.name} is a hot spare, and those are not taken offline"
    return ""


def _judge(pool: Pool, vdev: Vdev, draft: Draft) -> None:
    """The remaining redundancy, which decides on refusal or warning."""
    top = top_of(pool, vdev)
    if top.vdev_class in AUXILIARY_CLASSES:
        draft.notes.append(f"no data depends on the {top.vdev_class} device {vdev.name}")
        return
    if top.vdev_class == "log":
        _judge_log(pool, top, vdev, draft)
        return
    if not is_vital(top) or draft.after is None:
        return
    after = _redundancy(draft.after, top.name)
    if after is None:
        draft.refuse("redundancy-unknown", f"it is not known what a vdev of type {top.type} can lose")
    elif vdev.state in UNUSED and not vdev.is_resilvering:
        draft.notes.append(f"{vdev.name} is {vdev.state} and serves nothing now: {in_words(after)}")
    elif len(after.failed) > after.by_design:
        draft.refuse(
            "last-replica", f"nothing else has what {vdev.name} has of {top.name}: {_lacking(after)}",
            "attach or replace a device while it still works; ZFS reads from it meanwhile",
        )  # fmt: skip
    elif _is_in_doubt(pool, top, after):
        draft.refuse(
            "resilvering", f"{pool.name} is resilvering, and ZFS does not say yet which devices lack data",
            "wait until the resilver is done",
        )  # fmt: skip
    elif after.left == 0:
        draft.raise_risk(Risk.DESTRUCTIVE)
        before = _redundancy(pool, top.name)
        is_new = before is None or before.left > 0
        when = "then" if is_new else "now, and none then"
        draft.warnings.append(f"{in_words(after)} {when}: one more failure loses the pool")
    if vdev.is_resilvering and not draft.refusals:
        draft.warnings.append(
            f"the resilver of {vdev.name} stops: {top.name} lacks its redundancy until it is online again, "
            "and the resilver has ended"
        )


def _is_in_doubt(pool: Pool, top: Vdev, after: Redundancy) -> bool:
    """Whether devices that the others would depend on may still lack data."""
    scan = unnamed_resilver(pool)
    is_unnamed = scan is not None and scan.vdev in (None, top.name) and after.left < 1
    return is_unnamed or after.at_least < 0


def _judge_log(pool: Pool, top: Vdev, vdev: Vdev, draft: Draft) -> None:
    """ZFS takes the last log device offline silently; synchronous writes then go to data vdevs."""
    others = [
        leaf
        for each in pool.of_class("log")
        for leaf in each.leaves()
        if leaf is not vdev and has_all_data(leaf)
    ]
    if not others:
        draft.warnings.append(
            f"{vdev.name} is the only working log device of {pool.name}: nothing is lost, "
            "but synchronous writes then wait for the data disks"
        )
    elif not any(other is leaf for other in others for leaf in top.leaves()):
        draft.notes.append(f"other log devices go on: {', '.join(leaf.name for leaf in others)}")
    else:
        draft.warnings.append(
            f"{top.name} is then a log without a mirror: if its other device fails together with the host, "
            "the last synchronous writes are lost"
        )


def _redundancy(pool: Pool, name: str) -> Redundancy | None:
    top = next(vdev for vdev in pool.vdevs if vdev.name == name)
    return vdev_redundancy(top, unnamed_resilver(pool))


def _lacking(after: Redundancy) -> str:
    if after.by_design == 0:
        return "there is no redundancy"
    return f"without {', '.join(after.failed)} it can no longer be read"


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    vdev = vdev_of(target, pool)
    if pool is None or vdev is None:
        return ""
    if why_not := _cannot(vdev):
        return why_not
    if vdev.state == "OFFLINE":
        return "it is offline already"
    top = top_of(pool, vdev)
    if not is_vital(top) or vdev.state in UNUSED:
        return ""
    after = _redundancy(with_state(pool, vdev, "OFFLINE"), top.name)
    return "it is the last that has its data" if after and len(after.failed) > after.by_design else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "offline", "Take offline",
        "Stop using a device: it keeps its data and is resilvered when it is online again.",
        frozenset({TargetKind.LEAF}), plan_offline,
        arguments=(Argument("DEVICE", "device", "a device of the pool, by guid, name or path"),),
        options=(
            Option("temporary", "only until the pool is imported again"),
            Option("fault", "mark it as faulted, so that a spare takes over"),
        ),
        needs=only_disks, why_not=_why_not,
        commands=(CommandForm(offline, (POOL, GUID), {"temporary": True, "fault": True}),),
    ),
)  # fmt: skip
