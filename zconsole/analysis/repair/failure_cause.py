"""Cause of a device's trouble: disk, cable, controller, shelf, another name, or an administrator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.analysis.repair.common_cause.controller_or_shelf_failure import (
    MARKED,
    SharedTrouble,
    shared_trouble,
)
from zconsole.analysis.repair.common_cause.disks_with_equal_errors import way_by_equal_errors
from zconsole.analysis.repair.common_cause.same_errors_on_all_copies import damage_before_the_write
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import OFFLINE, DeviceFacts
from zconsole.analysis.repair.disk_or_cable import (
    CauseFound,
    cable_by_growth_or_kernel,
    cable_by_old_errors,
    disk_by_its_own_word,
    disk_by_warnings,
    disk_on_a_sound_cable,
)
from zconsole.analysis.repair.not_opened.gone_together import shared_or_pulled
from zconsole.analysis.repair.not_opened.notes_of_devices import REMOVED, is_split_off, label_problem
from zconsole.analysis.repair.returned_disk_search import ReturnedDisk, returned_disk
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.repair.wrong_disk_pulled import failed_in_words, meant_instead
from zconsole.analysis.slow_disks.verdict_sentence import slowness_in_short
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import serial_of_leaf
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairCause


def cause_of(facts: PoolFacts, leaf: Vdev) -> CauseFound:
    """The likeliest cause of a leaf's trouble."""
    for rule in _RULES:
        if (found := rule(facts, leaf)) is not None:
            return found
    return _unknown(facts, leaf)


def cause_at(facts: PoolFacts, place: DevicePlace) -> CauseFound:
    """The likeliest cause of a place's trouble: of a sound disk that was pulled the pulling."""
    leaf = place.member
    meant = meant_instead(facts, place)
    if meant is None or returned_disk(facts, leaf) is not None:
        return cause_of(facts, leaf)
    return CauseFound(
        RepairCause.ADMINISTRATOR,
        Certainty.LIKELY,
        f"it was pulled, or lost its contact: no error of it is known, and "
        f"{failed_in_words(facts, meant.member)}",
    )


def _administrator(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    if leaf.state == OFFLINE:
        found = disk_by_its_own_word(facts, leaf)
        if found is not None:
            return replace(found, words=f"{found.words}; it was taken offline by hand")
        if facts.identity(leaf).is_present is False and (before := _before(facts, leaf)) is not None:
            return replace(before, words=f"{before.words}; it was taken offline by hand")
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
        return _returned_under_its_name(facts, leaf, back)
    certainty = Certainty.SURE if back.is_certain else Certainty.LIKELY
    words = (
        f"the disk is there under another name: {back.device}"
        if back.is_certain
        else f"{back.label} bears a label of {facts.pool.name} and serves nothing: it may be this disk"
    )
    return CauseFound(RepairCause.MOVED, certainty, words, back)


def _returned_under_its_name(facts: PoolFacts, leaf: Vdev, back: ReturnedDisk) -> CauseFound:
    """Cause of a disk that is there with the pool's label; whether it ever left is another matter."""
    together = sum(1 for each in facts.devices.values() if _is_back(facts, each.vdev))
    if not _was_gone(facts, leaf) and together > 1:
        return CauseFound(
            RepairCause.CABLE, Certainty.LIKELY,
            f"ZFS could not open {together} disks of {facts.pool.name} that are there: they left together",
            back,
        )  # fmt: skip
    if not _was_gone(facts, leaf):
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            f"{back.label} is there with a label of {facts.pool.name}, and ZFS could not open it: it was "
            "away for a while, another program holds it, or it does not answer", back,
        )  # fmt: skip
    return CauseFound(
        RepairCause.CABLE, Certainty.LIKELY,
        f"{back.label} was gone and is there again: it was pulled and put back, or its cable, slot or power "
        "is loose", back,
    )  # fmt: skip


def _is_back(facts: PoolFacts, leaf: Vdev) -> bool:
    back = returned_disk(facts, leaf)
    return back is not None and back.is_under_its_name


def _was_gone(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether ZFS was told that the device left; one that cannot be opened need not have left."""
    told = (each.field("vdev_state") for each in facts.events_of(leaf))
    return leaf.state == REMOVED or REMOVED in told


def _split_off(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    del facts
    if not is_split_off(leaf):
        return None
    return CauseFound(
        RepairCause.ADMINISTRATOR,
        Certainty.SURE,
        "zpool split gave it to another pool",
    )


def _shared(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    shared = shared_trouble(facts, leaf)
    if shared is None:
        return None
    is_likely = len(shared.devices) > 2 or (shared.is_all and shared.are_gone)
    certainty = Certainty.LIKELY if is_likely else Certainty.UNCLEAR
    return CauseFound(shared.cause, certainty, _shared_words(shared))


def _shared_words(shared: SharedTrouble) -> str:
    part = "shelf" if shared.cause is RepairCause.SHELF else "controller"
    many = f"all {shared.of}" if shared.is_all else f"{len(shared.devices)} of {shared.of}"
    return (
        f"{many} disks of the pool on one {part} ({shared.where}) failed within minutes: "
        f"the {part}, its cable and its power come before any disk"
    )


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
    words = slowness_in_short(slow)
    if not isinstance(facts.of_leaf(leaf).health, DiskHealth):
        unknown = "its SMART data is not known: the disk, the cable or the slot"
        return CauseFound(RepairCause.DISK, Certainty.UNCLEAR, f"{words}, and {unknown}")
    return CauseFound(
        RepairCause.DISK,
        Certainty.LIKELY if not slow.is_pair else Certainty.UNCLEAR,
        f"{words}, and SMART names no other cause",
    )


def _unknown(facts: PoolFacts, leaf: Vdev) -> CauseFound:
    known = facts.of_leaf(leaf)
    identity = facts.identity(leaf)
    if identity.is_present is False and (before := _before(facts, leaf)) is not None:
        return before
    if problem := label_problem(facts.pool, leaf):
        own = serial_of_leaf(leaf)
        is_itself = identity.is_present and own and own == identity.serial
        which = "the disk was wiped or overwritten" if is_itself else "another disk, or one overwritten"
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            f"ZFS opened what is at its path, and its label is not there ({problem}): "
            f"{which}",
        )  # fmt: skip
    if identity.is_present is False:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "the host does not see the disk: the disk, its slot, its cable or its power",
        )  # fmt: skip
    if isinstance(known.health, DiskHealth) and leaf.has_errors:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            f"{_silent(facts, known)} nothing against it: the disk, the cable or the slot; "
            "another slot tells which, with the pool exported or the host shut down",
        )  # fmt: skip
    if leaf.has_errors:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "its SMART data is not known: the disk, the cable or the slot",
        )  # fmt: skip
    if leaf.state == "UNAVAIL" and identity.is_present:
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            f"a disk is there without a label of {facts.pool.name}: another disk, or one overwritten",
        )  # fmt: skip
    if leaf.state == "REMOVED":
        return CauseFound(
            RepairCause.UNKNOWN, Certainty.UNCLEAR,
            "no error of it is known: it was pulled, or its slot, cable or power failed",
        )  # fmt: skip
    return CauseFound(RepairCause.UNKNOWN, Certainty.UNCLEAR, "no error of it is known")


def _before(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The cause as it was judged while the host saw the disk; None where there was none."""
    before = facts.of_leaf(leaf).before
    if before is None or before.cause in {None, RepairCause.UNKNOWN, RepairCause.ADMINISTRATOR}:
        return None
    return CauseFound(before.cause, before.certainty, f"{before.words}, as judged before it was gone")


def _silent(facts: PoolFacts, known: DeviceFacts) -> str:
    """Who has nothing to say of a device."""
    was_asked = facts.state.kernel.value is not None
    return "SMART and the kernel have" if was_asked and known.kernel is None else "SMART has"


_RULES: Final[tuple[Callable[[PoolFacts, Vdev], CauseFound | None], ...]] = (
    _administrator,
    _split_off,
    _returned,
    disk_by_its_own_word,
    damage_before_the_write,
    _shared,
    disk_on_a_sound_cable,
    cable_by_growth_or_kernel,
    cable_by_old_errors,
    disk_by_warnings,
    way_by_equal_errors,
    _marked,
    _slow,
    shared_or_pulled,
)
