"""A command is a value; a host runs it and says what became of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, runtime_checkable

from zconsole.base.errors import HostError

PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENVIRONMENT: Final = (("PATH", PATH), ("TZ", "UTC"), ("LC_ALL", "C.UTF-8"))
DEFAULT_TIMEOUT_S: Final = 10.0
DEFAULT_MAX_BYTES: Final = 64 * 1024 * 1024


class Effect(Enum):
    """Whether a command only looks."""

    READ = "read"
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Command:
    """One program invocation: data, never a shell string. `argv[0]` is looked up in PATH."""

    argv: tuple[str, ...]
    effect: Effect = Effect.READ
    timeout_s: float = DEFAULT_TIMEOUT_S
    max_bytes: int = DEFAULT_MAX_BYTES
    stdin: bytes | None = field(default=None, repr=False)  # may be a secret: keep out of logs
    connection: int | None = (
        None  # sent over this one of the host's connections (`connection_of`) or not at all
    )


class Outcome(Enum):
    """What became of a command."""

    DONE = "done"  # exit status 0
    FAILED = "failed"  # it ended and said no, or never started
    UNKNOWN = "unknown"  # link cut, deadline passed, killed, output too large: it may have run


@dataclass(frozen=True, slots=True)
class Completed:
    """What a command left behind. `status` is None exactly when the outcome is unknown."""

    command: Command
    outcome: Outcome
    status: int | None
    stdout: bytes
    stderr: bytes
    reason: str = ""  # why the outcome is unknown, or why it never started
    duration_s: float = 0.0
    session: int | None = None  # of processes: the command led it there, where the host told

    @property
    def is_done(self) -> bool:
        """Whether it ended with status 0, and we saw it end."""
        return self.outcome is Outcome.DONE

    @property
    def said(self) -> str:
        """Its own words: stderr, or else stdout, decoded for display."""
        return (self.stderr or self.stdout).decode("utf-8", "replace").strip()


class Host(Protocol):
    """Where commands run: this machine, one behind SSH, a recording, or the practice host."""

    @property
    def label(self) -> str:
        """The host's name as the user reached it."""

    async def connect(self) -> None:
        """Make ready; idempotent, and makes a lost connection anew.

        Raises HostUnreachable, HostKeyUnknown, HostKeyChanged.
        """

    async def run(self, command: Command) -> Completed:
        """Run to the end. Never raises for what the command did; raises HostError when not connected.

        A command that overruns its deadline is killed where that is possible, and is UNKNOWN.
        """

    def stream(self, command: Command) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Start a long-lived command; the iterator gives its stdout in chunks as they come.

        The iterator ends with CommandFailed (its words and status inside) when the command ends, and with
        LinkLost when the connection does: a live stream has no good end. Leaving the context kills it.
        """

    def is_lingering(self, command: Command) -> bool:
        """Whether a run of this very command overran its deadline and has still not ended.

        A process in D state cannot be killed; who asks again would only queue up behind it. Remote
        ones count until their channel closes or the link is lost.
        """

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        """The contents of a file of the host, /proc included, without a fork where possible.

        Raises FileNotFoundError, PermissionError, HostError.
        """

    async def close(self) -> None:
        """End every command and the connection."""


class Piped(Protocol):
    """A command that runs with its stdin and stdout in our hands, both as they are and bounded in memory."""

    async def read(self) -> bytes:
        """Some of its stdout, waiting for it; empty when there will be no more.

        Who reads late makes it wait.
        """

    async def write(self, data: bytes) -> None:
        """Feed its stdin, waiting while it is behind. Raises BrokenPipeError once it takes no more."""

    def finish(self) -> None:
        """Close its stdin: it was given all, or all that it will get."""

    def kill(self) -> None:
        """End it and all that it started, as far as this user may; `ended` tells when it has."""

    def words(self) -> bytes:
        """The end of what it has said on stderr so far."""

    def session(self) -> int | None:
        """The session of processes that it leads there, where the host told."""

    async def ended(self) -> Completed:
        """Wait for its end; UNKNOWN where the link was cut. What nobody read of its stdout is let go."""


@runtime_checkable
class Pipes(Protocol):
    """A host that gives a command's stdin and stdout into our hands; recorded ones do not."""

    def pipe(self, command: Command) -> AbstractAsyncContextManager[Piped]:
        """Start it; its `stdin` goes ahead of what is written, `timeout_s` bounds its start.

        Leaving the context kills what still runs. Raises CommandFailed where it did not start, and HostError.
        """


class PassesNoStreams(HostError):
    """A host, such as a recording, that gives no command's stdin and stdout into our hands."""


def pipe(host: Host, command: Command) -> AbstractAsyncContextManager[Piped]:
    """Start a command on a host with its stdin and stdout in our hands.

    Raises PassesNoStreams where the host never does, and HostError where it cannot.
    """
    if not isinstance(host, Pipes):
        raise PassesNoStreams(
            f"{host.label} passes no streams on", hint="A recording only answers what was asked."
        )
    return host.pipe(command)


@runtime_checkable
class HasConnection(Protocol):
    """A host whose connection can be lost and made anew."""

    @property
    def connection(self) -> int | None:
        """Which of its connections is up, counted from 1; None where none is."""


def connection_of(host: Host) -> int | None:
    """The connection that a host has now; None where it has none, or has no such thing."""
    return host.connection if isinstance(host, HasConnection) else None


@runtime_checkable
class HasPlace(Protocol):
    """A host that tells whether it is the machine that this program runs on."""

    @property
    def is_here(self) -> bool:
        """Whether this program's own files are there, under the same names."""


def is_here(host: Host) -> bool:
    """Whether a host is this machine; one that does not tell is another."""
    return isinstance(host, HasPlace) and host.is_here
