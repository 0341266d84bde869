"""Trouble of a device: whether it needs a repair, and how urgent that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from zconsole.analysis.repair.need_of_spare import is_suspect_disk
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.kernel_evidence_on_disk import KernelEvidence
from zconsole.analysis.vdevs.redundancy import has_all_data
from zconsole.analysis.vdevs.smart_assessment import Blame, Complaint, against_the_disk
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity
from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import HEALTHY_STATES, Vdev
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.model.pools.smart_health import HealthAnswer
from zconsole.model.repair import RepairTrouble

OFFLINE: Final = "OFFLINE"
DEGRADED: Final = "DEGRADED"


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What is known of one leaf besides its vdev."""

    vdev: Vdev
    disk: Disk | None = None
    health: HealthAnswer | None = None  # None: not read
    complaints: tuple[Complaint, ...] = ()  # of its SMART data
    slow: SlowDiskVerdict | None = None
    kernel: KernelEvidence | None = None  # recent trouble in the kernel's messages
    known_at: float | None = None  # epoch seconds of the SMART data
    crc_since: float | None = None  # epoch seconds: since then the number of CRC errors is the same
    before: DeviceEvidence | None = None  # of a disk that is gone: all of the above is from then

    @property
    def counted(self) -> Vdev:
        """The leaf with the error counters that it had before its disk was gone."""
        before, leaf = self.before, self.vdev
        if before is None or leaf.has_errors:
            return leaf
        return replace(
            leaf,
            read_errors=before.read_errors,
            write_errors=before.write_errors,
            checksum_errors=before.checksum_errors,
        )

    @property
    def is_failing(self) -> bool:
        """Whether it works with errors, or calls itself failing."""
        return (
            self.vdev.state == DEGRADED
            or self.vdev.has_errors
            or any(
                each.severity is Severity.CRITICAL and each.blame is Blame.DISK for each in self.complaints
            )
        )

    @property
    def warnings(self) -> tuple[Complaint, ...]:
        """What SMART says against the disk itself, without old numbers that are few."""
        return against_the_disk(self.complaints)

    @property
    def is_suspect(self) -> bool:
        """Whether its spare stays although it has all its data."""
        return is_suspect_disk(self.complaints, self.slow)

    @property
    def is_getting_worse(self) -> bool:
        """Whether anything that SMART warns of grows."""
        return any(each.has_grown for each in self.warnings)

    @property
    def is_steady(self) -> bool:
        """Whether all that SMART warns of are counters that have not grown in a week."""
        return bool(self.warnings) and all(each.is_steady for each in self.warnings)


def is_dead(vdev: Vdev) -> bool:
    """Whether ZFS does not use a leaf, and no administrator asked for that."""
    return vdev.state not in HEALTHY_STATES | {OFFLINE, DEGRADED}


def trouble_of(place: DevicePlace, facts: Mapping[int, DeviceFacts]) -> RepairTrouble | None:
    """Why a place needs a repair; None when it needs none. `facts` are by `id` of the leaf."""
    member, known = place.member, facts[id(place.member)]
    if place.newcomer is not None:
        if is_dead(place.newcomer) or place.newcomer.state == OFFLINE:
            return RepairTrouble.NEW_DISK_FAILED
        if has_all_data(member) and not known.is_failing:
            return RepairTrouble.REPLACING
    if is_dead(member):
        return RepairTrouble.FAILED
    if member.state == OFFLINE:
        return RepairTrouble.OFFLINE
    if known.is_failing:
        return RepairTrouble.FAILING
    if place.spare is not None and not known.is_suspect:
        return RepairTrouble.SPARE_IN_USE
    if known.slow is not None:
        return RepairTrouble.SLOW
    return RepairTrouble.WARNED if known.warnings else None
