"""Host behind SSH: one connection, few channels; a result counts as done only when its end was seen.

The remote command is `exec /usr/bin/env -i ... PROGRAM ...`. It is killed by a signal over its channel, or by
kill(1) where sshd passes no signal (for root, and before OpenSSH 7.9). A link that is cut while a command
runs makes its outcome UNKNOWN. The output of an account's forced command is not accepted as an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Final

import asyncssh

from zconsole.base.errors import CommandFailed, HostKeyChanged, LinkLost, NeverSent
from zconsole.hosts.build_command_results import ended, never_started, past_deadline, unknown
from zconsole.hosts.collected_and_streamed_output import CollectedOutput, OutputFeed, StreamIterator
from zconsole.hosts.host import Command, Completed, Effect, Outcome, Piped, SocketRefused
from zconsole.hosts.host_address import Address
from zconsole.hosts.running_command_with_stdin import RunningPipe
from zconsole.hosts.ssh.channel import Channel, open_channel
from zconsole.hosts.ssh.connection import SshLink, UntrustedKey, open_link
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.forwarded_unix_socket import forwarded_socket
from zconsole.hosts.ssh.known_hosts_file import append_key
from zconsole.hosts.ssh.login_phase_recorder import LoginRecorder
from zconsole.hosts.ssh.remote_file_reader import RemoteFiles
from zconsole.hosts.ssh.several_commands_in_one_session import SessionSharing, SharedSession, may_share
from zconsole.hosts.ssh.shell_quoting_and_output_marker import line, why_not
from zconsole.hosts.wait_with_timeout import is_set_within, within
from zconsole.model.host.ssh_login import SshLogin

SIGNAL_WAIT_S: Final = 0.25  # then the signal over the channel is assumed to have failed
KILL_WITHIN_S: Final = 20.0  # on a busy host: until a late command starts, and again until it is killed
CLOSE_WITHIN_S: Final = 1.0  # for commands being killed when the connection is closed
FIRST_RETRY_S: Final = 0.1  # after sshd refused a session beyond its MaxSessions; doubled each time
LONGEST_RETRY_S: Final = 1.0
NO_ROOM: Final = frozenset({asyncssh.OPEN_CONNECT_FAILED, asyncssh.OPEN_RESOURCE_SHORTAGE})
SHELL_REFUSED: Final = "the login shell did not start it"


class _NeverStarted(Exception):
    """The command certainly did not run; the message says why."""


class SshHost:
    """Host reached by the user's ssh configuration."""

    def __init__(self, address: Address, options: SshOptions | None = None) -> None:
        self._address = address
        self._options = options or SshOptions()
        self._link: SshLink | None = None
        self._connections = 0  # connections made so far
        self._login: LoginRecorder | None = None  # of the newest attempt to connect
        self._files: RemoteFiles | None = None
        self._connecting = asyncio.Lock()
        self._lingering: dict[Channel, Command] = {}
        self._opening: set[asyncio.Task[None]] = set()
        self._killing: set[asyncio.Task[None]] = set()
        self._sharing = SessionSharing(self.run, self._run_together)
        self._urgent_sharing = SessionSharing(self.run, self._run_together)  # behind no other reading

    @property
    def label(self) -> str:
        return self._address.label

    @property
    def host_key(self) -> str | None:
        """The fingerprint of the host key of the current connection."""
        return None if self._link is None else self._link.host_key

    @property
    def connection(self) -> int | None:
        """Number of the current connection, counted from 1."""
        return self._connections if self._link is not None and self._link.is_up else None

    @property
    def login(self) -> SshLogin | None:
        """Durations of the newest login, also of one that has failed."""
        return None if self._login is None else self._login.login

    async def connect(self) -> None:
        try:
            await self._connect()
        except UntrustedKey as untrusted:
            raise untrusted.error from None

    async def accept_key(self, fingerprint: str) -> None:
        """Request the host key again, and store it if it has the fingerprint that the user confirmed.

        Raises HostKeyChanged if it has another one.
        """
        try:
            await self._connect()
        except UntrustedKey as untrusted:
            presented = untrusted.presented
            if presented.fingerprint != fingerprint:
                raise HostKeyChanged(
                    f"{self.label} shows another key now: {presented.fingerprint}, not {fingerprint}",
                    hint="Nothing was stored. Compare again, or ask who answers at that address.",
                ) from None
            append_key(presented.file, presented.name, presented.port, presented.key)

    async def run(self, command: Command) -> Completed:
        if may_share(command):
            sharing = self._urgent_sharing if command.is_urgent else self._sharing
            return await sharing.run(command)
        if reason := why_not(command.argv):
            return never_started(command, reason)
        completed, _ = await self._run(command)
        return completed

    async def _run_together(self, session: SharedSession) -> tuple[Completed, ...]:
        """Run commands in one session; the last result is of the one that did not end, if there is one."""
        completed, channel = await self._run(session.as_one, session)
        found = session.results(completed)
        if completed.outcome is not Outcome.UNKNOWN or len(found) == len(session.commands):
            return found
        hangs = session.commands[len(found)]
        if channel in self._lingering:
            self._lingering[channel] = hangs
        printed = session.rest(completed.stdout)
        return (*found, unknown(hangs, completed.reason, printed, duration_s=completed.duration_s))

    async def _run(self, command: Command, session: SharedSession | None = None) -> tuple[Completed, Channel]:
        """Run a command, or those of a session, each within its own time."""
        link = self._require_link(command)
        loop = asyncio.get_running_loop()
        began = loop.time()
        over = asyncio.Event()
        gathered = CollectedOutput(command.max_bytes, over.set, keeps_end=command.keeps_end)
        channel = Channel(gathered, command.stdin, over)
        try:
            await self._take_turn(link, channel, command)
            began = loop.time()
            in_time = await self._open(link, channel, command)
            if in_time:
                in_time = await is_set_within(over, within_s=began + command.timeout_s - loop.time())
                count = 0
                while not in_time and session and (now := session.count_ended(gathered.stdout)) > count:
                    count = now
                    in_time = await is_set_within(over, within_s=session.timeout_behind(count))
        except _NeverStarted as refusal:
            return never_started(command, str(refusal)), channel
        finally:
            gathered.end()
            self._let_go(link, channel, command)
        doubt = gathered.overran or self._doubt(link, channel, in_time=in_time)
        took = loop.time() - began
        completed = _completed(command, channel, doubt, (gathered.stdout, gathered.stderr), took)
        return replace(completed, is_cut=True) if gathered.is_cut else completed, channel

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        """Start a command; see the protocol. `timeout_s` limits its start, not its length."""
        name = command.argv[0] if command.argv else "nothing"
        if reason := why_not(command.argv):
            raise CommandFailed(f"{name} was not started on {self.label}: {reason}")
        link = self._require_link(command)
        feed = OutputFeed()
        channel = Channel(feed, command.stdin, asyncio.Event())
        feed.source = channel
        try:
            await self._take_turn(link, channel, command)
            if not await self._open(link, channel, command):
                raise CommandFailed(f"{name} on {self.label}: {past_deadline(command)}")
            yield StreamIterator(feed, lambda: self._how_it_ended(link, channel, feed, name))
        except _NeverStarted as refusal:
            raise CommandFailed(f"{name} was not started on {self.label}: {refusal}") from None
        finally:
            self._let_go(link, channel, command)

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        name = command.argv[0] if command.argv else "nothing"
        if reason := why_not(command.argv):
            raise CommandFailed(f"{name} was not started on {self.label}: {reason}")
        link = self._require_link(command)
        feed, over = OutputFeed(), asyncio.Event()
        channel = Channel(feed, command.stdin, over, keeps_stdin=True)
        feed.source = channel
        began = asyncio.get_running_loop().time()

        def complete() -> Completed:
            took = asyncio.get_running_loop().time() - began
            doubt = self._doubt(link, channel, in_time=True)
            return _completed(command, channel, doubt, (b"", feed.stderr), took)

        try:
            await self._take_turn(link, channel, command)
            if not await self._open(link, channel, command):
                raise CommandFailed(f"{name} on {self.label}: {past_deadline(command)}")
            kill = partial(self._let_go, link, channel, command)
            yield RunningPipe(feed, channel, over, complete=complete, kill=kill)
        except _NeverStarted as refusal:
            raise CommandFailed(f"{name} was not started on {self.label}: {refusal}") from None
        finally:
            self._let_go(link, channel, command)

    @property
    def forwards_sockets(self) -> bool:
        return True

    @asynccontextmanager
    async def forward_socket(self, path: str) -> AsyncIterator[str]:
        link = self._require_link()
        try:
            async with forwarded_socket(link.connection, path) as local:
                yield local
        except (asyncssh.Error, OSError) as error:
            if not link.is_up:
                raise LinkLost(f"the connection to {self.label} was lost") from error
            reason = getattr(error, "reason", "") or str(error)
            raise SocketRefused(f"{path} of {self.label} cannot be connected to: {reason}") from error

    def is_lingering(self, command: Command) -> bool:
        return any(kept.argv == command.argv for kept in self._lingering.values())

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        self._require_link()
        assert self._files is not None  # noqa: S101 - made with the link
        return await self._files.read(path, max_bytes)

    @property
    def runs_any_command(self) -> bool:
        return True

    @property
    def lists_folders(self) -> bool:
        return True

    async def list_folder(self, path: str) -> tuple[str, ...]:
        self._require_link()
        assert self._files is not None  # noqa: S101 - made with the link
        return await self._files.names(path)

    async def close(self) -> None:
        link = self._link
        try:
            if self._killing and link is not None and link.is_up:
                await asyncio.wait(self._killing, timeout=CLOSE_WITHIN_S)
            for killing in tuple(self._killing):
                killing.cancel()
            self._link = None
            files, self._files = self._files, None
            if files is not None:
                files.forget()
            if link is not None:
                await link.close()
            self._lingering.clear()
        except asyncio.CancelledError:  # the caller was cancelled
            if link is not None:
                link.abort()
            raise

    async def _connect(self) -> None:
        async with self._connecting:
            if self._link is not None and self._link.is_up:
                return
            await self.close()
            self._login = LoginRecorder(self.label)
            self._link = await open_link(self._address, self._options, login=self._login)
            self._connections += 1
            self._files = RemoteFiles(self._link, self.label, self.run, self._options.read_timeout_s)

    def _require_link(self, command: Command | None = None) -> SshLink:
        if self._link is None:
            raise NeverSent(f"there is no connection to {self.label}")
        if not self._link.is_up:
            raise NeverSent(f"the connection to {self.label} was lost")
        if command is not None and command.connection not in {None, self._connections}:
            raise NeverSent(f"the connection to {self.label} was lost and replaced by another")
        return self._link

    async def _take_turn(self, link: SshLink, channel: Channel, command: Command) -> None:
        """Wait for a free channel, at most `timeout_s`; the wait does not count for the command.

        Raises _NeverStarted.
        """
        is_urgent = command.is_urgent or command.effect is Effect.CHANGE
        channels = link.channels_for(is_urgent=is_urgent)
        try:
            async with asyncio.timeout(command.timeout_s):
                await channels.acquire()
        except TimeoutError:
            channel.was_refused = True
            raise _NeverStarted(
                "all channels of the connection are in use by commands that have not ended in "
                f"{command.timeout_s:g} s"
            ) from None
        except asyncio.CancelledError:
            channel.was_refused = True
            raise
        channel.on_closed.append(channels.release)

    async def _open(self, link: SshLink, channel: Channel, command: Command) -> bool:
        """Open a channel and start the command; False when the timeout passed and it may still start.

        Raises NeverSent and _NeverStarted when it certainly did not.
        """
        task = await self._opened_in_time(link, channel, command)
        if not task.done():
            channel.give_up()
            if channel.was_opened:
                return False
            channel.was_refused = True
            raise _NeverStarted(f"{past_deadline(command)}: sshd opened no session")
        error = task.exception()
        is_refusal = link.is_up and isinstance(error, asyncssh.ChannelOpenError)
        if error is None or (channel.was_opened and not is_refusal):
            return True
        if not link.is_up:
            raise NeverSent(f"the connection to {self.label} was lost")
        channel.was_refused = True
        if isinstance(error, asyncssh.ChannelOpenError):
            what = "a command" if channel.was_opened else "another session (MaxSessions?)"
            raise _NeverStarted(f"sshd refuses {what}: {error.reason}")
        raise error

    async def _opened_in_time(self, link: SshLink, channel: Channel, command: Command) -> asyncio.Task[None]:
        """The attempt to open it, done unless the timeout passed; repeated while sshd has no room.

        sshd counts a session until its processes are gone, and may allow fewer than we use.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + command.timeout_s
        pause_s = FIRST_RETRY_S
        channel.first = link.first_session()
        while True:
            task = asyncio.create_task(open_channel(link.connection, channel, line(command.argv)))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)
            try:
                await asyncio.wait({task}, timeout=max(0.0, deadline - loop.time()))
                is_repeated = _lacks_room(task, channel) and link.is_up and loop.time() + pause_s < deadline
                if not is_repeated:
                    task.add_done_callback(lambda done: _finish_unopened(done, channel))
                    return task
                await asyncio.sleep(pause_s)
            except asyncio.CancelledError:
                task.add_done_callback(lambda done: _finish_unopened(done, channel))
                raise
            pause_s = min(2 * pause_s, LONGEST_RETRY_S)

    def _let_go(self, link: SshLink, channel: Channel, command: Command) -> None:
        """Kill the command if it still runs, and track it until it has ended."""
        if channel.is_closed or channel in self._lingering:
            return
        channel.give_up()
        if channel.was_refused:
            return
        self._lingering[channel] = command
        channel.on_closed.append(lambda: self._lingering.pop(channel, None))
        killing = asyncio.create_task(self._kill(link, channel))
        self._killing.add(killing)
        killing.add_done_callback(self._killing.discard)

    async def _kill(self, link: SshLink, channel: Channel) -> None:
        """Kill the session of processes by its id if the signal over the channel had no effect."""
        if await is_set_within(channel.closed, within_s=SIGNAL_WAIT_S):
            return
        await is_set_within(channel.began, within_s=KILL_WITHIN_S)
        if channel.is_closed or channel.mark.session is None:
            return
        over = asyncio.Event()
        killer = Channel(CollectedOutput(0, over.set), None, over)
        argv = ("kill", "-KILL", "--", f"-{channel.mark.session}")
        # AttributeError: asyncssh's own, where the connection is closed while the session opens
        with suppress(asyncssh.Error, OSError, TimeoutError, AttributeError):
            await within(KILL_WITHIN_S, open_channel(link.connection, killer, line(argv)))
            await is_set_within(over, within_s=KILL_WITHIN_S)

    def _doubt(self, link: SshLink, channel: Channel, *, in_time: bool) -> str | None:
        """Why the outcome is unknown; None when its end and all of its output were seen."""
        if channel.signal is not None:
            return f"it was killed by SIG{channel.signal}"
        if not link.is_up and not (channel.is_complete and channel.status is not None):
            return "the connection was lost before it was seen to end"
        if not in_time:
            return ""
        if channel.status is None:
            return "its session was closed without an exit status"
        if not channel.mark.is_past and channel.status == 0:
            return "the login shell answered, but did not say that it started the command"
        return None

    def _how_it_ended(
        self, link: SshLink, channel: Channel, feed: OutputFeed, name: str
    ) -> CommandFailed | LinkLost:
        if not link.is_up:
            return LinkLost(f"the connection to {self.label} was lost")
        how = f"ended with {channel.status}"
        if channel.signal is not None:
            how = f"it was killed by SIG{channel.signal}"
        elif channel.status is None:
            how = "its session was closed without an exit status"
        words = feed.stderr if channel.mark.is_past else feed.stderr or channel.mark.noise
        said = words.decode("utf-8", "replace").strip()
        return CommandFailed(f"{name} on {self.label}: {how}", said=said, status=channel.status)


def _completed(
    command: Command, channel: Channel, doubt: str | None, said: tuple[bytes, bytes], took: float
) -> Completed:
    """Result of a command as far as seen."""
    stdout, stderr = said
    if doubt is not None or channel.status is None:
        in_doubt = unknown(command, doubt or past_deadline(command), stdout, stderr, duration_s=took)
        return replace(in_doubt, session=channel.mark.session)
    if not channel.mark.is_past:
        noise = stderr or channel.mark.noise
        return never_started(command, SHELL_REFUSED, status=channel.status, said=noise)
    return ended(command, channel.status, stdout, stderr, duration_s=took)


def _lacks_room(task: asyncio.Task[None], channel: Channel) -> bool:
    """Whether sshd refused the session, as it does beyond its MaxSessions."""
    error = task.exception() if task.done() else None
    return isinstance(error, asyncssh.ChannelOpenError) and error.code in NO_ROOM and not channel.was_opened


def _finish_unopened(task: asyncio.Task[None], channel: Channel) -> None:
    """Finish a channel whose opening failed; an open one is finished by its callback."""
    if (task.cancelled() or task.exception() is not None) and not channel.has_session:
        channel.connection_lost(None)
