"""Reader of local files that never blocks the event loop.

Files that the kernel answers from memory are read directly. Others may wait for a device uninterruptibly:
each is read in a thread, and while one hangs no second read of that file is started.
"""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import suppress
from typing import Final

from zconsole.base.errors import CommandFailed, HostError, Stuck
from zconsole.hosts.host import CannotListFolders

AT_ONCE: Final = (
    "/proc/spl/kstat/",
    "/proc/diskstats",
    "/proc/stat",
    "/proc/meminfo",
    "/proc/uptime",
    "/proc/loadavg",
    "/proc/sys/kernel/",
)
PIECE_BYTES: Final = 128 * 1024


class FileReader:
    """File reads with a timeout for whatever may block."""

    def __init__(self, *, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._hanging: set[str] = set()

    async def read(self, path: str, max_bytes: int) -> bytes:
        """The contents. Raises OSError, and Stuck while an earlier read of the file hangs."""
        if path.startswith(AT_ONCE):
            return read_now(path, max_bytes)
        if path in self._hanging:
            raise Stuck(f"an earlier read of {path} still hangs")
        answer = self._in_thread(path, max_bytes)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await answer
        except TimeoutError:
            raise Stuck(f"reading {path} took more than {self._timeout_s:g} s") from None

    def names(self, path: str) -> tuple[str, ...]:
        """Names in a folder that the kernel answers from memory. Raises CannotListFolders, OSError."""
        if not f"{path}/".startswith(AT_ONCE):
            raise CannotListFolders(f"{path} may wait for a device")
        with os.scandir(path) as entries:
            return tuple(f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries)

    def _in_thread(self, path: str, max_bytes: int) -> asyncio.Future[bytes]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[bytes] = loop.create_future()
        self._hanging.add(path)

        def hand_over(data: bytes, error: Exception | None) -> None:
            self._hanging.discard(path)
            if answer.done():
                return
            if error is None:
                answer.set_result(data)
            else:
                answer.set_exception(error)

        def read() -> None:
            data, failed = b"", None
            try:
                data = read_now(path, max_bytes)
            except (OSError, ValueError, HostError) as error:
                failed = error
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(hand_over, data, failed)

        threading.Thread(target=read, name=f"read {path}", daemon=True).start()
        return answer


def read_now(path: str, max_bytes: int) -> bytes:
    """The contents, read in the calling thread."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        kept = bytearray()
        while piece := os.read(descriptor, PIECE_BYTES):
            kept += piece
            if len(kept) > max_bytes:
                raise CommandFailed(f"{path} is larger than {max_bytes} bytes")
        return bytes(kept)
    finally:
        os.close(descriptor)
