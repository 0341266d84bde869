"""Steps of the replacement: replace, and the resilver until redundancy is back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zconsole.actions.disk_choices import DiskChoice
from zconsole.actions.repair.device_trouble_in_words import errors_in_words
from zconsole.actions.repair.pull_and_insert_steps import PUT_BACK_FIRST, STANDS_BY_ITSELF
from zconsole.actions.repair.repair_case import WITHOUT_DATA, RepairCase, word_of
from zconsole.actions.repair.shared_cause_steps import not_needed_for_way
from zconsole.analysis.repair.bay_to_put_back_into import put_back_in_words
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import devices_with_damaged_blocks
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import OFFLINE, is_dead
from zconsole.analysis.repair.measured_resilver_latency import ResilverLatency, latency_during_resilver
from zconsole.analysis.repair.other_work_first.repairs_of_others import ASKED_FOR
from zconsole.analysis.repair.other_work_first.spare_freed_first import FreedSpare
from zconsole.analysis.repair.other_work_first.work_of_pool import RESILVER_RUNS
from zconsole.analysis.repair.reasons_not_to_replace import ADVICE
from zconsole.analysis.repair.unreadable_sectors import UNREADABLE
from zconsole.analysis.repair.wrong_disk_pulled import left_its_resilver
from zconsole.analysis.slow_disks.verdict_sentence import slowness_in_short
from zconsole.analysis.vdevs.redundancy import (
    ended_badly,
    has_all_data,
    is_vital,
    is_worth_waiting_for,
    redundancy_in_pool,
)
from zconsole.analysis.vdevs.resilver_targets import AWAITS_RESILVER
from zconsole.analysis.vdevs.scan_eta import estimate_scan, how_it_ended, in_words
from zconsole.base.fixed_width_formatting import bandwidth, duration, milliseconds
from zconsole.base.name_lists import joined_by_and
from zconsole.base.quantities import MINUTE_S
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import (
    RepairOffer,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)

MOST_FITTING = 3
LATENCY_AFTER_S = 10  # of samples
MOST_OVERRIDES = 8  # disks of one cause of which a replacement is offered all the same
BEGINS_WITHIN_S = 60.0  # a resilver that follows a replacement is told by then


def replace_step(case: RepairCase) -> RepairStep:
    """Held while something speaks against it; done once the new disk is in the pool."""
    kind = RepairStepKind.REPLACE
    if case.trouble in STANDS_BY_ITSELF:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="nothing is replaced")
    if case.trouble is RepairTrouble.NEW_DISK_FAILED and case.place.newcomer is not None:
        if case.put_back is not None and case.place.newcomer in case.put_back.leaves:
            return _new_disk_gone(case, case.place.newcomer)
        return _new_disk_failed(case, case.place.newcomer)
    if case.is_copying:
        return RepairStep(kind, RepairStepState.DONE, (_running(case),))
    if case.put_back is not None:
        return RepairStep(kind, RepairStepState.HELD, reason=PUT_BACK_FIRST, offers=_without_it(case))
    if case.has_nothing_to_copy:
        return _removed_instead(case)
    if case.others and case.is_of_the_way:
        step = not_needed_for_way(case, kind, "nothing is replaced")
        alone = (replace(each, not_now=case.not_now) for each in case.joined[:MOST_OVERRIDES])
        return replace(step, offers=tuple(offer for each in alone for offer in _in_spite_of_it(each)))
    if case.not_now:
        first, *others = ("; ".join(filter(None, (each.reason, each.instead))) for each in case.not_now)
        return RepairStep(
            kind,
            RepairStepState.HELD,
            tuple(others),
            first,
            (*_keep_spare(case), *_scrub_first(case), *_in_spite_of_it(case)),
            act=_until_then(case),
        )
    if case.freed is not None:
        return _spare_freed_first(case, case.freed)
    offers = (*_replacements(case), *_keep_spare(case), *_dead_spares(case), *_in_spite_of_smart(case))
    return RepairStep(kind, RepairStepState.NOW if case.fitting else RepairStepState.NEXT, offers=offers)


def _spare_freed_first(case: RepairCase, freed: FreedSpare) -> RepairStep:
    """A spare is detached from where it serves nobody, and stands in for the device then."""
    labels = [case.facts.identity(each).label for each in freed.detached]
    names, spare = joined_by_and(labels), case.freed_label
    if freed.whole is None:
        which = f"the failed spare{'s' if len(labels) > 1 else ''} {names}"
        act = f"detach {which}, then replace {case.device.in_bay} with the spare {spare}"
        why = f"{which} {'keep' if len(labels) > 1 else 'keeps'} the place of another spare until then"
        words = "detach the failed spare {}"
    else:
        act = f"return the spare {names}, then replace {case.device.in_bay} with it"
        why = f"{case.facts.identity(freed.whole).label} has all its data again, and needs no spare"
        words = "return the spare {}"
    offers = tuple(
        case.offer(words.format(label), "detach", word_of(each))
        for label, each in zip(labels, freed.detached, strict=True)
    )
    return RepairStep(RepairStepKind.REPLACE, RepairStepState.NOW, (why,), offers=offers, act=act)


def resilver_step(case: RepairCase) -> RepairStep:
    """Under way while a new disk is in the place."""
    kind = RepairStepKind.RESILVER
    if case.trouble in STANDS_BY_ITSELF and case.spare_stays and is_worth_waiting_for(case.facts.pool):
        copy = copy_in_words(case.facts, case.place.top)
        return RepairStep(kind, RepairStepState.NOW, (copy,))
    if case.trouble in STANDS_BY_ITSELF or case.has_nothing_to_copy:
        return RepairStep(kind, RepairStepState.NOT_NEEDED, reason="nothing is copied")
    if case.others:
        reason = "ZFS copies by itself what was written meanwhile"
        return RepairStep(kind, RepairStepState.NOT_NEEDED, tuple(_of_spares(case)), reason)
    if not case.is_copying or case.place.newcomer is None:
        return RepairStep(kind, RepairStepState.NEXT, tuple(_of_spare(case)))
    newcomer = case.place.newcomer
    if case.trouble is RepairTrouble.NEW_DISK_FAILED:
        return RepairStep(kind, RepairStepState.NEXT)
    offer = case.offer(
        f"stop the replacement: detach {case.facts.identity(newcomer).in_bay}", "detach", word_of(newcomer)
    )
    if ended := _ended(case, newcomer):
        return _begin_again(case, ended, offer)
    is_stuck = case.is_suspended or case.facts.pool.is_read_only
    state = RepairStepState.NEXT if is_stuck else RepairStepState.NOW
    act, offers = "", _while_it_is_filled(case, offer)
    if _may_come_online(case) and _is_used_up(case):
        act = f"bring {case.device.in_bay} online: redundancy is back sooner, and the resilver goes on"
    if not act and not is_stuck and not _may_run(case, newcomer):
        act = f"if no resilver begins within a minute, start it (zpool resilver {case.facts.pool.name})"
    if not is_stuck and left_its_resilver(case.facts, case.place):
        act = f"{put_back_in_words(case.facts, case.place.member)} if it was pulled: the resilver goes on"
    return RepairStep(
        kind, state, tuple(_progress(case, newcomer)), offers=() if is_stuck else offers, act=act
    )


def _may_run(case: RepairCase, newcomer: Vdev) -> bool:
    """Whether ZFS shows a resilver of the new disk, or one that it waits for."""
    scan = case.facts.pool.scan_of(case.place.top.name)
    is_marked = newcomer.is_resilvering or AWAITS_RESILVER in newcomer.note
    return is_marked or (scan is not None and scan.function == "resilver")


def _while_it_is_filled(case: RepairCase, stop: RepairOffer) -> tuple[RepairOffer, ...]:
    """What is offered during a resilver: to give up the only copy that is made is called so."""
    online = _online(case) if _may_come_online(case) else ()
    if _is_used_up(case):
        _, detach = stop.words.split(": ", 1)
        stop = replace(stop, words=f"give up the only rebuild: {detach}")
    return (*online, stop)


def _may_come_online(case: RepairCase) -> bool:
    """Whether the old device was taken offline by hand, and is there."""
    return case.place.member.state == OFFLINE and not case.is_gone


def _online(case: RepairCase) -> tuple[RepairOffer, ...]:
    return (case.offer(f"bring {case.device.in_bay} online", "online", case.word),)


def _is_used_up(case: RepairCase) -> bool:
    redundancy = redundancy_in_pool(case.facts.pool, case.place.top)
    return redundancy is not None and is_vital(case.place.top) and redundancy.left <= 0


def _ended(case: RepairCase, newcomer: Vdev) -> str:
    """How the resilver ended that did not complete the replacement; empty while one runs, or may begin yet.

    ZFS takes the old device out once the new one lacks nothing (`spa_vdev_resilver_done_hunt`).
    """
    scan = case.facts.pool.scan
    pool = case.facts.pool
    if case.is_suspended or pool.is_read_only or scan is None or scan.end is None or pool.is_resilvering:
        return ""
    is_fresh = case.facts.now - scan.end < BEGINS_WITHIN_S
    if scan.function != "resilver" or is_fresh or AWAITS_RESILVER in newcomer.note:
        return ""
    return how_it_ended(scan)


def _begin_again(case: RepairCase, ended: str, stop: RepairOffer) -> RepairStep:
    """A replacement whose resilver is over and that is not complete: nothing goes on by itself."""
    pool, old = case.facts.pool.name, case.place.member
    act = f"start the resilver again (zpool resilver {pool}), and pull and detach nothing before it has ended"
    is_only_copy = ended_badly(case.facts.pool.scan) or not has_all_data(old)
    offers: tuple[RepairOffer, ...] = () if is_only_copy else (stop,)
    label = case.device.in_bay
    if _may_come_online(case):
        act = f"bring {label} online: it may have what the others lack, and the resilver goes on"
        offers = (*_online(case), *offers)
    elif old in devices_with_damaged_blocks(case.facts.pool) and not case.is_gone:
        act = f"bring {label} back by clear: it may have the damaged blocks whole, and the resilver goes on"
        offers = (case.offer(f"clear the faults of {label} and use it again", "clear", case.word), *offers)
    elif old in devices_with_damaged_blocks(case.facts.pool):
        act = f"put {label} back, or reconnect it: it may have the damaged blocks whole; if it is dead, {act}"
    if case.facts.pool.has_checkpoint:  # ZFS detaches nothing meanwhile, nor takes note of what was filled
        act = f"discard the checkpoint if you do not need it (zpool checkpoint -d {pool}); then {act}"
    words = f"the resilver {ended}, and the replacement is not complete: no resilver runs"
    return RepairStep(RepairStepKind.RESILVER, RepairStepState.NOW, (words,), offers=offers, act=act)


def _running(case: RepairCase) -> str:
    names = ", ".join(case.facts.identity(each).label for each in case.place.newcomers)
    return f"{names} is replacing {case.device.label}"


def _new_disk_failed(case: RepairCase, newcomer: Vdev) -> RepairStep:
    kind, label = RepairStepKind.REPLACE, case.facts.identity(newcomer).label
    stop = case.offer(f"stop the replacement: detach {label}", "detach", word_of(newcomer))
    if newcomer.state == OFFLINE:
        words = f"the new disk {label} is OFFLINE: bring it online to continue, or stop the replacement"
        online = case.offer(f"bring the new disk {label} online", "online", word_of(newcomer))
        return RepairStep(kind, RepairStepState.NOW, (words,), offers=(online, stop))
    words = f"the new disk {label} is {newcomer.state}: stop this replacement, then choose another disk"
    act = f"stop the replacement by {label}, then choose another disk"
    also: tuple[RepairOffer, ...] = ()
    if _may_come_online(case):
        also = _online(case)
        act = f"bring {case.device.in_bay} online; then {act}"
    return RepairStep(kind, RepairStepState.NOW, (words,), offers=(*also, stop), act=act)


def _new_disk_gone(case: RepairCase, newcomer: Vdev) -> RepairStep:
    """A new disk that is out of its bay: it goes back, or the replacement is stopped."""
    label = case.facts.identity(newcomer).label
    stop = case.offer(f"stop the replacement if {label} cannot be put back", "detach", word_of(newcomer))
    return RepairStep(RepairStepKind.REPLACE, RepairStepState.HELD, reason=PUT_BACK_FIRST, offers=(stop,))


def _removed_instead(case: RepairCase) -> RepairStep:
    what = WITHOUT_DATA[case.place.top.vdev_class]
    if held := next((each for each in case.not_now if each.id == "checkpoint"), None):
        then = f"{held.instead}; then remove {case.device.label}"
        return RepairStep(RepairStepKind.REPLACE, RepairStepState.NOW, reason=held.reason, act=then)
    return RepairStep(
        RepairStepKind.REPLACE,
        RepairStepState.NOW,
        (f"{case.device.label} is {what} without data to copy: remove it, then add a new one",),
        offers=(case.offer(f"remove {case.device.label} from the pool", "remove", case.word),),
    )


def _replacements(case: RepairCase) -> Iterator[RepairOffer]:
    for each in case.fitting[:MOST_FITTING]:
        kind = "the spare " if each.is_spare else ""
        yield case.offer(
            f"replace {case.device.in_bay} with {kind}{_placed(case, each)}", "replace", case.word, each.word
        )


def _placed(case: RepairCase, choice: DiskChoice) -> str:
    """`ZC17K2M4 (bay 2)`; a disk that lost its label is replaced by itself."""
    if choice.serial and choice.serial == case.device.serial:
        return "itself: ZFS writes it a new label and copies everything to it"
    return f"{choice.serial} (bay {choice.bay})" if choice.bay else choice.serial


def _keep_spare(case: RepairCase) -> Iterator[RepairOffer]:
    """The other way out while a spare stands in: it stays, and the pool gets a new spare."""
    spare = case.place.spare
    if ended_badly(case.facts.pool.scan):
        return  # it may lack blocks
    if spare is not None and spare.type != "dspare" and has_all_data(spare) and not spare.is_resilvering:
        label = case.facts.identity(spare).label
        yield case.offer(f"keep the spare {label}: detach {case.device.in_bay}", "detach", case.word)


def _dead_spares(case: RepairCase) -> Iterator[RepairOffer]:
    """Spares that failed while they stood in; a spare is removed only after it was detached."""
    for spare in case.place.spares:
        if is_dead(spare):
            label = case.facts.identity(spare).label
            yield case.offer(f"detach the failed spare {label}", "detach", word_of(spare))


def _in_spite_of_smart(case: RepairCase) -> Iterator[RepairOffer]:
    """The replacement with a disk that SMART warns of, where no other fits."""
    for each in () if case.fitting else case.doubtful[:1]:
        words = f"replace {case.device.in_bay} with {_placed(case, each)} anyway"
        yield case.offer(words, "replace", case.word, each.word, despite=f"{each.serial}: {each.words}")


def _until_then(case: RepairCase) -> str:
    """What to do while another resilver runs; empty where the reason says it."""
    if case.not_now[0].id != RESILVER_RUNS:
        return ""
    progress = copy_in_words(case.facts, case.place.top).removeprefix("resilver ")
    return f"pull nothing, and wait for the running resilver ({progress})"


def _scrub_first(case: RepairCase) -> Iterator[RepairOffer]:
    if {each.id for each in case.not_now} <= {"scrub-first", "steady", UNREADABLE}:
        yield from case.offer_of_scrub()


def _in_spite_of_it(case: RepairCase) -> Iterator[RepairOffer]:
    """The replacement where nothing but advice speaks against it; its plan has the advice as a warning."""
    if case.trouble not in ASKED_FOR and {each.id for each in case.not_now} <= ADVICE:
        why = "; ".join(each.reason for each in case.not_now)
        for each in case.fitting[:1]:
            words = f"replace {case.device.in_bay} with {_placed(case, each)} anyway"
            yield case.offer(words, "replace", case.word, each.word, despite=why)


def _without_it(case: RepairCase) -> tuple[RepairOffer, ...]:
    """The replacement where the pulled disk cannot be put back: broken, or out of reach."""
    if case.put_back is None or any(each.id not in ADVICE for each in case.not_now) or case.boot is not None:
        return ()
    gone = joined_by_and([case.facts.identity(leaf).label for leaf in case.put_back.leaves])
    why = f"{gone} cannot be put back"
    return tuple(
        case.offer(
            f"replace {case.device.in_bay} with {_placed(case, each)} if {why}",
            "replace",
            case.word,
            each.word,
            despite=why,
        )
        for each in case.fitting[:1]
    )


def _of_spares(case: RepairCase) -> Iterator[str]:
    """Of spares that stand in for disks that are to serve again: no new disk comes."""
    filled = [case.facts.identity(each).label for each in case.spares if each.is_resilvering]
    if filled:
        copy = copy_in_words(case.facts, case.place.top)
        yield f"onto the spare{'s' if len(filled) > 1 else ''} {joined_by_and(filled)}: {copy}"


def _of_spare(case: RepairCase) -> Iterator[str]:
    spare = case.place.spare
    if spare is None:
        return
    label = case.facts.identity(spare).label
    if spare.is_resilvering:
        copy = copy_in_words(case.facts, case.place.top)
        yield f"onto the new disk, once the spare is complete; spare {label}: {copy}"
    elif has_all_data(spare) and not ended_badly(case.facts.pool.scan):
        yield f"onto the new disk; the spare {label} has all the data meanwhile"


def _progress(case: RepairCase, newcomer: Vdev) -> Iterator[str]:
    scan = case.facts.pool.scan_of(case.place.top.name)
    if AWAITS_RESILVER in newcomer.note and not case.facts.pool.is_resilvering:
        begin = f"zpool resilver {case.facts.pool.name}"
        yield f"it waits for a resilver; if none begins within a minute: {begin}"
    elif AWAITS_RESILVER in newcomer.note:
        yield f"it waits for the running resilver: {copy_in_words(case.facts, case.place.top)}"
    elif scan is not None and scan.function == "resilver":
        yield copy_in_words(case.facts, case.place.top)
    else:
        yield "ZFS reports no resilver yet"
    if case.boot is not None:
        yield from case.boot.booting()
    known = case.facts.of_leaf(newcomer)
    label = case.facts.identity(newcomer).label
    if not case.is_suspended and (measured := latency_during_resilver(case.facts, case.place)):
        yield from _latency(measured, label)
    if errors := errors_in_words(newcomer):
        yield f"the new disk {label} has {errors}: if they grow, stop the replacement and use another disk"
    if known.slow is not None:
        yield f"the new disk {label} is slow: {slowness_in_short(known.slow)}"
    for each in known.complaints:
        yield f"the new disk {label}: {each.words}"


def _latency(measured: ResilverLatency, label: str) -> Iterator[str]:
    """`the new disk ZC17K2M4: writes 4.1 ms`, and beside it the other disks of the vdev."""
    if measured.seconds < LATENCY_AFTER_S:
        return
    whole = int(measured.seconds // LATENCY_AFTER_S * LATENCY_AFTER_S)  # not another text each second
    over = duration(min(whole, MINUTE_S))
    if own := _waits(*((each, each) for each in (measured.newcomer.read_ns, measured.newcomer.write_ns))):
        yield f"latency in the last {over}: the new disk {label} {own}"
    reads = [each.read_ns for each in measured.survivors if each.read_ns is not None]
    writes = [each.write_ns for each in measured.survivors if each.write_ns is not None]
    bounds = ((min(each), max(each)) if each else (None, None) for each in (reads, writes))
    if others := _waits(*bounds):
        count = len(measured.survivors)
        of_them = "the other disk" if count == 1 else f"the {count} other disks"
        yield f"{of_them} of the vdev: {others}"


def _waits(read: tuple[float | None, float | None], write: tuple[float | None, float | None]) -> str:
    """`reads 6.0 to 8.2 ms, writes 3.9 ms`; empty without operations."""
    words = []
    for name, (least, most) in (("reads", read), ("writes", write)):
        if least is not None and most is not None:
            low, high = milliseconds(least), milliseconds(most)
            words.append(f"{name} {low} ms" if low == high else f"{name} {low} to {high} ms")
    return ", ".join(words)


def copy_in_words(facts: PoolFacts, top: Vdev) -> str:
    """Progress, rate and time left of the resilver of a vdev; the time of the pool's scan alone is known."""
    scan = facts.pool.scan_of(top.name)
    if scan is None:
        return "not started"
    judged = estimate_scan(scan, facts.of.scan_history, facts.now) if scan is facts.pool.scan else None
    words = in_words(scan, judged, restarts=facts.of.scan_restarts)
    if judged is not None and judged.rate:
        words += f", {bandwidth(judged.rate)}"
    errors = f", {scan.errors} error{'s' if scan.errors != 1 else ''}" if scan.errors else ""
    return words + errors
