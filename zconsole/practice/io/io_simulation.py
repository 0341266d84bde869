"""Simulated I/O: how ZFS spreads reads and writes over vdevs as time passes."""

from __future__ import annotations

import math
import random
from typing import Final

from zconsole.practice.io.drive_speed import (
    ASYNC_READ,
    ASYNC_WRITE,
    MOST_BUSY,
    SCRUB,
    SPEEDS,
    SYNC_READ,
    SYNC_WRITE,
    queued_ns,
    scatter,
    scatter_sizes,
    service_ns,
    whole,
)
from zconsole.practice.world import background_progress, growth_and_hourly_snapshots
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import TXG_S, World
from zconsole.practice.world.pools_and_vdevs import Load, PracticePool, PracticeVdev

FLUSH_S: Final = 1.6  # of each transaction group, in which its writes go to the disks
_LONGEST_STEP_S: Final = 1.0
_LATE: Final = 0.1  # of such a step: who sleeps for a second wakes a little later
_MOST_STEPS: Final = 120
_DAY_S: Final = 86400.0
_AGGREGATED: Final = 256 * 1024  # bytes: into writes of about this size a flush is gathered
_SCAN_BLOCK: Final = 1024 * 1024  # bytes of one read of a scrub or resilver
_BASE_WAIT_NS: Final = 5_000.0  # in ZFS's own queue when nothing is in the way
_NEGLIGIBLE: Final = 0.1  # share of the time on the disk that a wait in the queue may add unseen
_SECTOR: Final = 512
_NS_PER_MS: Final = 1e6

Flow = list[float]  # operations a second of the five priorities, then bytes of one of each


class Simulation:
    """Moves a world on. The same seed, and the same moments asked for, give the same numbers."""

    def __init__(self, world: World, seed: int = 1) -> None:
        self.world = world
        self._random = random.Random(seed)  # noqa: S311
        self._began = world.now
        self._phases = {name: self._random.random() * TXG_S for name in world.pools}
        self._waits: dict[int, float] = {}  # of a leaf's reads, as last measured

    def advance(self, elapsed: float) -> None:
        """Let time pass until `elapsed` seconds after the beginning."""
        missing = elapsed - self.world.elapsed
        if missing <= 0:
            return
        steps = min(max(1, math.ceil(missing / _LONGEST_STEP_S - _LATE)), _MOST_STEPS)
        start = self.world.elapsed
        for step in range(1, steps + 1):
            self._step(start + missing * step / steps)

    def live_through(self, seconds: float) -> None:
        """Count the I/O of the uptime before the world begins."""
        self.world.uptime = seconds
        for pool in self.world.pools.values():
            pool.imported_at = self.world.elapsed - seconds
            self._run(pool, seconds)

    def _step(self, until: float) -> None:
        span = until - self.world.elapsed
        self.world.elapsed = until
        self.world.now = self._began + until
        for ageing in self.world.ageing:
            ageing.disk.slow_factor = ageing.factor(until)
        for pool in self.world.pools.values():
            if not pool.is_suspended:
                held = self._run(pool, span)
                pool.txg += span / TXG_S
                background_progress.move_on(self.world, pool, span, held=held)
        growth_and_hourly_snapshots.snapshots(self.world)
        if self.world.on_step is not None:
            self.world.on_step(span)

    def _run(self, pool: PracticePool, span: float) -> float:
        """One stretch of time of a pool; returns the share of its pace that a scan could keep."""
        load = pool.load
        flows: dict[int, Flow] = {}
        if load is not None:
            level = self._level(load)
            self._spread(pool, load, level, self._flush(pool, span), flows)
        self._rebuild(pool, flows)
        held = 1.0
        for top in pool.present:
            scans = any(flows[leaf.guid][SCRUB] for leaf in top.leaves() if leaf.guid in flows)
            kept = hold_back(top, flows)
            held = min(held, kept) if scans else held
        for leaf in pool.leaves():
            if leaf.disk is not None and leaf.is_there:
                self._charge(leaf, leaf.disk, flows.get(leaf.guid), span)
        if load is not None:
            self._account(pool, load, flows, span)
        return held

    def _level(self, load: Load) -> float:
        """The load factor of the hour, the minute and the second."""
        now = self.world.now
        day = load.swing * math.sin(2 * math.pi * (now % _DAY_S - load.quiet_s - 21600) / _DAY_S)
        minute = 0.22 * math.sin(2 * math.pi * now / 97) + 0.1 * math.sin(2 * math.pi * now / 13)
        return max(0.15, 1 + day + minute + self._random.gauss(0, 0.07))

    def _flush(self, pool: PracticePool, span: float) -> float:
        """The factor of async writes over their average, which come in bursts."""
        phase = self._phases.setdefault(pool.name, 0.0)
        if span >= TXG_S:
            return 1.0
        end = (self.world.elapsed + phase) % TXG_S
        start = end - span
        overlap = max(0.0, min(end, FLUSH_S) - max(start, 0.0))
        if start < 0:
            overlap += max(0.0, min(start + TXG_S + span, FLUSH_S, TXG_S) - (start + TXG_S))
        return overlap / span * TXG_S / FLUSH_S

    def _spread(
        self, pool: PracticePool, load: Load, level: float, burst: float, flows: dict[int, Flow]
    ) -> None:
        """Reads go where the data is, writes where the room is, small blocks to special, syncs to the log."""
        normal = [top for top in pool.tops("normal") if top.is_usable]
        special = [top for top in pool.tops("special") if top.is_usable]
        logs = [top for top in pool.tops("log") if top.is_usable]
        small = load.metadata if special else 0.0
        data = sum(top.allocated for top in normal) or 1
        room = sum(top.size - top.allocated for top in normal) or 1
        for top in normal:
            share = (top.size - top.allocated) / room
            self._read(top, load.reads * level * (1 - small) * top.allocated / data, load.read_bytes, flows)
            self._write(top, load.writes * level * burst * share, load.write_bytes, ASYNC_WRITE, flows)
            if not logs:
                self._write(top, load.sync_writes * level * share, load.sync_bytes, SYNC_WRITE, flows)
        for top in special:
            self._read(top, load.reads * level * small / len(special), 8192, flows)
            self._write(top, load.writes * level * burst * 0.6 / len(special), 8192, ASYNC_WRITE, flows)
        for top in logs:
            self._write(top, load.sync_writes * level / len(logs), load.sync_bytes, SYNC_WRITE, flows)
        for cache in pool.caches:
            hits = add(flows, cache)
            hits[SYNC_READ], hits[5 + SYNC_READ] = load.reads * level * 0.12, load.read_bytes
            hits[ASYNC_WRITE], hits[5 + ASYNC_WRITE] = 40 * level * burst, 65536.0

    def _read(self, top: PracticeVdev, rate: float, size: float, flows: dict[int, Flow]) -> None:
        if top.parity:
            data = top.data_columns
            readable = [leaf for child in top.children for leaf in readers(child)[:1]]
            for leaf in readable:
                put(flows, leaf, SYNC_READ, rate * data / len(readable), max(4096.0, size / data))
            return
        leaves = readers(top)
        pull = [1 / self._waits.get(leaf.guid, 1.0) for leaf in leaves]
        for leaf, strength in zip(leaves, pull, strict=True):
            put(flows, leaf, SYNC_READ, rate * 0.8 * strength / sum(pull), size)
            put(flows, leaf, ASYNC_READ, rate * 0.2 * strength / sum(pull), size * 2)

    @staticmethod
    def _write(top: PracticeVdev, rate: float, size: float, priority: int, flows: dict[int, Flow]) -> None:
        if top.parity:
            size = max(4096.0, size / top.data_columns)
        if priority == ASYNC_WRITE and size < _AGGREGATED:
            gathered = min(_AGGREGATED, size * 4)
            rate, size = rate * size / gathered, gathered
        for leaf in top.leaves():
            if leaf.is_usable:
                put(flows, leaf, priority, rate, size)

    @staticmethod
    def _rebuild(pool: PracticePool, flows: dict[int, Flow]) -> None:
        """Reads of a running scrub or resilver, and the writes onto the new drive."""
        scan = pool.scan
        for top in pool.present:
            if top.rebuild is not None and top.rebuild.is_running:
                for leaf in top.leaves():
                    rate = top.rebuild.pace / top.data_columns / _SCAN_BLOCK
                    put(flows, leaf, ASYNC_WRITE if leaf.rebuilt else SCRUB, rate, _SCAN_BLOCK)
        if scan is None or not scan.is_running or scan.paused_at:
            return
        for top in pool.present:
            targets = [leaf for leaf in top.leaves() if leaf.is_resilvering]
            if scan.function == "RESILVER" and not targets:
                continue
            sources = [leaf for leaf in top.leaves() if leaf.is_usable and not leaf.is_resilvering]
            width = top.data_columns if top.parity else max(1, len(sources))
            for leaf in sources:
                put(flows, leaf, SCRUB, scan.pace / width / _SCAN_BLOCK, _SCAN_BLOCK)
            for leaf in targets:
                put(flows, leaf, ASYNC_WRITE, scan.pace / top.data_columns / _SCAN_BLOCK, _SCAN_BLOCK)

    def _charge(self, leaf: PracticeVdev, disk: PracticeDisk, flow: Flow | None, span: float) -> None:
        """Count a leaf's stretch: in ZFS's meters, in the queues, and in the kernel's block statistics."""
        meter, io = leaf.meter, disk.io
        meter.queues = [0] * 14
        io.in_flight = 0
        if flow is None:
            return
        lanes, chance, busy, under_way = SPEEDS[disk.drive].lanes, self._random.random, 0.0, 0.0
        asked = [priority for priority in range(5) if flow[priority] > 0]
        services = {priority: service_ns(disk, priority, flow[5 + priority]) for priority in asked}
        for priority in asked:
            busy += flow[priority] * services[priority] / 1e9 / lanes
        for priority in asked:
            wait = queued_ns(disk, services[priority], busy) * (0.94 + 0.12 * chance())
            own = _BASE_WAIT_NS * (1 + chance()) + (wait * 4 * (busy - 0.9) if busy > 0.9 else 0.0)
            if priority == ASYNC_WRITE:
                own += wait * 2  # a flush hands over far more than a drive takes at once
            if priority == SYNC_READ:
                self._waits[leaf.guid] = wait
            wanted = flow[priority] * span + meter.carry[priority]
            number = int(wanted)
            meter.carry[priority] = wanted - number
            if number:
                self._count(leaf, disk, priority, (number, flow[5 + priority], wait, own))
            per_ns = flow[priority] / 1e9
            under_way += per_ns * wait
            active = int(per_ns * wait + chance())  # an integer that is as much on average
            meter.queues[2 * priority] = int(per_ns * own + chance())
            meter.queues[2 * priority + 1] = active
            io.in_flight += active
        # The kernel counts a drive as busy while anything is under way, however many could run beside it.
        io.busy_ms += (1 - math.exp(-under_way) if lanes > 1 else min(busy, 0.995)) * span * 1000
        if flow[SYNC_WRITE] or flow[ASYNC_WRITE]:
            flushes = whole(span * 0.8, self._random)
            io.flushes += flushes
            io.flush_ms += flushes * service_ns(disk, SYNC_WRITE, flow[5 + SYNC_WRITE]) / _NS_PER_MS

    def _count(
        self, leaf: PracticeVdev, disk: PracticeDisk, priority: int, work: tuple[int, float, float, float]
    ) -> None:
        number, size, wait, own = work
        meter, io, chance = leaf.meter, disk.io, self._random.random
        is_write = priority in {SYNC_WRITE, ASYNC_WRITE}
        amount = int(size) * number
        if is_write:
            meter.writes += number
            meter.write_bytes += amount
            io.writes += number
            io.write_sectors += amount // _SECTOR
            io.write_ms += number * wait / _NS_PER_MS
        else:
            meter.reads += number
            meter.read_bytes += amount
            io.reads += number
            io.read_sectors += amount // _SECTOR
            io.read_ms += number * wait / _NS_PER_MS
        total, on_disk = meter.latencies[int(is_write)], meter.latencies[2 + is_write]
        for part, took in self._parts(disk, number, wait):
            if own < took * _NEGLIGIBLE:  # then each operation falls into the same bucket of both
                weight = scatter(on_disk, part, took, chance, twin=total)
                meter.weights[int(is_write)] += weight
            else:
                weight = scatter(on_disk, part, took, chance)
                meter.weights[int(is_write)] += scatter(total, part, took + own, chance)
            meter.weights[2 + is_write] += weight
        meter.weights[4 + priority] += scatter(meter.latencies[4 + priority], number, own, chance)
        for histogram in (int(is_write), 2 + is_write, 4 + priority):
            meter.counts[histogram] += number
        gathered = 1 if size >= _AGGREGATED else 0
        scatter_sizes(meter.sizes[2 * priority + gathered], number, size, chance)

    def _parts(self, disk: PracticeDisk, number: int, wait: float) -> tuple[tuple[int, float], ...]:
        """Operations and how long they take: all alike, but for those in the tail of a drive that has one."""
        if disk.tail is None:
            return ((number, wait),)
        share, times = disk.tail
        late = min(number, whole(number * share, self._random))
        return ((number - late, wait), (late, wait * times))

    @staticmethod
    def _account(pool: PracticePool, load: Load, flows: dict[int, Flow], span: float) -> None:
        """Count the I/O that reached the disks as that of the datasets, and let the pool fill."""
        reads = writes = 0.0
        for top in pool.tops("normal"):
            width = len(top.children) or 1
            columns = top.data_columns
            copies = 1 if top.parity else width
            for leaf in top.leaves():
                flow = flows.get(leaf.guid)
                if flow is not None:
                    reads += (flow[SYNC_READ] + flow[ASYNC_READ]) / columns
                    writes += flow[ASYNC_WRITE] * flow[5 + ASYNC_WRITE] / columns / copies / load.write_bytes
        pool.logical_reads += reads * span
        pool.logical_read_bytes += reads * span * load.read_bytes
        pool.logical_writes += (writes + load.sync_writes) * span
        pool.logical_write_bytes += (writes * load.write_bytes + load.sync_writes * load.sync_bytes) * span
        if span <= _DAY_S:
            growth_and_hourly_snapshots.grow(pool, load, span)


def add(flows: dict[int, Flow], leaf: PracticeVdev) -> Flow:
    """The flow of a leaf, made when missing."""
    flow = flows.get(leaf.guid)
    if flow is None:
        flow = flows[leaf.guid] = [0.0] * 10
    return flow


def put(flows: dict[int, Flow], leaf: PracticeVdev, priority: int, rate: float, size: float) -> None:
    """Add operations to a leaf; sizes are averaged."""
    if rate <= 0:
        return
    flow = add(flows, leaf)
    total = flow[priority] + rate
    flow[5 + priority] = (flow[5 + priority] * flow[priority] + size * rate) / total
    flow[priority] = total


def readers(vdev: PracticeVdev) -> list[PracticeVdev]:
    """The leaves beneath that a read may go to."""
    return [leaf for leaf in vdev.leaves() if leaf.is_current and leaf.is_there]


def hold_back(top: PracticeVdev, flows: dict[int, Flow]) -> float:
    """Limit a vdev to the speed of its slowest drive; returns the share of the load that is left."""
    worst = 0.0
    for leaf in top.leaves():
        flow = flows.get(leaf.guid)
        if flow is not None and leaf.disk is not None:
            lanes = SPEEDS[leaf.disk.drive].lanes
            busy = 0.0
            for priority in range(5):
                if flow[priority]:
                    busy += flow[priority] * service_ns(leaf.disk, priority, flow[5 + priority])
            worst = max(worst, busy / 1e9 / lanes)
    if worst <= MOST_BUSY:
        return 1.0
    factor = MOST_BUSY / worst
    for leaf in top.leaves():
        flow = flows.get(leaf.guid)
        if flow is not None:
            for priority in range(5):
                flow[priority] *= factor
    return factor
