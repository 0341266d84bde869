"""Stored definition of a guest, with what libvirt keeps beside it; and the chains of images of its disks."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words, on_one_line
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import Image, uuid_and_uri
from zconsole.model.guests.stored_definition import StoredDefinition, UnreadDefinition
from zconsole.system.libvirt.list_guests import parse_uuids
from zconsole.system.libvirt.qemu_img import image_chain, parse_image_chain
from zconsole.system.libvirt.stored_definition import (
    ALL,
    PERSISTENT,
    STARTED_AT_BOOT,
    WITH_SAVED_MEMORY,
    WITH_SNAPSHOTS,
    asked_of,
    dump_stored_xml,
)


async def read_stored_definition(asker: Asker, address: str) -> StoredDefinition | UnreadDefinition:
    """The stored definition of a guest with this address, or why libvirt does not tell.

    Its XML is empty for a guest that is certainly not there. Raises link errors.
    """
    uuid, uri = uuid_and_uri(address)
    try:
        async with together() as group:
            xml = group.create_task(asker.run(asked_of(uri, dump_stored_xml(uuid)), kind="guest-definition"))
            known = group.create_task(_uuids(asker, asked_of(uri, ALL)))
            persistent = group.create_task(_uuids(asker, asked_of(uri, PERSISTENT)))
            saved = group.create_task(_uuids(asker, asked_of(uri, WITH_SAVED_MEMORY)))
            snapshots = group.create_task(_uuids(asker, asked_of(uri, WITH_SNAPSHOTS)))
            at_boot = group.create_task(_uuids(asker, asked_of(uri, STARTED_AT_BOOT)))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError) as error:
        return UnreadDefinition(address, in_words(error))
    dumped = xml.result()
    if not dumped.is_done and uuid in known.result() and await _is_there(asker, uri, uuid):
        return UnreadDefinition(address, on_one_line(dumped.said) or dumped.reason)
    return StoredDefinition(
        uuid,
        dumped.stdout.decode("utf-8", "surrogateescape") if dumped.is_done else "",
        is_persistent=uuid in persistent.result(),
        has_saved_memory=uuid in saved.result(),
        has_snapshots=uuid in snapshots.result(),
        is_started_at_boot=uuid in at_boot.result(),
        uri=uri,
    )


async def read_chain(
    asker: Asker, privilege: Privilege, path: str, image_format: str
) -> tuple[str, tuple[Image, ...] | None]:
    """A path, and its image with those below it; None where qemu-img does not tell. Raises link errors."""
    try:
        command = await privilege.to_read(image_chain(path, image_format))
        text = (await asker.ask(command, kind="images")).decode("utf-8", "surrogateescape")
        return path, parse_image_chain(text)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return path, None


async def read_chains(
    asker: Asker, privilege: Privilege, images: Iterable[tuple[str, str]]
) -> tuple[tuple[str, tuple[Image, ...] | None], ...]:
    """The same for several paths, each with the format of the image."""
    return await all_of(read_chain(asker, privilege, *each) for each in images)


async def _is_there(asker: Asker, uri: str, uuid: str) -> bool:
    """Whether it is there now, or may be. Raises link errors."""
    try:
        return uuid in await _uuids(asker.anew, asked_of(uri, ALL))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return True


async def _uuids(asker: Asker, command: Command) -> frozenset[str]:
    text = (await asker.ask(command, kind="guest-list")).decode("utf-8", "replace")
    return frozenset(parse_uuids(text))
