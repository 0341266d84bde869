"""UNIX socket of a remote host, as a socket of this machine that only this user can reach.

It goes through the connection that is there already: no further login, and no port of this machine.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import asyncssh

from zconsole.hosts.wait_with_timeout import within

NAME: Final = "socket"
OPENED_WITHIN_S: Final = 10.0
CLOSED_WITHIN_S: Final = 1.0


@asynccontextmanager
async def forwarded_socket(connection: asyncssh.SSHClientConnection, path: str) -> AsyncIterator[str]:
    """Path of the local socket, in a folder of mode 0700; both are removed when the context is left.

    It is connected to once beforehand, so that a refusal is known as such. Raises asyncssh.Error and OSError,
    TimeoutError included.
    """
    _, probe = await within(OPENED_WITHIN_S, connection.open_unix_connection(path))
    probe.close()
    folder = Path(tempfile.mkdtemp(prefix="zconsole-", dir=_private_folder()))
    try:
        listener = await connection.forward_local_path(str(folder / NAME), path)
        try:
            yield str(folder / NAME)
        finally:
            listener.close()
            with suppress(TimeoutError):
                await within(CLOSED_WITHIN_S, listener.wait_closed())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _private_folder() -> str | None:
    """The user's runtime folder, which is gone after a reboot; None for the default of temporary files."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return folder if os.access(folder, os.W_OK | os.X_OK) else None
