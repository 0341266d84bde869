"""Larger disks for a vdev: each of its devices is replaced in turn, then the vdev uses the room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from zconsole.actions.disk_choices import DiskChoice
from zconsole.actions.repair.finished_procedure_and_scrub_step import all_done, scrub_left
from zconsole.actions.repair.journal_runs_of_repair import runs_on
from zconsole.actions.repair.pull_and_insert_steps import identify_step, new_disk_step, take_out_step
from zconsole.actions.repair.repair_case import RepairCase, as_asked, word_of
from zconsole.actions.repair.repairs_of_host import case_of, repair_of_case
from zconsole.actions.repair.replace_and_resilver_steps import replace_step, resilver_step
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.vdev_growth_progress import LARGER, VdevGrowth, expected, size_of, vdev_growth
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.base.fixed_width_formatting import duration, size
from zconsole.base.name_lists import shortened
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

MOST_NAMED: Final = 4
CHANGES: Final = frozenset({"replace", "-e"})  # words of the commands that the procedure runs


def grow(facts: PoolFacts, top: Vdev, known: PlanFacts, entries: tuple[Entry, ...]) -> Repair:
    """The replacement of the device whose turn it is, or what is left once all are larger."""
    growth = vdev_growth(facts, top)
    runs = runs_on(facts, top, entries)
    if not growth.left:
        return all_done(facts, top, RepairTrouble.TOO_SMALL, runs, _expansion(facts, growth))
    case = _case(facts, growth, known, entries)
    was_grown = any(CHANGES.intersection(argv) for run in runs for argv in run.commands)
    if not growth.is_begun and was_grown and not case.fitting:
        return all_done(facts, top, RepairTrouble.TOO_SMALL, runs, _grown(facts, growth))
    found = repair_of_case(
        case,
        known,
        (
            partial(_triage, growth),
            identify_step,
            take_out_step,
            partial(_new_disk, growth),
            replace_step,
            resilver_step,
            partial(_after_care, growth),
        ),
    )
    return replace(found, runs=runs)


def _case(facts: PoolFacts, growth: VdevGrowth, known: PlanFacts, entries: tuple[Entry, ...]) -> RepairCase:
    """The case of the next device, with the larger disks alone to choose from."""
    case = as_asked(case_of(facts, growth.left[0], RepairTrouble.TOO_SMALL, known, entries))
    share = growth.share_bytes or 0
    larger = [
        replace(each, words=f"larger by {size(_usable(each) - share)}")
        for each in case.fitting
        if not each.is_spare and _usable(each) >= share * LARGER and _is_alike(case, each)
    ]
    target = _target(facts, growth, larger)
    ranked = sorted(larger, key=lambda each: (_usable(each) < target, not each.is_in_slot, _usable(each)))
    return replace(case, choices=tuple(ranked), boot=case.boot and replace(case.boot, bare=()))


def _is_alike(case: RepairCase, choice: DiskChoice) -> bool:
    """Whether both disks turn, or neither does; True where that is not known."""
    old = case.facts.of_leaf(case.place.member).disk
    inventory = case.facts.inventory
    name = inventory.kernel_name(choice.word) if inventory is not None else None
    new = inventory.disk_of(name) if inventory is not None and name is not None else None
    kinds = {each.is_rotational for each in (old, new) if each is not None} - {None}
    return len(kinds) < 2


def _usable(choice: DiskChoice) -> int:
    return partition_bytes(choice.size_bytes or 0)


def _target(facts: PoolFacts, growth: VdevGrowth, larger: list[DiskChoice]) -> int:
    """Size that every device can have: of the smallest larger one, with the disks that are at hand."""
    have = [found for each in growth.larger if (found := size_of(facts, each.member))]
    at_hand = sorted(map(_usable, larger), reverse=True)
    chosen = at_hand[: len(growth.left)]
    return min((*have, *chosen), default=0)


def _triage(growth: VdevGrowth, case: RepairCase) -> RepairStep:
    return RepairStep(RepairStepKind.TRIAGE, RepairStepState.DONE, tuple(_progress(growth, case)))


def _progress(growth: VdevGrowth, case: RepairCase) -> Iterator[str]:
    facts, top = case.facts, growth.top
    yield (
        f"{len(growth.larger)} of {growth.width} disks of {top.name} are larger than the "
        f"{size(growth.share_bytes)} that it uses of each; next: {case.device.labelled}"
    )
    target = _aim(growth, case)
    gain = expected(facts, top, target) if target else None
    if gain is None:
        return
    yield (
        f"with {size(target)} in each {facts.pool.name} grows by about {size(gain.gained_bytes)}: from "
        f"{size(gain.usable_before)} to {size(gain.usable_after)} usable"
    )
    if gain.duration_s:
        each_s = gain.duration_s / growth.width
        yield (
            f"{len(growth.left)} resilvers in a row, each about {duration(each_s)} on an idle pool; you can "
            "pause between two of them for any time"
        )


def _aim(growth: VdevGrowth, case: RepairCase) -> int:
    """Size of the devices at the end, as far as it can be told now; 0 where it cannot."""
    if case.place.newcomer is not None:
        coming = size_of(case.facts, case.place.newcomer)
        have = [size_of(case.facts, each.member) for each in growth.larger]
        return min(filter(None, (coming, *have)), default=0)
    return _target(case.facts, growth, list(case.fitting))


def _new_disk(growth: VdevGrowth, case: RepairCase) -> RepairStep:
    step = new_disk_step(case)
    if case.is_copying or case.fitting:
        return step
    wanted = (
        f"no unused disk in the host is larger than {size(growth.share_bytes)}: insert one; the smallest of "
        "the new disks limits the gain"
    )
    return replace(step, found=(wanted,))


def _after_care(growth: VdevGrowth, case: RepairCase) -> RepairStep:
    others = [case.facts.identity(each.member).label for each in growth.left[1:]]
    named = shortened(others, MOST_NAMED)
    ends = "online -e, unless the pool's autoexpand is on", "scrub", "report"
    first = (f"then replace {named} in the same way",) if named else ()
    return RepairStep(
        RepairStepKind.AFTER_CARE, RepairStepState.NEXT, (*first, f"at the end {', '.join(ends)}")
    )


def _expansion(facts: PoolFacts, growth: VdevGrowth) -> RepairStep:
    """All devices are larger, and the vdev does not use it yet."""
    top, pool = growth.top, facts.pool.name
    leaf = next(iter(top.leaves()))
    label = facts.identity(leaf).label
    offer = RepairOffer(
        f"expand {top.name} to the full size of its disks",
        "online",
        pool,
        (word_of(leaf),),
        (("expand", True),),
    )
    words = (
        f"every disk of {top.name} is larger now; {size(top.expandable_bytes)}, parity included, are not "
        f"used yet. Expanding {label} expands the vdev; a vdev cannot shrink again"
    )
    return RepairStep(RepairStepKind.AFTER_CARE, RepairStepState.NOW, (words,), offers=(offer,))


def _grown(facts: PoolFacts, growth: VdevGrowth) -> RepairStep:
    """Nothing is left but the scrub."""
    words = f"every disk of {growth.top.name} has {size(growth.share_bytes)}, and the vdev uses all of it"
    usable = facts.pool.usable_bytes
    if usable is not None:
        words += f": {facts.pool.name} has {size(usable)} usable"
    return scrub_left(facts, words)
