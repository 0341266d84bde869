"""Files of a host behind SSH: read by SFTP, which forks nothing; by `cat` without SFTP.

A /proc file is kept open and read again from offset 0, which makes the kernel regenerate it. Sizes are never
requested, because /proc reports 0. sftp-server is sequential, so one that hangs in a read is abandoned and
another one is started, twice at most.
"""

from __future__ import annotations

import asyncio
import errno
import os
import stat
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Final, TypeVar, cast

import asyncssh
from asyncssh.channel import SSHChannel
from asyncssh.sftp import SFTPClientFile, start_sftp_client

from zconsole.base.errors import CommandFailed, HostError, LinkLost, Stuck
from zconsole.hosts.host import CannotListFolders, Command, Completed, Outcome
from zconsole.hosts.ssh.connection import SshLink

KEPT_OPEN: Final = "/proc/"
MAX_OPEN: Final = 64  # open files; sshd allows 100 descriptors or more
# A short read of a /proc file may be a full page less a line that did not fit. No kstat line is longer than
# half a page: a shorter read is complete, and its end need not be requested.
KSTATS: Final = "/proc/spl/kstat/"
HALF_PAGE: Final = 2048
BLOCK_BYTES: Final = 32 * 1024  # every SFTP server can answer it in one packet
MAX_STUCK: Final = 2
REQUEST_REFUSED: Final = 0xFFFFFFFF  # asyncssh's code for a session without this subsystem
# Without SFTPBadMessage: OpenSSH returns it for a /proc file that has disappeared (EINVAL from seek).
NO_SESSION: Final = (asyncssh.SFTPConnectionLost, asyncssh.SFTPNoConnection)
T = TypeVar("T")
NO_SUCH_FILE: Final = (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath)


class Sftp:
    """One SFTP session and its open files."""

    def __init__(self, client: asyncssh.SFTPClient, channel: SSHChannel[bytes]) -> None:
        self.channel = channel
        self._client = client
        self._files: OrderedDict[str, SFTPClientFile] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}

    async def read(self, path: str, max_bytes: int) -> bytes:
        """The contents of a file. Raises asyncssh.SFTPError."""
        if not path.startswith(KEPT_OPEN):
            file = await self._open(path)
            try:
                return await _pull(file, path, max_bytes)
            finally:
                await file.close()
        async with self._locks.setdefault(path, asyncio.Lock()):
            if data := await self._read_again(path, max_bytes):
                return data
            file = await self._open(path)
            try:
                data = await _pull(file, path, max_bytes)
            except BaseException:
                await file.close()
                raise
            await self._keep(path, file)
            return data

    async def names(self, path: str) -> tuple[str, ...]:
        """Names in a folder, those of folders with a slash at the end. Raises asyncssh.SFTPError."""
        entries = await self._client.readdir(os.fsencode(path))
        names: list[str] = []
        for entry in entries:
            name = os.fsdecode(cast("bytes", entry.filename))
            if name not in {".", ".."}:
                is_folder = stat.S_ISDIR(entry.attrs.permissions or 0)
                names.append(f"{name}/" if is_folder else name)
        return tuple(names)

    async def _read_again(self, path: str, max_bytes: int) -> bytes:
        """Read the open file again; None when there is none or its object has disappeared (pool exported)."""
        file = self._files.pop(path, None)
        if file is None:
            return b""
        try:
            data = await _pull(file, path, max_bytes)
        except NO_SESSION:
            raise
        except asyncssh.SFTPError:
            data = b""
        if data:
            self._files[path] = file
        else:
            await _close(file)
        return data

    async def _keep(self, path: str, file: SFTPClientFile) -> None:
        self._files[path] = file
        if len(self._files) > MAX_OPEN:
            oldest, file = self._files.popitem(last=False)
            self._locks.pop(oldest, None)
            await _close(file)

    async def _open(self, path: str) -> SFTPClientFile:
        # Without a block size asyncssh sends the request directly and not from tasks.
        return await self._client.open(os.fsencode(path), "rb", encoding=None, block_size=0)


class RemoteFiles:
    """Reader of files over one link."""

    def __init__(
        self, link: SshLink, label: str, run: Callable[[Command], Awaitable[Completed]], timeout_s: float
    ) -> None:
        self._link = link
        self._label = label
        self._run = run
        self._timeout_s = timeout_s
        self._starting: asyncio.Task[Sftp] | None = None
        self._is_missing = False
        self._stuck = 0
        self._watches: set[asyncio.Task[None]] = set()

    async def read(self, path: str, max_bytes: int) -> bytes:
        """The contents. Raises FileNotFoundError, PermissionError, HostError."""
        data = await self._by_sftp(path, lambda sftp: sftp.read(path, max_bytes))
        return await self._cat(path, max_bytes) if data is None else data

    async def names(self, path: str) -> tuple[str, ...]:
        """Names in a folder, as of `ls -p`.

        Raises FileNotFoundError, PermissionError, CannotListFolders without SFTP, HostError.
        """
        names = await self._by_sftp(path, lambda sftp: sftp.names(path))
        if names is None:
            raise CannotListFolders(f"{self._label} has no SFTP")
        return names

    async def _by_sftp(self, path: str, ask: Callable[[Sftp], Coroutine[None, None, T]]) -> T | None:
        """An answer of SFTP within the time limit; None where the host has none."""
        for _ in range(2):  # an ended session is replaced once
            sftp = await self._session()
            if sftp is None:
                return None
            reading = asyncio.create_task(ask(sftp))
            reading.add_done_callback(_heard)
            try:
                await asyncio.wait({reading}, timeout=self._timeout_s)
                if not reading.done():
                    self._leave_stuck(sftp)
                    raise Stuck(f"reading {path} on {self._label} took more than {self._timeout_s:g} s")
                return reading.result()
            except NO_SESSION:
                self._require_link()
                self._starting = None
                sftp.channel.abort()
            except asyncssh.SFTPError as error:
                raise _as_os_error(path, error, self._label) from error
            except asyncssh.Error as error:
                raise LinkLost(f"the connection to {self._label} was lost") from error
            finally:
                reading.cancel()
        raise HostError(f"{self._label} ends every SFTP session at once")

    def forget(self) -> None:
        """Drop the sessions: the link is being closed."""
        for watch in tuple(self._watches):
            watch.cancel()

    async def _session(self) -> Sftp | None:
        """The SFTP session, started when first needed; None when the host has no SFTP."""
        if self._is_missing:
            return None
        if self._stuck >= MAX_STUCK:
            raise Stuck(f"earlier reads of files on {self._label} still hang")
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
            self._starting.add_done_callback(_heard)
        starting = self._starting
        if not starting.done():
            await asyncio.wait({starting}, timeout=self._timeout_s)
        if not starting.done():
            raise Stuck(f"{self._label} opened no SFTP session within {self._timeout_s:g} s")
        error = starting.exception()
        if error is None:
            return starting.result()
        self._require_link()
        self._starting = None
        busy = isinstance(error, asyncssh.ChannelOpenError) and error.code != REQUEST_REFUSED
        self._is_missing = not busy
        return None

    async def _start(self) -> Sftp:
        link = self._link
        await link.channels.acquire()
        first = link.first_session()
        try:
            writer, reader, _ = await link.connection.open_session(
                subsystem="sftp",
                encoding=None,
                request_pty=False,
                x11_forwarding=False,
                env=None,
                send_env=None,
            )
        except BaseException:
            link.channels.release()
            if first is not None:
                first.over()
            raise
        if first is not None:
            first.opened()
        channel = writer.channel
        watch = asyncio.create_task(self._watch(channel))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._timeout_s / 2):
                client = await start_sftp_client(
                    link.connection, loop, "replace", reader, writer, "utf-8", "surrogateescape", 3
                )
        except BaseException:
            if first is not None:
                first.over()
            channel.abort()  # login files that print text break SFTP
            raise
        if first is not None:
            first.answered()
        return Sftp(client, channel)

    async def _watch(self, channel: SSHChannel[bytes]) -> None:
        await channel.wait_closed()
        self._link.channels.release()

    def _leave_stuck(self, sftp: Sftp) -> None:
        """Abandon a hanging session; it counts until it has ended."""
        self._starting = None
        self._stuck += 1
        with suppress(OSError):
            sftp.channel.write_eof()
        watch = asyncio.create_task(self._until_unstuck(sftp))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)

    async def _until_unstuck(self, sftp: Sftp) -> None:
        await sftp.channel.wait_closed()
        self._stuck -= 1

    def _require_link(self) -> None:
        if not self._link.is_up:
            raise LinkLost(f"the connection to {self._label} was lost")

    async def _cat(self, path: str, max_bytes: int) -> bytes:
        done = await self._run(Command(("cat", "--", path), timeout_s=self._timeout_s, max_bytes=max_bytes))
        if done.is_done:
            return done.stdout
        self._require_link()
        if done.outcome is Outcome.UNKNOWN:
            raise CommandFailed(f"{path} on {self._label}: {done.reason}")
        for flag, error in (("-e", FileNotFoundError), ("-r", PermissionError)):
            answer = await self._run(Command(("test", flag, path), timeout_s=self._timeout_s))
            if answer.status == 1:
                number = errno.ENOENT if error is FileNotFoundError else errno.EACCES
                raise error(number, os.strerror(number), path)
        raise CommandFailed(f"{path} cannot be read on {self._label}", said=done.said or done.reason)


async def _pull(file: SFTPClientFile, path: str, max_bytes: int) -> bytes:
    """Read from the beginning to the end, sequentially."""
    kept = bytearray()
    while True:
        piece = cast("bytes", await file.read(BLOCK_BYTES, len(kept)))
        kept += piece
        if len(kept) > max_bytes:
            raise CommandFailed(f"{path} is larger than {max_bytes} bytes")
        if not piece or (len(piece) < HALF_PAGE and path.startswith(KSTATS)):
            return bytes(kept)


async def _close(file: SFTPClientFile) -> None:
    with suppress(asyncssh.SFTPError):
        await file.close()


def _as_os_error(path: str, error: asyncssh.SFTPError, label: str) -> OSError | HostError:
    if isinstance(error, NO_SUCH_FILE):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if isinstance(error, asyncssh.SFTPPermissionDenied):
        return PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return CommandFailed(f"{path} cannot be read on {label}: {error.reason}", said=error.reason)


def _heard(task: asyncio.Task[object]) -> None:
    """Retrieve a task's exception, so that an abandoned task logs nothing."""
    if not task.cancelled():
        task.exception()
