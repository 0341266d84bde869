"""Steps of a repair whose cause is on the way to the disks: the way is repaired, no disk is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.repair.device_trouble_in_words import crc_stands_still, device_in_words
from zconsole.actions.repair.repair_case import RepairCase, cause_in_words, word_of
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import RepairOffer, RepairStep, RepairStepKind, RepairStepState

MOST_ONLINE: Final = 8  # offers for one disk each


def shared_triage(case: RepairCase) -> Iterator[str]:
    """The devices by serial number and bay, the cause, and then each with its evidence."""
    yield f"{len(case.members)} disks: {case.all_labelled}"
    yield cause_in_words(case.cause)
    for leaf in case.members:
        yield "; ".join((device_in_words(case.facts, leaf), *_evidence(case, leaf)))


def shared_offers(case: RepairCase) -> Iterator[RepairOffer]:
    """What is done once the cable, the controller or the shelf was repaired."""
    away = [leaf for leaf in case.members if leaf.state in {"REMOVED", "UNAVAIL", "CANT_OPEN"}]
    for leaf in away[:MOST_ONLINE]:
        if case.facts.identity(leaf).is_present:
            yield case.offer(f"bring {case.facts.identity(leaf).label} online", "online", word_of(leaf))
    if len(away) < len(case.members):
        yield case.offer(f"clear the errors of {case.facts.pool.name}", "clear")
    yield case.offer(f"scrub {case.facts.pool.name}", "scrub")


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
        kind, RepairStepState.NOT_NEEDED, reason=f"{what}: the cause is {case.cause.cause.value}"
    )


def _evidence(case: RepairCase, leaf: Vdev) -> Iterator[str]:
    """CRC errors and kernel messages of a disk."""
    known = case.facts.of_leaf(leaf)
    yield from (each.words for each in known.complaints if each.blame is Blame.CABLE)
    if still := crc_stands_still(case.facts, leaf):
        yield still
    if known.kernel is not None:
        yield f"kernel: {known.kernel.in_words}"
