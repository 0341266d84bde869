"""Steps of a repair whose cause is on the way to the disks: the way is repaired, no disk is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.repair.device_trouble_in_words import TIME, errors_in_words
from zconsole.actions.repair.repair_case import RepairCase, cause_in_words, word_of
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import is_dead
from zconsole.analysis.repair.quiet_since_reconnect import last_error, quiet_since
from zconsole.analysis.vdevs.kernel_evidence_on_disk import OF_THE_WAY
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.base.fixed_width_formatting import duration, moment, recent
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairOffer, RepairStep, RepairStepKind, RepairStepState, bay_order

QUIET_S: Final = 180.0  # without an error, before it is said that the counters may be cleared
MOST_ONLINE: Final = 8  # offers for one disk each


def shared_triage(case: RepairCase) -> Iterator[str]:
    """The cause, since when, and each device in a line."""
    facts = case.facts
    yield cause_in_words(case.cause)
    yield "; ".join(filter(None, (_begun(case), quiet_in_words(case))))
    for leaf in sorted(case.members, key=lambda each: bay_order(facts.identity(each))):
        named = facts.identity(leaf).labelled
        state = "" if leaf.state == "ONLINE" else f" {leaf.state}"
        yield f"{named}{state}: {', '.join(_evidence(facts, leaf)) or 'no error of it is known'}"
    for place in (case.place, *case.others):
        for spare in filter(is_dead, place.spares):
            label = facts.identity(place.member).label
            yield f"the spare {facts.identity(spare).labelled} that stood in for {label} is {spare.state} too"


def quiet_in_words(case: RepairCase) -> str:
    """`no new error since they came back at 16:40 UTC (3m)`; empty where they did not, or had one."""
    at, who = quiet_since(case.facts, case.members), "they" if case.others else case.device.label
    if at is None:
        return ""
    ago = duration(max(0.0, case.facts.now - at))
    return (
        f"no new error since {who} came back at {recent(at, case.facts.now, has_seconds=False)} UTC ({ago})"
    )


def is_quiet_for_long(case: RepairCase) -> bool:
    """Whether the devices came back, and have had no error for some minutes since."""
    at = quiet_since(case.facts, case.members)
    return at is not None and case.facts.now - at >= QUIET_S


def shared_offers(case: RepairCase) -> Iterator[RepairOffer]:
    """What is done once the cable, the controller or the shelf was repaired."""
    away = [leaf for leaf in case.members if leaf.state in {"REMOVED", "UNAVAIL", "CANT_OPEN"}]
    for leaf in away[:MOST_ONLINE]:
        if case.facts.identity(leaf).is_present:
            yield case.offer(f"bring {case.facts.identity(leaf).label} online", "online", word_of(leaf))
    if len(away) < len(case.members):
        yield case.offer(f"clear the errors of {case.facts.pool.name}", "clear")
    yield from case.offer_of_scrub()


def shared_identify(case: RepairCase) -> RepairStep:
    """Serial number, model and place of each disk."""
    found = (case.facts.identity(leaf) for leaf in case.members)
    lines = (
        ", ".join(
            filter(None, (f"serial {each.serial}" if each.serial else each.name, each.model, each.where))
        )
        for each in found
    )
    return RepairStep(
        RepairStepKind.IDENTIFY, RepairStepState.NOT_NEEDED, tuple(lines), reason="no disk is pulled"
    )


def not_needed_for_way(case: RepairCase, kind: RepairStepKind, what: str) -> RepairStep:
    """A step that only a disk at fault needs."""
    return RepairStep(
        kind,
        RepairStepState.NOT_NEEDED,
        reason=f"{what}: the cause is {'what they share' if case.others else case.cause.cause.value}",
    )


def _begun(case: RepairCase) -> str:
    """`since 2026-11-23 16:29 UTC (11m02s), last error 16:40 UTC`."""
    facts = case.facts
    since = [at for leaf in case.members if (at := facts.since(leaf)) is not None]
    last = [at for leaf in case.members if (at := last_error(facts, leaf)) is not None]
    if not since:
        return "since when is not known"
    begun = f"since {moment(min(since), TIME)} UTC ({duration(max(0.0, facts.now - min(since)))})"
    return f"{begun}, last error {recent(max(last), facts.now, has_seconds=False)} UTC" if last else begun


def _evidence(facts: PoolFacts, leaf: Vdev) -> Iterator[str]:
    """`9 read errors`, `65 CRC`, `5 link resets`."""
    known = facts.of_leaf(leaf)
    if errors := errors_in_words(known.counted):
        yield errors
    if isinstance(known.health, DiskHealth) and known.health.crc_errors:
        is_new = any(each.has_grown for each in known.complaints if each.blame is Blame.CABLE)
        yield f"{known.health.crc_errors} CRC{' (growing)' if is_new else ''}"
    if known.kernel is not None:
        yield from known.kernel.counted(OF_THE_WAY)
