"""Several readings of a host at once: as many as its connection has channels for, and none left behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

T = TypeVar("T")


@asynccontextmanager
async def together() -> AsyncIterator[asyncio.TaskGroup]:
    """A group to read in. The first reading that fails ends the others, and its error is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def all_of(readings: Iterable[Coroutine[Any, Any, T]]) -> tuple[T, ...]:
    """What each of them gives, in their order."""
    async with together() as group:
        tasks = [group.create_task(reading) for reading in readings]
    return tuple(task.result() for task in tasks)
