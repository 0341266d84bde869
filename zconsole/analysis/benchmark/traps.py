"""Traps of a benchmark: numbers that the disks did not deliver."""

from __future__ import annotations

from enum import Enum
from typing import Final

from zconsole.model.pools.benchmark import BenchmarkRun, VdevRate

DISBELIEF: Final = 1.5  # times what the pool moved: more than the start and end of a run can make up


class Trap(Enum):
    """Why a number does not tell the speed of the disks."""

    ARC = "read from memory (ARC), not from the disks"
    COMPRESSED = "written as hardly anything: the data was compressed away"
    BUFFERED = "written to memory: the disks had not taken it when the run ended"
    AMPLIFIED = (
        "Disks move whole records for parts of them, what is prefetched is thrown away unless "
        "primarycache is all, and a synchronous write goes to the intent log too"
    )
    UNSEEN = "what the disks did was not seen"


def trap_of(run: BenchmarkRun, *, is_compressible: bool) -> Trap | None:
    """The trap that a run fell into; None where the disks did what fio says."""
    if run.rate is None:
        return None
    if not run.vdevs:
        return Trap.UNSEEN
    pool = run.vdevs[0]
    moved = _moved(run, pool)
    if moved > DISBELIEF * run.rate.bytes_per_s:
        return Trap.AMPLIFIED
    if run.rate.bytes_per_s <= DISBELIEF * moved:
        return None
    if run.read is not None:
        return Trap.ARC
    return Trap.COMPRESSED if is_compressible else Trap.BUFFERED


def times(run: BenchmarkRun) -> float | None:
    """How many times what the pool moved fio says; None where one of both is unknown or zero."""
    if run.rate is None or not run.vdevs:
        return None
    moved = _moved(run, run.vdevs[0])
    return run.rate.bytes_per_s / moved if moved > 0 else None


def _moved(run: BenchmarkRun, pool: VdevRate) -> float:
    return pool.read_bytes_per_s if run.read is not None else pool.write_bytes_per_s
