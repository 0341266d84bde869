"""Checks of mounts: refused over the running system, reported with counts when they hide files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.dataset_in_use_checks import OF_LIBVIRT
from zconsole.actions.checks.mount_points_after_change import Placement
from zconsole.actions.plan import Dependent, Risk, WayOut
from zconsole.analysis.dependencies.mount_safety import hidden_mounts, is_at_or_below, normal, why_needed
from zconsole.analysis.dependencies.uses_by_guests import GUEST
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.host.mount_points import MountTarget, TargetType
from zconsole.model.host.plan_facts import PlanFacts

RULE: Final = "system-mountpoint"
IN_USE: Final = "mountpoint-in-use"
MOST_TOLD: Final = 20  # of one kind
MOST_PROCESSES: Final = 5
MOST_GUESTS: Final = 5
_ELSEWHERE: Final = "choose a directory that nothing else uses, or mountpoint=none"


@dataclass(frozen=True, slots=True)
class MountObjection:
    """Why nothing may be mounted on a path: rule and sentence."""

    rule: str
    why: str


def check_placements(
    draft: Draft, placements: Sequence[Placement], facts: PlanFacts, *, moving: Iterable[str] = ()
) -> None:
    """Refuse mounts over the running system, warn of hidden files. `moving` are unmounted first."""
    gone = {*moving, *(each.dataset for each in placements if each.is_mounted)}
    fine: list[Placement] = []
    refused = 0
    for each in placements:
        objection = why_not(each.path, facts)
        if each.is_never:
            if objection is not None and objection.rule == RULE:
                draft.raise_risk(Risk.CAUTION)
                draft.warnings.append(
                    f"{_not_mounted(each, objection)}; file systems below it inherit that mountpoint"
                )
        elif objection is None:
            fine.append(each)
        elif not each.is_by_itself:
            draft.warnings.append(_not_mounted(each, objection))
        else:
            refused += 1
            if objection.rule == IN_USE:
                _tell_hidden_images(draft, each, facts, gone)
            if refused <= MOST_TOLD:
                words = f"{each.dataset} would be mounted on {visible(each.path)}: {objection.why}"
                draft.refuse_answer(WayOut.MOUNTPOINT, objection.rule, words, _ELSEWHERE)
    if refused > MOST_TOLD:
        draft.refuse_answer(
            WayOut.MOUNTPOINT,
            RULE,
            f"and {refused - MOST_TOLD} more would be mounted on such paths",
            _ELSEWHERE,
        )
    for each in fine[:MOST_TOLD]:
        _tell_hidden(draft, each, facts, gone)
    if len(fine) > MOST_TOLD:
        _sum_up(draft, fine[MOST_TOLD:], facts)


def _not_mounted(placed: Placement, objection: MountObjection) -> str:
    return (
        f"{placed.dataset} is not mounted by this: its canmount is {placed.canmount}; "
        f"to mount it on {visible(placed.path)} is refused: {objection.why}"
    )


def why_not(path: str, facts: PlanFacts) -> MountObjection | None:
    """Why nothing may be mounted on a path; None if allowed."""
    target = facts.mounting.target(path)
    real = target.real if target is not None else None
    needed = facts.mounting.needed
    why = why_needed(normal(path), needed)
    if not why and real is not None:
        why = why_needed(real, needed)
        if why and real != normal(path):
            why = f"it leads to {visible(real)}, and {why}"
    if why:
        return MountObjection(RULE, why)
    if target is None or real is None or facts.mounting.mounts is None:
        return MountObjection("mountpoint-unread", "what is there could not be read")
    if target.type is TargetType.OTHER:
        return MountObjection("not-a-directory", "it is not a directory")
    if target.open_by:
        who = ", ".join(target.open_by[:MOST_PROCESSES])
        more = len(target.open_by) - MOST_PROCESSES
        has = "has" if len(target.open_by) == 1 else "have"
        return MountObjection(
            IN_USE, f"{who}{f' and {more} more' if more > 0 else ''} {has} open what is there"
        )
    return None


def _tell_hidden(draft: Draft, placed: Placement, facts: PlanFacts, gone: set[str]) -> None:
    """Report files and mounts that become hidden."""
    target = facts.mounting.target(placed.path)
    if target is None or target.real is None:
        return
    shown, when = visible(placed.path), "" if placed.is_by_itself else "once it is mounted, "
    hidden = hidden_mounts(target.real, facts.mounting.mounts or (), gone)
    draft.saw(f"what is in {shown}", _state(target))
    draft.saw(f"mounts at or below {shown}", ", ".join(sorted(each.mountpoint for each in hidden)) or "none")
    for mount in hidden[:MOST_TOLD]:
        draft.warnings.append(
            f"{when}{placed.dataset} hides {mount.source}, mounted on {visible(mount.mountpoint)}"
        )
    if len(hidden) > MOST_TOLD:
        draft.warnings.append(f"and {len(hidden) - MOST_TOLD} mounts more below {shown}")
    if target.type is TargetType.DIRECTORY and target.entries is None:
        draft.warnings.append(f"what is in {shown} could not be counted: {placed.dataset} hides it")
    elif target.entries:
        at_least = "at least " if target.has_more else ""
        what = "entry" if target.entries == 1 else "entries"
        draft.warnings.append(
            f"{shown} is not empty: {when}{placed.dataset} hides {at_least}{target.entries} {what}"
        )
        if placed.overlay == "off":
            draft.warnings.append(
                f"overlay of {placed.dataset} is off: ZFS does not mount it on a directory that is not empty"
            )
    if target.entries != 0 and _is_there(target):
        _tell_hidden_images(draft, placed, facts, gone)
    if hidden or target.entries or (target.type is TargetType.DIRECTORY and target.entries is None):
        draft.raise_risk(Risk.CAUTION)


def _tell_hidden_images(draft: Draft, placed: Placement, facts: PlanFacts, gone: Collection[str]) -> None:
    """Guests that name images in what becomes hidden: a process keeps its file, the next start has none."""
    target = facts.mounting.target(placed.path)
    folders = {normal(placed.path), (target.real if target is not None else None) or normal(placed.path)}
    uses = [
        use
        for use in facts.uses or ()
        if use.kind in OF_LIBVIRT and use.object not in gone
        if any(is_at_or_below(path, each) for path in (use.path, use.real) if path for each in folders)
    ]
    if not uses:
        return
    for use in uses:
        path = visible(use.path)
        draft.dependents.append(Dependent(use.kind, use.name, f"{path} is where {placed.dataset} is mounted"))
    draft.saw(f"guests below {visible(placed.path)}", ", ".join(sorted(f"{e.kind} {e.name}" for e in uses)))
    names = shortened(sorted({use.name for use in uses}), MOST_GUESTS)
    running = shortened(sorted({use.name for use in uses if use.kind == GUEST}), MOST_GUESTS)
    kept = f"; files that are open stay so until then ({running})" if running else ""
    draft.warnings.append(
        f"{'' if placed.is_by_itself else 'once it is mounted, '}{placed.dataset} hides images of guests "
        f"({names}): the next start finds there what {placed.dataset} has{kept}"
    )


def _sum_up(draft: Draft, placements: Sequence[Placement], facts: PlanFacts) -> None:
    """For many mounts, the number that hide something."""
    targets = [facts.mounting.target(each.path) for each in placements]
    full = [each for each in targets if each is not None and each.entries != 0 and _is_there(each)]
    for each in full:
        draft.saw(f"what is in {visible(each.path)}", _state(each))
    if full:
        draft.raise_risk(Risk.CAUTION)
        draft.warnings.append(f"{len(full)} more mountpoints are directories that may not be empty")


def _state(target: MountTarget) -> str:
    """Existence and emptiness of a directory, which the plan rests on."""
    if not _is_there(target):
        return target.type.value
    return "unknown" if target.entries is None else "something" if target.entries else "nothing"


def _is_there(target: MountTarget) -> bool:
    return target.type is TargetType.DIRECTORY
