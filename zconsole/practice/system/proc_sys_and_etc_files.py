"""Files in /proc, /sys and /etc: kstats of pools and datasets, statistics of block devices."""

from __future__ import annotations

import random
from functools import cache
from typing import Final

from zconsole.practice.io.io_counters import BlockIo
from zconsole.practice.nicenum_and_times import words
from zconsole.practice.system.arcstats import arcstats
from zconsole.practice.system.kstat_format import OF_POOL_NS, head, now_ns, rows
from zconsole.practice.system.module_stats import (
    PARAMETERS,
    ZIL,
    dmu_tx,
    dmu_tx_assign,
    parameter,
    zil,
    zil_counts,
)
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import TXG_S, World
from zconsole.practice.world.pools_and_vdevs import PracticePool

KSTAT: Final = "/proc/spl/kstat/zfs"
_OBJSET_BYTES: Final = 7872  # of the kstat of a dataset
_TXGS_KEPT: Final = 100
_ZVOL_MAJOR: Final = 230
_ZVOL_MINORS: Final = 16
_OBJSET: Final = (*words("writes nwritten reads nread nunlinks nunlinked"), *ZIL)
_TXGS: Final = words("txg birth state ndirty nread nwritten reads writes otime qtime wtime stime")
_TXG_WIDTHS: Final = (8, 16, 5, 12, 12, 12, 8, 8, 12, 12, 12, 12)
_IOSTATS: Final = (
    *(
        f"{kind}_{what}_{how}"
        for kind in ("trim", "autotrim", "simple_trim")
        for how in ("written", "skipped", "failed")
        for what in ("extents", "bytes")
    ),
    *("arc_read_count", "arc_read_bytes", "arc_write_count", "arc_write_bytes"),
    *("direct_read_count", "direct_read_bytes", "direct_write_count", "direct_write_bytes"),
)


def read_file(world: World, path: str) -> str:
    """The contents of a file; raises FileNotFoundError."""
    if path.startswith(KSTAT + "/"):
        return _kstat(world, path.removeprefix(KSTAT + "/"))
    if path.startswith(PARAMETERS):
        return parameter(world, path)
    match path:
        case "/proc/diskstats":
            return diskstats(world)
        case "/etc/machine-id":
            return world.machine_id + "\n"
        case "/etc/hostname" | "/proc/sys/kernel/hostname":
            return world.hostname + "\n"
        case "/proc/sys/kernel/random/boot_id":
            return world.boot_id + "\n"
        case "/sys/module/zfs/version":
            return world.zfs_version + "\n"
        case "/proc/uptime":
            seconds = world.uptime + world.elapsed
            return f"{seconds:.2f} {seconds * 7.6:.2f}\n"
        case _:
            raise FileNotFoundError(path)


def listing(world: World, path: str) -> list[str]:
    """The names in a folder of /proc/spl/kstat/zfs, folders with a slash; raises FileNotFoundError."""
    if path.rstrip("/") == KSTAT:
        return sorted([*(f"{pool}/" for pool in world.pools), "arcstats", "dmu_tx", "zil"])
    pool = world.pools.get(path.rstrip("/").removeprefix(KSTAT + "/"))
    if pool is None or not path.startswith(KSTAT):
        raise FileNotFoundError(path)
    objsets = [f"objset-0x{dataset.objset:x}" for dataset in pool.datasets.values() if is_open(dataset)]
    return sorted(["dmu_tx_assign", "guid", "iostats", "state", "txgs", *objsets])


def is_open(dataset: PracticeDataset) -> bool:
    """Whether the kernel counts a dataset's I/O: it is mounted or a volume."""
    return dataset.kind == "volume" or dataset.is_mounted


def _kstat(world: World, name: str) -> str:
    match name:
        case "arcstats":
            return arcstats(world)
        case "dmu_tx":
            return dmu_tx(world)
        case "zil":
            return zil(world)
    pool_name, _, file = name.partition("/")
    pool = world.pools.get(pool_name)
    if pool is None:
        raise FileNotFoundError(f"{KSTAT}/{name}")
    match file:
        case "state":
            return pool.state + "\n"
        case "guid":
            return f"{pool.guid}\n"
        case "txgs":
            return _txgs(world, pool)
        case "dmu_tx_assign":
            return dmu_tx_assign(world, pool)
        case "iostats":
            return _iostats(world, pool)
    for dataset in pool.datasets.values():
        if file == f"objset-0x{dataset.objset:x}" and is_open(dataset):
            return _objset(world, pool, dataset)
    raise FileNotFoundError(f"{KSTAT}/{name}")


def _iostats(world: World, pool: PracticePool) -> str:
    values = {
        "arc_read_count": int(pool.logical_reads),
        "arc_read_bytes": int(pool.logical_read_bytes),
        "arc_write_count": int(pool.logical_writes),
        "arc_write_bytes": int(pool.logical_write_bytes),
    }
    return head(world, 31, len(_IOSTATS), created_ns=OF_POOL_NS) + rows(_IOSTATS, values)


def _objset(world: World, pool: PracticePool, dataset: PracticeDataset) -> str:
    reads, writes = dataset.share
    values = {
        "writes": int(pool.logical_writes * writes),
        "nwritten": int(pool.logical_write_bytes * writes),
        "reads": int(pool.logical_reads * reads),
        "nread": int(pool.logical_read_bytes * reads),
        **zil_counts(pool, writes),
    }
    above = head(world, 60 + dataset.objset, len(_OBJSET) + 1, size=_OBJSET_BYTES, created_ns=OF_POOL_NS)
    return f"{above}{'dataset_name':<31} 7    {dataset.name}\n{rows(_OBJSET, values)}"


def _txgs(world: World, pool: PracticePool) -> str:
    lines: list[tuple[object, ...]] = [_TXGS]
    current, now = int(pool.txg), now_ns(world)
    kept = min(_TXGS_KEPT, world.parameters["zfs_txg_history"])
    written = pool.load.writes * pool.load.write_bytes * TXG_S if pool.load else 0.0
    for txg in range(max(pool.first_txg, current - kept + 1), current + 1):
        draw = random.Random(pool.guid ^ txg)  # noqa: S311
        birth = now - int((pool.txg - txg) * TXG_S * 1e9)
        dirty = int(written * draw.uniform(0.6, 1.4))
        if txg == current:
            lines.append((txg, birth, "O", 0, 0, 0, 0, 0, 0, 0, 0, 0))
            continue
        nwritten, writes = int(dirty * 1.9), dirty // (64 * 1024)
        times = (int(TXG_S * 1e9), 22000, 150000, int(draw.uniform(0.3, 1.8) * 1e9))
        lines.append((txg, birth, "C", dirty, 0, nwritten, 0, writes, *times))
    return "".join(
        " ".join(f"{cell:<{width}}" for cell, width in zip(line, _TXG_WIDTHS, strict=True)) + "\n"
        for line in lines
    )


def zvols(world: World) -> list[tuple[str, PracticeDataset, PracticePool]]:
    """The volumes with the names that their devices have."""
    found = [
        (dataset, pool)
        for pool in world.pools.values()
        for dataset in pool.datasets.values()
        if dataset.kind == "volume"
    ]
    numbers = world.zvol_numbers
    for dataset, _ in found:
        numbers.setdefault(dataset.guid, max(numbers.values(), default=-1) + 1)
    return [(f"zd{numbers[dataset.guid] * _ZVOL_MINORS}", dataset, pool) for dataset, pool in found]


def diskstats(world: World) -> str:
    """/proc/diskstats, partitions and volumes included."""
    lines = []
    for disk in world.disks:
        if not disk.is_present:
            continue
        lines.append(_block(disk.major, disk.minor, disk.kname, disk.io))
        for number in partitions(disk):
            name = f"{disk.kname}{disk.infix}{number}"
            if number == 1:
                lines.append(_block(disk.major, disk.minor + number, name, disk.io, is_partition=True))
            else:
                lines.append(_untouched(disk.major, disk.minor + number, name))
    for name, dataset, pool in zvols(world):
        reads, writes = dataset.share
        io = BlockIo(
            reads=int(pool.logical_reads * reads),
            read_sectors=int(pool.logical_read_bytes * reads) >> 9,
            writes=int(pool.logical_writes * writes),
            write_sectors=int(pool.logical_write_bytes * writes) >> 9,
        )
        lines.append(_block(_ZVOL_MAJOR, int(name[2:]), name, io, is_partition=True))
    return "".join(lines)


@cache
def _untouched(major: int, minor: int, name: str) -> str:
    """The line of a partition that nobody reads or writes."""
    return _block(major, minor, name, BlockIo(), is_partition=True)


def _block(major: int, minor: int, name: str, io: BlockIo, *, is_partition: bool = False) -> str:
    flushes = (0, 0) if is_partition else (io.flushes, int(io.flush_ms))
    queued = int(io.read_ms + io.write_ms) + flushes[1]
    reads = f"{io.reads} 0 {io.read_sectors} {int(io.read_ms)}"
    writes = f"{io.writes} 0 {io.write_sectors} {int(io.write_ms)}"
    rest = f"{io.in_flight} {int(io.busy_ms)} {queued} 0 0 0 0 {flushes[0]} {flushes[1]}"
    return f"{major:4d} {minor:7d} {name} {reads} {writes} {rest}\n"


def partitions(disk: PracticeDisk) -> tuple[int, ...]:
    """The numbers of a drive's partitions."""
    if disk.is_partitioned:
        return (1, 9)
    return tuple(sorted({signature.number for signature in disk.signatures if signature.number}))
