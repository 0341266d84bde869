"""The practice world's I/O follows ZFS's rules, and the same seed gives the same world."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.practice.laboratory import run
from zconsole.practice import World, create_world
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.system.proc_sys_and_etc_files import read_file
from zconsole.practice.world.drives import Ageing, DriveKind
from zconsole.practice.world.pools_and_vdevs import Load, PracticeVdev
from zconsole.practice.world.vdev_states_and_drive_unplugging import set_state

EPOCH = 1_795_219_200.0


LOAD = Load(reads=60, read_bytes=131072, writes=80, write_bytes=131072)


STEADY = Load(reads=60, read_bytes=131072, writes=0, write_bytes=131072, swing=0.0)


def hard_disks(layout: str, *, disks: int = 6, load: Load = LOAD) -> World:
    world = create_world(layout, disks=disks, disk_size=4_000_787_030_016)
    for disk in world.disks:
        disk.drive = DriveKind.HDD
    pool = world.pools["tank"]
    pool.load = load
    for top in pool.root.children:
        top.allocated = top.size // 2
    return world


def reads_a_second(world: World, seconds: int = 60) -> dict[str, float]:
    """What each top-level vdev and disk reads over a while."""
    simulation = Simulation(world)
    pool = world.pools["tank"]
    before = {leaf.guid: leaf.meter.reads for leaf in pool.root.leaves()}
    for _ in range(seconds):
        simulation.advance(world.elapsed + 1)
    return {
        leaf.disk.serial: (leaf.meter.reads - before[leaf.guid]) / seconds
        for leaf in pool.root.leaves()
        if leaf.disk is not None
    }


def mean_read_ns(leaf: PracticeVdev) -> float:
    return leaf.meter.weights[0] / leaf.meter.counts[0]


@settings(max_examples=15, deadline=None)
@given(filled=st.lists(st.floats(min_value=0.05, max_value=0.95), min_size=2, max_size=3))
def test_writes_spread_over_the_vdevs_by_their_free_space(filled: list[float]) -> None:
    layout = " ".join(f"mirror {2 * index} {2 * index + 1}" for index in range(len(filled)))
    world = hard_disks(layout)
    tops = world.pools["tank"].root.children
    for top, share in zip(tops, filled, strict=True):
        top.allocated = int(top.size * share)
    simulation = Simulation(world)

    for _ in range(200):
        simulation.advance(world.elapsed + 1)

    written = [top.children[0].meter.write_bytes for top in tops]
    free = [1 - share for share in filled]
    for index, size in enumerate(written):
        assert size / sum(written) == pytest.approx(free[index] / sum(free), abs=0.03)


def test_both_sides_of_a_mirror_write_the_same() -> None:
    world = hard_disks("mirror 0 1")
    Simulation(world).live_through(3600.0)

    one, other = world.pools["tank"].root.children[0].children

    assert 0 < one.meter.write_bytes
    assert one.meter.write_bytes == other.meter.write_bytes


def test_a_raidz_is_as_slow_as_its_slowest_disk() -> None:
    """One disk ten times slower costs the whole vdev its speed, and only it has the latency."""
    healthy = reads_a_second(hard_disks("raidz2 0 1 2 3 4 5"))
    world = hard_disks("raidz2 0 1 2 3 4 5")
    world.disk("LAB0003").slow_factor = 10.0

    slowed = reads_a_second(world)

    leaves = {leaf.disk.serial: leaf for leaf in world.pools["tank"].root.leaves() if leaf.disk is not None}
    assert sum(slowed.values()) < sum(healthy.values()) / 2
    assert slowed["LAB0003"] == pytest.approx(slowed["LAB0000"], rel=0.1)
    others = [mean_read_ns(leaf) for serial, leaf in leaves.items() if serial != "LAB0003"]
    assert mean_read_ns(leaves["LAB0003"]) > 8 * max(others)


def test_only_the_slow_disk_is_busy() -> None:
    world = hard_disks("raidz2 0 1 2 3 4 5")
    world.disk("LAB0003").slow_factor = 10.0

    reads_a_second(world, seconds=100)

    busy = {disk.serial: disk.io.busy_ms / 100_000 for disk in world.disks}
    assert 0.8 < busy["LAB0003"] <= 1.0
    assert busy["LAB0000"] < 0.3


def test_a_mirror_reads_from_the_less_loaded_side() -> None:
    even = reads_a_second(hard_disks("mirror 0 1", load=STEADY))
    world = hard_disks("mirror 0 1", load=STEADY)
    world.disk("LAB0001").slow_factor = 6.0

    uneven = reads_a_second(world)

    assert even["LAB0000"] == pytest.approx(even["LAB0001"], rel=0.15)
    assert uneven["LAB0001"] < uneven["LAB0000"] / 3


def _counters(world: World) -> list[int]:
    numbers = [number for leaf in world.pools["tank"].leaves() for number in leaf.meter.numbers()]
    for line in read_file(world, "/proc/diskstats").split("\n")[:-1]:
        fields = list(map(int, line.split()[3:]))
        numbers += fields[:8] + fields[9:]  # the ninth says what is under way now
    for file in ("iostats", "objset-0x36"):
        lines = read_file(world, f"/proc/spl/kstat/zfs/tank/{file}").split("\n")[2:-1]
        numbers += [int(line.split()[-1]) for line in lines if line.split()[-1].isdigit()]
    return numbers


@pytest.mark.slow(after=2)
@pytest.mark.parametrize(
    "command", ["zpool iostat -Hpvlq", "zfs list -Hp -t all", "zpool status -vj", "zpool events -v"]
)
def test_the_same_seed_and_moments_give_the_same_answers(command: str) -> None:
    answers = []
    for seed in (5, 5, 6):
        world = demo_world(EPOCH, seed)
        simulation = Simulation(world, seed)
        for step in (0.5, 1.0, 7.0, 100.0):
            simulation.advance(world.elapsed + step)
        answers.append(run(world, command).stdout)

    assert answers[0] == answers[1]
    assert answers[0] != answers[2]


def test_time_that_has_passed_is_not_lived_twice() -> None:
    world = hard_disks("mirror 0 1")
    simulation = Simulation(world)
    simulation.advance(10.0)
    before = _counters(world)

    simulation.advance(10.0)
    simulation.advance(4.0)

    assert before == _counters(world)


def test_who_wakes_a_little_late_takes_one_step_a_second() -> None:
    """A step takes a millisecond of CPU, and nobody wakes exactly a second later."""
    world = demo_world(1_700_000_000.0, 1)
    simulation, steps = Simulation(world, 1), list[float]()
    world.on_step = steps.append
    for second in range(1, 11):
        simulation.advance(1.003 * second)

    assert 10 == len(steps)
    assert 10.03 == pytest.approx(sum(steps))


def test_async_writes_come_in_bursts_and_reads_do_not() -> None:
    """A transaction group is written every five seconds."""
    world = hard_disks("mirror 0 1")
    leaf = world.pools["tank"].root.children[0].children[0]
    simulation = Simulation(world)
    writes, reads = [], []
    for _ in range(300):
        before = leaf.meter.writes, leaf.meter.reads
        simulation.advance(world.elapsed + 0.2)
        writes.append(leaf.meter.writes - before[0])
        reads.append(leaf.meter.reads - before[1])

    quiet = sum(number == 0 for number in writes) / len(writes)
    assert 0.5 < quiet < 0.75
    assert sum(number == 0 for number in reads) / len(reads) < 0.2


def test_queues_hold_what_little_says() -> None:
    """Operations under way are the rate times the time of each, on average."""
    world = hard_disks("mirror 0 1", load=STEADY)
    leaf = world.pools["tank"].root.children[0].children[0]
    simulation = Simulation(world)
    active = 0
    for _ in range(400):
        simulation.advance(world.elapsed + 1)
        active += sum(leaf.meter.queues[1::2])

    reads, total_ns = leaf.meter.counts[2], leaf.meter.weights[2]
    assert reads > 1000
    assert active / 400 == pytest.approx(total_ns / 1e9 / 400, rel=0.25)


def test_a_disk_grows_slow_after_a_while_and_not_before() -> None:
    ageing = Ageing(demo_world(EPOCH).disks[9], starts_s=40.0, lasts_s=200.0, worst=9.0)

    assert 1.0 == ageing.factor(0.0) == ageing.factor(40.0)
    assert 5.0 == ageing.factor(140.0)
    assert 9.0 == ageing.factor(240.0) == ageing.factor(1e6)


def test_a_disk_that_is_offline_does_nothing_and_the_others_do_its_reads() -> None:
    world = hard_disks("raidz2 0 1 2 3 4 5")
    pool = world.pools["tank"]
    off = pool.root.children[0].children[2]
    set_state(world, pool, off, "OFFLINE")

    reads = reads_a_second(world)

    assert 0.0 == reads["LAB0002"]
    assert 0 == off.meter.writes
    assert min(rate for serial, rate in reads.items() if serial != "LAB0002") > 0
