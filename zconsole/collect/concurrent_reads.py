"""Concurrent readings of a host, as many as it has channels; none outlives the group."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")
K = TypeVar("K")
BATCH: Final = 64  # readings that are begun together where the time for all is bounded


@asynccontextmanager
async def together() -> AsyncIterator[asyncio.TaskGroup]:
    """A task group for readings. The first failure cancels the others and is raised unchanged."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def all_of(readings: Iterable[Coroutine[Any, Any, T]]) -> tuple[T, ...]:
    """Results of all readings, in order."""
    async with together() as group:
        tasks = [group.create_task(reading) for reading in readings]
    return tuple(task.result() for task in tasks)


async def begun_in_time(
    read: Callable[[K], Coroutine[Any, Any, T]], keys: Sequence[K], within_s: float
) -> dict[K, T]:
    """Results by key, of as many as could be begun within so many seconds, in order.

    Those of the first batch are always there.
    """
    found: dict[K, T] = {}
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + within_s
    for at in range(0, len(keys), BATCH):
        if found and loop.time() >= ends_at:
            break
        batch = keys[at : at + BATCH]
        found |= zip(batch, await all_of(map(read, batch)), strict=True)
    return found
