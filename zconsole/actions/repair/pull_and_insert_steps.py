"""Steps with the disks in hand: identify, take out, new disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zconsole.actions.disk_choices import DiskChoice
from zconsole.actions.repair.journal_runs_of_repair import is_led_on
from zconsole.actions.repair.new_disks_of_several_repairs import KEPT
from zconsole.actions.repair.repair_case import RepairCase, to_be_tested
from zconsole.actions.repair.shared_cause_steps import not_needed_for_way, shared_identify
from zconsole.actions.repair.swap_while_shut_down import swap_while_shut_down
from zconsole.analysis.repair.bay_to_put_back_into import how_to_find
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import GOOD_COPIES
from zconsole.analysis.repair.data_at_stake.only_copy import has_only_copy
from zconsole.analysis.repair.data_at_stake.unsound_siblings import UNSOUND_SIBLINGS
from zconsole.analysis.repair.not_opened.notes_of_devices import is_split_off
from zconsole.analysis.repair.not_opened.online_or_detach_first import NOT_OPENED
from zconsole.analysis.repair.reasons_not_to_replace import VDEV_INCOMPLETE
from zconsole.analysis.repair.unreadable_sectors import UNREADABLE
from zconsole.analysis.repair.wrong_disk_pulled import left_its_resilver
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import least_bytes
from zconsole.analysis.vdevs.redundancy import (
    ended_badly,
    has_all_data,
    is_vital,
    redundancy_in_pool,
    unnamed_resilver,
    vdev_redundancy,
)
from zconsole.analysis.vdevs.resilver_targets import AWAITS_RESILVER
from zconsole.analysis.vdevs.topology_after_change import with_state
from zconsole.base.fixed_width_formatting import as_sold, size
from zconsole.base.name_lists import in_ranges, joined_by_and, shortened
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import (
    RepairOffer,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)
from zconsole.system.dd_disk_reads import TEST_BYTES

ONLINE = "ONLINE"
STANDS_BY_ITSELF = frozenset({RepairTrouble.SPARE_IN_USE})
MOST_NEIGHBOURS = 4
PUT_BACK_FIRST = "put the pulled disk back first"


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
    if leave_in := _leave_in(case):
        return RepairStep(kind, RepairStepState.NOT_NEEDED, found, leave_in)
    is_held = case.put_back is not None or case.waits or case.is_suspended
    located = any(run.is_done and "locate LED" in run.title for run in case.runs)
    lit = is_led_on(case.runs)
    offer = case.offer(f"turn on the locate LED of {case.device.in_bay}", "locate", case.word)
    if lit:
        words = f"turn off the locate LED of {case.device.in_bay}"
        offer = case.offer(words, "locate", case.word, off=True)
    is_left_in = case.is_copying or case.has_both or case.serves or case.freed is not None
    if case.has_nothing_to_copy or is_left_in:
        reason = "remove it from the pool first, then pull it" if case.has_nothing_to_copy else _left_in(case)
        return RepairStep(kind, RepairStepState.NOT_NEEDED, found, reason, (offer,))
    is_known = not case.facts.state.has_hot_swap  # no LED is lit while the host is off
    state = RepairStepState.DONE if located or is_known or _is_offline(case) else RepairStepState.NOW
    act = f"find {case.device.in_bay}: turn on its LED, and compare the serial number"
    if is_held and state is RepairStepState.NOW:
        return RepairStep(kind, RepairStepState.NEXT, found, offers=(offer,))
    return RepairStep(kind, state, found, offers=(offer,), act=act)


def take_out_step(case: RepairCase) -> RepairStep:
    """Done once the host does not see the disk; held where the vdev would not survive it."""
    kind = RepairStepKind.TAKE_OUT
    if case.put_back is not None:
        act = case.put_back.act(case.facts)
        return RepairStep(kind, RepairStepState.HELD, reason=PUT_BACK_FIRST, act=act)
    if case.trouble in STANDS_BY_ITSELF:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="its disk stays")
    if case.others:
        return not_needed_for_way(case, kind, "no disk is pulled")
    if _has_reason(case, "put-back"):
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason=f"{case.device.label} is to serve again")
    if leave_in := _leave_in(case):
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason=leave_in)
    if case.is_suspended:
        reason = f"pull nothing while {case.facts.pool.name} is suspended"
        return RepairStep(kind, RepairStepState.HELD, reason=reason)
    if left_its_resilver(case.facts, case.place):
        reason = f"{case.device.label} is gone before its data was copied; it served until then"
        return RepairStep(kind, RepairStepState.HELD, reason=reason)
    if case.is_gone:
        return RepairStep(
            kind,
            RepairStepState.DONE,
            (f"the host no longer sees {case.device.label}: it is out, or has no contact",),
        )
    if case.has_nothing_to_copy:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="remove it from the pool first")
    if _has_reason(case, VDEV_INCOMPLETE):
        of_vdev = redundancy_in_pool(case.facts.pool, case.place.top)
        has = "has" if of_vdev is not None and of_vdev.is_incomplete else "may have"
        reason = f"{case.device.label} {has} what the others of {case.place.top.name} lack: leave it in"
        return RepairStep(kind, RepairStepState.HELD, reason=reason, act=f"leave {case.device.in_bay} in")
    if _has_reason(case, GOOD_COPIES):
        reason = f"blocks are damaged: no disk of {case.place.top.name} goes out before what failed is back"
        return RepairStep(kind, RepairStepState.HELD, reason=reason, act=f"leave {case.device.in_bay} in")
    if _has_reason(case, UNSOUND_SIBLINGS) and not case.is_gone:
        reason = f"{case.device.label} may have what the others of {case.place.top.name} cannot return"
        return RepairStep(kind, RepairStepState.HELD, reason=reason, act=f"leave {case.device.in_bay} in")
    if case.is_copying:
        return RepairStep(
            kind,
            RepairStepState.NOT_NEEDED,
            reason=f"pull {case.device.in_bay} after the resilver",
        )
    if case.freed is not None:
        reason = f"pull {case.device.in_bay} after the resilver onto the spare {case.freed_label}"
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason=reason)
    if case.has_both:
        first = (*case.fitting, *(case.boot.bare if case.boot is not None else ()))[0]
        return RepairStep(
            kind,
            RepairStepState.NOT_NEEDED,
            reason=_both_in(case, first),
            offers=tuple(_offline(case)),
        )
    if not case.facts.state.has_hot_swap:
        step = swap_while_shut_down(case, may_go=_survives_without(case))
        return replace(step, offers=(*step.offers, *_offline(case)))
    if case.serves:
        return _kept_in(case)
    is_now = identify_step(case).state is RepairStepState.DONE
    act = f"pull {case.device.in_bay}"
    only = "to replace it, " if _is_offline(case) else ""
    found = (f"{only}{act}; ZFS no longer uses it", *not_to_touch(case))
    state = RepairStepState.NOW if is_now and not case.waits else RepairStepState.NEXT
    return RepairStep(kind, state, found, act=f"{act}: compare the serial number first")


def _leave_in(case: RepairCase) -> str:
    """Why no disk is pulled; empty where that is to be decided."""
    if is_split_off(case.place.member):
        return f"{case.device.label} serves the pool that was split off: leave it in"
    if not case.is_back:
        return ""
    return f"{case.device.label} is there{'' if _has_reason(case, NOT_OPENED) else ' again'}: leave it in"


def _both_in(case: RepairCase, new: DiskChoice | Disk) -> str:
    """Why the old disk may stay in while the new one is in another bay."""
    if new.serial and new.serial == case.device.serial:
        return f"{new.serial} lost its label, and is used anew: leave it in"
    if case.serves:
        is_lone = has_only_copy(case.facts.pool, case.place.top)
        return (
            f"{new.serial} is already in the host: leave {case.device.label} in until the resilver "
            f"is done, {'which copies from it' if is_lone else 'so that redundancy never drops'}"
        )
    return f"{new.serial} is already in the host: pull {case.device.in_bay} after the resilver onto it"


def _kept_for(case: RepairCase) -> str:
    """The device that gets the new disk before this one; empty where none is kept for another."""
    kept = (each.words.removeprefix(KEPT) for each in case.choices if each.words.startswith(KEPT))
    return next(kept, "")


def _left_in(case: RepairCase) -> str:
    """Of a disk that stays in until another one has its data, or that is used anew itself."""
    if case.fitting and case.fitting[0].serial and case.fitting[0].serial == case.device.serial:
        return "leave it in"
    return f"leave it in; pull it after the resilver{_onto(case)}"


def _onto(case: RepairCase) -> str:
    """` onto ZC17K2M4`: which resilver is meant where a spare's may run too."""
    if case.freed is not None:
        return f" onto the spare {case.freed_label}"
    return f" onto {case.fitting[0].serial}" if case.fitting else ""


def _kept_in(case: RepairCase) -> RepairStep:
    """A device that still serves stays in until its replacement is complete."""
    free = case.facts.empty_bays
    if free:
        named = in_ranges(free)
        return RepairStep(
            RepairStepKind.TAKE_OUT,
            RepairStepState.NOT_NEEDED,
            reason=f"{case.device.label} still serves: put the new disk into a free bay ({named}), and pull "
            f"{case.device.label} after the resilver, so that redundancy never drops",
        )
    is_survived = _survives_without(case)
    if not is_survived or _others_may_need_it(case):
        why = "may need what it has" if is_survived else "would not survive it"
        if not case.fitting and (owner := _kept_for(case)):
            return RepairStep(
                RepairStepKind.TAKE_OUT,
                RepairStepState.HELD,
                reason=f"{case.place.top.name} {why}, and the new disk is for {owner} first",
                act=f"leave {case.device.label} in: {owner} comes first",
            )
        return RepairStep(
            RepairStepKind.TAKE_OUT,
            RepairStepState.HELD,
            reason=f"{case.place.top.name} {why}: put the new disk into another bay, "
            f"and pull {case.device.label} after the resilver",
            act="" if case.waits else f"put the new disk into another bay; leave {case.device.label} in",
        )
    return RepairStep(
        RepairStepKind.TAKE_OUT,
        RepairStepState.NOT_NEEDED,
        reason=f"{case.device.label} still serves: put the new disk into a free bay; if there is none, take "
        f"{case.device.label} offline and pull it",
        offers=tuple(_offline(case)),
    )


def _others_may_need_it(case: RepairCase) -> bool:
    """Whether another device of the vdev counts errors, and little or nothing else can make up for them."""
    top, pool = case.place.top, case.facts.pool
    others = (
        leaf for leaf in top.leaves() if leaf is not case.place.member and leaf not in case.place.newcomers
    )
    is_doubted = any(leaf.state == "DEGRADED" or leaf.has_errors for leaf in others)
    redundancy = redundancy_in_pool(pool, top)
    return is_doubted and redundancy is not None and (redundancy.left <= 1 or bool(pool.data_errors))


def new_disk_step(case: RepairCase) -> RepairStep:
    """Done once a disk fits or is in its place."""
    kind = RepairStepKind.NEW_DISK
    newcomer = case.place.newcomer
    if case.trouble in STANDS_BY_ITSELF:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="nothing is replaced")
    is_gone = case.put_back is not None and newcomer in case.put_back.leaves
    if newcomer is not None and (case.is_copying or is_gone):
        identity = case.facts.identity(newcomer)
        return RepairStep(kind, RepairStepState.DONE, (identity.labelled,))
    if case.has_nothing_to_copy:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="add a new one instead of replacing it")
    if case.others:
        return not_needed_for_way(case, kind, "no new disk")
    if case.freed is not None:
        return RepairStep(
            kind, RepairStepState.DONE, (f"the spare {case.freed_label}",), offers=_choose(case)
        )
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
    is_held = (
        case.put_back is not None
        or case.waits
        or _has_reason(case, "put-back", "steady", UNREADABLE, "slow-minutes")
    )
    state = RepairStepState.NOW if is_now and not is_held else RepairStepState.NEXT
    return RepairStep(kind, state, tuple(_wanted(case)), offers=_choose(case), act=_insert(case))


def _has_reason(case: RepairCase, *ids: str) -> bool:
    return any(each.id in ids for each in case.not_now)


def _identity(case: RepairCase) -> Iterator[str]:
    device = case.device
    name = f"serial {device.serial}" if device.serial else device.name
    yield ", ".join(filter(None, (name, device.model, device.where or "bay unknown")))
    disk = case.facts.of_leaf(case.place.member).disk
    if disk is not None and disk.reported_serial:
        yield f"its serial number {disk.reported_serial} identifies no disk: go by its bay or path"
    if case.is_gone and (hint := how_to_find(case.facts, case.place.member)):
        yield hint
    beside = tuple(case.facts.beside(case.place.member))
    if beside:
        yield f"next to it: {', '.join(beside)}"
    yield from not_to_touch(case)


def not_to_touch(case: RepairCase) -> Iterator[str]:
    """The disks that must stay in, of the repaired vdev first."""
    own = case.place.top
    for top in (own, *(each for each in case.facts.pool.vdevs if each.name != own.name)):
        yield from _not_to_touch(case, top)
    filling = [
        each.vdev
        for each in case.facts.devices.values()
        if each.vdev is not case.place.member and _is_filled(each.vdev)
    ]
    later = [leaf for leaf in filling if AWAITS_RESILVER in leaf.note]
    now = [leaf for leaf in filling if leaf not in later]
    for leaves, which in ((now, "the resilver"), (later, "the next resilver")):
        if leaves:
            named = joined_by_and([case.facts.identity(leaf).in_bay for leaf in leaves])
            yield f"do not touch {named}: {which} fills {'it' if len(leaves) == 1 else 'them'}"


def _is_filled(leaf: Vdev) -> bool:
    """Whether a device in service lacks data, also before the resilver has come to it."""
    return leaf.is_resilvering or (leaf.state == ONLINE and not has_all_data(leaf))


def _not_to_touch(case: RepairCase, top: Vdev) -> Iterator[str]:
    """Disks of a vdev that has lost all its redundancy: pulling one of them loses the pool."""
    redundancy = redundancy_in_pool(case.facts.pool, top)
    if not is_vital(top) or redundancy is None or redundancy.at_least > 0 or not redundancy.by_design:
        return
    others = [
        case.facts.identity(leaf)
        for leaf in top.leaves()
        if leaf is not case.place.member and has_all_data(leaf)
    ]
    names = [f"{each.label} (bay {each.bay})" if each.bay else each.label for each in others]
    if names:
        survives = "may survive no" if redundancy.left > 0 else "survives no"
        yield f"do not touch {shortened(names, MOST_NEIGHBOURS)}: {top.name} {survives} other failure"


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
    if redundancy is None:
        return False
    return redundancy.at_least >= 0 and not ended_badly(case.facts.pool.scan)


def _offline(case: RepairCase) -> Iterator[RepairOffer]:
    if case.serves and _survives_without(case):
        yield case.offer(f"take {case.device.label} offline", "offline", case.word)


def _choose(case: RepairCase) -> tuple[RepairOffer, ...]:
    """The chooser, unless something speaks against a replacement."""
    if case.not_now or case.put_back is not None or case.boot is not None:
        return ()
    pool = case.facts.pool.name
    return (RepairOffer("choose a disk", "replace", pool, (case.word,), wants_disk=True),)


def _fitting(fitting: tuple[DiskChoice, ...], untested: DiskChoice | None) -> Iterator[str]:
    first, *others = fitting
    model = f", {first.model}" if first.model else ""
    yield f"{first.serial}, {size(first.size_bytes)}{model}: {first.words}"
    if others:
        yield "1 other disk fits" if len(others) == 1 else f"{len(others)} other disks fit"
    if untested is not None:
        asleep = "; it is in standby, and the test wakes it" if untested.is_asleep else ""
        reads = f"the test reads {size(TEST_BYTES)} and writes nothing{asleep}"
        yield f"{untested.serial} has had no read test; {reads}"


def _wanted(case: RepairCase) -> Iterator[str]:
    """What a disk must be, and why the unused ones are not."""
    if case.boot is not None and case.boot.bare:
        yield from case.boot.preparing()
        return
    needed, _ = least_bytes(case.place.top)
    least = f"; the new disk needs at least {as_sold(needed)}" if needed is not None else ""
    is_kept = any(each.words.startswith(KEPT) for each in case.choices)
    yield f"no {'other ' if is_kept else ''}unused disk in the host fits{least}"
    for each in case.choices[:MOST_NEIGHBOURS]:
        if each.words.startswith(KEPT):
            yield f"{each.serial} is {each.words}"
        elif not each.why_not and each.is_warned:
            yield f"{each.serial} is no better: {each.words}"
        elif not each.is_in_use and each.why_not:
            yield f"{each.serial} does not fit: {each.words}"


def _insert(case: RepairCase) -> str:
    """What to do with the new disk."""
    if case.boot is not None and case.boot.bare:
        return f"copy the partition table to {case.boot.bare[0].serial} by hand"
    needed, _ = least_bytes(case.place.top)
    disk = "a new disk" if needed is None else f"a new disk of at least {as_sold(needed)}"
    bay = case.device.bay
    if not case.is_gone:
        return f"insert {disk} into a free bay; leave {case.device.in_bay} in"
    if not bay:
        return f"insert {disk}"
    if not case.device.is_bay_taken:
        return f"insert {disk} into bay {bay}"
    other = case.facts.in_bay(bay)
    if other is None:
        return f"insert {disk} into a free bay; bay {bay} has another disk"
    if other.leaf is None:
        return f"insert {disk} into a free bay, or in place of {other.serial} into bay {bay}"
    return f"insert {disk} into a free bay; bay {bay} has {other.serial}, which serves: leave it in"
