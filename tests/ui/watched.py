"""Pools of `states.py` after they were watched for a while: verdicts, strips, histograms."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import log2
from typing import Final
from zlib import crc32

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from tests.doubles.static_source import StaticSource
from tests.ui import states
from tests.ui.states import MS, NOW, TICKS
from zconsole.model.guests.guest import GuestDiskRates
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.past_states_and_latency_strips import Bandwidth, Past, Strip, Strips
from zconsole.model.pools.dataset_io import DatasetIo, DatasetIoSample, OtherDatasets
from zconsole.model.pools.histograms import HistogramRow, HistogramSample
from zconsole.model.pools.iostat import Histogram, IoSample
from zconsole.model.pools.kernel_counters import ArcSample, Hits, L2Arc, ThrottleSample, Txg, ZilSample
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.pools.slow_disk import (
    LONG_TAIL,
    READ,
    SLOW,
    STALLING,
    WRITE,
    Comparison,
    Cost,
    Judgement,
    Quantile,
    SlowDiskVerdict,
    Stalls,
    Undecided,
)

SLOW_DISK: Final = "ata-ST8000NM000A-2KE101_ZL2F0C44"
PEERS: Final = tuple(f"ata-ST8000NM000A-2KE101_ZL2F0{end}" for end in ("D02", "A11", "B07"))
STRIP_CELLS: Final = 130
BANDWIDTH_CELLS: Final = 60
SLOW_FOR_S: Final = 366  # the disk of the past
TAKEN_OUT_BEFORE_S: Final = 420
LOADED_BEFORE_S: Final = 300
LATENCY_BOUNDS: Final = tuple((1 << power) - 1 for power in range(37))
SIZE_BOUNDS: Final = tuple((1 << power) - 1 for power in range(10, 25))
BY_CLASS: Final = {  # how many times the wait at the disk, and how many operations a second
    "total_read": (1.4, 100), "total_write": (2.0, 440), "disk_read": (1.0, 100), "disk_write": (1.0, 440),
    "syncq_read": (0.02, 60), "syncq_write": (0.03, 40), "asyncq_read": (0.1, 40), "asyncq_write": (3.0, 400),
    "scrub": (0.0, 0), "trim": (0.0, 0), "rebuild": (0.0, 0),
}  # fmt: skip


def verdict(**more: object) -> SlowDiskVerdict:
    """One disk of tank's second mirror reads five times slower than three others, for six minutes."""
    values: dict[str, object] = {
        "disk": SLOW_DISK, "vdev": "mirror-1", "shape": "mirror", "kind": SLOW, "operations": (READ,),
        "ratio": 5.36, "confidence": 0.93, "first_sample": 84, "decided_sample": 92, "last_sample": 450,
        "first_at": NOW - 366, "last_at": NOW, "is_ongoing": True, "peers": PEERS,
        "compared": (Comparison(READ, 41.0 * MS, 7.65 * MS, 36_100.0, 360, 12.0),),
        "costs": (Cost(READ, 24.3 * MS, 7.7 * MS, 14.1 * MS, 8.0 * MS),),
        "busy": 0.97, "peers_busy": 0.31, "queued": 9.4, "peers_queued": 1.2,
    }  # fmt: skip
    return SlowDiskVerdict(**(values | more))  # type: ignore[arg-type]


def stalling() -> SlowDiskVerdict:
    """The same disk, which does not answer now and then."""
    return verdict(
        kind=STALLING, operations=(READ, WRITE), ratio=330.0, compared=(), costs=(),
        stalls=Stalls(4, 6.2e9), busy=None, peers_busy=None, queued=None, peers_queued=None,
    )  # fmt: skip


def tail() -> SlowDiskVerdict:
    """The same disk is as fast as its peers in the mean, but one in a hundred of its reads is not."""
    quantiles = tuple(
        Quantile(READ, share, 2.0**own, 2.0**peers, 36_100, own != peers)
        for share, own, peers in ((0.5, 23, 23), (0.99, 28, 25), (0.999, 29, 26))
    )  # fmt: skip
    return verdict(
        kind=LONG_TAIL, ratio=8.0, compared=(), quantiles=quantiles,
        costs=(Cost(READ, 2.0**28, 2.0**25, 2.0**27, 2.0**25, share=0.99),),
        busy=None, peers_busy=None, queued=None, peers_queued=None,
    )  # fmt: skip


def over() -> SlowDiskVerdict:
    """What was and is no more."""
    return verdict(is_ongoing=False, last_at=NOW - 125)


def pair() -> SlowDiskVerdict:
    """Only one disk to hold it against."""
    return verdict(peers=PEERS[:1], confidence=0.81, operations=(READ, WRITE), compared=(
        Comparison(READ, 41.0 * MS, 7.65 * MS, 36_100.0, 360, 12.0),
        Comparison(WRITE, 25.0 * MS, 4.9 * MS, 158_000.0, 360, 11.0),
    ))  # fmt: skip


def judgement(*verdicts: SlowDiskVerdict, undecided: tuple[Undecided, ...] = ()) -> Judgement:
    """What is said of tank after some minutes."""
    return Judgement("tank", 451, 7, verdicts, undecided)


def slow(*verdicts: SlowDiskVerdict) -> HostState:
    """A host whose pool tank has a slow disk, with histograms."""
    state = states.pool_state(
        states.tank(),
        judgement=judgement(
            *(verdicts or (verdict(),)),
            undecided=(
                Undecided("nvme-INTEL_SSDPE21K_PHKE1", "mirror-3",
                          "no similar disk had I/O to compare with: 5120 operations in 451 of 451 samples"),
            ),
        ),
        latencies=Reading(latencies(states.tank()), TICKS - 0.4),
        sizes=Reading(sizes(states.tank()), TICKS - 0.4),
    )  # fmt: skip
    return states.host("storage1", state)


def slow_under_guests() -> HostState:
    """The same host with guests that run on the pool."""
    return replace(slow(), guests=states.with_guests().guests)


def slow_for_long() -> HostState:
    """The same host, an hour later."""
    return slow(verdict(first_at=NOW - 3_966))


def activity(at: float = NOW, *rows: DatasetIo) -> DatasetIoSample:
    """Two seconds of five datasets of tank, one of them a database that commits, and one idle."""
    mib = float(1 << 20)
    known = (
        DatasetIo("tank", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        DatasetIo("tank/backup", 3.0, 96.0, 0.4 * mib, 96.0 * mib, 0.0, 0.0),
        DatasetIo("tank/home", 120.0, 14.0, 3.1 * mib, 0.9 * mib, 6.0, 2.0),
        DatasetIo("tank/vm/database", 1900.0, 860.0, 14.8 * mib, 6.7 * mib, 0.0, 840.0),
        DatasetIo("tank/vm/web1", 12.0, 9.0, 0.2 * mib, 0.1 * mib, 0.0, None),
    )
    return DatasetIoSample(at, 2.0, rows or known)


def give_loads(source: StaticSource) -> None:
    """Let it have read tank's datasets for five minutes, and, after a pause of three, for the last two."""
    every = (*range(600, 300, -2), *range(120, -1, -2))
    source.kept_loads["storage1", "tank"] = tuple(_load(ago) for ago in every)


def _load(ago: int) -> DatasetIoSample:
    """Long ago there were many more that did a little, and a backup."""
    mib, now = float(1 << 20), activity()
    if ago <= LOADED_BEFORE_S:
        return replace(now, at=NOW - ago, rows=tuple(row for row in now.rows if row.read_ops))
    rows = tuple(
        DatasetIo(f"tank/home/user{at:02}", 9.0 + at, 4.0, 0.2 * mib, 0.1 * mib, 0.0, 0.5) for at in range(49)
    )
    backup = DatasetIo("tank/backup", 40.0 + ago % 4, 900.0, 1.2 * mib, 310.0 * mib, 0.0, 0.0)
    others = OtherDatasets(
        idle=300, active=700, read_ops=900.0, write_ops=10.0, read_bytes=6.0 * mib, write_bytes=mib
    )
    return DatasetIoSample(NOW - ago, 2.0, (backup, *rows), others=others)


def loaded(sample: DatasetIoSample | None = None, problem: str = "") -> HostState:
    """A host of which somebody wants to know who causes the load."""
    reading = Reading(sample if sample is not None or problem else activity(), TICKS - 1, problem)
    return states.host("storage1", states.pool_state(states.tank(), dataset_io=reading))


def loaded_by_guests() -> HostState:
    """The same, with the guests on its datasets, of which one was read twice."""
    busy = GuestDiskRates(
        5.0, 1880.0, 855.0, read_bytes_per_s=15.2e6, written_bytes_per_s=6.9e6, flushes_per_s=61.0,
        mean_read_ns=2.1e6, mean_write_ns=0.9e6, mean_flush_ns=4.2e6,
    )  # fmt: skip
    database = guest_on("database", replace(on_volume("tank/vm/database"), rates=busy))
    guests = (database, guest_on("web1", on_volume("tank/vm/web1")), guest_on("pbs", on_files("tank/backup")))
    return replace(loaded(), guests=Reading(guests, TICKS - 2))


def cached(*, is_held_up: bool = False, has_l2: bool = True) -> HostState:
    """A host whose cache was watched for five minutes; held up, its pool's groups take long."""
    moments = [NOW - 300 + 2 * step for step in range(151)]
    state = states.healthy()
    sync_ns = 7.2e9 if is_held_up else 1.2e9
    txgs = tuple(
        Txg(1000 + number, (5 * number - 305) * 10**9, "C", 410 << 20, 0, 400 << 20, 0, 900,
            int(5e9), 20_000, 40_000, int(sync_ns * (0.8 + number % 5 / 10)))
        for number in range(60)
    )  # fmt: skip
    waits = Histogram((1023, 4095, 16_383, (1 << 23) - 1), (900, 80, 15, 5))
    pool = replace(state.pools[0], txgs=Reading(txgs, TICKS - 1), assign_waits=Reading(waits, TICKS - 1))
    return replace(
        state,
        pools=(pool,),
        arc=Reading(tuple(_arc(at, has_l2=has_l2) for at in moments), TICKS - 1),
        throttle=Reading(tuple(_throttle(at, is_held_up=is_held_up) for at in moments), TICKS - 1),
        zil=Reading(tuple(_zil(at) for at in moments), TICKS - 1),
    )


def _arc(at: float, *, has_l2: bool) -> ArcSample:
    gib, dip = 1 << 30, NOW - 130 < at < NOW - 100
    l2 = L2Arc(200 * gib, 120 * gib, gib // 3, Hits(40.0, 72.0), 12.0 * (1 << 20), 3.1 * (1 << 20), 0)
    return ArcSample(
        at=at, interval_s=2.0, size_bytes=int(23.1 * gib), target_bytes=24 * gib, min_bytes=2 * gib,
        max_bytes=32 * gib, data_bytes=12 * gib, metadata_bytes=8 * gib, header_bytes=gib, dnode_bytes=gib,
        dbuf_bytes=gib, mru_bytes=8 * gib, mfu_bytes=12 * gib, compressed_bytes=20 * gib,
        uncompressed_bytes=31 * gib, total=Hits(1500.0 if dip else 4100.0, 1400.0 if dip else 112.0, 9.0),
        demand_data=Hits(2900.0, 54.0, 5.0), demand_metadata=Hits(1100.0, 4.0),
        prefetch_data=Hits(61.0, 39.0), prefetch_metadata=Hits(0.0, 0.0), mru_hits=900.0,
        mfu_hits=3200.0, mru_ghost_hits=1.0, mfu_ghost_hits=2.0, evicted=40.0,
        memory_bytes=64 * gib, memory_free_bytes=12 * gib,
        memory_available_bytes=10 * gib, throttled=0.0, may_grow=True, l2=l2 if has_l2 else None,
        at_ns=int((at - NOW) * 1e9),
    )  # fmt: skip


def _throttle(at: float, *, is_held_up: bool) -> ThrottleSample:
    held = 35.0 if is_held_up else 0.0
    return ThrottleSample(at, 2.0, 1200.0, held, 0.0, 0.0, 0.0, 0.0, 0.0, dirty_max_bytes=4 << 30)


def _zil(at: float) -> ZilSample:
    mib = float(1 << 20)
    return ZilSample(at, 2.0, 120.0, 60.0, 400.0, 0.5 * mib, 6.0 * mib, 3.0 * mib, 0.0, 12.0 * mib, 0.0)


def strips(pool: Pool, until: float = NOW, cell_s: float = 5.0) -> Strips:
    """Half an hour: one disk grows slow, another pauses once, all are idle for a while."""
    names = [pool.name, *(vdev.name for vdev in pool.walk() if vdev.vdev_class != "spare")]
    return Strips(until, cell_s, tuple(Strip(name, tuple(_waits(name))) for name in names))


def _waits(name: str) -> list[float | None]:
    seed = crc32(name.encode("utf-8", "surrogatepass"))
    base = 0.09 if name.startswith("nvme") else 7.0
    waits: list[float | None] = []
    for cell in range(STRIP_CELLS):
        wait = base * (1 + (seed >> (cell % 24) & 3) / 4)
        if name == SLOW_DISK and cell >= STRIP_CELLS - 73:
            wait = 41.0 + cell % 3
        if name.endswith("0B07") and cell == STRIP_CELLS - 9:
            wait = 800.0
        waits.append(None if STRIP_CELLS - 20 <= cell < STRIP_CELLS - 17 else wait * MS)
    return waits


def bandwidth(until: float = NOW) -> Bandwidth:
    """Ten minutes: reads grow from nothing, writes come in bursts, and for a while nobody looked."""
    mib = float(1 << 20)
    reads = tuple(None if 20 <= cell < 23 else cell * 2.0 * mib for cell in range(BANDWIDTH_CELLS))
    writes = tuple(
        None if 20 <= cell < 23 else (900.0 if cell % 6 == 0 else 12.0) * mib
        for cell in range(BANDWIDTH_CELLS)
    )
    return Bandwidth(until, reads, writes)


def latencies(pool: Pool) -> tuple[HistogramSample, ...]:
    """Ten seconds of `-w`, each class of each vdev around its own wait."""
    rows = tuple(_latency_row(name, vdev) for name, vdev in _named(pool))
    return tuple(HistogramSample(NOW - 10 + second / 2, 0.5, rows) for second in range(1, 21))


def _latency_row(name: str, vdev: Vdev | None) -> HistogramRow:
    wait_ms = 41.0 if name == SLOW_DISK else 0.09 if name.startswith("nvme") else 7.0
    share = 1 if vdev is not None and vdev.is_leaf else 2
    return HistogramRow(
        name,
        {of: _bell(wait_ms * by * MS, share * rate) for of, (by, rate) in BY_CLASS.items()},
    )


def _bell(around_ns: float, rate: int) -> Histogram:
    """Most in the bucket of that wait, fewer beside it, a single one far above."""
    peak = int(log2(around_ns)) + 1 if rate else 0
    shares = {peak - 2: 0.05, peak - 1: 0.25, peak: 0.5, peak + 1: 0.15, peak + 2: 0.04, peak + 4: 0.01}
    counts = tuple(int(rate * shares.get(at, 0.0)) for at in range(len(LATENCY_BOUNDS)))
    return Histogram(LATENCY_BOUNDS, counts)


def sizes(pool: Pool) -> tuple[HistogramSample, ...]:
    """Ten seconds of `-r`."""
    rows = tuple(
        HistogramRow(
            name,
            {
                "sync_read_individual": _sizes(14, 60), "sync_read_aggregated": _sizes(17, 20),
                "sync_write_individual": _sizes(12, 40), "sync_write_aggregated": _sizes(0, 0),
                "async_read_individual": _sizes(16, 30), "async_read_aggregated": _sizes(0, 0),
                "async_write_individual": _sizes(13, 300), "async_write_aggregated": _sizes(20, 90),
                "scrub_individual": _sizes(0, 0), "scrub_aggregated": _sizes(0, 0),
                "trim_individual": _sizes(0, 0), "trim_aggregated": _sizes(0, 0),
            },
        )
        for name, _ in _named(pool)
    )  # fmt: skip
    return tuple(HistogramSample(NOW - 10 + second / 2, 0.5, rows) for second in range(1, 21))


def _sizes(power: int, rate: int) -> Histogram:
    counts = tuple(
        int(rate * {0: 0.6, 1: 0.3, -1: 0.1}.get(at + 9 - power, 0.0)) for at in range(len(SIZE_BOUNDS))
    )
    return Histogram(SIZE_BOUNDS, counts)


def _named(pool: Pool) -> list[tuple[str, Vdev | None]]:
    walked: list[tuple[str, Vdev | None]] = [(vdev.name, vdev) for vdev in pool.walk()]
    return [(pool.name, None), *(each for each in walked if each[1] and each[1].vdev_class != "spare")]


def give_strips(source: StaticSource) -> None:
    """Let the source know the past of the pools that it has."""
    for state in source.newest():
        for pool in state.pools:
            if pool.pool.value is not None:
                source.canned_strips[state.host, pool.name] = strips(pool.pool.value)
                source.canned_bandwidth[state.host, pool.name] = bandwidth()


def without_judgement(state: PoolState) -> PoolState:
    """As before anything could be said."""
    return replace(state, judgement=None)


def give_past(source: StaticSource, *, seconds: int = 600, every_s: int = 1) -> None:
    """Let it have kept ten minutes of tank: another disk was taken out, was back, and then one grew slow."""
    for state in source.newest():
        for pool in state.pools:
            if pool.name == "tank":
                source.pasts[state.host, "tank"] = tuple(
                    _past(pool, ago) for ago in range(seconds, -1, -every_s)
                )


def _past(pool: PoolState, ago: int) -> Past:
    known, sample = _tank(ago)
    judged = judgement() if ago > SLOW_FOR_S else pool.judgement
    then = replace(
        pool, kstat_state=known.state, pool=Reading(known, TICKS - ago - 3), samples=(sample,),
        io_at=TICKS - ago, judgement=judged, latencies=Reading(), sizes=Reading(),
    )  # fmt: skip
    return Past(then, NOW - ago, TICKS - ago)


@cache
def _tank(ago: int) -> tuple[Pool, IoSample]:
    """The pool and its I/O at that moment, the same for every test."""
    known = states.tank()
    if ago > TAKEN_OUT_BEFORE_S:
        known = replace(known, state="DEGRADED", vdevs=tuple(map(_taken_out, known.vdevs)))
    slow = "none" if ago > SLOW_FOR_S else "ZL2F0C44"
    return known, states.sample(known, NOW - ago, slow=slow, scale=1 + ago / 100)


def _taken_out(vdev: Vdev) -> Vdev:
    if vdev.name == "mirror-0":
        first = replace(vdev.children[0], state="OFFLINE")
        return replace(vdev, state="DEGRADED", children=(first, *vdev.children[1:]))
    return vdev
