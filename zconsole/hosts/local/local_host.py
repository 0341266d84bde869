"""This machine as a host: commands are subprocesses, files are read directly.

A command killed by a signal is UNKNOWN: it may have done part of its work. One that does not die of SIGKILL
waits in the kernel (suspended pool): it is abandoned, and `is_lingering` reports it until it ends.

A command that changes something is not killed when this program ends (`hosts/local/detached_command.py`);
a reading command and a stream through this program are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Final

from zconsole.base.errors import CommandFailed, HostError, Stuck
from zconsole.hosts.build_command_results import (
    NOT_FOUND,
    ended,
    killed_by,
    never_started,
    past_deadline,
    unknown,
)
from zconsole.hosts.collected_and_streamed_output import (
    CollectedOutput,
    OutputFeed,
    OutputReceiver,
    StreamIterator,
)
from zconsole.hosts.host import Command, Completed, Effect, Piped
from zconsole.hosts.local.child_process import ChildProcess, start
from zconsole.hosts.local.detached_command import OutlivingCommand
from zconsole.hosts.local.local_file_reader import FileReader
from zconsole.hosts.running_command_with_stdin import RunningPipe
from zconsole.hosts.wait_with_timeout import is_set_within

KILL_WAIT_S: Final = 0.5  # whatever SIGKILL can end has ended by then


class LocalHost:
    """The machine that this program runs on."""

    def __init__(self, label: str = "local", *, read_timeout_s: float = 10.0) -> None:
        self._label = label
        self._files = FileReader(timeout_s=read_timeout_s)
        self._children: set[ChildProcess] = set()
        self._lingering: dict[ChildProcess | OutlivingCommand, Command] = {}
        self._watches: set[asyncio.Task[None]] = set()

    @property
    def label(self) -> str:
        return self._label

    @property
    def is_here(self) -> bool:
        return True

    async def connect(self) -> None:
        """Nothing to connect."""

    async def run(self, command: Command) -> Completed:
        if command.effect is Effect.CHANGE:
            return await self._change(command)
        over = asyncio.Event()
        gathered = CollectedOutput(command.max_bytes, over.set, keeps_end=command.keeps_end)
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            child = await self._start(command, gathered, over)
        except (OSError, ValueError) as error:
            return _not_started(command, error)
        in_time = False
        try:
            in_time = await is_set_within(over, within_s=began + command.timeout_s - loop.time())
        finally:
            gathered.end()
            dead = await self._end(child, command)
        reason = gathered.overran
        if not reason and not in_time:
            reason = _late(command, is_dead=dead)
        took = loop.time() - began
        completed = _completed(command, child, reason, (gathered.stdout, gathered.stderr), took)
        return replace(completed, is_cut=True) if gathered.is_cut else completed

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        """Start a command; see the protocol. `timeout_s` and `max_bytes` do not limit a stream."""
        name = command.argv[0] if command.argv else "nothing"
        feed = OutputFeed()
        try:
            child = await self._start(command, feed, asyncio.Event())
        except (OSError, ValueError) as error:
            reason = _not_started(command, error).reason
            raise CommandFailed(f"{name} was not started on {self.label}: {reason}") from error
        feed.source = child
        try:
            yield StreamIterator(feed, lambda: self._how_it_ended(name, child, feed))
        finally:
            await self._end(child, command)

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        feed, over = OutputFeed(), asyncio.Event()
        began = asyncio.get_running_loop().time()
        try:
            child = await self._start(command, feed, over, keeps_stdin=True)
        except (OSError, ValueError) as error:
            reason = _not_started(command, error).reason
            name = command.argv[0] if command.argv else "nothing"
            raise CommandFailed(f"{name} was not started on {self.label}: {reason}") from error
        feed.source = child

        def complete() -> Completed:
            took = asyncio.get_running_loop().time() - began
            return _completed(command, child, "", (b"", feed.stderr), took)

        try:
            yield RunningPipe(feed, child, over, complete=complete, kill=child.kill)
        finally:
            await self._end(child, command)

    @property
    def forwards_sockets(self) -> bool:
        return True

    @asynccontextmanager
    async def forward_socket(self, path: str) -> AsyncIterator[str]:
        """The socket itself."""
        yield path

    def is_lingering(self, command: Command) -> bool:
        return any(kept.argv == command.argv for kept in self._lingering.values())

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        try:
            return await self._files.read(path, max_bytes)
        except (Stuck, FileNotFoundError, PermissionError):
            raise
        except OSError as error:
            raise HostError(f"{path} cannot be read on {self.label}: {error.strerror or error}") from error

    @property
    def runs_any_command(self) -> bool:
        return True

    @property
    def lists_folders(self) -> bool:
        return True

    async def list_folder(self, path: str) -> tuple[str, ...]:
        try:
            return self._files.names(path)
        except (FileNotFoundError, PermissionError):
            raise
        except OSError as error:
            raise HostError(f"{path} cannot be listed on {self.label}: {error.strerror or error}") from error

    async def close(self) -> None:
        for child in tuple(self._children):
            child.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(KILL_WAIT_S):
                for child in tuple(self._children):
                    await child.exited.wait()
        for child in tuple(self._children):
            child.let_go()
        for watch in tuple(self._watches):
            watch.cancel()

    async def _change(self, command: Command) -> Completed:
        """Run to the end; cancelling the caller leaves the command running."""
        began = asyncio.get_running_loop().time()
        try:
            change = OutlivingCommand(command)
        except (OSError, ValueError) as error:
            return _not_started(command, error)
        try:
            in_time = await is_set_within(change.exited, within_s=command.timeout_s)
            if not in_time:
                change.kill()
            dead = await is_set_within(change.exited, within_s=KILL_WAIT_S)
            said = change.said()
        finally:
            change.let_go()
            if not change.exited.is_set():
                self._keep_in_mind(change, command)
        took = asyncio.get_running_loop().time() - began
        return _completed(command, change, "" if in_time else _late(command, is_dead=dead), said, took)

    async def _start(
        self, command: Command, intake: OutputReceiver, over: asyncio.Event, *, keeps_stdin: bool = False
    ) -> ChildProcess:
        starting = asyncio.create_task(start(command, intake, over, keeps_stdin=keeps_stdin))
        try:
            child = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # asyncio would reap it behind the back of its own watcher, which warns on the terminal
            with suppress(OSError, ValueError):
                await self._end(await starting, command)
            raise
        self._children.add(child)
        return child

    def _how_it_ended(self, name: str, child: ChildProcess, feed: OutputFeed) -> CommandFailed:
        status = child.status
        how = f"ended with {status}" if status is None or status >= 0 else killed_by(-status)
        said = feed.stderr.decode("utf-8", "replace").strip()
        return CommandFailed(f"{name} on {self.label}: {how}", said=said, status=status)

    async def _end(self, child: ChildProcess, command: Command) -> bool:
        """Kill a child if needed; returns whether it has ended."""
        if not child.finished:
            child.kill()
        try:
            await is_set_within(child.exited, within_s=KILL_WAIT_S)
        finally:
            child.let_go()
            if child.exited.is_set():
                self._children.discard(child)
            else:
                self._keep_in_mind(child, command)
        return child.exited.is_set()

    def _keep_in_mind(self, child: ChildProcess | OutlivingCommand, command: Command) -> None:
        """Register an abandoned child that has not ended."""
        self._lingering[child] = command
        watch = asyncio.create_task(self._watch(child))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)

    async def _watch(self, child: ChildProcess | OutlivingCommand) -> None:
        """Unregister an abandoned child when it ends."""
        await child.exited.wait()
        if isinstance(child, ChildProcess):
            self._children.discard(child)
        self._lingering.pop(child, None)


def _late(command: Command, *, is_dead: bool) -> str:
    return past_deadline(command) + ("" if is_dead else ", and it cannot be killed: it waits in the kernel")


def _completed(
    command: Command,
    child: ChildProcess | OutlivingCommand,
    reason: str,
    said: tuple[bytes, bytes],
    took: float,
) -> Completed:
    """Result of a child as far as seen: one killed by a signal may have done part of its work."""
    status = child.status
    if not reason and status is not None and status < 0:
        reason = killed_by(-status)
    if reason or status is None:
        return replace(unknown(command, reason, *said, duration_s=took), session=child.session)
    return ended(command, status, *said, duration_s=took)


def _not_started(command: Command, error: OSError | ValueError) -> Completed:
    """The reason why the system did not start it."""
    program = command.argv[0] if command.argv else ""
    if isinstance(error, FileNotFoundError):
        return never_started(command, f"there is no program {program}", status=NOT_FOUND)
    if isinstance(error, PermissionError):
        return never_started(command, f"{program} may not be run: permission denied")
    strerror = error.strerror if isinstance(error, OSError) else None
    return never_started(command, f"{program} could not be started: {strerror or error}")
