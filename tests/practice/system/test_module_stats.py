"""Statistics of the ZFS module beside real ones."""

from __future__ import annotations

import re

import pytest

from tests.practice.laboratory import captured, mirrors, shape
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.system.proc_sys_and_etc_files import read_file

EPOCH = 1_795_219_200.0


@pytest.mark.parametrize("name", ["dmu_tx", "zil"])
def test_statistics_of_the_module_are_those_of_a_named_kstat(name: str) -> None:
    lines = read_file(demo_world(EPOCH), f"/proc/spl/kstat/zfs/{name}").split("\n")

    assert shape(lines[0]).split()[:3] == shape(captured("arcstats.txt").split("\n")[0]).split()[:3]
    assert int(lines[0].split()[3]) == len(lines) - 3
    assert all(re.fullmatch(rf"{name}_\S+ +4    \d+", line) for line in lines[2:-1])


def test_waits_for_a_transaction_group_have_the_buckets_of_the_kernel() -> None:
    world = mirrors()
    nothing = read_file(world, "/proc/spl/kstat/zfs/tank/dmu_tx_assign")
    world.pools["tank"].logical_writes = 1e6

    theirs = captured("kstat_tank_dmu_tx_assign.txt").split("\n")
    ours = read_file(world, "/proc/spl/kstat/zfs/tank/dmu_tx_assign").split("\n")

    assert "" == nothing
    assert [line.split()[:2] for line in theirs[1:]] == [line.split()[:2] for line in ours[1:]]
