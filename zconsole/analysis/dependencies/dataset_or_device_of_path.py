"""Map from a path of a host to the dataset, the volume or the device that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.mounts_and_boot_pools import ZFS, Mount

ZVOLS: Final = "/dev/zvol/"


class PathPlaces:
    """Map from paths to datasets and devices."""

    def __init__(self, mounts: Iterable[Mount], volumes: Mapping[str, str], inventory: Inventory) -> None:
        """`volumes` maps kernel names (`zd0`) to volumes."""
        self._volumes = volumes
        self._inventory = inventory
        self._mounted: dict[str, Mount] = {}
        for mount in mounts:
            self._mounted[mount.mountpoint] = mount  # a later mount hides an earlier one

    def of(self, mount: Mount) -> str:
        """The mounted dataset, or the device."""
        return mount.source if mount.fstype == ZFS else self._device(mount.source)

    def of_path(self, path: str) -> str:
        """The dataset of a file, or a device; empty for neither."""
        if path.startswith("/dev/"):
            return self._device(path)
        folder = path
        while folder not in self._mounted:
            if folder in {"", "/"}:
                return ""
            folder = folder.rpartition("/")[0] or "/"
        mount = self._mounted[folder]
        return mount.source if mount.fstype == ZFS else ""

    def _device(self, path: str) -> str:
        inventory, volumes = self._inventory, self._volumes
        name = inventory.kernel_name(path) or path.removeprefix("/dev/")
        disk = inventory.disk_of(name)
        for candidate in (name, disk.name if disk is not None else name, name.partition("p")[0]):
            if candidate in volumes:
                return volumes[candidate]
        if path.startswith(ZVOLS):
            return path.removeprefix(ZVOLS)
        if disk is None:
            return ""
        return next(device.path for device in disk.walk() if device.name == name)
