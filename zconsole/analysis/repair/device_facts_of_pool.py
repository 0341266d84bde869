"""Facts of one pool for its repairs: each device with its disk, SMART data, speed and events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.analysis.repair.device_trouble import DeviceFacts
from zconsole.analysis.repair.not_opened.notes_of_devices import label_problem
from zconsole.analysis.slow_disks.peer_groups import DisksOfVdevs
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import (
    bay_told_by_zfs,
    is_bay_taken,
    name_to_find,
    own_disk,
    serial_of_leaf,
)
from zconsole.analysis.vdevs.enclosure_bays import Bays
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.analysis.vdevs.kernel_evidence_on_disk import evidence_in
from zconsole.analysis.vdevs.new_disk_health_and_age import NewDisks
from zconsole.analysis.vdevs.pool_degraded_since import STATE_CHANGE
from zconsole.analysis.vdevs.smart_assessment import complaints
from zconsole.base.bounded_int import natural
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import GONE_STATES, Pool, Vdev
from zconsole.model.pools.shelf_and_disk_path import DiskPath, free_bays
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.model.repair import DeviceIdentity

CLEARED: Final = "sysevent.fs.zfs.vdev_clear"
BY_PATH: Final = "/dev/disk/by-path/"
_EREPORT: Final = "ereport.fs.zfs."


@dataclass(frozen=True, slots=True)
class ErrorReports:
    """Error reports of ZFS on one device, as far as the events reach back. Epoch seconds."""

    count: int
    first: float
    last: float


class PoolFacts:
    """One readable pool of a host at one time, `now` in epoch seconds; `disks` are all of the host."""

    def __init__(
        self, state: HostState, of: PoolState, pool: Pool, disks: Iterable[HostDisk], now: float
    ) -> None:
        self.state = state
        self.of = of
        self.pool = pool
        self.now = now
        self.inventory: Inventory | None = state.inventory.value
        self._bays = Bays(self.inventory or Inventory())
        disks = tuple(disks)
        self.condition = NewDisks(disks, state.read_tests)
        self.health = {each.disk.name: each for each in disks if each.disk is not None}
        self._places = {each.leaf_guid: each for each in state.places if each.pool_guid == pool.guid}
        self._evidence = {each.leaf_guid: each for each in state.evidence if each.pool_guid == pool.guid}
        self._events: dict[int, list[Event]] | None = None
        of_vdevs = DisksOfVdevs(self.inventory or Inventory())
        slow = {(each.vdev, each.disk): each for each in of.slow}
        self.devices: dict[int, DeviceFacts] = {}
        for top in pool.vdevs:
            for leaf in top.leaves():
                disk = own_disk(leaf, of_vdevs.of(leaf), self._places.get(leaf.guid or 0))
                self.devices[id(leaf)] = self._device(leaf, disk, slow.get((top.name, leaf.name)))

    def _device(self, leaf: Vdev, disk: Disk | None, slow: SlowDiskVerdict | None) -> DeviceFacts:
        """What is known of a leaf; of a disk that is gone what was known of it."""
        is_gone = disk is None or leaf.state in GONE_STATES
        before = self._evidence.get(leaf.guid or 0) if is_gone else None
        if before is not None and (disk is None or _is_another(disk, before)):
            return _from_before(leaf, disk, before)
        known = self.health.get(disk.name) if disk is not None else None
        if known is None:
            return DeviceFacts(leaf, disk, slow=slow, before=before)
        kernel = known.kernel.recent(self.now) if known.kernel is not None else None
        return DeviceFacts(
            leaf, disk, known.health, known.complaints, slow, kernel,
            known_at=known.known_at, crc_since=known.crc_since, before=before,
        )  # fmt: skip

    def of_leaf(self, leaf: Vdev) -> DeviceFacts:
        """The facts of one of the pool's leaves."""
        return self.devices[id(leaf)]

    def identity(self, leaf: Vdev) -> DeviceIdentity:
        """How to find the disk of a leaf; one that is gone by its name in the pool and where it was seen."""
        disk = self.devices[id(leaf)].disk
        if disk is not None:
            return DeviceIdentity(
                leaf.name, leaf.guid, disk.serial or serial_of_leaf(leaf), disk.model, self._bays.name(disk),
                leaf.phys_path or disk.hctl, disk.size_bytes, self._is_present(leaf, disk),
                last_name=name_to_find(leaf),
            )  # fmt: skip
        last = self._places.get(leaf.guid or 0)
        serial = (last.serial if last is not None else "") or serial_of_leaf(leaf)
        told = bay_told_by_zfs(leaf, self._bays, self._told(leaf, "vdev_enc_sysfs_path"))
        bay = (last.bay if last is not None else "") or told or self._bay_of_slot(leaf)
        return DeviceIdentity(
            leaf.name, leaf.guid, serial, last.model if last is not None else "", bay,
            leaf.phys_path or (last.path if last is not None else "") or self._told(leaf, "vdev_physpath"),
            leaf.physical_bytes, self._is_present(leaf, disk),
            is_bay_taken(bay, serial, self.inventory or Inventory(), self._bays), name_to_find(leaf),
        )  # fmt: skip

    def in_bay(self, bay: str) -> HostDisk | None:
        """The disk that is in a bay now."""
        return next((each for each in self.health.values() if bay and each.bay == bay), None)

    @property
    def empty_bays(self) -> tuple[str, ...]:
        """Bays without a disk, in the enclosure's order."""
        return free_bays(self.inventory.shelves) if self.inventory is not None else ()

    def _bay_of_slot(self, leaf: Vdev) -> str:
        """The bay of the slot in which ZFS had a leaf, where another disk is in that slot now."""
        slot = f"{BY_PATH}{leaf.phys_path}" if leaf.phys_path else ""
        disks = self.inventory.disks if self.inventory is not None and slot else ()
        return next((self._bays.name(disk) for disk in disks if slot in disk.links), "")

    def _told(self, leaf: Vdev, field: str) -> str:
        """A field of the newest event of a leaf that has it."""
        found = (each.field(field) for each in reversed(self.events_of(leaf)))
        return next(filter(None, found), "")

    def bay_of(self, disk: Disk) -> str:
        """The bay of a disk of the host; empty where it is not known."""
        return self._bays.name(disk)

    def way_to(self, disk: Disk) -> DiskPath | None:
        """Controller and expander of a disk, as far as the kernel tells."""
        return self._bays.path(disk)

    def beside(self, leaf: Vdev) -> Iterator[str]:
        """What is in the bays on both sides of a leaf's: disks as they are labelled, `bay 2 empty`."""
        disk = self.devices[id(leaf)].disk
        own = self._bays.place(disk) if disk is not None else None
        if own is None or own.bay.number is None:
            return
        beside = {
            place.bay.number: each
            for each in self.health.values()
            if (place := each.place) is not None and place.shelf == own.shelf
        }
        for bay in own.enclosure.bays:
            if bay.number is not None and abs(bay.number - own.bay.number) == 1:
                other = beside.get(bay.number)
                yield f"bay {bay.number} empty" if other is None else f"{other.serial} (bay {other.bay})"

    def beside_by_path(self, leaf: Vdev) -> tuple[str, ...]:
        """The disks of the pool whose paths come before and after that of a leaf, as they are labelled."""
        own = self.identity(leaf).path
        head = own.rstrip("0123456789")
        if not own or head == own:
            return ()
        found = [self.identity(each.vdev) for each in self.devices.values() if each.vdev is not leaf]
        near = {
            number: each
            for each in found
            if each.path.startswith(head) and (number := natural(each.path.removeprefix(head))) is not None
        }
        at = natural(own.removeprefix(head))
        below = max((each for each in near if at is not None and each < at), default=None)
        above = min((each for each in near if at is not None and each > at), default=None)
        return tuple(near[each].labelled for each in (below, above) if each is not None)

    def events_of(self, leaf: Vdev) -> Sequence[Event]:
        """The events of a leaf, oldest first."""
        if self._events is None:
            self._events = defaultdict(list)
            for event in self.state.events:
                if event.pool == self.pool.name and (guid := _number(event)) is not None:
                    self._events[guid].append(event)
        return self._events.get(leaf.guid, ()) if leaf.guid is not None else ()

    def changed_at(self, leaf: Vdev) -> float | None:
        """Time of the last change of a leaf's state; None when no event shows it."""
        times = [
            each.at
            for each in self.events_of(leaf)
            if each.event_class == STATE_CHANGE and each.at is not None
        ]
        return times[-1] if times else None

    def cleared_at(self, leaf: Vdev) -> float | None:
        """Time of the last `zpool clear` of a leaf, as far as the events reach back."""
        times = [each.at for each in self.events_of(leaf) if each.event_class == CLEARED]
        return next((at for at in reversed(times) if at is not None), None)

    def errors_of(self, leaf: Vdev) -> ErrorReports | None:
        """The error reports on a leaf."""
        times = [
            each.at
            for each in self.events_of(leaf)
            if each.event_class.startswith(_EREPORT) and each.at is not None
        ]
        return ErrorReports(len(times), min(times), max(times)) if times else None

    def since(self, leaf: Vdev) -> float | None:
        """Begin of a leaf's trouble: its first error report or kernel message, or its change of state."""
        errors, known = self.errors_of(leaf), self.devices[id(leaf)]
        times = (
            errors.first if errors is not None else None,
            self.changed_at(leaf),
            known.slow.first_at if known.slow is not None else None,
            known.kernel.first_at if known.kernel is not None else None,
        )
        return min((each for each in times if each is not None), default=None)

    def _is_present(self, leaf: Vdev, disk: Disk | None) -> bool | None:
        if self.inventory is None or leaf.path is None or not leaf.path.startswith("/dev/"):
            return None
        if disk is None and self.inventory.links_problem:
            return None
        return disk is not None or (
            bool(label_problem(self.pool, leaf)) and self._is_seen_without_label(leaf)
        )

    def _is_seen_without_label(self, leaf: Vdev) -> bool:
        """Whether a disk with the serial number of a leaf is there: a wiped one has no partition any more."""
        serial = serial_of_leaf(leaf)
        disks = self.inventory.disks if self.inventory is not None and serial else ()
        return any(disk.serial == serial for disk in disks)


def _is_another(disk: Disk, before: DeviceEvidence) -> bool:
    """Whether the disk at a path that names a slot is not the one that was there."""
    return before.record is not None and before.record.disk != disk_identity(disk)


def _from_before(leaf: Vdev, disk: Disk | None, before: DeviceEvidence) -> DeviceFacts:
    """What was known of a disk before it was gone."""
    record = before.record
    health = None if record is None else record.known or record.answer
    found = () if record is None or record.known is None else complaints(record.known, record.earlier)
    known_at = record.known_at if record is not None else None
    kernel, since = evidence_in(before.kernel), record.crc_since if record is not None else None
    return DeviceFacts(
        leaf, disk, health, found, None, kernel, known_at=known_at, crc_since=since, before=before
    )


def _number(event: Event) -> int | None:
    text = event.field("vdev_guid")
    try:
        return int(text, 0) if text else None
    except ValueError:
        return None
