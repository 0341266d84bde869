"""Counters of vdevs and block devices."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from zconsole.practice import World, create_world
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.system.proc_sys_and_etc_files import read_file
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


@settings(max_examples=20, deadline=None)
@given(
    steps=st.lists(st.floats(min_value=0.01, max_value=90.0), min_size=2, max_size=8), seed=st.integers(1, 99)
)
def test_counters_never_go_back(steps: list[float], seed: int) -> None:
    world = hard_disks("mirror 0 1 mirror 2 3")
    simulation = Simulation(world, seed)
    earlier = _counters(world)

    for step in steps:
        simulation.advance(world.elapsed + step)
        later = _counters(world)

        assert all(new >= old for old, new in zip(earlier, later, strict=True))
        earlier = later


def _counters(world: World) -> list[int]:
    numbers = [number for leaf in world.pools["tank"].leaves() for number in leaf.meter.numbers()]
    for line in read_file(world, "/proc/diskstats").split("\n")[:-1]:
        fields = list(map(int, line.split()[3:]))
        numbers += fields[:8] + fields[9:]  # the ninth says what is under way now
    for file in ("iostats", "objset-0x36"):
        lines = read_file(world, f"/proc/spl/kstat/zfs/tank/{file}").split("\n")[2:-1]
        numbers += [int(line.split()[-1]) for line in lines if line.split()[-1].isdigit()]
    return numbers
