"""What holds the storage of guests: paths through links, mounts, loop devices and mappings to datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from zconsole.analysis.dependencies.dataset_or_device_of_path import PathHolders, PathPlaces
from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import read_inventory
from zconsole.collect.readings.folders_and_file_states import read_real_paths
from zconsole.collect.readings.storage_consumers import read_loop_files
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.mounts_and_boot_pools import Mount


@dataclass(frozen=True, slots=True)
class HostStorage:
    """Mounts, volumes by the kernel names of their devices, and disks of a host; where its links lead."""

    mounts: tuple[Mount, ...] = ()
    volumes: Mapping[str, str] = field(default_factory=dict)
    inventory: Inventory = field(default_factory=Inventory)
    links: Mapping[str, str] = field(default_factory=dict)  # to devices of volumes


async def read_holders_of_paths(
    asker: Asker, privilege: Privilege, paths: Sequence[str], storage: HostStorage
) -> dict[str, PathHolders]:
    """What holds each absolute path, existing or not.

    Disks and the files of loop devices are read where a path leads to a device that the inventory does not
    have, or to a loop device. Raises LinkLost and Stuck.
    """
    if not paths:
        return {}
    real = {path: storage.links[path] for path in paths if path in storage.links}
    try:
        real |= await read_real_paths(asker, privilege, [path for path in paths if path not in real])
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        pass  # told of each path
    places = PathPlaces(storage.mounts, storage.volumes, storage.inventory)
    held = {path: places.holders(real.get(path, path)) for path in paths}
    missing = {each.device for each in held.values() if each.device}
    if missing:
        inventory, loops = await _devices(asker, storage.inventory, missing)
        places = PathPlaces(storage.mounts, storage.volumes, inventory, loops)
        held = {path: places.holders(real.get(path, path)) for path in paths}
    return {
        path: replace(found, real_path=real[path]) if path in real else _unresolved(found)
        for path, found in held.items()
    }


async def _devices(
    asker: Asker, inventory: Inventory, missing: Iterable[str]
) -> tuple[Inventory, tuple[tuple[str, str], ...]]:
    """The disks, read where one is missing, and the files of loop devices."""
    try:
        if any(inventory.device(name) is None for name in missing):
            inventory = replace(await read_inventory(asker), shelves=inventory.shelves)
        return inventory, await read_loop_files(asker, inventory)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return inventory, ()


def _unresolved(found: PathHolders) -> PathHolders:
    """A path whose links could not be followed: that it is not on ZFS is not known."""
    if found.objects or found.unknown:
        return found
    return PathHolders(unknown="its links could not be followed")
