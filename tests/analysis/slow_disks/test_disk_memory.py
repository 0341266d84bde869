"""What a disk is remembered by counts reads and writes together."""

from __future__ import annotations

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.disk_memory import DiskMemory


def test_reads_and_writes_add_up() -> None:
    disk = DiskMemory(seen=0)
    disk.tracks[READS].learn(3, 10, 8e6, 4096)
    disk.tracks[WRITES].learn(3, 5, 2e6, 512)
    disk.tracks[READS].add(3, 0.0, 2.0)
    disk.tracks[WRITES].add(3, 0.0, 1.5)
    disk.tracks[WRITES].judged = 4.0

    assert (15, 4608) == disk.carried(3)
    assert (3.5, 4.0) == (disk.score, disk.judged)


def test_two_disks_share_no_memory() -> None:
    one, other = DiskMemory(seen=0), DiskMemory(seen=0)
    one.tracks[READS].add(0, 0.0, 2.0)

    assert (2.0, 0) == (one.score, other.score)
