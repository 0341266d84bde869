"""Base of hosts that pass everything on to another host, and note or keep what goes through."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from zconsole.base.errors import HostError
from zconsole.hosts.host import (
    Command,
    Completed,
    Host,
    Piped,
    connection_of,
    forwards_sockets,
    is_here,
    lists_folders,
    login_of,
    runs_any_command,
)
from zconsole.hosts.host import forward_socket as forwarded
from zconsole.hosts.host import keep_answer as kept
from zconsole.hosts.host import list_folder as listed
from zconsole.hosts.host import pipe as piped
from zconsole.model.host.ssh_login import SshLogin


class HostWrapper:
    """Passes on what its subclass does not define; `run`, `stream` and `read` are the subclass's own."""

    def __init__(self, inner: Host) -> None:
        self.inner = inner

    @property
    def label(self) -> str:
        return self.inner.label

    async def connect(self) -> None:
        await self.inner.connect()

    async def close(self) -> None:
        await self.inner.close()

    async def run(self, command: Command) -> Completed:
        return await self.inner.run(command)

    def pipe(self, command: Command) -> AbstractAsyncContextManager[Piped]:
        """Run a command with piped standard streams."""
        return piped(self.inner, command)

    @property
    def forwards_sockets(self) -> bool:
        """Whether the host may forward sockets."""
        return forwards_sockets(self.inner)

    def forward_socket(self, path: str) -> AbstractAsyncContextManager[str]:
        """Make a UNIX socket of the host reachable."""
        return forwarded(self.inner, path)

    @property
    def lists_folders(self) -> bool:
        """Whether the host may list a folder without a process."""
        return lists_folders(self.inner)

    async def list_folder(self, path: str) -> tuple[str, ...]:
        """Names in a folder of the host."""
        return await listed(self.inner, path)

    @property
    def runs_any_command(self) -> bool:
        """Whether the host answers commands that are put together of several."""
        return runs_any_command(self.inner)

    def keep_answer(self, command: Command, printed: bytes) -> None:
        """Pass an answer on to whoever keeps it."""
        kept(self.inner, command, printed)

    def is_lingering(self, command: Command) -> bool:
        return self.inner.is_lingering(command)

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        return await self.inner.read(path, max_bytes=max_bytes)

    @property
    def is_here(self) -> bool:
        """Whether the host is this machine."""
        return is_here(self.inner)

    @property
    def connection(self) -> int | None:
        """Number of the current connection, if the host counts connections."""
        return connection_of(self.inner)

    @property
    def login(self) -> SshLogin | None:
        """Durations of the newest login, if the host is logged in to."""
        return login_of(self.inner)

    @property
    def host_key(self) -> str | None:
        """Fingerprint of the key that the host presented, if it has one."""
        key = getattr(self.inner, "host_key", None)
        return key if isinstance(key, str) else None

    async def accept_key(self, fingerprint: str) -> None:
        """Remember the host's key. Raises HostError for a host without one."""
        accept = getattr(self.inner, "accept_key", None)
        if accept is None:
            raise HostError(f"{self.label} has no key")
        await accept(fingerprint)
