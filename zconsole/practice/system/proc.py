"""Files of the practice host: kernel statistics and the few others that are read."""

from __future__ import annotations

import random
from typing import Final

from zconsole.practice.io.io_counters import BlockIo
from zconsole.practice.system.arcstats import arcstats
from zconsole.practice.system.module_stats import (
    PARAMETERS,
    dmu_tx,
    dmu_tx_assign,
    parameter,
    zil,
    zil_counts,
)
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.pools_and_vdevs import PracticeDisk, PracticePool
from zconsole.practice.world.world import TXG_S, ZFS_VERSION, World
from zconsole.practice.zpool_show.zfs_numbers import words

KSTAT: Final = "/proc/spl/kstat/zfs"
_CREATED_NS: Final = 177_003_631_744  # of the kstats of a pool
_TXGS_KEPT: Final = 100
_ZVOL_MAJOR: Final = 230
_ZVOL_MINORS: Final = 16
_OBJSET: Final = words("""
        writes nwritten reads nread nunlinks nunlinked zil_commit_count zil_commit_writer_count
        zil_commit_error_count zil_commit_stall_count zil_commit_suspend_count zil_commit_crash_count
        zil_itx_count zil_itx_indirect_count zil_itx_indirect_bytes zil_itx_copied_count
        zil_itx_copied_bytes zil_itx_needcopy_count zil_itx_needcopy_bytes zil_itx_metaslab_normal_count
        zil_itx_metaslab_normal_bytes zil_itx_metaslab_normal_write zil_itx_metaslab_normal_alloc
        zil_itx_metaslab_slog_count zil_itx_metaslab_slog_bytes zil_itx_metaslab_slog_write
        zil_itx_metaslab_slog_alloc
    """)
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
            return ZFS_VERSION + "\n"
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


def _now_ns(world: World) -> int:
    return int((world.uptime + world.elapsed) * 1e9)


def _head(world: World, number: int, entries: int, size: int) -> str:
    now = _now_ns(world)
    return f"{number} 1 0x01 {entries} {size} {min(now, _CREATED_NS)} {now}\n{'name':<31} type data\n"


def _iostats(world: World, pool: PracticePool) -> str:
    values = {
        "arc_read_count": int(pool.logical_reads),
        "arc_read_bytes": int(pool.logical_read_bytes),
        "arc_write_count": int(pool.logical_writes),
        "arc_write_bytes": int(pool.logical_write_bytes),
    }
    rows = "".join(f"{name:<31} 4    {values.get(name, 0)}\n" for name in _IOSTATS)
    return _head(world, 31, len(_IOSTATS), len(_IOSTATS) * 272) + rows


def _objset(world: World, pool: PracticePool, dataset: PracticeDataset) -> str:
    reads, writes = dataset.share
    values = {
        "writes": int(pool.logical_writes * writes),
        "nwritten": int(pool.logical_write_bytes * writes),
        "reads": int(pool.logical_reads * reads),
        "nread": int(pool.logical_read_bytes * reads),
        **zil_counts(pool, writes),
    }
    rows = "".join(f"{name:<31} 4    {values.get(name, 0)}\n" for name in _OBJSET)
    head = _head(world, 60 + dataset.objset, len(_OBJSET) + 1, 7872)
    return f"{head}{'dataset_name':<31} 7    {dataset.name}\n{rows}"


def _txgs(world: World, pool: PracticePool) -> str:
    columns = (
        "txg",
        "birth",
        "state",
        "ndirty",
        "nread",
        "nwritten",
        "reads",
        "writes",
        "otime",
        "qtime",
        "wtime",
        "stime",
    )
    widths = (8, 16, 5, 12, 12, 12, 8, 8, 12, 12, 12, 12)
    lines = [" ".join(f"{name:<{width}}" for name, width in zip(columns, widths, strict=True))]
    current = int(pool.txg)
    now = _now_ns(world)
    kept = min(_TXGS_KEPT, world.parameters["zfs_txg_history"])
    written = pool.load.writes * pool.load.write_bytes * TXG_S if pool.load else 0.0
    for txg in range(max(pool.first_txg, current - kept + 1), current + 1):
        draw = random.Random(pool.guid ^ txg)  # noqa: S311
        birth = now - int((pool.txg - txg) * TXG_S * 1e9)
        dirty = int(written * draw.uniform(0.6, 1.4))
        if txg == current:
            cells: tuple[object, ...] = (txg, birth, "O", 0, 0, 0, 0, 0, 0, 0, 0, 0)
        else:
            syncing = int(draw.uniform(0.3, 1.8) * 1e9)
            writes = dirty // (64 * 1024)
            cells = (
                txg,
                birth,
                "C",
                dirty,
                0,
                int(dirty * 1.9),
                0,
                writes,
                int(TXG_S * 1e9),
                22000,
                150000,
                syncing,
            )
        lines.append(" ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)))
    return "\n".join(lines) + "\n"


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
            io = disk.io if number == 1 else BlockIo()
            name = f"{disk.kname}{disk.infix}{number}"
            lines.append(_block(disk.major, disk.minor + number, name, io, is_partition=True))
    for name, dataset, pool in zvols(world):
        io = BlockIo()
        reads, writes = dataset.share
        io.reads, io.read_sectors = int(pool.logical_reads * reads), int(pool.logical_read_bytes * reads) >> 9
        io.writes, io.write_sectors = (
            int(pool.logical_writes * writes),
            int(pool.logical_write_bytes * writes) >> 9,
        )
        lines.append(_block(_ZVOL_MAJOR, int(name[2:]), name, io, is_partition=True))
    return "".join(lines)


def _block(major: int, minor: int, name: str, io: BlockIo, *, is_partition: bool = False) -> str:
    flushes = (0, 0) if is_partition else (io.flushes, int(io.flush_ms))
    queued = int(io.read_ms + io.write_ms) + flushes[1]
    numbers = (
        *(io.reads, 0, io.read_sectors, int(io.read_ms)),
        *(io.writes, 0, io.write_sectors, int(io.write_ms)),
        *(io.in_flight, int(io.busy_ms), queued),
        *(0, 0, 0, 0),
        *flushes,
    )
    return f"{major:4d} {minor:7d} {name} {' '.join(map(str, numbers))}\n"


def partitions(disk: PracticeDisk) -> tuple[int, ...]:
    """The numbers of a drive's partitions."""
    if disk.is_partitioned:
        return (1, 9)
    return tuple(sorted({signature.number for signature in disk.signatures if signature.number}))
