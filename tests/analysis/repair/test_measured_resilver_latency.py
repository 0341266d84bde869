"""How fast a new disk and the disks that it is copied from are, while it is copied."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.iostat import IoRow, IoSample, Latency
from zconsole.model.pools.pool import Scan, Vdev
from zconsole.model.repair import RepairStepKind

MS = 1e6
BROKEN = leaf(1, "FAULTED")
NEW = leaf(4, is_resilvering=True)
REPLACING = group("replacing-1", BROKEN, NEW)
FILLING = group("raidz2-0", leaf(0), REPLACING, leaf(2), leaf(3), vdev_type="raidz2")
RUNNING = Scan("resilver", "scanning", start=int(NOW) - 600, percent=41.0, errors=0)
WAITS = {leaf(0).name: (6.0, 4.0), leaf(2).name: (8.2, 4.0), leaf(3).name: (7.0, 4.0), NEW.name: (None, 4.1)}


def row(vdev: Vdev | str, reads: float = 0.0, writes: float = 0.0, waits: float = 1.0) -> IoRow:
    name = vdev if isinstance(vdev, str) else vdev.name
    read, write = WAITS.get(name, (None, None))
    read_ns = read * MS * waits if read and reads else None
    write_ns = write * MS * waits if write and writes else None
    return IoRow(name, None, None, reads, writes, 0.0, 0.0, Latency(disk_read=read_ns, disk_write=write_ns))


def sample(at: float, waits: float = 1.0, operations: float = 50.0) -> IoSample:
    survivors = [row(each, operations, operations, waits) for each in (leaf(0), leaf(2), leaf(3))]
    rows = (
        row("tank"),
        row("raidz2-0"),
        survivors[0],
        row("replacing-1"),
        row(BROKEN),
        row(NEW, writes=operations, waits=waits),
        *survivors[1:],
    )
    return IoSample("tank", NOW + at, rows)


def filling(*samples: IoSample) -> HostState:
    state = trouble_at(FILLING, scan=RUNNING)
    (pool,) = state.pools
    return replace(state, pools=(replace(pool, samples=samples),))


def told(*samples: IoSample) -> list[str]:
    lines = the_repair(filling(*samples), 1).step(RepairStepKind.RESILVER).found
    return [line for line in lines if "vdev:" in line or line.startswith("latency")]


def test_the_new_disk_stands_beside_the_survivors_as_soon_as_ten_seconds_are_measured() -> None:
    assert [] == told()
    assert [] == told(*(sample(at) for at in range(-9, 1)))
    assert [
        f"latency in the last 10s: the new disk {serial(4)} writes 4.1 ms",
        "the 3 other disks of the vdev: reads 6.0 to 8.2 ms, writes 4.0 ms",
    ] == told(*(sample(at) for at in range(-12, 1)))


def test_each_operation_counts_once_and_the_last_minute_only() -> None:
    old = sample(-90, waits=100.0, operations=1e6)
    samples = (old, sample(-60, waits=2.0, operations=10.0), sample(0, operations=30.0))

    assert f"latency in the last 1m: the new disk {serial(4)} writes 5.1 ms" == told(*samples)[0]


def test_samples_from_before_the_new_disk_was_there_say_nothing() -> None:
    rows = tuple(row(each) for each in ("tank", "raidz2-0", leaf(0), BROKEN, leaf(2), leaf(3)))

    assert [] == told(IoSample("tank", NOW - 30, rows), IoSample("tank", NOW, rows))
    assert [] == told(IoSample("tank", NOW - 30, rows), sample(-5), sample(0))


def test_without_operations_there_is_nothing_to_tell() -> None:
    assert [] == told(sample(-30, operations=0.0), sample(0, operations=0.0))
