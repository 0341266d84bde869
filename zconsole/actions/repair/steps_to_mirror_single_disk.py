"""A mirror for a single disk: a second one is attached, filled, and verified."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.actions.disk_choices import disk_choices
from zconsole.actions.intent import Intent
from zconsole.actions.repair.finished_procedure_and_scrub_step import all_done, scrub_left
from zconsole.actions.repair.journal_runs_of_repair import runs_on
from zconsole.actions.repair.repair_case import RepairCase, as_asked, word_of
from zconsole.actions.repair.repairs_of_host import case_of, repair_of_case
from zconsole.actions.repair.replace_and_resilver_steps import copy_in_words
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import least_bytes
from zconsole.analysis.vdevs.redundancy import has_all_data
from zconsole.base.fixed_width_formatting import as_sold, size
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.journal import Entry
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import (
    Repair,
    RepairOffer,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)

MOST_SHOWN: Final = 3
ATTACH: Final = "attach"


def mirror(facts: PoolFacts, top: Vdev, known: PlanFacts, entries: tuple[Entry, ...]) -> Repair:
    """The steps from a single disk to a mirror that has all its data."""
    runs = runs_on(facts, top, entries)
    if top.is_leaf:
        place = next(each for each in places(facts.pool) if each.top is top)
        case = as_asked(case_of(facts, place, RepairTrouble.UNMIRRORED, known, entries))
        attach = Intent(ATTACH, facts.pool.name, (word_of(place.member),))
        case = replace(case, choices=disk_choices(attach, known))
        return replace(repair_of_case(case, known, _STEPS), runs=runs)
    filling = [leaf for leaf in top.leaves() if not has_all_data(leaf)]
    found = all_done(facts, top, RepairTrouble.UNMIRRORED, runs, _attached(facts, top))
    if not filling:
        return found
    return replace(found, steps=tuple(_while_copying(facts, top, filling[0], found.steps)))


def _while_copying(
    facts: PoolFacts, top: Vdev, leaf: Vdev, steps: tuple[RepairStep, ...]
) -> Iterator[RepairStep]:
    label = facts.identity(leaf).label
    for step in steps:
        match step.kind:
            case RepairStepKind.RESILVER:
                stop = RepairOffer(
                    f"take {label} out of {top.name} again", "detach", facts.pool.name, (word_of(leaf),)
                )
                words = (copy_in_words(facts, top), f"ZFS copies the data to {label}")
                yield replace(step, state=RepairStepState.NOW, found=words, offers=(stop,))
            case RepairStepKind.AFTER_CARE:
                yield RepairStep(step.kind, RepairStepState.NEXT, ("scrub, report",))
            case RepairStepKind.REPLACE:
                yield replace(step, name=ATTACH)
            case _:
                yield step


def _attached(facts: PoolFacts, top: Vdev) -> RepairStep:
    names = " and ".join(facts.identity(leaf).label for leaf in top.leaves())
    return scrub_left(facts, f"{top.name} is a mirror, and {names} have all its data")


def _triage(case: RepairCase) -> RepairStep:
    label, pool = case.device.label, case.facts.pool.name
    words = f"{label} is a single disk: if it fails, {pool} is lost"
    complaints = [each.words for each in case.facts.of_leaf(case.place.member).complaints]
    told = (words, *(f"SMART: {each}" for each in complaints[:1]))
    return RepairStep(RepairStepKind.TRIAGE, RepairStepState.DONE, told)


def _identify(case: RepairCase) -> RepairStep:
    found = (f"{case.device.labelled} stays in",)
    return RepairStep(RepairStepKind.IDENTIFY, RepairStepState.NOT_NEEDED, found, reason="no disk is pulled")


def _take_out(case: RepairCase) -> RepairStep:
    del case
    return RepairStep(RepairStepKind.TAKE_OUT, RepairStepState.NOT_NEEDED, reason="the disk stays in")


def _new_disk(case: RepairCase) -> RepairStep:
    kind, pool = RepairStepKind.NEW_DISK, case.facts.pool.name
    choose = RepairOffer("choose a disk", ATTACH, pool, (case.word,), wants_disk=True)
    offers = () if case.not_now else (choose,)
    if case.fitting:
        first, *others = case.fitting
        many = "1 other disk fits" if len(others) == 1 else f"{len(others)} other disks fit"
        more = (many,) if others else ()
        words = f"{first.serial}, {size(first.size_bytes)}: {first.words}"
        return RepairStep(kind, RepairStepState.DONE, (words, *more), offers=offers)
    needed, _ = least_bytes(case.place.top)
    least = f"; the new disk needs at least {as_sold(needed)}" if needed is not None else ""
    act = f"insert a disk{f' of at least {as_sold(needed)}' if needed is not None else ''}"
    words = f"no unused disk in the host fits{least}"
    return RepairStep(kind, RepairStepState.NOW, (words,), offers=offers, act=act)


def _attach(case: RepairCase) -> RepairStep:
    kind = RepairStepKind.REPLACE
    if case.not_now:
        first, *others = ("; ".join(filter(None, (each.reason, each.instead))) for each in case.not_now)
        return RepairStep(kind, RepairStepState.HELD, tuple(others), first, name=ATTACH)
    offers = tuple(
        case.offer(f"attach {each.serial} to {case.device.label}", ATTACH, case.word, each.word)
        for each in case.fitting[:MOST_SHOWN]
    )
    state = RepairStepState.NOW if offers else RepairStepState.NEXT
    return RepairStep(kind, state, offers=offers, name=ATTACH)


def _resilver(case: RepairCase) -> RepairStep:
    del case
    return RepairStep(RepairStepKind.RESILVER, RepairStepState.NEXT)


def _after_care(case: RepairCase) -> RepairStep:
    del case
    return RepairStep(RepairStepKind.AFTER_CARE, RepairStepState.NEXT, ("scrub, report",))


_STEPS: Final = (_triage, _identify, _take_out, _new_disk, _attach, _resilver, _after_care)
