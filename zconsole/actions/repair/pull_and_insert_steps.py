"""Steps with the disks in hand: identify, take out, new disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zconsole.actions.disk_choices import DiskChoice
from zconsole.actions.repair.repair_case import RepairCase, to_be_tested
from zconsole.actions.repair.shared_cause_steps import not_needed_for_way, shared_identify
from zconsole.actions.repair.swap_while_shut_down import swap_while_shut_down
from zconsole.analysis.repair.wrong_disk_pulled import how_to_find
from zconsole.analysis.vdevs.device_overwrite_checks import least_bytes
from zconsole.analysis.vdevs.redundancy import has_all_data, is_vital, unnamed_resilver, vdev_redundancy
from zconsole.analysis.vdevs.topology_after_change import with_state
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.shelf import free_bays
from zconsole.model.repair import (
    RepairOffer,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)

STANDS_BY_ITSELF = frozenset({RepairTrouble.SPARE_IN_USE})
MOST_NEIGHBOURS = 4


def identify_step(case: RepairCase) -> RepairStep:
    """Done once the disk is out of use; to be done before anything is pulled."""
    kind = RepairStepKind.IDENTIFY
    found = tuple(_identity(case))
    if case.trouble in STANDS_BY_ITSELF:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="no disk is pulled")
    if case.others:
        return shared_identify(case)
    if case.is_gone:
        return RepairStep(kind, RepairStepState.DONE, found)
    located = any(run.is_done and "locate LED" in run.title for run in case.runs)
    offers = (
        case.offer(f"blink the LED of {case.device.label}", "locate", case.word),
        case.offer(f"turn the LED of {case.device.label} off", "locate", case.word, off=True),
    )
    if case.has_nothing_to_copy or case.is_copying or case.has_both or case.serves:
        reason = (
            "it is pulled once it is out of the pool"
            if case.has_nothing_to_copy
            else "it stays in until the copy is done, and is pulled afterwards"
        )
        return RepairStep(kind, RepairStepState.NOT_NEEDED, found, reason, offers)
    is_known = not case.facts.state.has_hot_swap  # no LED is lit while the host is off
    state = RepairStepState.DONE if located or is_known or _is_offline(case) else RepairStepState.NOW
    return RepairStep(kind, RepairStepState.NEXT if case.pulled else state, found, offers=offers)


def take_out_step(case: RepairCase) -> RepairStep:
    """Done once the host does not see the disk; held where the vdev would not survive it."""
    kind = RepairStepKind.TAKE_OUT
    if case.trouble in STANDS_BY_ITSELF:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="its disk stays")
    if case.pulled:
        return RepairStep(kind, RepairStepState.HELD, reason="the wrong disk was pulled: put it back first")
    if case.others:
        return not_needed_for_way(case, kind, "no disk is pulled")
    if case.is_gone:
        return RepairStep(
            kind, RepairStepState.DONE, (f"{case.device.label} is not seen by the host any more",)
        )
    if case.has_nothing_to_copy:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="it is pulled once it is out of the pool")
    if case.is_copying:
        return RepairStep(
            kind, RepairStepState.NOT_NEEDED, reason=f"{case.device.label} is pulled after the resilver"
        )
    if case.has_both:
        first = (*case.fitting, *(case.boot.bare if case.boot is not None else ()))[0]
        return RepairStep(
            kind,
            RepairStepState.NOT_NEEDED,
            reason=f"{first.serial} is in the host already: with both in, redundancy never drops",
            offers=tuple(_offline(case)),
        )
    if not case.facts.state.has_hot_swap:
        step = swap_while_shut_down(case, may_go=_survives_without(case))
        return replace(step, offers=tuple(_offline(case)))
    if case.serves:
        return _kept_in(case)
    is_now = identify_step(case).state is RepairStepState.DONE
    how = f"pull {case.device.label}; ZFS does not use it"
    return RepairStep(kind, RepairStepState.NOW if is_now else RepairStepState.NEXT, (how,))


def _kept_in(case: RepairCase) -> RepairStep:
    """A device that still serves stays in until its replacement is complete."""
    free = free_bays(case.facts.inventory.shelves) if case.facts.inventory is not None else ()
    if free:
        named = shortened(free, MOST_NEIGHBOURS)
        return RepairStep(
            RepairStepKind.TAKE_OUT,
            RepairStepState.NOT_NEEDED,
            reason=f"it still serves, and there are free bays ({named}): put the new disk there, "
            "replace this one while it is in, so that redundancy never drops, and take it out afterwards",
        )
    if not _survives_without(case):
        return RepairStep(
            RepairStepKind.TAKE_OUT,
            RepairStepState.HELD,
            reason=f"{case.place.top.name} would not survive it: put the new disk in beside it, "
            "and take this one out after the resilver",
        )
    return RepairStep(
        RepairStepKind.TAKE_OUT,
        RepairStepState.NOT_NEEDED,
        reason="it still serves: put the new disk into a free bay; only without one take this one offline "
        "and pull it",
        offers=tuple(_offline(case)),
    )


def new_disk_step(case: RepairCase) -> RepairStep:
    """Done once a disk fits or is in its place."""
    kind = RepairStepKind.NEW_DISK
    newcomer = case.place.newcomer
    if case.trouble in STANDS_BY_ITSELF:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="nothing is replaced")
    if case.is_copying and newcomer is not None:
        identity = case.facts.identity(newcomer)
        return RepairStep(kind, RepairStepState.DONE, (identity.labelled,))
    if case.has_nothing_to_copy:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="another one is added, none replaces it")
    if case.others:
        return not_needed_for_way(case, kind, "no new disk")
    if case.fitting:
        untested = to_be_tested(case)
        return RepairStep(
            kind,
            RepairStepState.DONE,
            tuple(_fitting(case.fitting, untested)),
            offers=_choose(case),
            untested=untested.word if untested is not None else "",
        )
    is_bare = case.boot is not None and bool(case.boot.bare)
    is_now = is_bare or take_out_step(case).state not in {RepairStepState.NOW, RepairStepState.NEXT}
    is_held = case.pulled or any(each.id in {"put-back", "steady"} for each in case.not_now)
    state = RepairStepState.NOW if is_now and not is_held else RepairStepState.NEXT
    return RepairStep(kind, state, tuple(_wanted(case)), offers=_choose(case))


def _identity(case: RepairCase) -> Iterator[str]:
    device = case.device
    name = f"serial {device.serial}" if device.serial else device.name
    yield ", ".join(filter(None, (name, device.model, device.where or "its bay is not known")))
    if case.is_gone and (hint := how_to_find(case.facts, case.place.member)):
        yield hint
    beside = sorted(case.facts.beside(case.place.member))
    if beside:
        yield f"beside it: {', '.join(beside)}"
    own = case.place.top
    for top in (own, *(each for each in case.facts.pool.vdevs if each.name != own.name)):
        yield from _not_to_touch(case, top)


def _not_to_touch(case: RepairCase, top: Vdev) -> Iterator[str]:
    """Disks of a vdev that has lost all its redundancy: pulling one of them loses the pool."""
    redundancy = vdev_redundancy(top, unnamed_resilver(case.facts.pool))
    if not is_vital(top) or redundancy is None or redundancy.left > 0 or not redundancy.by_design:
        return
    others = [
        case.facts.identity(leaf)
        for leaf in top.leaves()
        if leaf is not case.place.member and has_all_data(leaf)
    ]
    names = [f"{each.label} (bay {each.bay})" if each.bay else each.label for each in others]
    if names:
        yield f"do not touch {shortened(names, MOST_NEIGHBOURS)}: {top.name} survives no other failure"


def _is_offline(case: RepairCase) -> bool:
    return case.place.member.state == "OFFLINE"


def _survives_without(case: RepairCase) -> bool:
    """Whether the vdev still has all data without the device."""
    top = case.place.top
    if not is_vital(top):
        return True
    after = with_state(case.facts.pool, case.place.member, "OFFLINE")
    later = next(each for each in after.vdevs if each.name == top.name)
    redundancy = vdev_redundancy(later, unnamed_resilver(case.facts.pool))
    return redundancy is not None and len(redundancy.failed) <= redundancy.by_design


def _offline(case: RepairCase) -> Iterator[RepairOffer]:
    if case.serves and _survives_without(case):
        yield case.offer(f"take {case.device.label} offline", "offline", case.word)


def _choose(case: RepairCase) -> tuple[RepairOffer, ...]:
    """The chooser, unless something speaks against a replacement."""
    if case.not_now or case.pulled or case.boot is not None:
        return ()
    pool = case.facts.pool.name
    return (RepairOffer("choose a disk", "replace", pool, (case.word,), wants_disk=True),)


def _fitting(fitting: tuple[DiskChoice, ...], untested: DiskChoice | None) -> Iterator[str]:
    first, *others = fitting
    model = f", {first.model}" if first.model else ""
    yield f"{first.serial}, {size(first.size_bytes)}{model}: {first.words}"
    if others:
        yield f"{len(others)} more {'fits' if len(others) == 1 else 'fit'}"
    if untested is not None:
        asleep = "; it sleeps, and the test wakes it" if untested.is_asleep else ""
        yield f"{untested.serial} has had no read test, which reads 192 MiB and writes nothing{asleep}"


def _wanted(case: RepairCase) -> Iterator[str]:
    """What a disk must be, and why the unused ones are not."""
    if case.boot is not None and case.boot.bare:
        yield from case.boot.preparing()
        return
    needed, _ = least_bytes(case.place.top)
    yield (
        f"no disk that fits is in the host; it needs at least {size(needed)}"
        if needed is not None
        else ("no disk that fits is in the host")
    )
    for each in case.choices[:MOST_NEIGHBOURS]:
        if not each.is_in_use and each.why_not:
            yield f"{each.serial} does not: {each.words}"
