"""One plan at a time on a host: a lock there that every zconsole takes, and that ends with the connection.

It keeps two consoles from checking at the same time and then both acting. It keeps nobody else from acting:
that is what the check is for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from zconsole.base.errors import CommandFailed, HostError
from zconsole.hosts.host import Command, Host

LOCKED: Final = "/etc"  # a folder that every host has and everybody may open; nothing in it is touched
TRY: Final = ("flock", "-n", LOCKED)
HOLD: Final = Command((  # it dies of a pipe that closed; the lock is flock's alone (-o), and goes with it
    "flock", "-n", "-o", LOCKED, "sh", "-c", "while echo; do sleep 1; done",
))  # fmt: skip
PROBE: Final = Command((*TRY, "true"))
TAKEN_STATUS: Final = 1
TIMEOUT_S: Final = 10.0


class Busy(HostError):
    """Another zconsole carries out a plan on this host."""


@asynccontextmanager
async def host_lock(host: Host) -> AsyncIterator[bool]:
    """Hold the lock, and tell whether it is held: a host without flock has none. Raises Busy, and HostError.

    Anything else that two consoles could both see would have to be made there, and would outlive a lost link.
    """
    is_held = True
    async with AsyncExitStack() as stack:
        try:
            chunks = await stack.enter_async_context(host.stream(HOLD))
            async with asyncio.timeout(TIMEOUT_S):
                await anext(chunks)
        except TimeoutError:
            raise HostError(f"{host.label} did not give its lock within {TIMEOUT_S:g} s") from None
        except CommandFailed:
            if (await host.run(PROBE)).status == TAKEN_STATUS:
                raise Busy(
                    f"another zconsole is carrying out a plan on {host.label}",
                    hint="Wait for it, then plan again.",
                ) from None
            is_held = False
        yield is_held
