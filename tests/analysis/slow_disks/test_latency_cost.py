"""What a slow disk costs those who wait for it."""

from __future__ import annotations

import itertools
import math
import random
from statistics import mean

import pytest

from tests.analysis.slow_disks.streams import HEALTHY, RAIDZ, Did, judge, slow
from zconsole.analysis.slow_disks.accumulated_evidence import Suspicion
from zconsole.analysis.slow_disks.latency_cost import cost, mean_of_slowest, waited_for
from zconsole.analysis.slow_disks.peer_groups import JudgedDisk
from zconsole.model.pools.slow_disk import READ, WRITE

VDEVS = {
    "mirror": "mirror-0",
    "raidz": "raidz1-0",
    "draid": "draid1:1d:4c:1s-0",
    "lone": "d0",
    "odd": "odd-0",
}


def member(shape: str, name: str = "", width: int = 0) -> JudgedDisk:
    return JudgedDisk("d0", name or VDEVS[shape], shape, "data", 0, width=width)


def suspicion(*others_ns: float) -> Suspicion:
    """A disk of 60 in a vdev with three of 10; as many operations again in other vdevs."""
    others = {("v", f"d{at}"): (100.0, 100 * each) for at, each in enumerate(others_ns or (10, 10, 10))}
    return Suspicion(
        0, 0.0, 0.0,
        operations=100, own_ns=6000, reference_ns=1000,
        noted_operations=100, others=others, pool_operations=100.0 * len(others) + 100,
        pool_ns=1000.0 * len(others) + 1000,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "operation", "vdev", "pool"),
    [
        ("mirror", WRITE, (60, 10), (35, 10)),
        ("raidz", WRITE, (60, 10), (35, 10)),
        ("raidz", READ, (47.5, 10), (28.75, 10)),  # three of four disks have data of a stripe
        ("draid", READ, (22.5, 10), (16.25, 10)),  # one of four
        ("draid", WRITE, (35, 10), (22.5, 10)),  # two of four
        ("odd", READ, (60, 10), (35, 10)),
        ("mirror", READ, (22.5, 10), (16.25, 10)),
        ("lone", READ, (60, 10), (35, 10)),
    ],
)
def test_what_a_slow_disk_costs(
    shape: str, operation: str, vdev: tuple[float, float], pool: tuple[float, float]
) -> None:
    found = cost(member(shape), 4, operation, suspicion())

    assert pytest.approx(vdev) == (found.vdev_with_ns, found.vdev_without_ns)
    assert pytest.approx(pool) == (found.pool_with_ns, found.pool_without_ns)


def test_where_a_disk_is_missing_parity_is_read_too() -> None:
    found = cost(member("raidz", width=5), 4, READ, suspicion())

    assert pytest.approx((60, 10)) == (found.vdev_with_ns, found.vdev_without_ns)


def test_without_one_of_two_slow_disks_the_other_one_stays() -> None:
    write = cost(member("raidz"), 4, WRITE, suspicion(10, 10, 60))
    read = cost(member("raidz"), 4, READ, suspicion(10, 10, 60))

    assert pytest.approx((60, 60)) == (write.vdev_with_ns, write.vdev_without_ns)
    assert pytest.approx((60, 47.5)) == (read.vdev_with_ns, read.vdev_without_ns)


def test_a_disk_that_is_less_slow_than_another_costs_no_write_anything() -> None:
    found = cost(member("mirror"), 4, WRITE, suspicion(10, 10, 300))

    assert pytest.approx((300, 300)) == (found.vdev_with_ns, found.vdev_without_ns)


@pytest.mark.parametrize("columns", [1, 2, 4, 5])
def test_the_mean_of_the_slowest_is_that_of_all_choices(columns: int) -> None:
    dice = random.Random(columns)  # noqa: S311 - any numbers
    times = [dice.uniform(1, 100) for _ in range(5)]

    each = [max(some) for some in itertools.combinations(times, columns)]

    assert math.comb(5, columns) == len(each)
    assert pytest.approx(mean(each)) == mean_of_slowest(times, columns)


@pytest.mark.parametrize(
    ("vdev", "disks", "answering", "operation", "columns"),
    [
        ("raidz2-0", 6, 6, READ, 4),
        ("raidz2-0", 6, 6, WRITE, 6),
        ("raidz3-0", 12, 12, READ, 9),
        ("raidz2-0", 6, 5, READ, 5),
        ("draid2:4d:10c:1s-0", 10, 10, READ, 4),
        ("draid2:4d:10c:1s-0", 10, 10, WRITE, 6),
        ("draid2:4d:10c:1s-0", 10, 9, READ, 6),
        ("mirror-0", 3, 3, WRITE, 3),
    ],
)
def test_of_a_stripe_the_data_are_read_and_all_is_written(
    vdev: str, disks: int, answering: int, operation: str, columns: int
) -> None:
    assert columns == waited_for(member("raidz", vdev), disks, answering, operation)


def test_a_read_of_a_raidz_does_not_wait_for_a_disk_that_has_its_parity() -> None:
    """Simulated: full stripes of six data disks in turn, of eight."""
    dice = random.Random(1)  # noqa: S311 - a simulation
    times = {f"d{at}": 80.0 if at == 3 else 10.0 for at in range(8)}
    waits = [max(times[disk] for disk in dice.sample(sorted(times), 6)) for _ in range(20_000)]

    verdict = judge(RAIDZ, lambda _, name: slow(8) if name == "d3" else HEALTHY).verdicts[0]

    reads = next(each for each in verdict.costs if each.operation == READ)
    assert pytest.approx(mean(waits), rel=0.02) == reads.vdev_with_ns / 1e6
    assert pytest.approx(10, rel=0.01) == reads.vdev_without_ns / 1e6


def test_of_two_slow_disks_in_a_raidz_each_has_its_own_cost() -> None:
    def act(_: int, name: str) -> Did:
        return slow({"d1": 30.0, "d2": 5.0}.get(name, 1.0))

    found = {each.disk: each.costs for each in judge(RAIDZ, act).verdicts}

    (of_d2,) = (each for each in found["d2"] if each.operation == WRITE)
    (of_d1,) = (each for each in found["d1"] if each.operation == WRITE)
    assert pytest.approx((360, 360)) == (of_d2.vdev_with_ns / 1e6, of_d2.vdev_without_ns / 1e6)
    assert pytest.approx((360, 60)) == (of_d1.vdev_with_ns / 1e6, of_d1.vdev_without_ns / 1e6)
