"""Guests of libvirt on a host, and what their disks are on: by virsh and qemu-img over the host's channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.guests.placed_storage import PlacedStorage, of_connection
from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import begun_in_time, together
from zconsole.collect.guests.guest_source_protocol_and_virsh import GuestSource, VirshSource
from zconsole.collect.guests.read_datasets_of_guests import read_datasets_of_guests
from zconsole.collect.guests.read_holders_of_paths import HostStorage, read_holders_of_paths
from zconsole.collect.guests.read_missing_images import read_missing_images
from zconsole.collect.guests.read_statuses import counters_in, with_errors
from zconsole.collect.guests.read_volume_paths import with_volume_paths
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, on_one_line
from zconsole.collect.readings.storage_consumers import read_mounts, read_volume_links
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
)
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.libvirt.qemu_img import RAW, image_chain, parse_image_chain
from zconsole.system.volume_links import devices_by_link, volumes_by_device

WITHIN_S: Final = 10.0  # definitions are asked for, and then as long for images
LATE: Final = "libvirt did not tell its definition in the time that this may take"
NOT_TOLD: Final = "libvirt does not tell its definition"
NOT_ASKED: Final = "qemu-img was not asked, in the time that this may take"
UNCHAINED: Final = frozenset({RAW, ""})  # formats of images that have none below


async def read_guests(  # noqa: PLR0913 - most have good defaults
    asker: Asker,
    privilege: Privilege,
    inventory: Inventory,
    *,
    sources: Sequence[GuestSource] | None = None,
    read: Sequence[GuestStatus] | None = None,
    with_sizes: bool = True,
    with_datasets: bool = True,
    within_s: float = WITHIN_S,
) -> tuple[Guest, ...]:
    """All guests, active or not, by name; `read` are states that were just read, of these sources.

    `with_sizes`: ask qemu-img for sizes of images, and for the images below those of a guest that is off.
    `with_datasets`: ask ZFS for the properties of what holds their disks, which a hanging pool delays.
    `within_s`: however many there are, definitions are asked for as long as that, those of active guests
    first, and then images. A guest whose definition was not read has only its name and state, and the reason.
    Without `sources` virsh is asked. Raises NoLibvirt, CommandFailed, ParseError, and link errors.
    """
    sources = (VirshSource(asker),) if sources is None else sources
    read = [status for each in sources for status in await each.statuses()] if read is None else read
    statuses = {each.key: each for each in read}
    uuids = [(each, uuid) for each in sources for uuid in await each.uuids()]
    async with together() as group:
        defining = group.create_task(begun_in_time(lambda each: _definition(*each), uuids, within_s))
        mounting = group.create_task(read_mounts(asker))
        linking = group.create_task(read_volume_links(asker))
    read_ones = [each for each in defining.result().values() if each is not None]
    definitions = await with_volume_paths(sources, read_ones)
    unread = await _unread_guests(sources, statuses, uuids, defining.result())
    volumes, links = volumes_by_device(linking.result()), devices_by_link(linking.result())
    chained = tuple(_chained(definitions)) if with_sizes else ()
    told = await begun_in_time(lambda disk: _chain(asker, privilege, disk), chained, within_s)
    chains = {disk.path: told.get(disk, ((), NOT_ASKED)) for disk in chained}
    paths, storage = (
        _paths(definitions, chains),
        HostStorage(mounting.result() or (), volumes, inventory, links),
    )
    async with together() as group:
        holding = group.create_task(read_holders_of_paths(asker, privilege, paths, storage))
        asked = [path for path in paths if not _is_device(links.get(path), inventory)]
        lacking = group.create_task(read_missing_images(asker, privilege, asked))
    holders = holding.result()
    held = {name for each in holders.values() for name in each.objects}
    datasets = await read_datasets_of_guests(asker, held) if with_datasets else {}
    seen = PlacedStorage(holders, frozenset(volumes.values()), datasets, chains, lacking.result())
    guests = []
    for definition in definitions:
        unknown = GuestStatus(definition.name, GuestState.UNKNOWN, connection=definition.connection)
        status = statuses.get((definition.connection, definition.name), unknown)
        disks = tuple(counters_in(seen.disk(each), status) for each in definition.disks)
        guests.append(Guest(definition, status, disks, tuple(map(seen.other, definition.others))))
    return await with_errors(sources, sorted((*guests, *unread), key=lambda guest: guest.name))


async def _unread_guests(
    sources: Sequence[GuestSource],
    statuses: Mapping[tuple[str, str], GuestStatus],
    uuids: Sequence[tuple[GuestSource, str]],
    definitions: Mapping[tuple[GuestSource, str], GuestDefinition | None],
) -> tuple[Guest, ...]:
    """Guests without a definition, by the names of their states; none that was undefined meanwhile."""
    lacking = [each for each in uuids if definitions.get(each) is None]
    if not lacking:
        return ()
    named = {(each.connection, each.name) for each in definitions.values() if each is not None}
    found: list[Guest] = []
    for source in sources:
        left = {uuid for of_it, uuid in lacking if of_it is source} & {*await source.anew.uuids()}
        there = {each.key for each in await source.anew.statuses()} if left else set()
        why = LATE if any((source, uuid) not in definitions for uuid in left) else NOT_TOLD
        found += [
            Guest(GuestDefinition("", key[1], connection=key[0], uri=source.uri), statuses[key], unread=why)
            for key in sorted(there & statuses.keys() - named)
            if key[0] == source.connection
        ]
    return tuple(found)


async def _definition(source: GuestSource, uuid: str) -> GuestDefinition | None:
    """The definition of a guest; None for one that was undefined meanwhile.

    Raises CommandFailed where libvirt ends meanwhile: its guests are not known then, and not gone.
    """
    found = await _told(source, uuid)
    if found is None and uuid in await source.anew.uuids():
        found = await _told(source.anew, uuid)  # a libvirt that was restarted has it
    return None if found is None else of_connection(found, source.connection, source.uri)


async def _told(source: GuestSource, uuid: str) -> GuestDefinition | None:
    try:
        return await source.definition(uuid)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return None


def _is_device(path: str | None, inventory: Inventory) -> bool:
    """Whether a link leads there to a device that the host has."""
    return path is not None and inventory.device(path.removeprefix("/dev/")) is not None


def _chained(definitions: Iterable[GuestDefinition]) -> Iterator[GuestDisk]:
    """One disk of each source that is a file, or may consist of several images."""
    seen: set[str] = set()
    for definition in definitions:
        for disk in definition.disks:
            is_file = disk.kind in {SourceKind.FILE, SourceKind.POOL_VOLUME}
            is_asked = is_file or (disk.kind is SourceKind.BLOCK and disk.format not in UNCHAINED)
            if is_asked and disk.path and disk.path not in seen:
                seen.add(disk.path)
                yield disk


async def _chain(asker: Asker, privilege: Privilege, disk: GuestDisk) -> tuple[tuple[Image, ...], str]:
    try:
        command = await privilege.to_read(image_chain(disk.path, disk.format))
        text = (await asker.ask(command, kind="images")).decode("utf-8", "surrogateescape")
        return parse_image_chain(text), ""
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError) as error:
        said = on_one_line(getattr(error, "said", "")) or error.message
        return (), said


def _paths(
    definitions: Iterable[GuestDefinition], chains: Mapping[str, tuple[tuple[Image, ...], str]]
) -> tuple[str, ...]:
    """Absolute paths of all images, each once."""
    found = [path for each in definitions for disk in each.disks for path in (disk.path, *disk.backing)]
    found += [image.path for images, _ in chains.values() for image in images]
    found += [other.path for each in definitions for other in each.others]
    return tuple(dict.fromkeys(path for path in found if path.startswith("/")))
