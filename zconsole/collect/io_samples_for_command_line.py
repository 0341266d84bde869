"""Live I/O samples of a host for the command line, until the reader stops."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from itertools import cycle

from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed
from zconsole.collect.read_host import gather
from zconsole.collect.streams.iostat import IoStream
from zconsole.hosts.host import Host
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import SUSPENDED, Pool
from zconsole.zfs.iostat.histogram_stream import LATENCIES, HistogramReader
from zconsole.zfs.iostat.histogram_stream import stream as histograms


async def io_samples(
    host: Host,
    *,
    pools: tuple[str, ...] = (),
    interval_s: float = 1.0,
    clock: Clock,
    count: int | None = None,
) -> AsyncGenerator[tuple[Pool, IoSample], None]:
    """Read the host once, then yield like `samples_of`."""
    state = await gather(host, clock, pools=pools)
    samples = samples_of(host, state, interval_s=interval_s, clock=clock, count=count)
    async with aclosing(samples):
        async for each in samples:
            yield each


async def samples_of(
    host: Host, state: HostState, *, interval_s: float, clock: Clock, count: int | None = None
) -> AsyncGenerator[tuple[Pool, IoSample], None]:
    """Yield each sample with its pool; suspended pools have none. `state` was just read.

    Ends with the stream's HostError, or after `count` samples of each pool.
    """
    live = [pool for pool in state.pools if pool.kstat_state != SUSPENDED]
    known = {pool.name: pool.pool.value for pool in live if pool.pool.value is not None}
    if not known:
        problems = "; ".join(pool.pool.problem for pool in state.pools if pool.pool.problem)
        raise CommandFailed(
            f"no pool of {host.label} can be watched" + (f": {problems}" if problems else ""),
            hint="Suspended pools take no I/O until they are cleared.",
        )
    stream = IoStream(host, clock, tuple(known), interval_s)
    stream.describe(tuple(known.values()), state.inventory.value or Inventory())
    bursts = stream.bursts()
    given = dict.fromkeys(known, 0)
    try:
        async for samples in bursts:
            for sample in samples:
                if sample.pool in known and (count is None or given[sample.pool] < count):
                    given[sample.pool] += 1
                    yield known[sample.pool], sample
            if count is not None and min(given.values()) >= count:
                return
    finally:
        await bursts.aclose()


async def latencies_of(
    host: Host, pools: Sequence[str], *, turn_s: float
) -> AsyncGenerator[tuple[str, HistogramSample], None]:
    """Yield the latencies of each interval with their pool; several pools take turns of `turn_s`.

    One stream runs at a time. Ends with the stream's HostError.
    """
    for pool in cycle(pools):
        reader, given_s = HistogramReader(LATENCIES, pool), 0.0
        async with host.stream(histograms(LATENCIES, pool)) as chunks:
            async for chunk in chunks:
                for sample in reader.feed(chunk):
                    given_s += sample.interval_s
                    yield pool, sample
                if len(pools) > 1 and given_s >= turn_s:
                    break
            else:
                return
