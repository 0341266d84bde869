"""Commands as values, and the protocol of hosts that run them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from enum import Enum
from typing import Final, Protocol, runtime_checkable

from zconsole.base.errors import HostError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.ssh_login import SshLogin

PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENVIRONMENT: Final = (("PATH", PATH), ("TZ", "UTC"), ("LC_ALL", "C.UTF-8"))
DEFAULT_TIMEOUT_S: Final = 10.0
DEFAULT_MAX_BYTES: Final = 16 * 1024 * 1024
LISTING_MAX_BYTES: Final = 20 * 1024 * 1024  # of rows that become objects, which take four times as much
NOT_STARTED: Final = frozenset({126, 127})  # exit statuses of env and shells: the program is not there


class Effect(Enum):
    """Whether a command only reads or changes something."""

    READ = "read"
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Command:
    """Program invocation as data, never a shell string. `argv[0]` is looked up in PATH."""

    argv: tuple[str, ...]
    effect: Effect = Effect.READ
    timeout_s: float = DEFAULT_TIMEOUT_S
    max_bytes: int = DEFAULT_MAX_BYTES
    stdin: bytes | None = field(default=None, repr=False)  # may be a secret: never log it
    connection: int | None = None  # send over this connection (see `connection_of`) or not at all
    is_urgent: bool = False  # does not wait for the channels that other commands occupy
    shares_session: bool = False  # may run behind others that are asked for at the same moment
    keeps_end: bool = False  # of more than `max_bytes` the last lines are kept, and nothing is refused
    is_several: bool = False  # stands for several commands, by which its answers are kept: see `keep_answer`


class Outcome(Enum):
    """Outcome of a command."""

    DONE = "done"  # exit status 0
    FAILED = "failed"  # it ended with an error, or never started
    UNKNOWN = "unknown"  # link cut, timeout, killed, output too large: it may have run


@dataclass(frozen=True, slots=True)
class Completed:
    """Result of a command. `status` is None exactly when the outcome is unknown."""

    command: Command
    outcome: Outcome
    status: int | None
    stdout: bytes
    stderr: bytes
    reason: str = ""  # why the outcome is unknown, or why it never started
    duration_s: float = 0.0
    session: int | None = None  # session id of its processes, if the host reported it
    is_cut: bool = False  # the beginning of stdout was dropped, see `Command.keeps_end`

    @property
    def is_done(self) -> bool:
        """Whether it was seen to end with status 0."""
        return self.outcome is Outcome.DONE

    @property
    def said(self) -> str:
        """Its output for display: stderr, or stdout when that is empty."""
        return (self.stderr or self.stdout).decode("utf-8", "replace").strip()


class Host(Protocol):
    """Host that runs commands: this machine, one behind SSH, a recording, or the practice host."""

    @property
    def label(self) -> str:
        """The name by which the user reached the host."""

    async def connect(self) -> None:
        """Connect; idempotent, and reconnects after a lost connection.

        Raises HostUnreachable, HostKeyUnknown, HostKeyChanged.
        """

    async def run(self, command: Command) -> Completed:
        """Run a command to its end. Raises HostError only when not connected.

        A command that exceeds its timeout is killed if possible and is UNKNOWN.
        """

    def stream(self, command: Command) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Start a long-running command; the iterator yields its stdout in chunks as they arrive.

        The iterator raises CommandFailed (with output and status) when the command ends, and LinkLost when
        the connection does: a stream has no regular end. Leaving the context kills the command.
        """

    def is_lingering(self, command: Command) -> bool:
        """Whether an earlier run of the same command exceeded its timeout and has still not ended.

        A process in D state cannot be killed, and a second one would hang behind it. Remote commands count
        until their channel closes or the link is lost.
        """

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        """Contents of a file on the host, /proc included; without a fork if possible.

        Raises FileNotFoundError, PermissionError, HostError.
        """

    async def close(self) -> None:
        """End all commands and the connection."""


class Piped(Protocol):
    """Running command with stdin and stdout as byte streams, bounded in memory."""

    async def read(self) -> bytes:
        """Next piece of stdout, awaited; empty at its end.

        A slow reader makes the command wait.
        """

    async def write(self, data: bytes) -> None:
        """Write to stdin, waiting while the buffer is full. Raises BrokenPipeError after it was closed."""

    def finish(self) -> None:
        """Close stdin."""

    def kill(self) -> None:
        """Kill it and its children, as far as permitted; await `ended` for the result."""

    def words(self) -> bytes:
        """The last part of its stderr so far."""

    def session(self) -> int | None:
        """Session id of its processes, if the host reported it."""

    async def ended(self) -> Completed:
        """Wait for its end; UNKNOWN when the link was cut. Unread stdout is discarded."""


@runtime_checkable
class Pipes(Protocol):
    """Host that can give access to a command's stdin and stdout; recorded hosts cannot."""

    def pipe(self, command: Command) -> AbstractAsyncContextManager[Piped]:
        """Start a command; its `stdin` is sent before anything written, `timeout_s` limits its start.

        Leaving the context kills it if it still runs. Raises CommandFailed when it did not start, and
        HostError.
        """


class PassesNoStreams(HostError):
    """Host, such as a recording, that cannot give access to a command's stdin and stdout."""


def pipe(host: Host, command: Command) -> AbstractAsyncContextManager[Piped]:
    """Start a command on a host with access to its stdin and stdout.

    Raises PassesNoStreams when the host does not support it, and HostError when it fails.
    """
    if not isinstance(host, Pipes):
        raise PassesNoStreams(
            f"{host.label} does not support streams", hint="A recording can only repeat recorded answers."
        )
    return host.pipe(command)


@runtime_checkable
class HasConnection(Protocol):
    """Host with a connection that can be lost and remade."""

    @property
    def connection(self) -> int | None:
        """Number of the current connection, counted from 1; None without one."""


def connection_of(host: Host) -> int | None:
    """The number of a host's current connection; None when it has none or does not count them."""
    return host.connection if isinstance(host, HasConnection) else None


@runtime_checkable
class HasLogin(Protocol):
    """Host that is logged in to."""

    @property
    def login(self) -> SshLogin | None:
        """Durations of the newest login, also of one that has failed; None before the first."""


def login_of(host: Host) -> SshLogin | None:
    """Durations of the newest login to a host; None for a host without one."""
    return host.login if isinstance(host, HasLogin) else None


@runtime_checkable
class HasPlace(Protocol):
    """Host that reports whether it is the machine of this program."""

    @property
    def is_here(self) -> bool:
        """Whether this program's files exist there under the same paths."""


def is_here(host: Host) -> bool:
    """Whether a host is this machine; False for a host that does not report it."""
    return isinstance(host, HasPlace) and host.is_here


@runtime_checkable
class ForwardsSockets(Protocol):
    """Host whose UNIX sockets programs of this machine may be able to connect to."""

    @property
    def forwards_sockets(self) -> bool:
        """Whether it can be tried; a wrapper says what its host says."""

    def forward_socket(self, path: str) -> AbstractAsyncContextManager[str]:
        """Path of a socket of this machine that leads to the socket `path` of the host.

        It is gone when the context is left. Raises SocketRefused when nothing answers there or the host
        forwards no sockets, and HostError.
        """


class SocketRefused(HostError):
    """UNIX socket of a host that cannot be connected to from this machine."""


def forward_socket(host: Host, path: str) -> AbstractAsyncContextManager[str]:
    """Make a UNIX socket of a host reachable; see `ForwardsSockets`. Raises SocketRefused and HostError."""
    if isinstance(host, ForwardsSockets) and host.forwards_sockets:
        return host.forward_socket(path)
    raise SocketRefused(f"{host.label} does not forward sockets")


def forwards_sockets(host: Host) -> bool:
    """Whether a host may forward sockets; False for a host that does not report it."""
    return isinstance(host, ForwardsSockets) and host.forwards_sockets


@runtime_checkable
class KeepsAnswers(Protocol):
    """Host that keeps answers, to be played later."""

    def keep_answer(self, command: Command, printed: bytes) -> None:
        """Keep what the host told in another way as what this command would have printed."""


def keep_answer(host: Host, command: Command, printed: bytes) -> None:
    """Have an answer kept that no command gave; nothing on hosts that keep none."""
    if isinstance(host, KeepsAnswers):
        host.keep_answer(command, printed)


@runtime_checkable
class ListsFolders(Protocol):
    """Host that may list a folder without starting a process."""

    @property
    def lists_folders(self) -> bool:
        """Whether it can be tried; a wrapper says what its host says."""

    async def list_folder(self, path: str) -> tuple[str, ...]:
        """Names in a folder, unsorted, those of folders with a slash at the end.

        Raises FileNotFoundError, PermissionError, CannotListFolders, HostError.
        """


class CannotListFolders(HostError):
    """Host that lists no folder without starting a process."""


async def list_folder(host: Host, path: str) -> tuple[str, ...]:
    """Names in a folder of a host; see `ListsFolders`."""
    if isinstance(host, ListsFolders) and host.lists_folders:
        return await host.list_folder(path)
    raise CannotListFolders(f"{host.label} lists no folders")


def lists_folders(host: Host) -> bool:
    """Whether a host may list folders; False for a host that does not report it."""
    return isinstance(host, ListsFolders) and host.lists_folders


def runs_any_command(host: Host) -> bool:
    """Whether a host answers commands that are put together of several; False if it does not report it.

    False where only the commands that each reading asks are answered, or recorded. `isinstance` of a protocol
    would read the property too, and in a host of wrappers each of them twice as often as the one around it.
    """
    return bool(getattr(host, "runs_any_command", False))
