"""Ways to one libvirt: `virsh` on its host, which is asked here, or libvirt-python."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Protocol

from zconsole.base.errors import CommandFailed
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import NOT_STARTED, Command
from zconsole.model.guests.guest import SESSION, SYSTEM, GuestDefinition, GuestStatus
from zconsole.model.host.host_state import NO_LIBVIRT
from zconsole.system.libvirt.disk_errors import disk_errors, parse_disk_errors
from zconsole.system.libvirt.domain_stats import domain_stats, parse_domain_stats
from zconsole.system.libvirt.domain_xml import dump_xml, parse_domain
from zconsole.system.libvirt.events import GuestEvent, GuestEventReader, follow
from zconsole.system.libvirt.list_guests import list_all, parse_uuids
from zconsole.system.libvirt.storage_volume_path import parse_volume_path, volume_path


class NoLibvirt(CommandFailed):
    """Host without libvirt's virsh."""


class GuestSource(Protocol):
    """One libvirt of a host. All raise CommandFailed, ParseError, and link errors."""

    @property
    def connection(self) -> str:
        """Its URI on its host."""

    @property
    def uri(self) -> str:
        """The URI by which virsh on its host reaches it."""

    @property
    def anew(self) -> GuestSource:
        """The same for what it has to tell as it is now, where it was asked before."""

    async def statuses(self) -> tuple[GuestStatus, ...]:
        """States and counters of all guests."""

    async def uuids(self) -> tuple[str, ...]:
        """All guests, active or not."""

    async def definition(self, uuid: str) -> GuestDefinition:
        """One guest; CommandFailed when it was undefined meanwhile."""

    async def disk_errors(self, uuid: str) -> Mapping[str, str]:
        """Errors of an active guest's disks, by target."""

    async def volume_path(self, pool: str, volume: str) -> str:
        """The path of a volume of an active storage pool; empty where it has none on the host."""

    def events(self) -> AbstractAsyncContextManager[AsyncIterator[tuple[GuestEvent, ...]]]:
        """What happens from now on. The iterator raises CommandFailed when libvirt ends."""


class VirshSource:
    """`virsh` on the host itself, of `qemu:///system` or of the session that a URI leads to."""

    def __init__(self, asker: Asker, uri: str = SYSTEM, *, why_not_binding: str = "") -> None:
        """`why_not_binding` is told where there is no virsh either."""
        self._asker = asker
        self._uri = uri
        self._why = why_not_binding

    @property
    def connection(self) -> str:
        return SYSTEM if self._uri == SYSTEM else SESSION

    @property
    def uri(self) -> str:
        return self._uri

    @property
    def anew(self) -> VirshSource:
        return VirshSource(self._asker.anew, self._uri, why_not_binding=self._why)

    async def statuses(self) -> tuple[GuestStatus, ...]:
        read = parse_domain_stats(await self._text(domain_stats(self._uri)))
        return tuple(replace(each, connection=self.connection) for each in read)

    async def uuids(self) -> tuple[str, ...]:
        return parse_uuids(await self._text(list_all(self._uri)))

    async def definition(self, uuid: str) -> GuestDefinition:
        return parse_domain(await self._text(dump_xml(self._uri, uuid)))

    async def disk_errors(self, uuid: str) -> Mapping[str, str]:
        return parse_disk_errors(await self._text(disk_errors(self._uri, uuid)))

    async def volume_path(self, pool: str, volume: str) -> str:
        return parse_volume_path(await self._text(volume_path(self._uri, pool, volume)))

    @asynccontextmanager
    async def events(self) -> AsyncIterator[AsyncIterator[tuple[GuestEvent, ...]]]:
        reader = GuestEventReader()

        async def read(chunks: AsyncIterator[bytes]) -> AsyncIterator[tuple[GuestEvent, ...]]:
            async for chunk in chunks:
                if found := reader.feed(chunk):
                    yield found

        async with self._asker.host.stream(follow(self._uri)) as chunks:
            yield read(chunks)

    async def _text(self, command: Command) -> str:
        try:
            return (await self._asker.ask(command, kind="guests")).decode("utf-8", "surrogateescape")
        except CommandFailed as error:
            if error.status in NOT_STARTED:
                words = f"{NO_LIBVIRT}, and libvirt-python did not connect: {self._why}"
                raise NoLibvirt(words if self._why else NO_LIBVIRT, status=error.status) from error
            raise
