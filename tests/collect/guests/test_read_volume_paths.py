"""Volumes of storage pools, asked of the libvirt of each guest, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import pytest

from zconsole.base.errors import CommandFailed, LinkLost
from zconsole.collect.guests.guest_source_protocol_and_virsh import GuestSource
from zconsole.collect.guests.read_volume_paths import NO_PATH, with_volume_paths
from zconsole.model.guests.guest import SESSION, SYSTEM, GuestDefinition, GuestDisk, SourceKind

VOLUME = GuestDisk("vda", "P/a/b", SourceKind.POOL_VOLUME)
FILE = GuestDisk("vdb", "/srv/x", SourceKind.FILE)


@dataclass
class Volumes:
    """A libvirt that knows volumes."""

    connection: str = SYSTEM
    answer: str | Exception = "/srv/P/b"
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def volume_path(self, pool: str, volume: str) -> str:
        self.asked.append((pool, volume))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def paths(source: Volumes, *definitions: GuestDefinition) -> list[tuple[str, str]]:
    found = await with_volume_paths([cast("GuestSource", source)], definitions)
    return [(disk.path, disk.problem) for each in found for disk in each.disks]


async def test_each_volume_is_asked_for_once_and_files_are_as_they_were() -> None:
    source = Volumes()
    two = [GuestDefinition(str(at), f"web{at}", disks=(VOLUME, FILE)) for at in range(2)]

    assert 2 * [("/srv/P/b", ""), ("/srv/x", "")] == await paths(source, *two)
    assert [("P", "a/b")] == source.asked


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (CommandFailed("virsh failed", said="error: storage pool 'P' is not active"),
         "error: storage pool 'P' is not active"),
        (CommandFailed("virsh hangs"), "virsh hangs"),
        ("", NO_PATH),
    ],
)  # fmt: skip
async def test_why_there_is_no_path_is_kept(answer: str | Exception, why: str) -> None:
    assert [("", why)] == await paths(Volumes(answer=answer), GuestDefinition("1", "web", disks=(VOLUME,)))


async def test_a_guest_of_another_libvirt_is_not_asked_for_here_and_a_lost_link_is_told() -> None:
    other = GuestDefinition("1", "web", disks=(VOLUME,), connection=SESSION)
    source = Volumes(answer=LinkLost("cut"))

    assert [("", "")] == await paths(source, other)
    with pytest.raises(LinkLost):
        await paths(source, GuestDefinition("1", "web", disks=(VOLUME,)))
