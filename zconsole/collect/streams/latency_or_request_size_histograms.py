"""One `zpool iostat -w` or `-r` stream of a host, for the displayed pool."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.collect.host_state_store import Store
from zconsole.collect.streams.restarting_stream import keep, unless_silent
from zconsole.hosts.host import Host
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.pool import SUSPENDED
from zconsole.zfs.iostat.histogram_stream import INTERVAL_S, LATENCIES, HistogramKind, HistogramReader, stream

KEPT_S: Final = 10.0  # interval of samples, long enough to contain rare slow I/Os
Samples = Reading[tuple[HistogramSample, ...]]


class HistogramWatch:
    """Reader of one kind of histograms of one host."""

    def __init__(self, host: Host, store: Store, clock: Clock, kind: HistogramKind) -> None:
        self._host = host
        self._store = store
        self._clock = clock
        self._kind = kind
        self._wanted: str | None = None
        self._due = asyncio.Event()

    def want(self, pool: str | None) -> None:
        """Stream histograms of this pool only; None stops."""
        if pool == self._wanted:
            return
        before, self._wanted = self._wanted, pool
        if before is not None:
            self._set(before, Reading())
        self._due.set()

    def refresh_soon(self) -> None:
        """Adapt to pools that appeared, disappeared or changed state."""
        self._due.set()

    async def run(self) -> None:
        """Stream until cancelled, while a pool is requested. Raises errors that end the whole session."""
        await keep(self._live, self._due, self._pump, clock=self._clock, on_problem=self._say)

    def _live(self) -> str | None:
        """Pool to stream; None where missing or suspended."""
        pool = None if self._wanted is None else self._store.state.pool(self._wanted)
        if pool is None:
            return None
        if pool.kstat_state == SUSPENDED:
            self._say(pool.name, f"{pool.name} is suspended, and takes no I/O")
            return None
        return pool.name

    async def _pump(self, pool: str) -> None:
        samples: AsyncGenerator[list[HistogramSample]] = self._samples(pool)
        async for fresh in unless_silent(samples, INTERVAL_S):
            if pool == self._wanted:
                self._add(pool, fresh)

    async def _samples(self, pool: str) -> AsyncGenerator[list[HistogramSample]]:
        reader = HistogramReader(self._kind, pool)
        async with self._host.stream(stream(self._kind, pool)) as chunks:
            async for chunk in chunks:
                samples = reader.feed(chunk)
                if samples:
                    yield samples

    def _add(self, pool: str, fresh: list[HistogramSample]) -> None:
        state = self._store.state.pool(pool)
        known = () if state is None else self._of(state).value or ()
        most = int(KEPT_S / INTERVAL_S)
        self._set(pool, Reading((*known, *fresh)[-most:], self._clock.monotonic()))

    def _say(self, pool: str, problem: str) -> None:
        state = self._store.state.pool(pool)
        if state is not None and self._of(state).problem != problem:
            self._set(pool, replace(self._of(state), problem=problem))

    def _of(self, state: PoolState) -> Samples:
        return state.latencies if self._kind is LATENCIES else state.sizes

    def _set(self, pool: str, samples: Samples) -> None:
        if self._kind is LATENCIES:
            self._store.update_pool(pool, lambda state: replace(state, latencies=samples))
        else:
            self._store.update_pool(pool, lambda state: replace(state, sizes=samples))
