"""After-care of a pool whose resilver ended: verified redundancy, the scrub, what the disks left behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.actions.repair.device_trouble_in_words import errors_in_words
from zconsole.actions.repair.journal_runs_of_repair import intended, is_led_on, run_of
from zconsole.actions.repair.new_hot_spare_offers import spare_in_words, spare_offers
from zconsole.actions.repair.repair_case import word_of
from zconsole.actions.repair.replaced_disks_and_their_labels import label_offers, replaced_in_words
from zconsole.analysis.repair.boot_disk import shared_disk
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import damage_in_words
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.reasons_not_to_replace import read_by_resilver
from zconsole.analysis.repair.redundancy_and_data_safety_in_words import survives_in_words
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.vdevs.disk_identity_and_links import stable_link
from zconsole.analysis.vdevs.redundancy import (
    ended_badly,
    is_unmarked_by_checkpoint,
    is_vital,
    pool_redundancy,
)
from zconsole.analysis.vdevs.scan_eta import how_it_ended
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import MINUTE, duration, moment, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.journal import Entry
from zconsole.model.pools.pool import SUSPENDED, Scan, Vdev
from zconsole.model.repair import (
    Certainty,
    DeviceIdentity,
    Repair,
    RepairCause,
    RepairOffer,
    RepairRun,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)

ENDED: Final = "the resilver has ended"
DUE_S: Final = 14 * 86400.0  # a resilver that ended longer ago is the matter of the overdue scrub
MARGIN_S: Final = 3600.0  # between a run and the start of its resilver
TIME: Final = f"{MINUTE} UTC"
MOST_NAMED: Final = 4  # devices in a sentence
REPLACE: Final = "replace"
LEAVES: Final = frozenset({REPLACE, "detach"})
LOCATE: Final = "locate"
ACTIONS: Final = frozenset({REPLACE, "attach", "detach", "online", "offline", LOCATE})


@dataclass(frozen=True, slots=True)
class _Act:
    """A run of this account on a device of the pool."""

    device: str  # as the plan names it: the serial number
    word: str  # by which ZFS was told of it
    action: str
    run: RepairRun


def pool_after_care(facts: PoolFacts, entries: Iterable[Entry], known: PlanFacts) -> Repair | None:
    """What is still to be done after the last resilver; None once a scrub was started or it is long ago."""
    scan = facts.pool.scan
    if scan is None or scan.function != "resilver" or scan.state != "finished" or scan.end is None:
        return None
    if facts.now - scan.end > DUE_S or facts.of.state == SUSPENDED:
        return None  # nothing of a suspended pool is scrubbed
    runs = _runs(facts, (scan.start or scan.end) - MARGIN_S, entries)
    spare, old = tuple(spare_offers(facts, known)), _old_disk(facts, runs)
    last = RepairStep(
        RepairStepKind.AFTER_CARE,
        RepairStepState.NOW,
        (*_to_do(facts), *replaced_in_words(facts, _left(runs)), *spare_in_words(facts, spare)),
        offers=(*_offers(facts), *spare, *_led_offers(old, runs, facts.pool.name), *label_offers(facts)),
    )
    is_caught_up = _has_caught_up(facts, old)
    safety = (
        "Every vdev is complete: ZFS copied what was written while a disk was away; only a scrub verifies it"
        if is_caught_up
        else "Every vdev is redundant again; only a scrub verifies it"
    )
    if _has_errors(facts):
        safety = "Every vdev serves again; only a scrub shows whether all blocks are whole"
    if any(is_unmarked_by_checkpoint(facts.pool, top) for top in facts.pool.vdevs):
        safety = (
            "What only the checkpoint refers to was not copied, and ZFS counts no disk as complete under it: "
            f"discard the checkpoint, then start a resilver (zpool resilver {facts.pool.name})"
        )
    if scan.errors:
        safety = f"The last resilver {how_it_ended(scan)}: what it filled may lack blocks"
    reason = "no disk was replaced" if is_caught_up else ENDED
    return _repair(facts, runs, (*_done(scan, runs, old, reason), last), float(scan.end), safety)


def ended_repair(facts: PoolFacts, entries: Iterable[Entry]) -> Repair | None:
    """The last replacement that this console's journal knows, once a scrub was started after it."""
    scan = facts.pool.scan
    if scan is None or scan.function != "scrub" or scan.start is None:
        return None
    runs = [each for each in _runs(facts, facts.now - DUE_S, entries) if each.run.at < scan.start]
    if _replacement(runs) is None:
        return None
    last = RepairStep(RepairStepKind.AFTER_CARE, RepairStepState.DONE, (_scrub_in_words(scan),))
    is_complete = not _has_errors(facts) and not any(each.failed for each in pool_redundancy(facts.pool))
    safety = "Every vdev is complete" if is_complete else ""
    return _repair(facts, runs, (*_done(scan, runs, _old_disk(facts, runs)), last), None, safety)


def _has_caught_up(facts: PoolFacts, old: DeviceIdentity | None) -> bool:
    """Whether the last resilver copied too little to have filled a new disk."""
    is_filled = any(read_by_resilver(facts, top) for top in facts.pool.vdevs if is_vital(top))
    return old is None and not is_filled


def _left(runs: Sequence[_Act]) -> Iterator[str]:
    """Devices that a run replaced or detached."""
    return (each.device for each in runs if each.run.is_done and each.action in LEAVES)


def _replacement(runs: Sequence[_Act]) -> _Act | None:
    """The last replacement, as far as the journal has one."""
    return next((each for each in reversed(runs) if each.run.is_done and each.action == REPLACE), None)


def _old_disk(facts: PoolFacts, runs: Sequence[_Act]) -> DeviceIdentity | None:
    """The disk that the last replacement took out of the pool, and where it is now."""
    act = _replacement(runs)
    if act is None:
        return None
    disks = facts.inventory.disks if facts.inventory is not None else ()
    serving = {each.disk.name for each in facts.devices.values() if each.disk is not None}
    unused = (each for each in disks if act.device and each.name not in serving)
    disk = next((each for each in unused if each.serial.endswith(act.device)), None)
    guid, name = natural(act.word), act.device
    if disk is None:
        return DeviceIdentity(name, guid, name, is_present=None if facts.inventory is None else False)
    bay = facts.bay_of(disk)
    return DeviceIdentity(
        name, guid, disk.serial, disk.model, bay, stable_link(disk) or disk.path, disk.size_bytes, True
    )


def _led_offers(old: DeviceIdentity | None, runs: Sequence[_Act], pool: str) -> Iterator[RepairOffer]:
    """Turn off the LED that a run turned on to find the old disk."""
    act = _replacement(runs)
    if old is None or act is None or not old.is_present:
        return
    words = {act.word, act.device, old.path}
    if is_led_on(each.run for each in runs if each.action == LOCATE and each.word in words):
        yield RepairOffer(
            f"turn off the locate LED of {old.in_bay}", LOCATE, pool, (old.path,), (("off", True),)
        )


def _scrub_in_words(scan: Scan) -> str:
    if scan.state != "finished":
        return f"the scrub that was started {moment(scan.start, TIME)} is {scan.state}"
    return f"the scrub ended {moment(scan.end, TIME)} with {scan.errors or 0} errors"


def _done(
    scan: Scan, runs: Sequence[_Act], old: DeviceIdentity | None, reason: str = ENDED
) -> Iterator[RepairStep]:
    """The earlier steps; which of them were taken is known of a replacement in the journal only."""
    is_known = old is not None
    for kind in RepairStepKind:
        if kind is RepairStepKind.AFTER_CARE:
            continue
        found = _found(kind, scan, tuple(each.run for each in runs if each.action != LOCATE))
        if old is not None and old.is_present and kind is RepairStepKind.TAKE_OUT:
            yield RepairStep(kind, RepairStepState.NEXT, (f"pull {old.labelled}: the pool does not use it",))
        elif is_known or kind is RepairStepKind.RESILVER:
            yield RepairStep(kind, RepairStepState.DONE, found)
        else:
            yield RepairStep(kind, RepairStepState.NOT_NEEDED, found, reason=reason)


def _repair(
    facts: PoolFacts,
    runs: Sequence[_Act],
    steps: tuple[RepairStep, ...],
    since: float | None,
    safety: str,
) -> Repair:
    pool = facts.pool
    return Repair(
        facts.state.host,
        pool.name,
        pool.name,
        _old_disk(facts, runs) or DeviceIdentity(pool.name, pool.guid),
        RepairTrouble.AFTER_CARE,
        RepairCause.UNKNOWN,
        Certainty.UNCLEAR,
        steps,
        since=since,
        safety=safety,
        survives=survives_in_words(facts),
        runs=tuple(each.run for each in runs),
    )


def _runs(facts: PoolFacts, from_s: float, entries: Iterable[Entry]) -> list[_Act]:
    """Each change of the pool's devices since a time."""
    found = []
    for entry in sorted(entries, key=lambda each: each.started):
        target, arguments = intended(entry)
        if entry.action in ACTIONS and target == facts.pool.name and entry.started >= from_s and arguments:
            found.append(_Act(entry.target or arguments[0], arguments[0], entry.action, run_of(entry)))
    return found


def _found(kind: RepairStepKind, scan: Scan, runs: tuple[RepairRun, ...]) -> tuple[str, ...]:
    if kind is RepairStepKind.REPLACE:
        return tuple(f"{moment(run.at, MINUTE)} {run.who}: {run.title}: {run.outcome}" for run in runs)
    if kind is not RepairStepKind.RESILVER or scan.function != "resilver":
        return ()
    took = "" if scan.start is None or scan.end is None else f" in {duration(scan.end - scan.start)}"
    copied = "" if scan.repaired_bytes is None else f"{size(scan.repaired_bytes)} copied{took}, "
    return (f"{copied}{scan.errors or 0} errors, ended {moment(scan.end, TIME)}",)


def _has_errors(facts: PoolFacts) -> bool:
    return bool(facts.pool.data_errors) or any(True for _ in _with_errors(facts))


def _to_do(facts: PoolFacts) -> Iterator[str]:
    incomplete = [each for each in pool_redundancy(facts.pool) if each.failed]
    if ended_badly(facts.pool.scan):
        pool = facts.pool.name
        yield f"what the resilver filled may lack blocks: start it again (zpool resilver {pool}), or scrub"
    elif not incomplete and _has_errors(facts):
        yield "every vdev serves again; whether all its blocks are whole a scrub shows"
    elif not incomplete:
        yield "every vdev is complete again"
    for leaf in _with_errors(facts):
        yield f"{facts.identity(leaf).label} still counts {errors_in_words(leaf)}"
    yield from _cleared(facts)
    if damage := damage_in_words(facts.pool):
        yield f"{damage}: restore those files, then scrub"
    if any(shared_disk(facts, each) is not None for each in places(facts.pool) if is_vital(each.top)):
        yield (
            "the pool uses partitions of its disks, not whole disks: if the host boots from them, install "
            "the boot loader on the new disk"
        )
    yield "no scrub has run since the resilver"
    for leaf in _expandable(facts):
        yield f"{facts.identity(leaf).label} has {size(leaf.expandable_bytes)} that its vdev does not use yet"


def _cleared(facts: PoolFacts) -> Iterator[str]:
    """Whether counters that were cleared since the resilver began have stayed at nought."""
    scan, known = facts.pool.scan, [each.vdev for each in facts.devices.values()]
    times = [(leaf, at) for leaf in known if (at := facts.cleared_at(leaf)) is not None]
    since = [(leaf, at) for leaf, at in times if scan is not None and at >= (scan.start or 0)]
    if not since or any(leaf.has_errors for leaf in known):
        return
    latest = max(at for _, at in since)
    labels = [facts.identity(leaf).label for leaf, _ in since]
    yield (
        f"the counters of {shortened(labels, MOST_NAMED)} were cleared at {moment(latest, TIME)}; no new "
        f"error for {duration(max(0.0, facts.now - latest))}: watch whether they come back"
    )


def _offers(facts: PoolFacts) -> Iterator[RepairOffer]:
    pool = facts.pool.name
    if any(_with_errors(facts)):
        yield RepairOffer(f"clear the counters of {pool}, so that new errors stand out", "clear", pool)
    yield RepairOffer(f"scrub {pool}", "scrub", pool)
    for leaf in _expandable(facts):
        words = f"let {pool} use all of {facts.identity(leaf).label}"
        yield RepairOffer(words, "online", pool, (word_of(leaf),), (("expand", True),))


def _with_errors(facts: PoolFacts) -> Iterator[Vdev]:
    return (each.vdev for each in facts.devices.values() if each.vdev.has_errors)


def _expandable(facts: PoolFacts) -> Iterator[Vdev]:
    """One leaf of each vdev that all have grown."""
    for top in facts.pool.vdevs:
        if is_vital(top) and top.expandable_bytes:
            yield from (leaf for leaf in list(top.leaves())[:1] if leaf.expandable_bytes)
