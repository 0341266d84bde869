"""Disk or cable: what SMART data with its growth and the kernel's messages say of a device."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import DeviceFacts, is_dead
from zconsole.analysis.repair.returned_disk_search import ReturnedDisk
from zconsole.analysis.vdevs.smart_assessment import Blame, Complaint
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Severity
from zconsole.model.pools.kernel_message import MessageKind
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairCause

ONLINE: Final = "ONLINE"
READ_LATER_S: Final = 60.0  # SMART data so much newer than a clear tells of the time after it
MOST_NAMED: Final = 3  # other disks
MEDIA: Final = frozenset({"pending-sectors", "uncorrectable-sectors", "uncorrectable-errors"})  # complaints
SHARED_CAUSES: Final = frozenset({RepairCause.CABLE, RepairCause.CONTROLLER, RepairCause.SHELF})
WAY_PARTS: Final = "(cable, backplane, controller, power)"  # what disks share
WAY: Final = "the cable, the slot or the backplane"
NOT_LIVE: Final = "with the pool exported or the host shut down"  # a part may serve other disks as well
PARTS_OF_OTHERS: Final = f"parts that other disks use {NOT_LIVE}"


@dataclass(frozen=True, slots=True)
class CauseFound:
    """Judgement with its evidence in words."""

    cause: RepairCause
    certainty: Certainty
    words: str
    returned: ReturnedDisk | None = None
    shared: str = ""  # what several disks have in common, where it is at fault: `what bays 5-8 share (...)`


def disk_by_its_own_word(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The disk, where it calls itself failing or told the kernel of medium or hardware errors."""
    known = facts.of_leaf(leaf)
    of_disk = _warnings(known, Blame.DISK)
    critical = [each for each in of_disk if each.severity is Severity.CRITICAL]
    says_so = known.kernel is not None and known.kernel.blame is Blame.DISK
    if critical:
        return _disk(known, critical[0], Certainty.SURE)
    if not says_so:
        return None
    is_agreed = bool(of_disk) or known.counted.has_errors or is_dead(leaf)
    is_sure = is_agreed and not _crc_growth(known)
    return _disk(known, _worst(of_disk), Certainty.SURE if is_sure else Certainty.LIKELY)


def disk_on_a_sound_cable(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The disk, where errors are counted again since a clear and the number of CRC errors stood still.

    Counters are cleared once the cable was changed: CRC errors of before are no evidence on the new one.
    """
    known, cleared = facts.of_leaf(leaf), facts.cleared_at(leaf)
    health, since, read = known.health, known.crc_since, known.known_at
    if cleared is None or since is None or read is None or not isinstance(health, DiskHealth):
        return None
    stands_still = since <= cleared and read >= cleared + READ_LATER_S
    kernel = known.kernel
    is_damaged = kernel is not None and _counts(known, MessageKind.CRC) > 0 and kernel.last_at > cleared
    if not health.crc_errors or not stands_still or is_damaged or not leaf.has_errors:
        return None
    ago = duration(max(0.0, facts.now - cleared))
    return CauseFound(
        RepairCause.DISK, Certainty.UNCLEAR,
        f"{health.crc_errors} CRC errors, none new since its counters were cleared {ago} ago, and ZFS has "
        "counted errors again: the disk or its slot rather than the cable",
    )  # fmt: skip


def cable_by_growth_or_kernel(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The cable, where CRC errors grow or transfers are damaged and nothing is said against the disk."""
    known = facts.of_leaf(leaf)
    growth, of_disk = _crc_growth(known), _warnings(known, Blame.DISK)
    if growth and any(each.has_grown for each in of_disk):
        return _disk(known, _worst(of_disk), Certainty.LIKELY)
    if facts.identity(leaf).is_present is False and known.before is None:
        return None  # a disk that was pulled or died tells the kernel the same
    is_damaged = _counts(known, MessageKind.CRC) > 0
    if growth:
        certainty = Certainty.SURE if is_damaged else Certainty.LIKELY
        return CauseFound(RepairCause.CABLE, certainty, f"{_evidence(known, growth[0])}: {WAY}, not the disk")
    if of_disk or known.kernel is None or known.kernel.blame is not Blame.CABLE:
        return None
    if is_damaged:
        return CauseFound(RepairCause.CABLE, Certainty.LIKELY, f"{_evidence(known, None)}: {WAY}")
    return CauseFound(
        RepairCause.CABLE,
        Certainty.UNCLEAR,
        f"{_evidence(known, None)}, and no error on its medium: the cable and the slot come first; the "
        "electronics of a disk can fail in the same way",
    )


def cable_by_old_errors(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The cable, where ZFS counted errors and CRC errors are all that SMART has."""
    known = facts.of_leaf(leaf)
    crc = [each for each in known.complaints if each.blame is Blame.CABLE]
    if not crc or not known.counted.has_errors or any(each.blame is Blame.DISK for each in known.complaints):
        return None
    others = _with_crc_errors(facts, leaf)
    if others:
        have = "has" if len(others) == 1 else "have"
        return CauseFound(
            RepairCause.CABLE, Certainty.LIKELY,
            f"{crc[0].words}, and {shortened(others, MOST_NAMED)} {have} some as well: what "
            "they share, the cable, the backplane or the controller",
        )  # fmt: skip
    return CauseFound(
        RepairCause.CABLE, Certainty.UNCLEAR,
        f"{crc[0].words}, and SMART has nothing else against it: the cable comes first",
    )  # fmt: skip


def disk_by_warnings(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The disk, where SMART warns of its medium or its age."""
    known = facts.of_leaf(leaf)
    warned = _warnings(known, Blame.DISK)
    if not warned:
        return None
    worst = _worst(warned) or warned[0]
    is_agreed = known.counted.has_errors or is_dead(leaf)
    is_without_error = not is_agreed and facts.errors_of(leaf) is None  # reports outlive a clear
    if is_without_error and leaf.state == ONLINE and known.slow is None:
        return _predicted(known, worst)
    is_media = worst.id in MEDIA or worst.has_grown
    return _disk(known, worst, Certainty.SURE if is_agreed and is_media else Certainty.LIKELY)


def _predicted(known: DeviceFacts, worst: Complaint) -> CauseFound:
    """A disk that serves without an error, and of which SMART warns."""
    certainty = Certainty.LIKELY if known.is_getting_worse else Certainty.UNCLEAR
    found = _disk(known, worst, certainty)
    return replace(found, words=f"{found.words}; a prediction: it serves, and ZFS has counted no error of it")


def _disk(known: DeviceFacts, said: Complaint | None, certainty: Certainty) -> CauseFound:
    growth = _crc_growth(known)
    not_cable = f"; its cable is suspect too ({growth[0].words})" if growth else _not_cable(known)
    return CauseFound(RepairCause.DISK, certainty, f"{_evidence(known, said)}: the disk{not_cable}")


def _evidence(known: DeviceFacts, said: Complaint | None) -> str:
    """`SMART: 24 pending sectors (unreadable), 3 new in 7 d; kernel: 12 medium errors, ...`."""
    smart = "" if said is None else said.words if said.blame is Blame.CABLE else f"SMART: {said.words}"
    kernel = "" if known.kernel is None else f"kernel: {known.kernel.in_words}"
    return "; ".join(filter(None, (smart, kernel)))


def _warnings(known: DeviceFacts, blame: Blame) -> list[Complaint]:
    return [each for each in known.complaints if each.blame is blame and each.severity > Severity.INFO]


def _crc_growth(known: DeviceFacts) -> list[Complaint]:
    return [each for each in known.complaints if each.blame is Blame.CABLE and each.has_grown]


def _worst(found: list[Complaint]) -> Complaint | None:
    """The gravest, of equals the one that has grown."""
    return max(found, key=lambda each: (each.severity, each.has_grown), default=None)


def _counts(known: DeviceFacts, kind: MessageKind) -> int:
    return dict(known.kernel.counts).get(kind, 0) if known.kernel is not None else 0


def _with_crc_errors(facts: PoolFacts, leaf: Vdev) -> list[str]:
    """Other disks of the pool with CRC errors and errors that ZFS counted, and nothing else against them."""
    return [
        facts.identity(each.vdev).label
        for each in facts.devices.values()
        if each.vdev is not leaf
        and each.counted.has_errors
        and {found.blame for found in each.complaints} == {Blame.CABLE}
    ]


def _not_cable(known: DeviceFacts) -> str:
    """`, not the cable (CRC errors 0)` where SMART says so."""
    if isinstance(known.health, DiskHealth) and known.health.crc_errors == 0:
        return ", not the cable (CRC errors 0)"
    return ""
