"""Initialize and trim the free space of devices; suspend or cancel it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Option
from zconsole.actions.checks.device_lookup_and_description import vdev_argument
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, the_vdev, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES
from zconsole.analysis.vdevs.topology_after_change import AUXILIARY_CLASSES, top_of
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev, VdevProgress
from zconsole.zfs.change.argv_template import GUIDS, POOL, CommandForm
from zconsole.zfs.change.pool_argv import ActivityControl, Argv, initialize, trim

RUNNING: Final = "active"
SUSPENDED: Final = "suspended"
UNSUPPORTED: Final = "unsupported"


@dataclass(frozen=True, slots=True)
class _Work:
    """Differences between the two actions."""

    kind: str
    gerund: str
    argv: Callable[[str, Sequence[str], ActivityControl], Argv]
    risk: Risk
    effect: str


INITIALIZE: Final = _Work(
    "initialize", "initializing", initialize, Risk.CAUTION,
    "every free block is written to once: storage that is thinly provisioned is allocated in full, and "
    "there is no going back to an older txg or a destroyed pool",
)  # fmt: skip
TRIM: Final = _Work(
    "trim", "trimming", trim, Risk.ROUTINE,
    "the device may forget what was in its free blocks: no going back to an older txg or a destroyed pool",
)  # fmt: skip


@on_writable_pool
def plan_initialize(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: it cannot be undone; suspend and cancel are routine."""
    return _plan(INITIALIZE, intent, facts)


@on_writable_pool
def plan_trim(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: only free space is affected."""
    return _plan(TRIM, intent, facts)


def _plan(work: _Work, intent: Intent, facts: PlanFacts) -> Draft:
    pool = the_pool(intent.target, facts)
    turn = _turn(work, intent)
    devices = tuple(_device(pool, word) for word in intent.arguments)
    whom = ", ".join(leaf.name for leaf in devices) or "all devices"
    verb = work.kind if turn is ActivityControl.START else f"{turn.name.lower()} {work.gerund}"
    draft = Draft(
        f"{verb} {whom} of {pool.name}",
        devices[0].name if len(devices) == 1 else pool.name,
        work.risk if turn is ActivityControl.START else Risk.ROUTINE,
        is_reversible=turn is ActivityControl.SUSPEND,
    )
    concerned = devices or tuple(_members(pool))
    named = [vdev_argument(leaf, draft) for leaf in devices]
    argv = work.argv(pool.name, named, turn)
    settled = Condition(ConditionKind.HISTORY, pool.name, pool.name, value=" ".join(argv))
    draft.steps.append(Step(argv, f"{verb} {whom}", settled_by=(settled,)))
    for leaf in concerned:
        draft.saw(f"{work.kind} of {leaf.name}", f"{leaf.state} {_state(leaf, work)}".strip())
    if turn is ActivityControl.START:
        draft.notes.append(work.effect)
    draft.undo = _undo(work, turn, pool, named)
    _refuse(work, turn, pool, concerned, draft)
    return draft


def _turn(work: _Work, intent: Intent) -> ActivityControl:
    if intent.flag("suspend") and intent.flag("cancel"):
        raise UsageError(
            f"{work.kind} is either suspended or cancelled", hint="Give one of --suspend, --cancel."
        )
    if intent.flag("suspend"):
        return ActivityControl.SUSPEND
    return ActivityControl.CANCEL if intent.flag("cancel") else ActivityControl.START


def _device(pool: Pool, word: str) -> Vdev:
    vdev = the_vdev(pool, word)
    if not vdev.is_leaf:
        raise UsageError(
            f"{vdev.name} of {pool.name} is a group of devices",
            hint=f"Name some of them: {', '.join(leaf.name for leaf in vdev.leaves())}.",
        )
    return vdev


def _members(pool: Pool) -> list[Vdev]:
    """The devices that ZFS includes for a whole pool: no spares or cache devices."""
    return [
        leaf
        for top in pool.vdevs
        if top.vdev_class not in AUXILIARY_CLASSES and top.type not in WITHOUT_DEVICES
        for leaf in top.leaves()
        if leaf.type not in WITHOUT_DEVICES
    ]


def _state(leaf: Vdev, work: _Work) -> str:
    progress: VdevProgress | None = next((each for each in leaf.activities if each.kind == work.kind), None)
    return progress.state if progress is not None else ""


def _undo(work: _Work, turn: ActivityControl, pool: Pool, named: Sequence[str]) -> str:
    if turn is ActivityControl.START:
        stop = " ".join(work.argv(pool.name, named, ActivityControl.CANCEL))
        return f"{stop} ends it; what is done is done"
    if turn is ActivityControl.SUSPEND:
        return " ".join(work.argv(pool.name, named, ActivityControl.START))
    return "cannot be undone: it starts from the beginning"


def _refuse(work: _Work, turn: ActivityControl, pool: Pool, concerned: Sequence[Vdev], draft: Draft) -> None:
    if why := next(filter(None, (_why_no_member(work, pool, leaf) for leaf in concerned)), ""):
        draft.refuse("not-a-member", why)
        return
    if work is TRIM and concerned and all(_state(leaf, work) == UNSUPPORTED for leaf in concerned):
        what = f"{concerned[0].name} cannot" if len(concerned) == 1 else "none of these devices can"
        draft.refuse("trim-unsupported", f"{what} be trimmed")
        return
    if turn is ActivityControl.START:
        running = [leaf.name for leaf in concerned if _state(leaf, work) == RUNNING]
        away = [
            f"{leaf.name} is {leaf.state}" for leaf in concerned if leaf.state not in {"ONLINE", "DEGRADED"}
        ]
        if running:
            draft.refuse("running", f"{work.gerund} of {', '.join(running)} is under way already",
                         "wait for it, or name the other devices" if len(concerned) > 1 else "")  # fmt: skip
        elif away:
            draft.refuse("not-online", f"{', '.join(away)}: only devices in use can be {_done(work)}",
                         "bring them online, or name the others" if len(concerned) > 1 else "")  # fmt: skip
    elif why := _why_no_turn(work, turn, concerned):
        draft.refuse("not-running", why)


def _why_no_member(work: _Work, pool: Pool, leaf: Vdev) -> str:
    """Why ZFS does not do it to a spare or cache device; empty for others."""
    is_auxiliary = top_of(pool, leaf).vdev_class in AUXILIARY_CLASSES or leaf.type == "dspare"
    return (
        f"{leaf.name} is a {leaf.vdev_class} device, which ZFS does not {work.kind}" if is_auxiliary else ""
    )


def _why_no_turn(work: _Work, turn: ActivityControl, concerned: Sequence[Vdev]) -> str:
    """Why there is nothing to suspend or cancel."""
    states = {_state(leaf, work) for leaf in concerned}
    if turn is ActivityControl.SUSPEND:
        return "" if RUNNING in states else f"no {work.gerund} is under way there"
    return "" if states & {RUNNING, SUSPENDED} else f"there is no {work.gerund} to cancel"


def _why_no(work: _Work, turn: ActivityControl) -> Callable[[Intent, PlanFacts], str]:
    def why_not(intent: Intent, facts: PlanFacts) -> str:
        pool = facts.pool(intent.target)
        if pool is None:
            return ""
        with suppress(UsageError):  # the plan reports the invalid words
            devices = [_device(pool, word) for word in intent.arguments]
            return _why_no_turn(work, turn, devices or _members(pool))
        return ""

    return why_not


def _turns(work: _Work) -> tuple[Option, Option]:
    return (
        Option(
            "suspend",
            "suspend it; started again, it continues",
            why_not=_why_no(work, ActivityControl.SUSPEND),
        ),
        Option("cancel", "cancel it", why_not=_why_no(work, ActivityControl.CANCEL)),
    )


def _done(work: _Work) -> str:
    return "initialized" if work is INITIALIZE else "trimmed"


def _why_not(work: _Work) -> Callable[[Target, PlanFacts], str]:
    def why_not(target: Target, facts: PlanFacts) -> str:
        pool = facts.pool(target.pool)
        leaf = vdev_of(target, pool)
        if pool is None or leaf is None or not leaf.is_leaf:
            return ""
        if why := _why_no_member(work, pool, leaf):
            return why
        is_unsupported = work is TRIM and _state(leaf, TRIM) == UNSUPPORTED
        return "the device cannot be trimmed" if is_unsupported else ""

    return why_not


_DEVICES: Final = Argument(
    "DEVICE", "device", "only these devices, by guid, name or path", is_optional=True, is_repeated=True
)


def _commands(build: Callable[[str, Sequence[str], ActivityControl], Argv]) -> tuple[CommandForm, ...]:
    return tuple(
        CommandForm(build, (POOL, vdevs, turn)) for turn in ActivityControl for vdevs in ((), (GUIDS,))
    )


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "initialize", "Initialize", "Write to all free space once, of the pool or of some devices.",
        frozenset({TargetKind.POOL, TargetKind.LEAF}), plan_initialize, arguments=(_DEVICES,),
        options=_turns(INITIALIZE),
        commands=_commands(initialize),
        why_not=_why_not(INITIALIZE),
    ),
    ActionSpec(
        "trim", "Trim", "Trim the free space of the pool or of some devices.",
        frozenset({TargetKind.POOL, TargetKind.LEAF}), plan_trim, arguments=(_DEVICES,),
        options=_turns(TRIM),
        commands=_commands(trim),
        why_not=_why_not(TRIM),
    ),
)  # fmt: skip
