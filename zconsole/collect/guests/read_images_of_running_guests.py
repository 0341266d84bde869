"""Images of the running guests of a host, those below them included: what a plan of their storage asks.

A running guest holds its whole chain of images open, and libvirt lists the chain in its definition. A path
may lead elsewhere, as a link in /dev/disk does: where it leads counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.guests.session_by_virsh import session_by_virsh
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.folders_and_file_states import read_real_paths
from zconsole.model.guests.guest import SYSTEM, GuestDefinition
from zconsole.system.libvirt.domain_xml import dump_xml, parse_domain
from zconsole.system.libvirt.list_guests import list_running, parse_uuids

GUESTS_ASKED: Final = 200
GuestImage = tuple[str, str, str]  # name of the guest, path of an image, and where that path leads


async def read_images_of_running_guests(asker: Asker, privilege: Privilege) -> tuple[GuestImage, ...]:
    """Of `qemu:///system`; empty where it does not answer. Raises link errors."""
    return await _images(asker, privilege, SYSTEM)


async def read_images_of_session(asker: Asker, privilege: Privilege) -> tuple[GuestImage, ...]:
    """Of `qemu:///session` of the user that commands run as; empty where it does not answer.

    Raises LinkLost.
    """
    try:
        source = await session_by_virsh(asker)
        return () if source is None else await _images(asker, privilege, source.uri)
    except (CommandFailed, ParseError, Stuck):
        return ()


async def _images(asker: Asker, privilege: Privilege, uri: str) -> tuple[GuestImage, ...]:
    try:
        running = parse_uuids((await asker.ask(list_running(uri), kind="guests")).decode("utf-8", "replace"))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return ()
    read = await all_of(_definition(asker, uri, uuid) for uuid in running[:GUESTS_ASKED])
    found = [each for each in read if each is not None]
    paths = tuple(dict.fromkeys(path for each in found for path in _paths(each)))
    real = await _real_paths(asker, privilege, paths) if paths else {}
    return tuple((each.name, path, real.get(path, path)) for each in found for path in _paths(each))


async def _definition(asker: Asker, uri: str, uuid: str) -> GuestDefinition | None:
    """The definition of a guest; None for one that has ended meanwhile. Raises link errors."""
    try:
        text = await asker.ask(dump_xml(uri, uuid), kind=f"guest {uuid}")
        return parse_domain(text.decode("utf-8", "surrogateescape"))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return None


async def _real_paths(asker: Asker, privilege: Privilege, paths: tuple[str, ...]) -> dict[str, str]:
    try:
        return await read_real_paths(asker, privilege, paths)
    except LinkLost:
        raise
    except (CommandFailed, ParseError, Stuck):
        return {}  # they are taken as they are written


def _paths(definition: GuestDefinition) -> Iterator[str]:
    """Absolute paths of the images of all disks."""
    for disk in definition.disks:
        yield from (path for path in (disk.source, *disk.backing) if path.startswith("/"))
