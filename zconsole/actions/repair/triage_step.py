"""Triage step: what failed, how sure, since when, and what else is to be known before anything is done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.repair.device_trouble_in_words import (
    crc_stands_still,
    device_in_words,
    errors_in_words,
    known_before,
    slow_in_words,
)
from zconsole.actions.repair.repair_case import RepairCase, cause_in_words
from zconsole.actions.repair.shared_cause_steps import (
    is_quiet_for_long,
    quiet_in_words,
    shared_offers,
    shared_triage,
)
from zconsole.analysis.guests.added_latency_sentences import adds_in_short
from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.analysis.guests.latency_added_to_guests import added_latency
from zconsole.analysis.repair.common_cause.same_errors_on_all_copies import SAME_ERRORS
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import (
    GOOD_COPIES,
    copies_away,
)
from zconsole.analysis.repair.data_at_stake.only_copy import ONLY_COPY
from zconsole.analysis.repair.data_at_stake.resilver_with_errors import RESILVER_ERRORS
from zconsole.analysis.repair.data_at_stake.unsound_siblings import UNSOUND_SIBLINGS
from zconsole.analysis.repair.device_trouble import is_dead
from zconsole.analysis.repair.not_opened.gone_together import GONE, GONE_TOGETHER
from zconsole.analysis.repair.not_opened.notes_of_devices import is_split_off, label_problem
from zconsole.analysis.repair.not_opened.online_or_detach_first import NOT_OPENED, SPLIT_OFF
from zconsole.analysis.repair.reasons_not_to_replace import (
    SCRUB_OLD_DAYS,
    VDEV_INCOMPLETE,
    days_since_scrub,
    failing_survivors,
)
from zconsole.analysis.vdevs.redundancy import (
    is_scrub_for_later,
    is_vital,
    pool_redundancy,
    redundancy_in_pool,
)
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.model.finding import Severity
from zconsole.model.pools.pool import SUSPENDED, Vdev
from zconsole.model.pools.smart_health import Unreadable
from zconsole.model.repair import (
    RepairCause,
    RepairOffer,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)

READ_ONLY: Final = "read-only"  # id of a reason
CHECKED_FIRST: Final = frozenset({
    "put-back", "check-cable", "check-controller", "check-shelf", "moved", "suspended", "vdev-lost",
    VDEV_INCOMPLETE, "vdevs-moving", "unexplained", READ_ONLY, "not-open", GOOD_COPIES, RESILVER_ERRORS,
    NOT_OPENED, SPLIT_OFF, ONLY_COPY, SAME_ERRORS, UNSOUND_SIBLINGS, GONE_TOGETHER, GONE,
})  # fmt: skip


def triage_step(case: RepairCase) -> RepairStep:
    """To be done now where the cause is to be cured without a new disk; else done."""
    is_suspended = case.facts.of.state == SUSPENDED
    is_incomplete = any(each.id == VDEV_INCOMPLETE for each in case.not_now)
    stands = is_suspended or is_incomplete or case.facts.pool.is_read_only
    is_told = case.put_back is not None or (case.is_copying and not stands)
    first = "" if is_told else _first(case)
    is_by_hand = bool(first) and case.is_way_first
    if is_by_hand and (quiet := quiet_in_words(case)):
        is_by_hand = not is_quiet_for_long(case)
        first = f"watch for some minutes: {quiet}" if is_by_hand else f"{quiet}: clear, scrub, and watch"
    act = first if case.is_way_first else ""
    return RepairStep(
        RepairStepKind.TRIAGE,
        RepairStepState.NOW if first else RepairStepState.DONE,
        tuple(_found(case)),
        "" if case.others and act else first,  # the cause comes first, and what to do is told above
        () if case.is_copying and not is_suspended else tuple(_offers(case)),
        act=act,
        is_by_hand=is_by_hand,
    )


def _first(case: RepairCase) -> str:
    """What is to be done before a replacement is thought of; empty where nothing is."""
    if read_only := next((each.instead for each in case.not_now if each.id == READ_ONLY), ""):
        return read_only
    is_by_hand = case.trouble is RepairTrouble.OFFLINE and not case.is_gone
    if is_by_hand and not any(run.is_done and run.title.startswith("take offline") for run in case.runs):
        if any(each.id == GOOD_COPIES for each in case.not_now):
            return f"bring {case.device.in_bay} online: it may have the damaged blocks whole"
        return f"bring {case.device.in_bay} online, unless you want to replace it"
    return next((each.instead for each in case.not_now if each.id in CHECKED_FIRST), "")


def _found(case: RepairCase) -> Iterator[str]:
    if case.others:
        yield from shared_triage(case)
        return
    member, facts = case.place.member, case.facts
    state, cause = _state_in_words(case), cause_in_words(case.cause)
    if case.trouble is RepairTrouble.SPARE_IN_USE:
        yield state
    elif case.trouble is RepairTrouble.SLOW:
        yield from (slow_in_words(facts, member), *_guests_wait(case), cause, state)
    elif case.trouble is RepairTrouble.WARNED:  # ONLINE alone does not tell why it is here
        yield from (cause, state)
    else:
        yield from (state, cause)
    slow = slow_in_words(facts, member)
    if slow and case.trouble is not RepairTrouble.SLOW:
        yield slow
        yield from _guests_wait(case)
    if before := known_before(facts, member):
        yield before
    known = facts.of_leaf(member)
    yield from _kernel(case)
    if case.is_way_first and (still := crc_stands_still(facts, member)):
        yield still
    told = [
        each.words
        for each in known.complaints
        if each.severity > Severity.INFO and each.words not in case.cause.words
    ]
    if told:
        also = " also" if "SMART:" in case.cause.words else ""
        yield f"SMART{also}: {', '.join(told)}"
    elif isinstance(known.health, Unreadable):
        yield f"no SMART data: {known.health.value}"
    for spare in case.place.spares:
        if is_dead(spare):
            label = facts.identity(spare).label
            yield f"the spare {label} that stood in is {spare.state} too: it helps no longer"
    yield from _about_survivors(case)


def _guests_wait(case: RepairCase) -> Iterator[str]:
    """What the slow disk costs the guests that run on the pool."""
    facts = case.facts
    verdict = facts.of_leaf(case.place.member).slow
    if verdict is not None:
        added = added_latency(verdict, facts.pool, guests_and_containers(facts.state))
        yield from filter(None, (adds_in_short(added),))


def _kernel(case: RepairCase) -> Iterator[str]:
    """The kernel's messages of the device that the cause does not tell already."""
    said = case.facts.of_leaf(case.place.member).kernel
    problem = case.facts.state.kernel.problem
    if said is not None and said.in_words not in case.cause.words:
        yield f"kernel: {said.in_words}"
    elif said is None and problem and case.cause.cause is RepairCause.UNKNOWN:
        yield f"the kernel's messages are not known: {problem}"


def _state_in_words(case: RepairCase) -> str:
    """The state of the device, its errors, and since when."""
    if case.trouble is RepairTrouble.SPARE_IN_USE:
        note = f": {case.place.member.note}" if case.place.member.note else ""
        if case.spare_stays:
            return f"{case.device.label} is back, and may lack data{note}"
        return f"{case.device.label} has all its data again{note}"
    return device_in_words(case.facts, case.place.member)


def _about_survivors(case: RepairCase) -> Iterator[str]:
    """Whether the other disks of the vdev can be relied on."""
    top = case.place.top
    if not is_vital(top) or case.trouble is RepairTrouble.SPARE_IN_USE:
        return
    facts = case.facts
    for leaf in failing_survivors(facts, case.place):
        why = errors_in_words(leaf) or _smart_of(case, leaf) or "slower than its peers"
        yield f"{facts.identity(leaf).label} in the same {top.name} is also unsound: {why}"
    redundancy = redundancy_in_pool(facts.pool, top)
    days = days_since_scrub(facts)
    if days is not None and days <= SCRUB_OLD_DAYS:
        return
    age = "no finished scrub is known" if days is None else f"the last scrub ended {days:.0f}d ago"
    if case.trouble is RepairTrouble.WARNED and facts.of_leaf(case.place.member).is_getting_worse:
        yield (
            f"{age}: do not wait for a scrub while its errors grow; leave the disk in until the resilver is "
            "done, since it may have the only good copy of a block"
        )
    elif redundancy is not None and redundancy.left <= 0 and facts.pool.is_resilvering:
        yield f"{age}: do not wait for a scrub: ZFS does not scrub while it resilvers"
    elif redundancy is not None and redundancy.left <= 0 and not redundancy.is_lost:
        yield f"{age}: do not wait for a scrub: redundancy comes first"


def _smart_of(case: RepairCase, leaf: Vdev) -> str:
    of_disk = [each.words for each in case.facts.of_leaf(leaf).complaints if each.blame is Blame.DISK]
    return f"SMART: {of_disk[0]}" if of_disk else ""


def _offers(case: RepairCase) -> Iterator[RepairOffer]:
    """What cures the cause without a new disk."""
    facts, label = case.facts, case.device.label
    if facts.of.state == SUSPENDED:
        yield case.offer(f"resume the I/O of {facts.pool.name} once its disks are back", "clear")
        return
    if any(each.id == "put-back" for each in case.not_now):
        return
    if case.others:
        yield from shared_offers(case)
        return
    if case.trouble is RepairTrouble.OFFLINE or case.cause.returned is not None:
        yield case.offer(f"bring {label} online", "online", case.word)
        return
    member = case.place.member
    if is_split_off(member):
        yield case.offer(f"detach {label} from {facts.pool.name}", "detach", case.word)
    elif case.trouble is RepairTrouble.FAILED and member.state == "REMOVED" and not case.is_gone:
        yield case.offer(f"bring {label} online", "online", case.word)
    elif case.trouble is RepairTrouble.FAILED and not case.is_gone and not label_problem(facts.pool, member):
        yield case.offer(f"clear the faults of {label} and use it again", "clear", case.word)
    if any(each.id == ONLY_COPY for each in case.not_now):
        if case.is_gone or any(each.id in {"vdevs-moving", "checkpoint"} for each in case.not_now):
            return
        for each in case.fitting[:1]:
            words = f"attach {each.serial} to {label}: a second copy of what can be read"
            yield case.offer(words, "attach", case.word, each.word)
        return
    is_failed_elsewhere = any(each.failed for each in pool_redundancy(facts.pool))
    if is_scrub_for_later(facts.pool) or is_failed_elsewhere or copies_away(facts.pool, case.place.top):
        return  # errors that are cleared now tell nothing about the next ones
    if case.trouble is RepairTrouble.FAILING and case.place.member.has_errors:
        yield case.offer(f"clear the errors of {label}", "clear", case.word)
        if is_vital(case.place.top):
            yield from case.offer_of_scrub()
