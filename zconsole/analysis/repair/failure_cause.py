"""Cause of a device's trouble: disk, cable, controller, shelf, another name, or an administrator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from zconsole.analysis.repair.controller_or_shelf_failure import SharedTrouble, shared_trouble
from zconsole.analysis.repair.pool_facts import PoolFacts
from zconsole.analysis.repair.repair_urgency import OFFLINE, DeviceFacts, is_dead
from zconsole.analysis.repair.returned_disk import ReturnedDisk, returned_disk
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.model.finding import Severity
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairCause

MOST_NAMED: Final = 3  # other disks
MEDIA: Final = frozenset({"pending-sectors", "uncorrectable-sectors", "uncorrectable-errors"})  # complaints
MARKED: Final = "external device fault"  # ZFS's note after `zpool offline -f`


@dataclass(frozen=True, slots=True)
class CauseFound:
    """Judgement with its evidence in words."""

    cause: RepairCause
    certainty: Certainty
    words: str
    returned: ReturnedDisk | None = None


def cause_of(facts: PoolFacts, leaf: Vdev) -> CauseFound:
    """The likeliest cause of a leaf's trouble."""
    for rule in _RULES:
        if (found := rule(facts, leaf)) is not None:
            return found
    return _unknown(facts, leaf)


def _administrator(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    del facts
    if leaf.state == OFFLINE:
        return CauseFound(
            RepairCause.ADMINISTRATOR,
            Certainty.SURE,
            "it was taken offline by hand: online brings it back, unless it is to be replaced",
        )
    return None


def _returned(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    back = returned_disk(facts, leaf)
    if back is None:
        return None
    if back.is_under_its_name:
        return CauseFound(
            RepairCause.CABLE, Certainty.LIKELY,
            f"{back.label} was gone and is there again: a loose cable or slot, or its power", back,
        )  # fmt: skip
    certainty = Certainty.SURE if back.is_certain else Certainty.LIKELY
    words = (
        f"the disk is there under another name: {back.device}"
        if back.is_certain
        else f"{back.label} bears a label of {facts.pool.name} and serves nothing: it may be this disk"
    )
    return CauseFound(RepairCause.MOVED, certainty, words, back)


def _shared(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    shared = shared_trouble(facts, leaf)
    if shared is None:
        return None
    certainty = Certainty.LIKELY if shared.is_all or len(shared.devices) > 2 else Certainty.UNCLEAR
    return CauseFound(shared.cause, certainty, _shared_words(shared))


def _shared_words(shared: SharedTrouble) -> str:
    part = "shelf" if shared.cause is RepairCause.SHELF else "controller"
    many = f"all {shared.of}" if shared.is_all else f"{len(shared.devices)} of {shared.of}"
    return (
        f"{many} disks of the pool on one {part} ({shared.where}) failed within minutes: "
        f"check the {part}, its cable and its power before any disk"
    )


def _by_smart(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    known = facts.of_leaf(leaf)
    of_disk = [each for each in known.complaints if each.blame is Blame.DISK]
    critical = [each for each in of_disk if each.severity is Severity.CRITICAL]
    crc = [each for each in known.complaints if each.blame is Blame.CABLE]
    if critical:
        return CauseFound(
            RepairCause.DISK, Certainty.SURE, f"SMART: {critical[0].words}: the disk{_not_cable(known)}"
        )
    if any(each.severity > Severity.INFO for each in crc):
        return CauseFound(
            RepairCause.CABLE, Certainty.LIKELY,
            f"{crc[0].words}: the cable, the slot or the backplane, not the disk",
        )  # fmt: skip
    others = _with_crc_errors(facts, leaf)
    if crc and not of_disk and leaf.has_errors and others:
        return CauseFound(
            RepairCause.CABLE, Certainty.LIKELY,
            f"{crc[0].words}, and {_and(others)} {'has' if len(others) == 1 else 'have'} some as well: what "
            "they share, the cable, the backplane or the controller",
        )  # fmt: skip
    if crc and not of_disk and leaf.has_errors:
        return CauseFound(
            RepairCause.CABLE, Certainty.UNCLEAR,
            f"{crc[0].words}, and SMART has nothing else against it: check the cable first",
        )  # fmt: skip
    warned = [each for each in of_disk if each.severity is Severity.WARNING]
    if warned:
        is_agreed = leaf.has_errors or is_dead(leaf)
        certainty = Certainty.SURE if is_agreed and warned[0].id in MEDIA else Certainty.LIKELY
        return CauseFound(
            RepairCause.DISK, certainty, f"SMART: {warned[0].words}: the disk{_not_cable(known)}"
        )
    return None


def _with_crc_errors(facts: PoolFacts, leaf: Vdev) -> list[str]:
    """Other disks of the pool with CRC errors and errors that ZFS counted, and nothing else against them."""
    return [
        facts.identity(each.vdev).label
        for each in facts.devices.values()
        if each.vdev is not leaf
        and each.vdev.has_errors
        and {found.blame for found in each.complaints} == {Blame.CABLE}
    ]


def _and(names: list[str]) -> str:
    shown = names[:MOST_NAMED]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(shown) + more


def _not_cable(known: DeviceFacts) -> str:
    """`, not the cable (CRC errors 0)` where SMART says so."""
    if isinstance(known.health, DiskHealth) and known.health.crc_errors == 0:
        return ", not the cable (CRC errors 0)"
    return ""


def _marked(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    if leaf.state == "FAULTED" and leaf.note == MARKED and not leaf.has_errors and not facts.errors_of(leaf):
        return CauseFound(
            RepairCause.ADMINISTRATOR,
            Certainty.LIKELY,
            "it was marked as faulted from outside ZFS (zpool offline -f), and no error of it is known",
        )
    return None


def _slow(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    slow = facts.of_leaf(leaf).slow
    if slow is None:
        return None
    return CauseFound(
        RepairCause.DISK,
        Certainty.LIKELY if not slow.is_pair else Certainty.UNCLEAR,
        f"{slow.ratio:.1f}x the latency of its peers, and SMART names no other cause",
    )


def _unknown(facts: PoolFacts, leaf: Vdev) -> CauseFound:
    known = facts.of_leaf(leaf)
    identity = facts.identity(leaf)
    if identity.is_present is False:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "the host does not see the disk: the disk, its slot, its cable or its power",
        )  # fmt: skip
    if isinstance(known.health, DiskHealth) and leaf.has_errors:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "SMART has nothing against it: the disk, the cable or the slot; another slot tells which",
        )  # fmt: skip
    if leaf.has_errors:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "its SMART data is not known: the disk, the cable or the slot",
        )  # fmt: skip
    if leaf.state == "UNAVAIL" and identity.is_present:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "a disk is there, but ZFS does not find its label on it: another disk, or one overwritten",
        )  # fmt: skip
    if leaf.state == "REMOVED":
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "no error of it is known: it was pulled, or its slot, cable or power let go",
        )  # fmt: skip
    return CauseFound(RepairCause.UNKNOWN, Certainty.UNCLEAR, "no error of it is known")


_RULES: Final[tuple[Callable[[PoolFacts, Vdev], CauseFound | None], ...]] = (
    _administrator,
    _returned,
    _shared,
    _by_smart,
    _marked,
    _slow,
)
