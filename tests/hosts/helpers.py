"""What several tests of hosts need."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from zconsole.base.errors import HostError
from zconsole.hosts.host import Command, Host


async def until(condition: Callable[[], object]) -> None:
    """Let the loop turn until something holds; the timeout of the test bounds it."""
    while not condition():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0.001)  # and may need the processor itself


async def drained(host: Host, command: Command) -> tuple[bytes, HostError | None]:
    """All that a stream gives, and how it ends."""
    received = bytearray()
    try:
        async with host.stream(command) as chunks:
            async for chunk in chunks:
                received += chunk
    except HostError as error:
        return bytes(received), error
    return bytes(received), None
