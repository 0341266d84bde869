"""Storage of the guests of a host, images below their own included: what a plan of that storage asks.

A guest that runs holds its whole chain of images open, and libvirt lists the chain in its definition. Of one
that is off the images below are written in the images themselves. A path may lead elsewhere, as a link in
/dev/disk does: where it leads counts. Firmware, shared folders and what else a definition names are among the
paths; what has none that is known is told with the reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.guests.placed_storage import of_connection, with_saved_memory, without_path
from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import grouped
from zconsole.collect.concurrent_reads import begun_in_time, together
from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.guests.read_stored_definition import read_chains
from zconsole.collect.guests.read_volume_paths import with_volume_paths
from zconsole.collect.guests.session_by_virsh import session_by_virsh
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, on_one_line
from zconsole.collect.readings.folders_and_file_states import read_real_paths
from zconsole.hosts.host import NOT_STARTED, Command
from zconsole.model.guests.guest import SYSTEM, GuestDefinition, GuestDisk, Image
from zconsole.model.guests.image_in_definition import DefinedImage, GuestActivity
from zconsole.system.libvirt.domain_xml import dump_xml, parse_domain
from zconsole.system.libvirt.list_guests import (
    list_all,
    list_paused,
    list_running,
    list_with_saved_memory,
    parse_uuids,
)
from zconsole.system.libvirt.qemu_img import RAW
from zconsole.system.volume_links import devices_by_link

WITHIN_S: Final = 30.0  # definitions are asked for, those of active guests first
BeingRead = asyncio.Task[tuple[tuple[str, str], ...]]  # links to volumes, with kernel names
Chains = Mapping[str, tuple[Image, ...] | None]


@dataclass(frozen=True, slots=True)
class ImagesOfGuests:
    """Images that were read. `problem` says why a libvirt told of none, `unread` why guests are not known."""

    images: tuple[DefinedImage, ...] = ()
    problem: str = ""
    unread: str = ""


async def read_images_of_guests(
    asker: Asker,
    privilege: Privilege,
    *,
    volume_links: BeingRead | None = None,
    within_s: float = WITHIN_S,
) -> ImagesOfGuests:
    """Of `qemu:///system`; nothing on a host without virsh. Raises link errors.

    Definitions are asked for in order, until the time is over; the others are told as `unread`. Where the
    links to volumes are being read, they tell where these lead.
    """
    return await _images(asker, privilege, SYSTEM, volume_links, within_s)


async def read_images_of_session(
    asker: Asker, privilege: Privilege, *, volume_links: BeingRead | None = None
) -> ImagesOfGuests:
    """Of `qemu:///session` of the user that commands run as; nothing where it does not answer.

    Raises LinkLost.
    """
    try:
        source = await session_by_virsh(asker, privilege)
        if source is None:
            return ImagesOfGuests()
        return await _images(asker, privilege, source.uri, volume_links, WITHIN_S)
    except (CommandFailed, ParseError, Stuck):
        return ImagesOfGuests()


async def _images(
    asker: Asker, privilege: Privilege, uri: str, volume_links: BeingRead | None, within_s: float
) -> ImagesOfGuests:
    try:
        if not asker.asks_virsh_at_once and not await _uuids(asker, list_all(uri)):
            return ImagesOfGuests()
        async with together() as group:
            known = group.create_task(_uuids(asker, list_all(uri)))
            active = group.create_task(_uuids(asker, list_running(uri)))
            paused = group.create_task(_uuids(asker, list_paused(uri)))
            saved = group.create_task(_uuids(asker, list_with_saved_memory(uri)))
    except (LinkLost, Stuck):
        raise
    except CommandFailed as error:
        is_absent = error.status in NOT_STARTED
        return ImagesOfGuests(problem="" if is_absent else _unseen(on_one_line(error.said) or error.message))
    except ParseError as error:
        return ImagesOfGuests(problem=_unseen(error.message))
    every = tuple(dict.fromkeys((*active.result(), *known.result())))
    if not every:
        return ImagesOfGuests()
    activity = {uuid: _activity(uuid, active.result(), paused.result(), saved.result()) for uuid in every}
    asked = await begun_in_time(lambda uuid: _definition(asker, uri, uuid), every, within_s)
    read = [each for each in asked.values() if each is not None]
    unread = await _still_there(asker, uri, {*every} - {uuid for uuid, each in asked.items() if each})
    source = VirshSource(asker, uri)
    known_here = [
        of_connection(
            with_saved_memory(each) if activity[each.uuid] is GuestActivity.SAVED else each,
            source.connection,
            uri,
        )
        for each in read
    ]
    found = await with_volume_paths((source,), known_here)
    chains = dict(await read_chains(asker, privilege, _chained(found, activity)))
    images = [(each, path, written) for each in found for path, written in _paths(each, chains).items()]
    paths = tuple(dict.fromkeys(path for _, path, _ in images))
    led = devices_by_link(await volume_links) if paths and volume_links is not None else {}
    real = await _real_paths(asker, privilege, paths, led) if paths else {}
    named = tuple(
        DefinedImage(
            *(each.name, path, real.get(path, ""), activity[each.uuid]), is_written=written, uuid=each.uuid
        )
        for each, path, written in images
    )
    unmapped = tuple(
        DefinedImage(each.name, "", "", activity[each.uuid], what, why, uuid=each.uuid)
        for each in found
        for what, why in without_path(each)
    )
    return ImagesOfGuests((*named, *unmapped), unread=_unread(unread, within_s) if unread else "")


async def _still_there(asker: Asker, uri: str, uuids: Collection[str]) -> int:
    """How many of these guests have not ended meanwhile."""
    if not uuids:
        return 0
    try:
        return len({*uuids} & {*await _uuids(asker.anew, list_all(uri))})
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return len(uuids)


def _unread(number: int, within_s: float) -> str:
    whose = "1 guest of libvirt" if number == 1 else f"{grouped(number)} guests of libvirt"
    return f"{whose} could not be looked at, in the {within_s:.0f} s that this may take"


async def _uuids(asker: Asker, command: Command) -> tuple[str, ...]:
    return parse_uuids((await asker.ask(command, kind="guest-list")).decode("utf-8", "replace"))


def _unseen(why: str) -> str:
    return f"libvirt does not tell of guests, and those that are shut off cannot be seen elsewhere: {why}"


def _activity(
    uuid: str, active: tuple[str, ...], paused: tuple[str, ...], saved: tuple[str, ...]
) -> GuestActivity:
    if uuid in active:
        return GuestActivity.PAUSED if uuid in paused else GuestActivity.RUNNING
    return GuestActivity.SAVED if uuid in saved else GuestActivity.OFF


async def _definition(asker: Asker, uri: str, uuid: str) -> GuestDefinition | None:
    """The definition of a guest; None for one that has ended meanwhile. Raises link errors."""
    try:
        text = await asker.ask(dump_xml(uri, uuid), kind=f"guest {uuid}")
        return parse_domain(text.decode("utf-8", "surrogateescape"))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return None


async def _real_paths(
    asker: Asker, privilege: Privilege, paths: tuple[str, ...], known: Mapping[str, str]
) -> dict[str, str]:
    asked = [path for path in paths if path not in known]
    try:
        return {**known, **await read_real_paths(asker, privilege, asked)}
    except LinkLost:
        raise
    except (CommandFailed, ParseError, Stuck):
        return dict(known)


def _chained(
    definitions: Sequence[GuestDefinition], activity: Mapping[str, GuestActivity]
) -> tuple[tuple[str, str], ...]:
    """Images of guests that are off that may have others below them, with their formats."""
    return tuple(
        dict.fromkeys(
            (disk.path, disk.format)
            for each in definitions
            if not activity[each.uuid].is_active
            for disk in each.disks
            if disk.path and disk.format not in {"", RAW}
        )
    )


def _paths(definition: GuestDefinition, chains: Chains) -> dict[str, bool]:
    """Absolute paths of the images of all disks and of all other storage, and whether it writes there."""
    found: dict[str, bool] = {}
    for path, is_written in _all_paths(definition, chains):
        if path.startswith("/"):
            found[path] = found.get(path, False) or is_written
    return found


def _all_paths(definition: GuestDefinition, chains: Chains) -> Iterator[tuple[str, bool]]:
    for disk in definition.disks:
        yield disk.path, disk.is_written
        for path in (*disk.backing, *_below(disk, chains)):
            yield path, False
    for each in definition.others:
        yield each.path, not each.is_read_only


def _below(disk: GuestDisk, chains: Chains) -> Iterator[str]:
    yield from (image.path for image in chains.get(disk.path) or ())
