"""What a happening does to the world: counters, states, SMART, events, messages of the kernel, and ZED."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from zconsole.practice.demo.demo_drives import io_errors
from zconsole.practice.exercises.starting_shelf_and_timed_faults import (
    Fails,
    Garbles,
    Happening,
    IsTaken,
    Slows,
    Wears,
)
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states, plug, set_state, unplug
from zconsole.practice.world.vdev_tree_changes import is_required
from zconsole.practice.zpool_vdevs.attach_replace_detach import spare_in

_SECTOR: Final = 3_907_029_168
_SPARED: Final = frozenset({"FAULTED", "REMOVED", "UNAVAIL"})  # states at which ZED asks for a hot spare


def happen(world: World, what: Happening, disks: Mapping[int, PracticeDisk]) -> None:
    """Let something happen; `disks` are those that were in the bays at the beginning."""
    match what:
        case Fails(bay, reads, writes):
            _fail(world, disks[bay], reads, writes)
        case Slows(bay, factor, slow_ios):
            _slow(world, disks[bay], factor, slow_ios)
        case Wears():
            _wear(world, disks[what.bay], what)
        case Garbles(bays, crc, errors):
            _garble(world, [disk for disk in world.disks if disk.bay in bays], crc, errors)
        case IsTaken(bay):
            take_out(world, disks[bay])
        case _:
            assert_never(what)


def take_out(world: World, disk: PracticeDisk) -> None:
    """Pull a disk out of its bay, onto the table."""
    target = _scsi(disk)
    unplug(world, disk)
    world.kernel(f"sd {target}: [{disk.kname}] Synchronizing SCSI cache")
    world.kernel(
        f"sd {target}: [{disk.kname}] Synchronize Cache(10) failed: Result: hostbyte=DID_NO_CONNECT "
        "driverbyte=DRIVER_OK"
    )
    world.lit.discard(disk.serial)
    disk.bay = None


def put_in(world: World, disk: PracticeDisk, bay: int) -> None:
    """Insert a disk from the table into a bay."""
    disk.bay = bay
    disk.hctl, disk.phys_path = f"0:0:{bay}:0", f"pci-0000:03:00.0-sas-phy{bay}-lun-0"
    plug(world, disk)
    blocks = disk.size // disk.sectors[0]
    target = _scsi(disk)
    world.kernel(f"scsi {target}: Direct-Access     ATA      {disk.model[:16]:<16} {disk.rev} PQ: 0 ANSI: 6")
    world.kernel(
        f"sd {target}: [{disk.kname}] {blocks} {disk.sectors[0]}-byte logical blocks: "
        f"({disk.size / 1e12:.2f} TB/{disk.size / 2**40:.2f} TiB)"
    )
    world.kernel(f"sd {target}: [{disk.kname}] Attached SCSI disk")


def change_cable(world: World, bays: Iterable[int]) -> None:
    """Put a new cable to some bays: their disks are away for a moment."""
    disks = [disk for disk in world.disks if disk.bay in set(bays) and disk.is_present]
    for disk in disks:
        unplug(world, disk)
    for disk in disks:
        plug(world, disk)
        world.kernel(f"sd {_scsi(disk)}: Power-on or device reset occurred")


def ask_for_spares(world: World) -> None:
    """Let idle hot spares stand in for devices that are gone, as ZED does."""
    for pool in world.pools.values():
        if pool.is_suspended:
            continue
        leaves = [leaf for top in pool.tops("normal") for leaf in top.leaves()]
        for leaf in [leaf for leaf in leaves if leaf.state in _SPARED]:
            above = pool.root.parent_of(leaf)
            if above is None or above.kind == "spare":
                continue
            idle = [spare for spare in pool.spares if pool.spare_state(spare) == "AVAIL" and spare.is_there]
            if any(spare_in(world, pool, leaf, spare) for spare in idle[:1]):
                derive_states(pool)


def _scsi(disk: PracticeDisk) -> str:
    return disk.hctl or "0:0:0:0"


def _fail(world: World, disk: PracticeDisk, reads: int, writes: int) -> None:
    disk.health.pending += 24
    disk.health.reallocated += 112
    disk.health.uncorrectable += 3
    disk.health.reported += reads + writes
    for number in range(3):
        _medium_error(world, disk, _SECTOR + 2048 * number)
    served = world.leaf_of(disk)
    if served is None or not served[1].is_usable:
        return
    pool, leaf = served
    leaf.read_errors += reads
    leaf.write_errors += writes
    io_errors(world, pool, leaf, count=12, at=world.now - 45)
    is_last = is_required(pool, leaf)  # which ZFS never takes away
    set_state(world, pool, leaf, "DEGRADED" if is_last else "FAULTED", "ERR_EXCEEDED")


def _medium_error(world: World, disk: PracticeDisk, sector: int) -> None:
    head = f"sd {_scsi(disk)}: [{disk.kname}] tag#{sector % 4096}"
    world.kernel(f"{head} FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_OK cmd_age=3s")
    world.kernel(f"{head} Sense Key : Medium Error [current] ")
    world.kernel(f"{head} Add. Sense: Unrecovered read error")
    world.kernel(
        f"critical medium error, dev {disk.kname}, sector {sector} op 0x0:(READ) flags 0x0 phys_seg 1 "
        "prio class 2"
    )


def _slow(world: World, disk: PracticeDisk, factor: float, slow_ios: int) -> None:
    disk.slow_factor = factor
    served = world.leaf_of(disk)
    if served is None or not slow_ios or not disk.is_present:
        return
    pool, leaf = served
    leaf.slow_ios += slow_ios
    for _ in range(min(slow_ios, 3)):
        world.report(
            pool,
            "ereport.fs.zfs.delay",
            ("vdev_guid", leaf.guid),
            ("vdev_path", leaf.path),
            ("zio_delay", 31_200_000_000),
        )


def _wear(world: World, disk: PracticeDisk, what: Wears) -> None:
    health = disk.health
    health.reallocated += what.reallocated
    health.pending += what.pending
    health.uncorrectable += what.uncorrectable
    health.reported += what.reported
    served = world.leaf_of(disk)
    if not what.reads or served is None or not served[1].is_usable:
        return
    _medium_error(world, disk, _SECTOR + health.pending)
    _count(world, served, what.reads)


def _garble(world: World, disks: Iterable[PracticeDisk], crc: int, errors: int) -> None:
    world.kernel("mpt3sas_cm0: log_info(0x31110d00): originator(PL), code(0x11), sub_code(0x0d00)")
    for disk in disks:
        if not disk.is_present:
            continue
        disk.health.crc += crc
        head = f"sd {_scsi(disk)}"
        world.kernel(f"{head}: [{disk.kname}] tag#{disk.health.crc} FAILED Result: hostbyte=DID_SOFT_ERROR")
        world.kernel(f"{head}: Power-on or device reset occurred")
        served = world.leaf_of(disk)
        if served is not None and served[1].is_usable and served[1] not in served[0].spares:
            _count(world, served, errors)


def _count(world: World, served: tuple[PracticePool, PracticeVdev], errors: int) -> None:
    pool, leaf = served
    leaf.read_errors += errors
    io_errors(world, pool, leaf, count=1, at=world.now)
