"""libvirt-python as a way to one libvirt: a child of the console, and a socket that leads to the host.

The child is asked by lines of JSON (`system/libvirt/libvirt_python_child.py`). One that does not answer in
time is ended: what hangs in libvirt hangs in the child.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Final, cast

from zconsole.base.errors import CommandFailed, ParseError
from zconsole.hosts.host import Command, Host, Piped, forward_socket, keep_answer, pipe
from zconsole.model.guests.guest import SYSTEM, GuestDefinition, GuestStatus
from zconsole.system.libvirt import libvirt_python_lines as lines
from zconsole.system.libvirt.disk_errors import disk_errors
from zconsole.system.libvirt.domain_stats import domain_stats
from zconsole.system.libvirt.domain_xml import dump_xml, parse_domain
from zconsole.system.libvirt.events import GuestEvent
from zconsole.system.libvirt.libvirt_answers_as_virsh_output import (
    print_disk_errors,
    print_domain_stats,
    print_uuids,
)
from zconsole.system.libvirt.list_guests import list_all
from zconsole.system.libvirt.storage_volume_path import volume_path

ANSWERED_WITHIN_S: Final = 10.0
AT_ONCE: Final = 4  # requests; libvirtd works on five of a client
MOST_EVENTS: Final = 1000  # that wait for their reader; more are the same to it


class NoBinding(CommandFailed):
    """Python without libvirt-python."""


class LibvirtHangs(CommandFailed):
    """libvirt that has taken a connection, and does not answer."""


class LibvirtPythonSource:
    """Connected child."""

    def __init__(self, piped: Piped, host: Host, connection: str, within_s: float, uri: str = "") -> None:
        self._piped = piped
        self._host = host
        self._connection = connection
        self._uri = uri or connection
        self._within_s = within_s
        self._number = 0
        self._waiting: dict[int, asyncio.Future[object]] = {}
        self._hanging: set[tuple[str, str]] = set()  # asked of a guest or a volume without an answer in time
        self._room = asyncio.Semaphore(AT_ONCE)
        self._listeners: set[asyncio.Queue[GuestEvent | None]] = set()
        self._ended: CommandFailed | ParseError | None = None
        self.ready: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self.ready.add_done_callback(_retrieve)

    @property
    def connection(self) -> str:
        return self._connection

    @property
    def uri(self) -> str:
        return self._uri

    @property
    def has_ended(self) -> bool:
        """Whether there is nobody left to ask."""
        return self._ended is not None

    @property
    def anew(self) -> LibvirtPythonSource:
        return self

    async def statuses(self) -> tuple[GuestStatus, ...]:
        try:
            answer = await self._ask(lines.STATUSES)
        except TimeoutError:
            raise self._late() from None
        read = lines.parse_statuses(answer)
        self._keep(domain_stats(SYSTEM), print_domain_stats(cast("lines.Statuses", answer)))
        return tuple(replace(each, connection=self._connection) for each in read)

    async def uuids(self) -> tuple[str, ...]:
        try:
            found = lines.parse_uuids(await self._ask(lines.UUIDS))
        except TimeoutError:
            raise self._late() from None
        self._keep(list_all(SYSTEM), print_uuids(found))
        return found

    async def definition(self, uuid: str) -> GuestDefinition:
        text = lines.parse_definition(await self._ask_of_guest(lines.DEFINITION, uuid))
        self._keep(dump_xml(SYSTEM, uuid), text.encode("utf-8", "surrogateescape"))
        return parse_domain(text)

    async def disk_errors(self, uuid: str) -> Mapping[str, str]:
        errors = lines.parse_errors_of_disks(await self._ask_of_guest(lines.DISK_ERRORS, uuid))
        self._keep(disk_errors(SYSTEM, uuid), print_disk_errors(errors))
        return errors

    async def volume_path(self, pool: str, volume: str) -> str:
        answer = await self._ask_of(lines.VOLUME_PATH, f"{pool}/{volume}", f"volume {volume} of {pool}")
        path = lines.parse_volume_path(answer)
        self._keep(volume_path(SYSTEM, pool, volume), f"{path}\n".encode("utf-8", "surrogateescape"))
        return path if path.startswith("/") else ""

    @asynccontextmanager
    async def events(self) -> AsyncIterator[AsyncIterator[tuple[GuestEvent, ...]]]:
        queue: asyncio.Queue[GuestEvent | None] = asyncio.Queue(MOST_EVENTS)

        async def read() -> AsyncIterator[tuple[GuestEvent, ...]]:
            while self._ended is None:
                event = await queue.get()
                if event is not None:
                    yield (event,)
            raise self._ended

        self._listeners.add(queue)
        try:
            yield read()
        finally:
            self._listeners.discard(queue)

    async def read_on(self) -> None:
        """Read the child's lines until it ends."""
        reader = lines.LibvirtLineReader()
        try:
            while chunk := await self._piped.read():
                for each in reader.feed(chunk):
                    self._take(each)
            completed = await self._piped.ended()
            kind = NoBinding if completed.status == lines.UNAVAILABLE else CommandFailed
            self._end(kind(self._words("ended"), said=completed.said, status=completed.status))
        except ParseError as error:
            self._end(error)
            self._piped.kill()

    async def _ask_of_guest(self, verb: str, uuid: str) -> object:
        return await self._ask_of(verb, uuid, f"guest {uuid}")

    async def _ask_of(self, verb: str, subject: str, words: str) -> object:
        """Ask about one thing, unless the same is asked without an answer: then a QEMU or a disk hangs."""
        if (verb, subject) in self._hanging:
            raise CommandFailed(self._words(f"has not answered about {words}"))
        try:
            return await self._ask(verb, subject)
        except TimeoutError:
            raise CommandFailed(self._words(f"has not answered about {words}")) from None

    async def _ask(self, verb: str, subject: str = "") -> object:
        """Answer to one request. Raises CommandFailed, ParseError, and TimeoutError."""
        async with self._room:
            if self._ended is not None:
                raise self._ended
            self._number += 1
            number, future = self._number, asyncio.get_running_loop().create_future()
            future.add_done_callback(_retrieve)
            self._waiting[number] = future
            try:
                async with asyncio.timeout(self._within_s):
                    await self._piped.write(lines.request(number, verb, subject))
                    return await asyncio.shield(future)
            except BrokenPipeError:
                raise CommandFailed(self._words("ended")) from None
            except TimeoutError:
                if subject:
                    self._hanging.add((verb, subject))
                    future.add_done_callback(lambda _: self._hanging.discard((verb, subject)))
                raise
            finally:
                if future.done() or not subject:
                    self._waiting.pop(number, None)

    def _take(self, line: lines.LibvirtLine) -> None:
        match line:
            case lines.LibvirtReady():
                if not self.ready.done():
                    self.ready.set_result(line)
            case lines.LibvirtAnswer():
                future = self._waiting.pop(line.number, None)
                if future is None or future.done():
                    return
                if line.error:
                    future.set_exception(CommandFailed(self._words("refuses"), said=line.error))
                else:
                    future.set_result(line.value)
            case GuestEvent():
                self._tell(line)

    def _tell(self, event: GuestEvent | None) -> None:
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(event)

    def _end(self, error: CommandFailed | ParseError) -> None:
        self._ended = self._ended or error
        waiting = [*self._waiting.values(), self.ready]
        self._waiting.clear()
        for future in waiting:
            if not future.done():
                future.set_exception(error)
        self._tell(None)

    def _keep(self, command: Command, stdout: bytes) -> None:
        """Have an answer kept for a recording, which is played to virsh's parsers; these know no session."""
        if self._connection == SYSTEM:
            keep_answer(self._host, command, stdout)

    def _late(self) -> CommandFailed:
        """End the child: its connection is of no use."""
        error = LibvirtHangs(self._words(_late(self._within_s)))
        self._end(error)
        self._piped.kill()
        return error

    def _words(self, what: str) -> str:
        return _words(self._connection, self._host.label, what)


@asynccontextmanager
async def libvirt_python(
    here: Host, host: Host, connection: str, socket: str, *, within_s: float = ANSWERED_WITHIN_S
) -> AsyncIterator[LibvirtPythonSource]:
    """A connected child, ended when the context is left; `here` is this machine.

    Raises NoBinding, SocketRefused, CommandFailed, ParseError, and link errors.
    """
    async with forward_socket(host, socket) as local, AsyncExitStack() as stack:
        for way in (ways := lines.ways()):
            child = _child(here, lines.serve(way, connection, local), host, connection, within_s=within_s)
            try:
                source = await stack.enter_async_context(child)
            except NoBinding:
                if way == ways[-1]:
                    raise
            else:
                yield source
                return


@asynccontextmanager
async def _child(
    here: Host, command: Command, host: Host, connection: str, *, within_s: float
) -> AsyncIterator[LibvirtPythonSource]:
    async with pipe(here, command) as piped:
        source = LibvirtPythonSource(piped, host, connection, within_s)
        reading = asyncio.create_task(source.read_on())
        try:
            try:
                async with asyncio.timeout(within_s):
                    await source.ready
            except TimeoutError:
                raise LibvirtHangs(_words(connection, host.label, _late(within_s))) from None
            yield source
        finally:
            piped.finish()
            reading.cancel()
            await asyncio.wait({reading})


def _words(connection: str, label: str, what: str) -> str:
    return f"libvirt of {label} ({connection}) {what}"


def _late(within_s: float) -> str:
    return f"has not answered in {within_s:.3g} s"


def _retrieve(future: asyncio.Future[object]) -> None:
    """Have seen an error that nobody waits for."""
    if not future.cancelled():
        future.exception()
