"""Repairs of a host: one for each device in trouble, derived from the state, the most urgent first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.disk_choices import disk_choices
from zconsole.actions.intent import Intent
from zconsole.actions.known_facts import known_facts
from zconsole.actions.repair.cases_with_shared_cause import joined_cases
from zconsole.actions.repair.journal_runs_of_repair import runs_of
from zconsole.actions.repair.new_disk_choices_for_boot_partition import BootDiskChoices, boot_disk_choices
from zconsole.actions.repair.new_disks_of_several_repairs import one_disk_for_each
from zconsole.actions.repair.pool_after_care import ended_repair, pool_after_care
from zconsole.actions.repair.pull_and_insert_steps import identify_step, new_disk_step, take_out_step
from zconsole.actions.repair.repair_case import RepairCase
from zconsole.actions.repair.replace_and_resilver_steps import replace_step, resilver_step
from zconsole.actions.repair.step_after_resilver import after_care_step
from zconsole.actions.repair.triage_step import triage_step
from zconsole.analysis.repair.boot_disk import shared_disk
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import GOOD_COPIES
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import trouble_of
from zconsole.analysis.repair.failure_cause import cause_at
from zconsole.analysis.repair.not_opened.gone_together import GONE, GONE_TOGETHER
from zconsole.analysis.repair.other_work_first.spare_freed_first import spare_freed_first
from zconsole.analysis.repair.reasons_not_to_replace import (
    VDEV_INCOMPLETE,
    WAY_CHECKS,
    reasons_not_now,
)
from zconsole.analysis.repair.redundancy_and_data_safety_in_words import safety_in_words, survives_in_words
from zconsole.analysis.repair.several_failed_devices import failed_in, several_in_words
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.repair.wrong_disk_pulled import to_put_back
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.analysis.vdevs.redundancy import is_vital, redundancy_in_pool
from zconsole.analysis.vdevs.resilver_targets import AWAITS_RESILVER
from zconsole.base.errors import UsageError
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import HostPolicy, PlanFacts
from zconsole.model.journal import Entry
from zconsole.model.repair import (
    Repair,
    RepairOffer,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)

_URGENCY: Final = tuple(RepairTrouble)
_STILL_SERVES: Final = {RepairTrouble.SLOW, RepairTrouble.WARNED, RepairTrouble.FAILING}
JUDGED: Final = frozenset({"detach", "offline", "online"})  # whose plans need no further facts
ENDS_FIRST: Final = frozenset({"checkpoint", "vdevs-moving"})  # reasons: a spare is used after these
IN_USE: Final = "INUSE"
NO_GUID: Final = "no-guid"  # refusal of a pool whose guids were not read
STEPS: Final = (
    triage_step,
    identify_step,
    take_out_step,
    new_disk_step,
    replace_step,
    resilver_step,
    after_care_step,
)


def repairs(state: HostState, entries: Iterable[Entry], now: float) -> tuple[Repair, ...]:
    """Every repair that a host needs, the most urgent first.

    `entries` are the journal's runs on this host, `now` epoch seconds.
    """
    known, told = known_facts(state, now, HostPolicy()), tuple(entries)
    disks = host_disks(state)
    cases: list[RepairCase] = []
    last: list[Repair] = []
    for of in state.pools:
        if of.pool.value is None:
            continue
        facts = PoolFacts(state, of, of.pool.value, disks, now)
        of_pool = [
            case_of(facts, place, trouble, known, told)
            for place in places(of.pool.value)
            if not _stands_in(place) and (trouble := trouble_of(place, facts.devices)) is not None
        ]
        cases += joined_cases(sorted(of_pool, key=_urgency))
        waits = any(AWAITS_RESILVER in each.note for each in facts.pool.walk())
        if not facts.pool.is_read_only and not waits and not any(map(_comes_before_after_care, of_pool)):
            after = pool_after_care(facts, told, known)
            last += [after] if after is not None else []
    shared = one_disk_for_each(sorted(cases, key=_urgency))
    return (*(repair_of_case(each, known) for each in shared), *last)


def ended_repairs(state: HostState, entries: Iterable[Entry], now: float) -> tuple[Repair, ...]:
    """The last replacement of each pool that needs nothing more, as far as the journal knows one."""
    told = tuple(entries)
    found = (
        ended_repair(PoolFacts(state, of, of.pool.value, (), now), told)
        for of in state.pools
        if of.pool.value is not None
    )
    return tuple(each for each in found if each is not None)


def intent_of_offer(offer: RepairOffer) -> Intent:
    """The intent for a plan; of an offer that wants a disk the last word is still missing."""
    return Intent(offer.action, offer.target, offer.arguments, offer.options)


def case_of(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, known: PlanFacts, entries: tuple[Entry, ...]
) -> RepairCase:
    """What the steps of the repair of a place are derived from."""
    cause = cause_at(facts, place)
    leaves = (place.member, *place.newcomers, *place.spares)
    case = RepairCase(
        facts,
        place,
        trouble,
        cause,
        reasons_not_now(facts, place, trouble, cause),
        runs=runs_of(entries, facts.pool.name, leaves, facts.since(place.member), facts.now),
        put_back=to_put_back(facts, place),
        device=facts.identity(place.member),
    )
    table = shared_disk(facts, place)
    if case.is_copying or trouble is RepairTrouble.SPARE_IN_USE:
        return replace(case, boot=BootDiskChoices(table) if table is not None else None)
    choices = disk_choices(Intent("replace", facts.pool.name, (case.word,)), known, facts.condition)
    boot = boot_disk_choices(table, place.top, choices, known) if table is not None else None
    case = replace(case, choices=choices, boot=boot)
    is_held = any(each.id not in ENDS_FIRST for each in case.not_now) or case.put_back is not None
    if is_held or any(not each.is_spare for each in case.fitting):
        return case
    return replace(case, freed=spare_freed_first(facts, place))


def repair_of_case(
    case: RepairCase,
    known: PlanFacts,
    makers: Sequence[Callable[[RepairCase], RepairStep]] = STEPS,
) -> Repair:
    """A repair with its steps, one for each kind in order."""
    facts, place = case.facts, case.place
    return Repair(
        facts.state.host,
        facts.pool.name,
        place.top.name,
        case.device,
        case.trouble,
        case.cause.cause,
        case.cause.certainty,
        tuple(_one_at_a_time(_after_put_back(case, _possible(make(case), known)) for make in makers)),
        facts.since(place.member),
        case.not_now,
        _alarm(case),
        safety_in_words(facts, place),
        survives_in_words(facts),
        facts.identity(place.spare) if place.spare is not None else None,
        facts.identity(place.newcomer) if place.newcomer is not None else None,
        case.runs,
        any(is_vital(each.top) for each in (place, *case.others)),
        tuple(facts.identity(each.member) for each in case.others),
        tuple(facts.identity(spare) for spare in case.spares if spare is not place.spare),
    )


def _alarm(case: RepairCase) -> str:
    """What has to be dealt with before anything else."""
    if case.put_back is not None:
        return case.put_back.words
    put_back = next((each for each in case.not_now if each.id == "put-back"), None)
    if put_back is not None:
        takes_none = {"suspended", "vdev-lost", VDEV_INCOMPLETE}
        is_taken = not any(each.id in takes_none for each in case.not_now)
        dead = ". If it is dead, replace it all the same" if is_taken else ""
        return f"the wrong disk was pulled, or lost its contact: {put_back.instead}. {put_back.reason}{dead}"
    return "" if case.others else several_in_words(case.facts, case.place)


def _after_put_back(case: RepairCase, step: RepairStep) -> RepairStep:
    """The step while a sound disk has to be put back: nothing else is due, and a resilver goes on."""
    is_held = case.put_back is not None and step.kind is not RepairStepKind.RESILVER
    return (
        replace(step, state=RepairStepState.NEXT) if is_held and step.state is RepairStepState.NOW else step
    )


def _possible(step: RepairStep, known: PlanFacts) -> RepairStep:
    """The step without offers that their plan would refuse for the state of the pool."""
    read_only = {pool.name for pool in known.pools if pool.is_read_only}
    possible = (each for each in step.offers if each.target not in read_only or each.action == "locate")
    offers = tuple(each for each in possible if each.action not in JUDGED or not _is_refused(each, known))
    return replace(step, offers=offers)


def _is_refused(offer: RepairOffer, known: PlanFacts) -> bool:
    from zconsole.actions.vdev import detach, offline, online  # noqa: PLC0415  # where a repair offers one

    wanted = intent_of_offer(offer)
    judged = {each.id: each for each in (*detach.SPECS, *offline.SPECS, *online.SPECS)}
    try:
        refusals = judged[wanted.action].plan(wanted, known).refusals
    except UsageError:
        return True
    return any(each.rule != NO_GUID for each in refusals)


def _one_at_a_time(steps: Iterable[RepairStep]) -> Iterator[RepairStep]:
    """The steps with one that is due: what could be done already comes after it."""
    is_due = False
    for step in steps:
        is_now = step.state is RepairStepState.NOW
        yield replace(step, state=RepairStepState.NEXT) if is_now and is_due else step
        is_due = is_due or is_now


def _stands_in(place: DevicePlace) -> bool:
    """Whether it is a spare in use: its trouble is told with the device that it stands in for."""
    return place.top.vdev_class == "spare" and place.member.state == IN_USE


def _comes_before_after_care(case: RepairCase) -> bool:
    """Whether a repair comes before the pool's after-care, whose `clear` would wipe its evidence."""
    is_of_the_way = any(each.id in WAY_CHECKS for each in case.not_now)
    is_open = is_of_the_way or case.place.newcomer is not None or case.trouble not in _STILL_SERVES
    return is_vital(case.place.top) and is_open


def _urgency(case: RepairCase) -> tuple[int, ...]:
    """What the pool depends on first, damaged blocks before all else, then the vdev that survives the fewest.

    Of two alike, what only has to come online, then the trouble.
    """
    top = case.place.top
    redundancy = redundancy_in_pool(case.facts.pool, top)
    left = redundancy.left if redundancy is not None else 0
    failed = [each.member for each in failed_in(case.facts, case.place)]
    order = next((at for at, each in enumerate(failed) if each is case.place.member), len(failed))
    return (
        not is_vital(top),
        top.vdev_class in {"cache", "spare"},  # no pool is DEGRADED for one of these
        case.put_back is None,
        all(each.id != GOOD_COPIES for each in case.not_now),
        left,
        order,
        not _comes_online(case),
        _URGENCY.index(case.trouble),
    )


def _comes_online(case: RepairCase) -> bool:
    """Whether it only has to come back, taken offline or gone without an error: its resilver is short."""
    is_gone = any(each.id in {GONE, GONE_TOGETHER} for each in case.not_now)
    return is_gone or (case.trouble is RepairTrouble.OFFLINE and not case.is_gone)
