"""Files of /proc and /sys beside real ones."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import captured, mirrors, run, shape
from tests.practice.zfs.stage import Stage
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.system.proc_sys_and_etc_files import read_file, zvols

EPOCH = 1_795_219_200.0


@pytest.mark.parametrize("name", ["guid", "iostats", "state", "txgs"])
def test_pool_statistics_have_the_lines_of_the_kernel(name: str) -> None:
    theirs = captured(f"kstat_tank_{name}.txt").split("\n")
    ours = read_file(mirrors(), f"/proc/spl/kstat/zfs/tank/{name}").split("\n")

    if name == "txgs":
        assert theirs[0] == ours[0]
        assert shape(theirs[-2]).split()[:3] == shape(ours[-2]).split()[:3]
    else:
        assert [shape(line) for line in theirs] == [shape(line) for line in ours]


def test_dataset_statistics_have_the_lines_of_the_kernel() -> None:
    theirs = captured("kstat_tank_objset-0x36.txt").split("\n")
    ours = read_file(mirrors(), "/proc/spl/kstat/zfs/tank/objset-0x36").split("\n")

    assert [shape(line) for line in theirs[1:]] == [shape(line) for line in ours[1:]]
    assert theirs[2] == ours[2]


def test_a_kernel_that_is_told_to_keep_no_txgs_prints_their_titles_only() -> None:
    world = mirrors()
    world.parameters["zfs_txg_history"] = 0

    text = read_file(world, "/proc/spl/kstat/zfs/tank/txgs")

    assert "0\n" == read_file(world, "/sys/module/zfs/parameters/zfs_txg_history")
    assert 1 == text.count("\n")
    with pytest.raises(FileNotFoundError):
        read_file(world, "/sys/module/zfs/parameters/zfs_no_such_thing")


def test_block_statistics_have_seventeen_numbers_a_device() -> None:
    theirs = captured("diskstats.txt").split("\n")
    world = mirrors()

    ours = read_file(world, "/proc/diskstats").split("\n")[:-1]

    assert {17} == {len(line.split()) - 3 for line in ours}
    sda = next(line for line in theirs if " sda " in line)
    assert sda[:15] == next(line for line in ours if " sda " in line)[:15]
    partitions = {line.split()[2] for line in ours}
    assert {"sda1", "sda9", "sdj"} <= partitions
    assert "sdj1" not in partitions


def test_all_pools_stand_in_the_kernel_folder() -> None:
    assert ["arcstats", "bulk/", "dmu_tx", "tank/", "vault/", "zil"] == run(
        demo_world(EPOCH), "ls -1p /proc/spl/kstat/zfs"
    ).stdout.split()


def test_a_volume_keeps_its_device_while_others_go() -> None:
    stage = Stage("zfs create -V 16M tank/v1", "zfs create -V 32M tank/v2")
    assert ["zd0", "zd16"] == [name for name, _, _ in zvols(stage.world)]

    stage.does("zfs destroy tank/v1")
    stage.does("zfs create -V 16M tank/v3")

    assert ["zd16", "zd32"] == [name for name, _, _ in zvols(stage.world)]
