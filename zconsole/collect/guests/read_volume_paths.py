"""Paths of the volumes of storage pools of libvirt that are disks of guests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.guests.guest_source_protocol_and_virsh import GuestSource
from zconsole.model.guests.guest import GuestDefinition, GuestDisk

_Volume = tuple[str, str, str]  # URI of the libvirt, storage pool, volume
NO_PATH = "libvirt tells no path of it on the host"


async def with_volume_paths(
    sources: Sequence[GuestSource], definitions: Sequence[GuestDefinition]
) -> tuple[GuestDefinition, ...]:
    """The definitions, with the paths of volumes or why there are none. Raises link errors."""
    by_connection = {each.connection: each for each in sources}
    asked = dict.fromkeys(
        (each.connection, *disk.pool_and_volume)
        for each in definitions
        for disk in each.disks
        if disk.pool_and_volume is not None and each.connection in by_connection
    )
    if not asked:
        return tuple(definitions)
    found = await all_of(_path(by_connection[connection], pool, name) for connection, pool, name in asked)
    paths = dict(zip(asked, found, strict=True))
    return tuple(
        replace(each, disks=tuple(_with_path(disk, each.connection, paths) for disk in each.disks))
        for each in definitions
    )


async def _path(source: GuestSource, pool: str, volume: str) -> tuple[str, str]:
    """The path, and why there is none."""
    try:
        path = await source.volume_path(pool, volume)
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError) as error:
        return "", getattr(error, "said", "") or error.message
    return path, "" if path else NO_PATH


def _with_path(disk: GuestDisk, connection: str, paths: Mapping[_Volume, tuple[str, str]]) -> GuestDisk:
    if disk.pool_and_volume is None:
        return disk
    path, problem = paths.get((connection, *disk.pool_and_volume), ("", ""))
    return replace(disk, volume_path=path, problem=problem)
