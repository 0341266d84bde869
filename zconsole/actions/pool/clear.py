"""Clear errors and faults, and resume a suspended pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs
from zconsole.actions.checks.device_lookup_and_description import (
    described,
    saw_device,
    the_device,
    vdev_argument,
    warn_of_shared_trouble,
)
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.checks.vdev_change_checks import say_resilver
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import HEALTHY_STATES, Count, Pool, Vdev
from zconsole.zfs.change.argv_template import GUID, POOL, CommandForm
from zconsole.zfs.change.pool_argv import clear

FAULTED: Final = "FAULTED"


@on_writable_pool
def plan_clear(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: only the counters are lost, and the plan shows them."""
    pool = the_pool(intent.target, facts)
    if intent.argument(0) and not pool.is_suspended:
        return _clear_device(pool, the_device(pool, intent.argument(0), "clear"), facts)
    draft = Draft(f"clear {pool.name}", pool.name, Risk.ROUTINE)
    if intent.argument(0):
        draft.refuse("suspended", f"{pool.name} is suspended as a whole, so that its devices cannot be read",
                     f"clear {pool.name} without naming a device")  # fmt: skip
    faulted = (
        () if pool.is_suspended else [each for each in pool.walk() if each.is_leaf and _is_faulted(each)]
    )
    draft.steps.append(_step(clear(pool.name), _why(pool), pool, faulted))
    draft.undo = "cannot be undone: counters restart at 0"
    if pool.is_suspended:
        for top in pool.vdevs:
            warn_of_shared_trouble(pool, top, draft)
        _resume(pool, facts, draft)
        return draft
    troubled = [vdev for vdev in pool.walk() if _has_trouble(vdev)]
    if not troubled and not pool.error_count and pool.state == "ONLINE":
        draft.refuse("nothing-to-clear", f"{pool.name} has no errors and no faulted device")
    for vdev in troubled:
        _saw_trouble(vdev, draft)
    if pool.error_count:
        draft.notes.append("damaged files stay on the list until a scrub has found them whole")
    for top in pool.vdevs:
        warn_of_shared_trouble(pool, top, draft)
    _stays(pool, faulted, draft)
    return draft


def _clear_device(pool: Pool, vdev: Vdev, facts: PlanFacts) -> Draft:
    draft = Draft(f"clear {vdev.name} of {pool.name}", vdev.name, Risk.ROUTINE)
    named = vdev_argument(vdev, draft)
    why = f"clear the errors of {described(vdev, facts)}"
    faulted = [each for each in vdev.walk() if each.is_leaf and _is_faulted(each)]
    draft.steps.append(_step(clear(pool.name, named), why, pool, faulted))
    draft.undo = "cannot be undone: counters restart at 0"
    saw_device(pool, vdev, draft)
    if _has_trouble(vdev):
        _saw_trouble(vdev, draft)
    else:
        draft.refuse("nothing-to-clear", f"{vdev.name} has no errors and is {vdev.state}")
    warn_of_shared_trouble(pool, vdev, draft)
    _stays(pool, faulted, draft)
    return draft


def _stays(pool: Pool, faulted: Sequence[Vdev], draft: Draft) -> None:
    """What the pool survives does not change by it; a device that faulted counts once it is back."""
    draft.before = draft.after = pool
    if faulted and pool.is_resilvering:
        draft.raise_risk(Risk.CAUTION)
        say_resilver(pool, draft)
    if faulted:
        names = ", ".join(each.name for each in faulted)
        draft.notes.append(
            f"SURVIVES counts {names} as failed: a device that answers again is resilvered first"
        )


def _step(argv: tuple[str, ...], why: str, pool: Pool, faulted: Sequence[Vdev]) -> Step:
    """Counters may be zero already: only the pool's history shows that it happened."""
    return Step(
        argv,
        why,
        settled_by=(Condition(ConditionKind.HISTORY, pool.name, pool.name, value=" ".join(argv)),),
        leads_to=tuple(
            Condition(ConditionKind.VDEV_STATE, str(each.guid), pool.name, value="ONLINE|DEGRADED")
            for each in faulted
            if each.guid is not None
        ),
    )


def _resume(pool: Pool, facts: PlanFacts, draft: Draft) -> None:
    """I/O resumes if the devices are back; another host must not have imported the pool."""
    draft.notes.append("what was waiting to be written is written then, if the devices are back")
    for vdev in pool.walk():
        if vdev.is_leaf and vdev.state == FAULTED:
            draft.warnings.append(
                f"{vdev.name} is FAULTED, and is used again: its counters restart at 0, and it faults again "
                "if it is broken; replace it afterwards all the same"
            )
    for host, guid in facts.elsewhere:
        if guid == pool.guid:
            draft.refuse("imported-elsewhere", f"{host} has imported {pool.name} meanwhile: "
                         "two hosts that write to one pool destroy it",
                         "reboot this host without its devices, or export the pool there")  # fmt: skip
    if facts.property(pool.name, "multihost") == "on":
        draft.warnings.append(
            "multihost is on: while this pool was suspended another host could have imported it; "
            "make sure that none has"
        )


def _has_trouble(vdev: Vdev) -> bool:
    return bool(vdev.has_errors or vdev.slow_ios or (vdev.is_leaf and _is_faulted(vdev)))


def _is_faulted(vdev: Vdev) -> bool:
    return vdev.state not in HEALTHY_STATES and vdev.state not in {"OFFLINE", "REMOVED"}


def _saw_trouble(vdev: Vdev, draft: Draft) -> None:
    """Show the counters that will be cleared."""
    counted = ", ".join(
        f"{_number(count)} {kind}"
        for kind, count in (
            ("read errors", vdev.read_errors),
            ("write errors", vdev.write_errors),
            ("checksum errors", vdev.checksum_errors),
            ("slow I/Os", vdev.slow_ios),
        )
        if count
    )
    if counted:
        draft.notes.append(f"cleared: {vdev.name}: {counted}")
    if vdev.is_leaf and _is_faulted(vdev):
        draft.saw(f"state of {vdev.name}", vdev.state)
        draft.notes.append(
            f"{vdev.name} is {vdev.state} and is tried again; it resilvers if it answers, "
            "and faults again if it is broken"
        )


def _number(count: Count) -> str:
    return f"about {count.value}" if count.is_rounded else str(count.value)


def _why(pool: Pool) -> str:
    return f"resume {pool.name}" if pool.is_suspended else f"clear the errors of {pool.name}"


def _needs(intent: Intent) -> Needs:
    """Needs the disk for a device's description."""
    multihost = ((intent.target, "multihost"),)
    return Needs(disks=bool(intent.arguments), elsewhere=True, properties=multihost)


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    if pool is None or pool.is_suspended:
        return ""
    if target.kind is TargetKind.LEAF:
        vdev = vdev_of(target, pool)
        return "it has no errors" if vdev is not None and not _has_trouble(vdev) else ""
    is_well = not pool.error_count and pool.state == "ONLINE" and not any(map(_has_trouble, pool.walk()))
    return "there are no errors" if is_well else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "clear", "Clear errors",
        "Clear errors and faults, of the pool or of one device; a suspended pool resumes.",
        frozenset({TargetKind.POOL, TargetKind.LEAF}), plan_clear,
        arguments=(
            Argument("DEVICE", "device", "only this device, by guid, name or path", is_optional=True),
        ),
        needs=_needs,
        why_not=_why_not, works_suspended=True,
        commands=(CommandForm(clear, (POOL,), {"vdev": GUID}),),
    ),
)  # fmt: skip
