"""All libvirts of one host: `qemu:///system`, and `qemu:///session` of the user that commands run as.

Each is connected to by libvirt-python where the host has its socket; `qemu:///system` otherwise by virsh.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostError, HostUnreachable, LinkLost, ParseError, ZConsoleError
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.guests.guest_source_protocol_and_virsh import GuestSource, NoLibvirt, VirshSource
from zconsole.collect.guests.libvirt_python_source import (
    ANSWERED_WITHIN_S,
    LibvirtHangs,
    LibvirtPythonSource,
    NoBinding,
    libvirt_python,
)
from zconsole.collect.privilege import read_user
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.hosts.host import Host, Outcome, forwards_sockets
from zconsole.hosts.local.local_host import LocalHost
from zconsole.model.guests.guest import SESSION, SYSTEM, GuestStatus
from zconsole.system.libvirt.events import GuestEvent
from zconsole.system.libvirt.sockets import list_sockets, parse_sockets, sockets_of

AGAIN_S: Final = 300.0  # before sockets that were not there are looked for again
BOTH: Final = (SYSTEM, SESSION)


class LibvirtConnections:
    """Connections of one host, opened when they are first asked, and again after they were lost."""

    def __init__(self, asker: Asker, clock: Clock, *, within_s: float = ANSWERED_WITHIN_S) -> None:
        self._asker = asker
        self._clock = clock
        self._within_s = within_s
        self._here: Host = LocalHost()
        self._open: dict[str, tuple[LibvirtPythonSource, AsyncExitStack]] = {}
        self._why_not: dict[str, str] = {}
        self._hanging: dict[str, LibvirtHangs] = {}  # when they were opened: virsh would wait as well
        self.answering: tuple[GuestSource, ...] = ()  # to the last reading of the states
        self._looked_at = -AGAIN_S
        self._has_binding = True
        self._opening = asyncio.Lock()

    @property
    def is_connected(self) -> bool:
        """Whether a question needs no process of its own."""
        return bool(self._open)

    async def sources(self) -> tuple[GuestSource, ...]:
        """What can be asked, opened as far as possible. Raises link errors."""
        async with self._opening:
            for connection, (source, _) in tuple(self._open.items()):
                if source.has_ended:
                    await self._close(connection)
                    self._looked_at = -AGAIN_S
            now = self._clock.monotonic()
            is_due = not self._open or self._hanging or now - self._looked_at >= AGAIN_S
            if is_due and self._has_binding and forwards_sockets(self._asker.host):
                self._looked_at = now
                await self._open_missing()
        found: list[GuestSource] = [source for source, _ in self._open.values()]
        is_system_there = not self._open or SYSTEM in self._why_not
        if is_system_there and SYSTEM not in {*self._open, *self._hanging}:
            found.append(VirshSource(self._asker, why_not_binding=self._why_not.get(SYSTEM, "")))
        return tuple(found)

    async def statuses(self) -> tuple[tuple[GuestStatus, ...], str]:
        """States of the guests of all that answer, and what is wrong with the others.

        Raises the first error when none answers, and link errors.
        """
        sources = await self.sources()
        answers = await all_of(_statuses(each) for each in sources)
        errors = [*self._hanging.values(), *(each for each in answers if isinstance(each, ZConsoleError))]
        if not any(isinstance(each, tuple) for each in answers):
            raise next((each for each in errors if not isinstance(each, NoLibvirt)), errors[0])
        told = [in_words(each) for each in errors if not isinstance(each, NoLibvirt)]
        answered = [each for each in zip(sources, answers, strict=True) if isinstance(each[1], tuple)]
        self.answering = tuple(source for source, _ in answered)
        statuses = [status for each in answers if isinstance(each, tuple) for status in each]
        return tuple(statuses), "; ".join(told)

    async def follow(self, hear: Callable[[Sequence[GuestEvent]], None]) -> None:
        """Pass events on until one of the connections ends. Raises CommandFailed then, and link errors."""
        await all_of(_follow(each, hear) for each in await self.sources())

    def try_again(self) -> None:
        """Look for sockets and the binding at the next reading."""
        self._has_binding = True
        self._looked_at = -AGAIN_S

    async def close(self) -> None:
        """End the children."""
        for connection in tuple(self._open):
            await self._close(connection)

    async def _open_missing(self) -> None:
        self._why_not.clear()
        self._hanging.clear()
        user = await read_user(self._asker)
        possible = {connection: sockets_of(connection, user.number) for connection in BOTH}
        paths = tuple(path for each in possible.values() for path in each)
        completed = await self._asker.run(list_sockets(paths), kind="sockets of libvirt")
        if completed.outcome is Outcome.UNKNOWN:
            return
        there = parse_sockets(completed.stdout.decode("utf-8", "replace"), paths)
        for connection, of_it in possible.items():
            found = [path for path in there if path in of_it]
            if connection not in self._open and found and self._has_binding:
                await self._connect(connection, found[0])

    async def _connect(self, connection: str, socket: str) -> None:
        stack = AsyncExitStack()
        context = libvirt_python(self._here, self._asker.host, connection, socket, within_s=self._within_s)
        try:
            self._open[connection] = await stack.enter_async_context(context), stack
        except (LinkLost, HostUnreachable):
            raise
        except LibvirtHangs as error:
            self._hanging[connection] = error
        except NoBinding as error:
            self._has_binding = False
            self._why_not[connection] = in_words(error)
        except (HostError, ParseError) as error:
            self._why_not[connection] = in_words(error)

    async def _close(self, connection: str) -> None:
        _, stack = self._open.pop(connection)
        await stack.aclose()


@asynccontextmanager
async def connected(asker: Asker, clock: Clock, within_s: float) -> AsyncIterator[LibvirtConnections]:
    """The libvirts of a host for one reading, which may take this long."""
    libvirt = LibvirtConnections(asker, clock, within_s=min(ANSWERED_WITHIN_S, within_s / 2))
    try:
        yield libvirt
    finally:
        await libvirt.close()


async def _statuses(source: GuestSource) -> tuple[GuestStatus, ...] | ZConsoleError:
    try:
        return await source.statuses()
    except (LinkLost, HostUnreachable):
        raise
    except ZConsoleError as error:
        return error


async def _follow(source: GuestSource, hear: Callable[[Sequence[GuestEvent]], None]) -> None:
    async with source.events() as events:
        async for each in events:
            hear(each)
