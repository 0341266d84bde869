"""Service times, and how latencies scatter over histogram buckets."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from zconsole.practice import World, create_world
from zconsole.practice.io.drive_speed import queued_ns, scatter, service_ns
from zconsole.practice.io.io_counters import LATENCY_BUCKETS
from zconsole.practice.world.drives import DriveKind
from zconsole.practice.world.pools_and_vdevs import Load

LOAD = Load(reads=60, read_bytes=131072, writes=80, write_bytes=131072)


def hard_disks(layout: str, *, disks: int = 6, load: Load = LOAD) -> World:
    world = create_world(layout, disks=disks, disk_size=4_000_787_030_016)
    for disk in world.disks:
        disk.drive = DriveKind.HDD
    pool = world.pools["tank"]
    pool.load = load
    for top in pool.root.children:
        top.allocated = top.size // 2
    return world


@given(number=st.integers(0, 5000), mean_ns=st.floats(min_value=1e3, max_value=9e9), seed=st.integers(0, 999))
def test_a_scatter_counts_every_operation_once_around_its_mean(
    number: int, mean_ns: float, seed: int
) -> None:
    buckets = [0] * LATENCY_BUCKETS

    weight = scatter(buckets, number, mean_ns, random.Random(seed).random)  # noqa: S311

    assert number == sum(buckets)
    assert weight == sum(count * ((1 << index) + (1 << index) // 2) for index, count in enumerate(buckets))
    if number > 100:
        assert 0.6 * mean_ns < weight / number < 1.7 * mean_ns


def test_a_busy_drive_takes_longer_for_the_same() -> None:
    disk = hard_disks("mirror 0 1").disks[0]
    service = service_ns(disk, 0, 4096)

    times = [queued_ns(disk, service, busy) for busy in (0.0, 0.3, 0.6, 0.9, 5.0)]

    assert service == times[0]
    assert sorted(times) == times
    assert times[-1] < 10 * service
