"""Map from a path of a host to the datasets, volumes or devices that hold it, or why these are not known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.mounts_and_boot_pools import ZFS, Mount

ZVOLS: Final = "/dev/zvol/"
DEVICES: Final = "/dev/"
LOOP: Final = "loop"
IN_MEMORY: Final = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
DEEPEST: Final = 8  # file systems in files of file systems
_SPACE_OF_UDEV: Final = "+"
_ZVOL: Final = re.compile(r"(zd[0-9]+)(?:p([0-9]{1,4}))?")
_PARTITION: Final = re.compile(r"-part[0-9]+\Z")  # of udev's links
_OF_NETWORK: Final = re.compile(r"(?:nbd|rbd|drbd)[0-9]")
_ISCSI: Final = "iscsi"


def device_of_volume(name: str) -> str:
    """The path of a volume in udev's spelling, which has no space."""
    return f"{ZVOLS}{name.replace(' ', _SPACE_OF_UDEV)}"


def dataset_of_object(used: str) -> str:
    """The dataset that a use is of: itself, or the volume behind a device's path in udev's spelling."""
    return used.removeprefix(ZVOLS).replace(_SPACE_OF_UDEV, " ") if used.startswith(ZVOLS) else used


def zvol_and_partition(path: str) -> tuple[str, str]:
    """The device of a volume, and the number of its partition, of a kernel's path; another path as it is."""
    found = _ZVOL.fullmatch(path.removeprefix(DEVICES)) if path.startswith(DEVICES) else None
    return (path, "") if found is None else (f"{DEVICES}{found[1]}", found[2] or "")


@dataclass(frozen=True, slots=True)
class PathHolders:
    """What holds a path. Without objects and without `unknown` it is known not to be on ZFS."""

    objects: tuple[str, ...] = ()  # datasets and volumes; else the path of a device
    unknown: str = ""  # why it, or what is below the device, is not known
    elsewhere: str = ""  # what else holds it: `ext4 on /dev/sda1`
    device: str = ""  # kernel name of a device that is not known, or of a loop device without its file
    real_path: str = field(default="", compare=False)  # without symbolic links, where these were followed


class PathPlaces:
    """Map from paths to datasets and devices."""

    def __init__(
        self,
        mounts: Iterable[Mount],
        volumes: Mapping[str, str],
        inventory: Inventory,
        loops: Iterable[tuple[str, str]] = (),
    ) -> None:
        """`volumes` maps kernel names (`zd0`) to volumes; `loops` are loop devices with their files."""
        self._volumes = volumes
        self._names = frozenset(volumes.values())
        self._inventory = inventory
        self._loops = {device.removeprefix(DEVICES): file for device, file in loops}
        self._mounted: dict[str, Mount] = {}
        for mount in mounts:
            self._mounted[mount.mountpoint] = mount  # a later mount hides an earlier one

    def of(self, mount: Mount) -> str:
        """The mounted dataset, or the device."""
        return mount.source if mount.fstype == ZFS else self._device(mount.source)

    def of_path(self, path: str) -> str:
        """The dataset of a file that lies directly on one, or a device; empty for neither."""
        if path.startswith(DEVICES):
            return self._device(path)
        mount = self._mount_of(path)
        return mount.source if mount is not None and mount.fstype == ZFS else ""

    def holders(self, path: str) -> PathHolders:
        """What holds a path, through the file systems and mappings between."""
        return self._holders(path, DEEPEST)

    def _device(self, path: str) -> str:
        """The volume below a device, or the device itself; empty for one that is not known."""
        volume = self._volume_of(path)
        if volume:
            return volume
        name = self._kernel_name(path)
        below = (self._volumes[whole.name] for whole in self._wholes(name) if whole.name in self._volumes)
        found = self._inventory.device(name)
        return next(below, found.path if found is not None else "")

    def _kernel_name(self, path: str) -> str:
        return self._inventory.kernel_name(path) or path.removeprefix(DEVICES)

    def _volume_of(self, path: str) -> str:
        """The volume that a device, or a partition, is one of; empty for others."""
        zvol = _ZVOL.fullmatch(self._kernel_name(path))
        if zvol and zvol[1] in self._volumes:
            return self._volumes[zvol[1]]
        return self._volume_of_link(path.removeprefix(ZVOLS)) if path.startswith(ZVOLS) else ""

    def _mount_of(self, path: str) -> Mount | None:
        folder = path
        while folder not in self._mounted:
            if folder in {"", "/"}:
                return None
            folder = folder.rpartition("/")[0] or "/"
        return self._mounted[folder]

    def _holders(self, path: str, depth: int) -> PathHolders:
        if not depth:
            return PathHolders(unknown="file systems in files are nested too deeply")
        mount = self._mount_of(path)
        if path.startswith(DEVICES) and (mount is None or mount.mountpoint in {"/", "/dev"}):
            return self._of_device(path, depth)
        if mount is None:
            return PathHolders(unknown="what is mounted there is not known")
        if mount.fstype == ZFS:
            return PathHolders((mount.source,))
        return self._of_foreign(mount, depth)

    def _of_foreign(self, mount: Mount, depth: int) -> PathHolders:
        """What holds a file system that is not ZFS: in memory, on devices, or elsewhere."""
        if mount.fstype in IN_MEMORY:
            return PathHolders(elsewhere=f"{mount.fstype} on {mount.mountpoint}")
        devices = mount.source.split(":") if mount.fstype == "bcachefs" else [mount.source]
        if not all(each.startswith(DEVICES) for each in devices):
            return PathHolders(
                unknown=f"what is behind the {mount.fstype} on {mount.mountpoint} is not known"
            )
        below = [self._of_device(each, depth - 1) for each in devices]
        objects = tuple(
            dict.fromkeys(name for each in below for name in each.objects if not name.startswith("/"))
        )
        unknown = next((each for each in below if each.unknown), None)
        if unknown is not None or objects:
            return PathHolders(
                objects,
                unknown.unknown if unknown is not None else "",
                device=unknown.device if unknown is not None else "",
            )
        return PathHolders(elsewhere=f"{mount.fstype} on {mount.source}")

    def _of_device(self, path: str, depth: int) -> PathHolders:
        volume = self._volume_of(path)
        if volume:
            return PathHolders((volume,))
        name = self._kernel_name(path)
        wholes = tuple(self._wholes(name))
        if not wholes:
            return PathHolders(unknown=f"{path} is not among the block devices of the host", device=name)
        below = [self._of_whole(whole, depth) for whole in wholes]
        objects = tuple(dict.fromkeys(each for held in below for each in held.objects))
        unknown = next((each for each in below if each.unknown), PathHolders())
        if not objects and not unknown.unknown:
            found = self._inventory.device(name)
            objects = (found.path if found is not None else path,)
        return PathHolders(objects, unknown.unknown, device=unknown.device)

    def _of_whole(self, whole: Disk, depth: int) -> PathHolders:
        """What of ZFS a whole device is: a volume, or a loop device over a file of a dataset."""
        if whole.name in self._volumes:
            return PathHolders((self._volumes[whole.name],))
        if whole.type == LOOP:
            file = self._loops.get(whole.name)
            if file is None:
                return PathHolders(unknown=f"the file of {whole.path} is not known", device=whole.name)
            held = self._holders(file, depth - 1)
            return PathHolders(
                tuple(each for each in held.objects if not each.startswith("/")), held.unknown,
                device=held.device,
            )  # fmt: skip
        if _ZVOL.fullmatch(whole.name):
            return PathHolders(unknown=f"the volume of {whole.path} is not known", device=whole.name)
        if _OF_NETWORK.match(whole.name) or whole.transport == _ISCSI:
            return PathHolders(unknown=f"what is behind {whole.path} is not known")
        return PathHolders()

    def _wholes(self, name: str) -> Iterator[Disk]:
        """All whole devices that a device is on: a mapping or an array may be on several."""
        if self._inventory.disk_of(name) is None:
            return
        for disk in self._inventory.disks:
            if any(each.name == name for each in disk.walk()):
                yield disk

    def _volume_of_link(self, link: str) -> str:
        """The volume of a link that is not there, by its name; udev writes a blank as `+`."""
        name = link.replace("+", " ")
        if name in self._names:
            return name
        whole = _PARTITION.sub("", name)
        return whole if whole in self._names else name
