"""Guests of libvirt on a host, and what their disks are on: by virsh and qemu-img over the host's channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.dependencies.dataset_of_path import PathPlaces
from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.guests.read_statuses import (
    SYSTEM,
    counters_in,
    read_statuses,
    text_of,
    with_errors,
)
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.folders_and_file_states import read_real_paths
from zconsole.collect.readings.storage_consumers import read_mounts, read_volumes
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.libvirt.domain_xml import dump_xml, parse_domain
from zconsole.system.libvirt.qemu_img import image_chain, parse_image_chain
from zconsole.system.libvirt.running_guests_and_their_disks import ALL, parse_running

GUESTS_READ: Final = 500
CHAINED: Final = frozenset({"qcow2", "qed", "vmdk", ""})  # formats of images that may have others below


async def read_guests(
    asker: Asker, privilege: Privilege, inventory: Inventory, read: Sequence[GuestStatus] | None = None
) -> tuple[Guest, ...]:
    """All guests, active or not, by name; `read` are states that were just read.

    Raises NoLibvirt, CommandFailed, ParseError, and link errors.
    """
    statuses = {each.name: each for each in (await read_statuses(asker) if read is None else read)}
    uuids = parse_running(await text_of(asker, ALL))[:GUESTS_READ]
    async with together() as group:
        defining = group.create_task(all_of(_definition(asker, uuid) for uuid in uuids))
        mounting = group.create_task(read_mounts(asker))
        volumes = group.create_task(read_volumes(asker))
    definitions = [each for each in defining.result() if each is not None]
    places = PathPlaces(mounting.result() or (), volumes.result(), inventory)
    known = set(volumes.result().values())
    chains = dict(await all_of(_chain(asker, privilege, disk) for disk in _chained(definitions)))
    paths = await read_real_paths(asker, privilege, _paths(definitions, chains))

    def stored(disk: GuestDisk, status: GuestStatus) -> StoredDisk:
        images, problem = chains.get(disk.source, ((), ""))
        if not images:
            images = tuple(Image(path, disk.format if at == 0 else "")
                           for at, path in enumerate((disk.source, *disk.backing)))  # fmt: skip
        held = []
        for each in images:
            place = places.of_path(paths.get(each.path, each.path)) if each.path.startswith("/") else ""
            held.append(StoredImage(each, place, place in known))
        return counters_in(StoredDisk(disk, tuple(held), problem=problem), status)

    guests = []
    for definition in definitions:
        status = statuses.get(definition.name, GuestStatus(definition.name, GuestState.UNKNOWN))
        guests.append(Guest(definition, status, tuple(stored(disk, status) for disk in definition.disks)))
    return await with_errors(asker, sorted(guests, key=lambda guest: guest.name))


async def _definition(asker: Asker, uuid: str) -> GuestDefinition | None:
    """The definition of a guest; None for one that was undefined meanwhile."""
    try:
        return parse_domain(await text_of(asker, dump_xml(SYSTEM, uuid)))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return None


def _chained(definitions: Iterable[GuestDefinition]) -> Iterator[GuestDisk]:
    """One disk of each source that may consist of several images."""
    seen: set[str] = set()
    for definition in definitions:
        for disk in definition.disks:
            is_local = disk.kind in {SourceKind.FILE, SourceKind.BLOCK} and disk.source.startswith("/")
            if is_local and disk.format in CHAINED and disk.source not in seen:
                seen.add(disk.source)
                yield disk


async def _chain(
    asker: Asker, privilege: Privilege, disk: GuestDisk
) -> tuple[str, tuple[tuple[Image, ...], str]]:
    try:
        command = await privilege.to_read(image_chain(disk.source))
        text = (await asker.ask(command, kind="images")).decode("utf-8", "surrogateescape")
        return disk.source, (parse_image_chain(text), "")
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError) as error:
        said = getattr(error, "said", "") or error.message
        return disk.source, ((), said)


def _paths(
    definitions: Iterable[GuestDefinition], chains: Mapping[str, tuple[tuple[Image, ...], str]]
) -> tuple[str, ...]:
    """Absolute paths of all images, each once."""
    found = [path for each in definitions for disk in each.disks for path in (disk.source, *disk.backing)]
    found += [image.path for images, _ in chains.values() for image in images]
    return tuple(dict.fromkeys(path for path in found if path.startswith("/")))
