"""Users of datasets and devices, combined from the kernel's files and helper commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final

from zconsole.analysis.dependencies.dataset_or_device_of_path import PathPlaces
from zconsole.analysis.dependencies.uses_by_containers import holds_processes, uses_by_containers
from zconsole.analysis.dependencies.uses_by_guests import GUEST, use_by_guest
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.container import Container
from zconsole.model.guests.image_in_definition import DefinedImage
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.mounts_and_boot_pools import ZFS, Mount
from zconsole.system.open_files import OpenFile
from zconsole.system.qemu_processes import QemuGuest

PARTITION: Final = "part"
PROCESSES_TOLD: Final = 50  # of one object; on a root file system all processes count
NOT_SHARED: Final = frozenset({"off", "-", ""})


@dataclass(frozen=True, slots=True)
class StorageFacts:
    """Facts read. `volumes` maps kernel names (`zd0`) to volumes."""

    mounts: tuple[Mount, ...] = ()
    swaps: tuple[str, ...] = ()
    open_files: tuple[OpenFile, ...] = ()
    shares: tuple[tuple[str, str, str], ...] = ()  # dataset, nfs or smb, its options
    guests: tuple[DefinedImage, ...] = ()
    loops: tuple[tuple[str, str], ...] = ()  # /dev/loop0 and its file
    containers: tuple[Container, ...] = ()  # with their datasets and processes
    qemu: Mapping[int, QemuGuest] = field(default_factory=dict)  # guests by the processes of QEMU
    volumes: Mapping[str, str] = field(default_factory=dict)
    inventory: Inventory = field(default_factory=Inventory)


def uses(seen: StorageFacts) -> tuple[OutsideUse, ...]:
    """All uses: of datasets by name, of devices by their inventory path."""
    place = _places(seen)
    of_libvirt = [
        (each, name)
        for each in seen.guests
        if each.path
        for name in place.holders(each.real or each.path).objects or ("",)
    ]
    found = [
        *(OutsideUse(place.of(mount), "mount", mount.mountpoint, _kind_of(mount)) for mount in seen.mounts
          if mount.fstype == ZFS or mount.source.startswith("/dev/")),
        *(OutsideUse(dataset, "share", how, options) for dataset, how, options in seen.shares
          if options not in NOT_SHARED),
        *(OutsideUse(place.of_path(path), "swap", path) for path in seen.swaps),
        *_holders(seen, place),
        *(OutsideUse(place.of_path(file), "holder", loop, file) for loop, file in seen.loops),
        *(use_by_guest(each, name) for each, name in of_libvirt),
        *uses_by_containers(seen.containers),
        *_processes(seen, place, {(each.uuid, name): each.guest for each, name in of_libvirt}),
    ]  # fmt: skip
    return tuple(dict.fromkeys(use for use in found if use.object or use.path))


def unmapped_guests(seen: StorageFacts) -> tuple[tuple[str, str, str], ...]:
    """Storage of guests of which it is not known, or not of all, what holds it: guest, what, and why."""
    place = _places(seen)
    found = []
    for each in seen.guests:
        if not each.path:
            found.append((each.guest, each.what, each.unknown))
            continue
        held = place.holders(each.real or each.path)
        why = held.unknown or ("" if each.real or held.objects else "its links could not be followed")
        if why:
            found.append((each.guest, each.path, why))
    return tuple(found)


def _places(seen: StorageFacts) -> PathPlaces:
    return PathPlaces(seen.mounts, seen.volumes, seen.inventory, seen.loops)


def _kind_of(mount: Mount) -> str:
    return "" if mount.fstype == ZFS else mount.fstype


def _holders(seen: StorageFacts, place: PathPlaces) -> Iterator[OutsideUse]:
    """Mappings on a device: LVM, LUKS, md, multipath."""
    for disk in seen.inventory.disks:
        for device in disk.walk():
            for child in device.children:
                if child.type != PARTITION:
                    yield OutsideUse(place.of_path(device.path), "holder", child.path, child.type)


def _processes(
    seen: StorageFacts, place: PathPlaces, of_libvirt: Mapping[tuple[str, str], str]
) -> Iterator[OutsideUse]:
    """Processes with their files, without those of containers: the paths of these are not of the host.

    A process of QEMU is its guest, which libvirt may not tell of; `of_libvirt` has the names of those that it
    tells of, by uuid and place.
    """
    contained = {process for each in seen.containers for process in each.processes if holds_processes(each)}
    programs: dict[int, str] = {}
    first: dict[tuple[str, int], str] = {}
    counts: Counter[tuple[str, int]] = Counter()
    for each in seen.open_files:
        if each.process in contained:
            continue
        if each.how == "exe":
            programs[each.process] = each.path.removesuffix(" (deleted)").rpartition("/")[2]
        where = place.of_path(each.path.removesuffix(" (deleted)"))
        if where:
            first.setdefault((where, each.process), each.path)
            counts[where, each.process] += 1
    told: Counter[str] = Counter()
    active = {each.uuid: each.guest for each in seen.guests if each.activity.is_active}
    for (where, process), path in sorted(first.items()):
        if (guest := seen.qemu.get(process)) is not None:
            if (guest.uuid, where) not in of_libvirt or guest.uuid not in active:
                program = f"{programs.get(process, 'process')}[{process}]"
                yield _use_by_qemu(where, guest, program, path, active.get(guest.uuid, ""))
            continue
        told[where] += 1
        if told[where] <= PROCESSES_TOLD:
            more = counts[where, process] - 1
            name = f"{programs.get(process, 'process')}[{process}]"
            yield OutsideUse(where, "process", name, path + (f" and {more} more" if more else ""))
    for where, count in sorted(told.items()):
        if count > PROCESSES_TOLD:
            yield OutsideUse(where, "process", f"{count - PROCESSES_TOLD} more processes")


def _use_by_qemu(where: str, guest: QemuGuest, program: str, path: str, name: str) -> OutsideUse:
    """The use by a guest that its process tells; `name` is the one that libvirt knows it by, if it does."""
    detail = f"{path}, open in {program}"
    if name:
        return OutsideUse(where, GUEST, name, detail, path=path)
    shown = f"{guest.name} ({program})" if guest.name else program
    way = f"bring libvirt back and shut {guest.name or 'it'} down by it, or by what else runs it"
    return OutsideUse(where, GUEST, shown, detail, way, path=path)
