"""Readings of every pool of the selected hosts, for `zconsole forecast` and `sample`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from zconsole.base.errors import CommandFailed, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.model.pools.pool import Pool

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PoolOfHost:
    """Readable pool, with a reader for more of it."""

    place: NamedHost
    asker: Asker
    pool: Pool
    hostname: str  # the host's own name


@dataclass(frozen=True, slots=True)
class UnreadPool:
    """Host that could not be read, or a pool of it."""

    host: str
    error: ZConsoleError


def read_each_pool(
    places: Sequence[NamedHost],
    name: str | None,
    read: Callable[[PoolOfHost], Awaitable[T]],
    within_s: float,
) -> tuple[list[T], list[UnreadPool]]:
    """Readable pools, or the named one only, and the problems of other pools and hosts."""

    async def ask(place: NamedHost) -> tuple[list[T], list[UnreadPool]]:
        return await _of_host(place, name, read)

    found: list[T] = []
    failures: list[UnreadPool] = []
    answers = asyncio.run(ask_each(places, ask, within_s))
    for place, answer in zip(places, answers, strict=True):
        if isinstance(answer, ZConsoleError):
            failures.append(UnreadPool(place.host.label, answer))
        else:
            found += answer[0]
            failures += answer[1]
    return found, failures


async def _of_host(
    place: NamedHost, name: str | None, read: Callable[[PoolOfHost], Awaitable[T]]
) -> tuple[list[T], list[UnreadPool]]:
    pools = () if name is None else (name,)
    state = await gather(place.host, place.clock, pools=pools, within_s=TIMEOUT_S)
    asker = Asker(place.host)
    found: list[T] = []
    failures: list[UnreadPool] = []
    for each in state.pools:
        try:
            if each.pool.value is None:
                raise CommandFailed(
                    f"{each.name} on {place.host.label} cannot be read", said=each.pool.problem
                )
            found.append(await read(PoolOfHost(place, asker, each.pool.value, state.hostname or state.host)))
        except ZConsoleError as error:
            failures.append(UnreadPool(place.host.label, error))
    return found, failures
