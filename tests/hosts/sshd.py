"""A bad host: an SSH server of this process that does what a test wants, and a wire that does worse."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import asyncssh

Process = asyncssh.SSHServerProcess[bytes]
Handler = Callable[[Process], Awaitable[None]]


class FreshFiles(asyncssh.SFTPServer):
    """Reads without a buffer, as sftp-server does, so that /proc is read anew; counts what it opens."""

    opened: int = 0

    def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> Any:
        del pflags, attrs
        type(self).opened += 1
        return open(path, "rb", buffering=0)  # noqa: PTH123 - the client closes it


class Sshd:
    """Runs each command by a real `sh -c`, unless `handlers` knows a word in it."""

    def __init__(self, client_key: asyncssh.SSHKey) -> None:
        self.handlers: dict[str, Handler] = {}
        self.commands: list[str] = []
        self.max_sessions = 100
        self.refused = 0  # sessions beyond them
        self.sessions = 0
        self.most_sessions = 0
        self.signals: asyncio.Queue[str] = asyncio.Queue()
        self.connections: list[asyncssh.SSHServerConnection] = []
        self.port = 0
        self.sftp: type[asyncssh.SFTPServer] | None = type("Files", (FreshFiles,), {"opened": 0})
        self.mute_to_signals = False
        self.forwards = False
        self._running: set[asyncio.Task[object]] = set()
        self._client_key = client_key
        self._acceptor: asyncssh.SSHAcceptor | None = None

    @property
    def files_opened(self) -> int:
        return getattr(self.sftp, "opened", 0)

    async def start(self, *host_keys: Any, **options: Any) -> None:
        public = self._client_key.export_public_key().decode()
        self._acceptor = await asyncssh.create_server(
            lambda: _Server(self),
            "127.0.0.1",
            self.port,
            server_host_keys=list(host_keys),
            authorized_client_keys=asyncssh.import_authorized_keys(public),
            encoding=None,
            **options,
        )
        self.port = self._acceptor.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """As if the machine were switched off."""
        if self._acceptor is not None:
            self._acceptor.close()
            for connection in self.connections:
                connection.abort()
            await self._acceptor.wait_closed()
            self._acceptor = None
        await asyncio.gather(*self._running, return_exceptions=True)

    async def serve(self, process: Process) -> None:
        command = process.command or ""
        self.commands.append(command)
        for word, handler in self.handlers.items():
            if word in command:
                await handler(process)
                return
        await self._shell(process, command)

    async def _shell(self, process: Process, command: str) -> None:
        child = await asyncio.create_subprocess_exec(
            *("sh", "-c", command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )

        def kill() -> None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)

        assert isinstance(process, Session)
        process.on_gone = kill
        running = asyncio.current_task()
        assert running is not None
        self._running.add(running)
        try:
            feeding = asyncio.create_task(_feed(process, child.stdin))
            await asyncio.gather(_copy(child.stdout, process.stdout), _copy(child.stderr, process.stderr))
            status = await child.wait()
            feeding.cancel()
        finally:
            kill()
            await child.wait()
            child._transport.close()  # type: ignore[attr-defined]
            self._running.discard(running)
        if status < 0:
            process.exit_with_signal(signal.Signals(-status).name[3:])
        else:
            process.exit(status)


class Session(asyncssh.SSHServerProcess[bytes]):
    """One session, which counts, and which hears signals."""

    def __init__(self, sshd: Sshd) -> None:
        super().__init__(sshd.serve, sshd.sftp, 3, allow_scp=False)
        self.on_gone: Callable[[], None] | None = None
        self._sshd = sshd
        sshd.sessions += 1
        sshd.most_sessions = max(sshd.sessions, sshd.most_sessions)

    def signal_received(self, signal: str) -> None:
        self._sshd.signals.put_nowait(signal)
        if not self._sshd.mute_to_signals and self.on_gone is not None:
            self.on_gone()

    def connection_lost(self, exc: Exception | None) -> None:
        self._sshd.sessions -= 1
        if self.on_gone is not None:
            self.on_gone()
        super().connection_lost(exc)


class _Server(asyncssh.SSHServer):
    def __init__(self, sshd: Sshd) -> None:
        self._sshd = sshd

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._sshd.connections.append(conn)

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        return self._sshd.forwards

    def session_requested(self) -> Any:
        if self._sshd.sessions < self._sshd.max_sessions:
            return Session(self._sshd)
        self._sshd.refused += 1
        return False


async def _copy(source: asyncio.StreamReader | None, target: asyncssh.SSHWriter[bytes]) -> None:
    assert source is not None
    with contextlib.suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()


async def _feed(process: Process, stdin: asyncio.StreamWriter | None) -> None:
    assert stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionError, asyncssh.Error):
        while data := await process.stdin.read(65536):
            stdin.write(data)
            await stdin.drain()
    stdin.close()


class Wire:
    """A TCP wire to a port that can be cut, frozen, and made to trickle."""

    def __init__(self, target_port: int) -> None:
        self.port = 0
        self.passed = 0  # bytes from the server to the client
        self.cut_at: int | None = None  # of `passed`: not one byte more, and the connection is gone
        self.piece_bytes = 65536
        self.connections = 0
        self._target_port = target_port
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def freeze(self) -> None:
        """Nothing passes, nothing is closed."""
        self._open.clear()

    def thaw(self) -> None:
        self._open.set()

    def cut(self) -> None:
        """Both ends see the connection reset."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            back_reader, back_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back_writer}
        for source, sink, counts in ((reader, back_writer, False), (back_reader, writer, True)):
            task = asyncio.create_task(self._pump(source, sink, counts=counts))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, counts: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                for start in range(0, len(data), self.piece_bytes):
                    await self._open.wait()
                    piece = data[start : start + self.piece_bytes]
                    if counts and self.cut_at is not None and self.passed + len(piece) > self.cut_at:
                        sink.write(piece[: self.cut_at - self.passed])
                        self.passed = self.cut_at
                        await sink.drain()
                        sink.close()
                        self.cut_soon(sink)
                        return
                    sink.write(piece)
                    self.passed += len(piece) if counts else 0
                    await sink.drain()
            sink.close()

    def cut_soon(self, spared: asyncio.StreamWriter) -> None:
        for writer in tuple(self._writers):
            if writer is not spared:
                writer.transport.abort()
