"""Concurrent readings of a host, as many as it has channels; none outlives the group."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

T = TypeVar("T")


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
