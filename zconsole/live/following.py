"""Running a command that takes long, and telling what it says meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.hosts.host import Command, Completed, Host, Piped, pipe
from zconsole.live.transfer import TICK_S, Watch

KEPT_BYTES: Final = 64 * 1024  # of what it printed
SHOWN: Final = 4  # lines
_ENDS: Final = re.compile(r"[\r\n]+")  # a progress bar goes back to the beginning of its line


async def follow(host: Host, command: Command, told: Callable[[str], None], watch: Watch) -> Completed:
    """What became of it, with all that it printed; its last lines are told as they come. Raises HostError."""
    async with pipe(host, command) as running:
        running.finish()
        kept = bytearray()
        listening = asyncio.ensure_future(_listen(running, kept))
        try:
            await watch.started()
            while not listening.done():
                sleeper = asyncio.ensure_future(watch.clock.sleep(TICK_S))
                await asyncio.wait({listening, sleeper}, return_when=asyncio.FIRST_COMPLETED)
                sleeper.cancel()
                if words := last_lines(bytes(kept), running.words()):
                    told(words)
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
        completed = await running.ended()
    return replace(completed, stdout=bytes(kept))


async def _listen(running: Piped, kept: bytearray) -> None:
    while data := await running.read():
        kept += data
        del kept[:-KEPT_BYTES]


def last_lines(stdout: bytes, stderr: bytes) -> str:
    """The last of what it printed; of a line that was written over, the newest."""
    found: list[str] = []
    for part in (stdout, stderr):
        lines = [line.strip() for line in _ENDS.split(part.decode("utf-8", "replace")) if line.strip()]
        found += lines[-SHOWN // 2 :]
    return "\n".join(found)
