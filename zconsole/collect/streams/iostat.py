"""One `zpool iostat` stream of a host as samples, with each disk's utilisation."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostError, ParseError
from zconsole.collect.streams.process_samples_of_hosts_in_batches import BatchTicker
from zconsole.hosts.host import Host
from zconsole.model.pools.disk_and_inventory import DiskActivity, Inventory
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool
from zconsole.system.diskstats import DISKSTATS, busy, parse_diskstats
from zconsole.zfs.iostat.iostat_stream import IostatReader, row_names, stream
from zconsole.zfs.iostat.kernel_disk_of_row import device_names

IDLE_EVERY_S: Final = 5.0  # between two measurements of disks that do nothing for ZFS


class IoStream:
    """I/O samples of some pools. Topology and inventory may change while the stream runs."""

    def __init__(  # noqa: PLR0913 - all but four have good defaults
        self,
        host: Host,
        clock: Clock,
        pools: Sequence[str],
        interval_s: float,
        *,
        slack: float = 1.0,
        beat: BatchTicker | None = None,
    ) -> None:
        """`slack` stretches the interval of utilisation for one host among many; `beat` is their ticker."""
        self._beat = beat or BatchTicker(0)
        self.pools = tuple(pools)
        self._interval_s = interval_s
        self._busy_every_s = slack * interval_s
        self._host = host
        self._clock = clock
        self._reader = IostatReader(dict.fromkeys(self.pools, ()))
        self._pools: Mapping[str, Pool] = {}
        self._devices: dict[tuple[str, ...], tuple[str | None, ...]] = {}  # by row names
        self._shape: object = None  # the pools' layout, which maps rows to devices
        self._inventory = Inventory()
        self._before: tuple[float, Mapping[str, DiskActivity]] | None = None
        self._was_idle = False
        self._busy: Mapping[str, float] = {}
        self._busy_rows: dict[tuple[str, ...], tuple[float | None, ...]] = {}  # of the same measurement

    def describe(self, pools: Sequence[Pool], inventory: Inventory) -> None:
        """Set the topology, by which the last row of a sample is recognized."""
        self._pools = {pool.name: pool for pool in pools}
        names = {pool.name: row_names(pool) for pool in pools if pool.name in self.pools}
        self._reader.expect(names)
        shape = (names, [[vdev.path for vdev in pool.walk()] for pool in pools])
        if shape != self._shape or inventory is not self._inventory:
            self._shape, self._inventory = shape, inventory
            self._devices, self._busy_rows = {}, {}

    async def bursts(self) -> AsyncGenerator[tuple[IoSample, ...]]:
        """Samples as they arrive, grouped by chunk. Ends like Host.stream."""
        async with self._host.stream(stream(self.pools, self._interval_s)) as chunks:
            async for chunk in chunks:
                await self._beat.wait()
                samples = self._reader.feed(chunk)
                if samples:
                    await self._measure_busy(is_idle=all(map(_is_idle, samples)))
                    yield tuple(self._with_busy(sample) for sample in samples)

    async def _measure_busy(self, *, is_idle: bool) -> None:
        """Compute utilisation from two readings of /proc/diskstats; unknown without them.

        The pools of one interval may come in several chunks: they share one measurement. While none has any
        I/O it is made less often, and the first I/O after that has none: it would be a mean with the rest.
        """
        now = self._clock.monotonic()
        every_s = max(self._busy_every_s, IDLE_EVERY_S if is_idle else 0.0)
        if self._before is not None and now - self._before[0] < every_s - self._interval_s / 2:
            return
        if not is_idle and self._was_idle and self._busy_every_s < IDLE_EVERY_S:
            self._before, self._busy, self._busy_rows = None, {}, {}
        self._was_idle = is_idle
        try:
            text = (await self._host.read(DISKSTATS)).decode("ascii", "replace")
            activity = parse_diskstats(text, self._watched())
        except (OSError, HostError, ParseError):
            self._before, self._busy, self._busy_rows = None, {}, {}
            return
        now = self._clock.monotonic()
        if self._before is not None:
            self._busy = busy(self._before[1], activity, now - self._before[0])
            self._busy_rows = {}
        self._before = (now, activity)

    def _watched(self) -> frozenset[str] | None:
        """The disks of all pools; None while they are not known."""
        if len(self._devices) < len(self.pools):
            return None
        return frozenset(name for names in self._devices.values() for name in names if name is not None)

    def _with_busy(self, sample: IoSample) -> IoSample:
        if not self._busy:
            return sample
        names = sample.names
        busy_rows = self._busy_rows.get(names)
        if busy_rows is None:
            if names not in self._devices:
                self._devices[names] = self._devices_of(sample)
            devices = self._devices[names]
            busy_rows = tuple(None if name is None else self._busy.get(name) for name in devices)
            self._busy_rows[names] = busy_rows
        return IoSample(sample.pool, sample.at, sample.rows, busy_rows)

    def _devices_of(self, sample: IoSample) -> tuple[str | None, ...]:
        pool = self._pools.get(sample.pool)
        return (None,) * len(sample.rows) if pool is None else device_names(pool, sample, self._inventory)


def _is_idle(sample: IoSample) -> bool:
    """Whether a pool had no I/O in an interval."""
    return not sample.rows or not (sample.rows[0].read_ops or sample.rows[0].write_ops)
