"""Users of the datasets and disks of a host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.dependencies.guests_not_mapped import guests_not_mapped
from zconsole.analysis.dependencies.storage_consumers import StorageFacts, unmapped_guests, uses
from zconsole.analysis.guests.containers_by_evidence import containers_of_host
from zconsole.base.errors import CommandFailed, HostError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.guests.read_containers import read_containers
from zconsole.collect.guests.read_images_of_guests import (
    ImagesOfGuests,
    read_images_of_guests,
    read_images_of_session,
)
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import COMMAND_NOT_FOUND, Asker
from zconsole.hosts.host import Outcome
from zconsole.model.datasets.snapshot_contents import Mounted
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.disk_by_id import parse_links
from zconsole.system.mounts_and_boot_pools import MOUNTS, Mount, mounted_datasets, parse_mounts
from zconsole.system.open_files import OPEN_FILES, OpenFile, parse_open_files
from zconsole.system.qemu_processes import (
    QemuGuest,
    command_line_of,
    is_qemu,
    parse_command_line,
)
from zconsole.system.swaps import SWAPS, parse_swaps
from zconsole.system.volume_links import ZVOL_LINKS, volumes_by_device
from zconsole.zfs.listing.dataset_get import Property, get_properties, parse_properties

SHARE_KEYS: Final = ("sharenfs", "sharesmb")
VOLUME_DEVICE: Final = "zd"  # begins the kernel names of volumes; without devices (volmode=none) none is used
MOUNTS_MAX_BYTES: Final = 64 * 1024 * 1024  # enough for ten thousand datasets with a container each


@dataclass(frozen=True, slots=True)
class UsesRead:
    """Users of storage, unreadable sources in words, and why guests that run may not be among the users."""

    uses: tuple[OutsideUse, ...]
    unseen: tuple[str, ...] = ()
    guests_unread: str = ""


async def read_uses(
    asker: Asker, pools: Sequence[str], inventory: Inventory, privilege: Privilege, *, shares: bool = True
) -> UsesRead:
    """Users of the pools' datasets and of the disks.

    Without `shares` those of datasets are left out; see `uses_by_shares`.
    """
    async with together() as group:
        mounts = group.create_task(read_mounts(asker))
        swaps = group.create_task(_text(asker, SWAPS))
        files = group.create_task(_open_files(asker, privilege))
        shared = group.create_task(_shares(asker, pools if shares else ()))
        links = group.create_task(_volume_links(asker, inventory))
        of_system = group.create_task(read_images_of_guests(asker, privilege, volume_links=links))
        of_session = group.create_task(read_images_of_session(asker, privilege, volume_links=links))
        loops = group.create_task(read_loop_files(asker, inventory))
        containers = group.create_task(read_containers(asker, mounts))
    open_files, blind = files.result()
    qemu = await read_qemu_guests(asker, open_files)
    of_libvirts = (of_system.result(), of_session.result())
    mounted = mounts.result()
    volumes = volumes_by_device(links.result())
    evidence = replace(containers.result(), host_mounts=mounted or (), volumes=volumes)
    seen = StorageFacts(
        mounts=mounted or (),
        swaps=parse_swaps(swaps.result()),
        open_files=open_files,
        shares=shared.result(),
        guests=tuple(image for each in of_libvirts for image in each.images),
        loops=loops.result(),
        containers=containers_of_host(evidence),
        volumes=volumes,
        inventory=inventory,
        qemu=qemu,
    )
    unseen = ("mounts could not be read",) if mounted is None else guests_not_mapped(unmapped_guests(seen))
    untold = (evidence.problem, *(each.problem for each in of_libvirts))
    unread = _guests_unread(of_libvirts, blind)
    return UsesRead(uses(seen), (*unseen, *blind, *filter(None, untold)), unread)


async def read_disk_uses(asker: Asker, inventory: Inventory, privilege: Privilege) -> UsesRead:
    """Users of disks."""
    async with together() as group:
        swaps = group.create_task(_text(asker, SWAPS))
        files = group.create_task(_open_files(asker, privilege))
        loops = group.create_task(read_loop_files(asker, inventory))
        asked = group.create_task(read_images_of_guests(asker, privilege))
    open_files, blind = files.result()
    qemu = await read_qemu_guests(asker, open_files)
    guests = asked.result()
    seen = StorageFacts(
        swaps=parse_swaps(swaps.result()),
        open_files=open_files,
        guests=guests.images,
        loops=loops.result(),
        inventory=inventory,
        qemu=qemu,
    )
    told = (*blind, *filter(None, (guests.problem,)))
    return UsesRead(uses(seen), told, _guests_unread((guests,), blind))


def _guests_unread(found: Sequence[ImagesOfGuests], blind: Sequence[str]) -> str:
    """Why guests may run without being known: one that libvirt does not tell of has its files open."""
    told = [each.unread for each in found if each.unread]
    if blind and any(each.problem for each in found):
        told.append("neither libvirt nor the list of open files tells of all guests")
    return "; ".join(dict.fromkeys(told))


async def read_mounts(asker: Asker) -> tuple[Mount, ...] | None:
    """Mounts of the host; None when unreadable."""
    try:
        data = await asker.read_file(MOUNTS, max_bytes=MOUNTS_MAX_BYTES)
    except (FileNotFoundError, PermissionError):
        return None
    return parse_mounts(data.decode("utf-8", "surrogateescape"))


async def read_mounted(asker: Asker) -> tuple[Mounted, ...] | None:
    """Visible mounted ZFS file systems with mount points; None when unknown."""
    mounts = await read_mounts(asker)
    return None if mounts is None else mounted_datasets(mounts)


async def _text(asker: Asker, path: str) -> str:
    try:
        return (await asker.read_file(path)).decode("utf-8", "surrogateescape")
    except (FileNotFoundError, PermissionError):
        return ""


async def _open_files(asker: Asker, privilege: Privilege) -> tuple[tuple[OpenFile, ...], tuple[str, ...]]:
    """Open files of all processes, or of the user's own without root."""
    command = await privilege.to_read(OPEN_FILES)
    completed = await asker.run(command, kind="open-files")
    if completed.outcome is Outcome.UNKNOWN or completed.status == COMMAND_NOT_FOUND:
        return (), (f"open files could not be seen: {completed.said or completed.reason}",)
    files = parse_open_files(completed.stdout.decode("utf-8", "surrogateescape"))
    if command is OPEN_FILES and not await privilege.is_root():
        return files, ("open files of other users' processes can be seen by root only",)
    return files, ()


async def read_qemu_guests(asker: Asker, open_files: Sequence[OpenFile]) -> dict[int, QemuGuest]:
    """The guests of the processes of QEMU, by their command lines, which everybody may read."""
    found = [
        each.process
        for each in open_files
        if each.how == "exe" and is_qemu(each.path.removesuffix(" (deleted)").rpartition("/")[2])
    ]
    return dict(await all_of(_qemu_guest(asker, each) for each in found))


async def _qemu_guest(asker: Asker, process: int) -> tuple[int, QemuGuest]:
    try:
        data = await asker.read_file(command_line_of(process))
    except (FileNotFoundError, PermissionError, CommandFailed):
        return process, QemuGuest()
    return process, parse_command_line(data.decode("utf-8", "surrogateescape"))


def uses_by_shares(properties: Iterable[Property]) -> tuple[OutsideUse, ...]:
    """Users of datasets over the network, by those of `SHARE_KEYS` among these properties."""
    return uses(StorageFacts(shares=_as_shares(each for each in properties if each[1] in SHARE_KEYS)))


async def _volume_links(asker: Asker, inventory: Inventory) -> tuple[tuple[str, str], ...]:
    """Links to volumes; not asked for where the host has no block device of any."""
    has_any = any(disk.name.startswith(VOLUME_DEVICE) for disk in inventory.disks)
    return await read_volume_links(asker) if has_any else ()


async def _shares(asker: Asker, pools: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    if not pools:
        return ()
    command = get_properties(SHARE_KEYS, pools, recursive=True, types=("filesystem",))
    answer = await asker.ask(command, kind="shares")
    return _as_shares(parse_properties(answer.decode("utf-8", "surrogateescape"), SHARE_KEYS))


def _as_shares(properties: Iterable[Property]) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, key.removeprefix("share"), value) for name, key, value, _ in properties)


async def read_loop_files(asker: Asker, inventory: Inventory) -> tuple[tuple[str, str], ...]:
    """Loop devices with their files."""
    disks = [disk for disk in inventory.disks if disk.type == "loop"]
    files = await all_of(_loop_file(asker, disk.name) for disk in disks)
    return tuple((disk.path, file) for disk, file in zip(disks, files, strict=True) if file)


async def _loop_file(asker: Asker, name: str) -> str:
    try:
        data = await asker.read_file(f"/sys/block/{name}/loop/backing_file")
    except (FileNotFoundError, PermissionError, CommandFailed):
        return ""
    return data.decode("utf-8", "surrogateescape").removesuffix("\n")


async def read_volumes(asker: Asker) -> dict[str, str]:
    """Volumes by the kernel names of their devices."""
    return volumes_by_device(await read_volume_links(asker))


async def read_volume_links(asker: Asker) -> tuple[tuple[str, str], ...]:
    """Links below /dev/zvol with the kernel names of their devices."""
    completed = await asker.run(ZVOL_LINKS, kind="zvols")
    if completed.outcome is Outcome.UNKNOWN:
        raise HostError(f"the volumes of {asker.host.label} cannot be listed: {completed.reason}")
    if not completed.is_done:
        return ()  # the folder exists only with a volume
    return parse_links(completed.stdout.decode("utf-8", "surrogateescape"))
