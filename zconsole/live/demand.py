"""What a host is asked only while somebody looks at it: histograms, I/O of datasets, cache and txgs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from zconsole.base.clock import Clock
from zconsole.live.arc_watch import ArcWatch
from zconsole.live.ask import Asker
from zconsole.live.histogram_watch import HistogramWatch
from zconsole.live.objset_watch import ObjsetWatch
from zconsole.live.store import Store
from zconsole.zfs.histogram_stream import LATENCIES, SIZES


class Demand:
    """The collectors of one host that run on demand."""

    def __init__(self, asker: Asker, store: Store, clock: Clock) -> None:
        self._latencies = HistogramWatch(asker.host, store, clock, LATENCIES)
        self._sizes = HistogramWatch(asker.host, store, clock, SIZES)
        self._objsets = ObjsetWatch(asker, store, clock)
        self._arc = ArcWatch(asker.host, store, clock)

    def want_latency(self, pool: str | None) -> None:
        """Stream histograms of this pool's latencies, of no other; None of no one's."""
        self._latencies.want(pool)

    def want_sizes(self, pool: str | None) -> None:
        """Likewise of its request sizes."""
        self._sizes.want(pool)

    def want_objsets(self, pool: str | None) -> None:
        """Likewise read the I/O of its datasets."""
        self._objsets.want(pool)

    def want_arc(self, *, is_wanted: bool) -> None:
        """Read cache, throttle, intent log and txgs from now on, or no more."""
        self._arc.want(is_wanted=is_wanted)

    def look_again(self) -> None:
        """Pools came, went, or are in another state."""
        for watch in (self._latencies, self._sizes):
            watch.look_again()

    async def run(self) -> None:
        """Until cancelled. Raises what ends the whole session."""
        watches: Sequence[HistogramWatch | ObjsetWatch | ArcWatch] = (
            self._latencies,
            self._sizes,
            self._objsets,
            self._arc,
        )
        async with asyncio.TaskGroup() as tasks:
            for watch in watches:
                tasks.create_task(watch.run())
