"""Drives that are pulled and put back, and the states that follow."""

from __future__ import annotations

from tests.practice.laboratory import mirrors, run
from zconsole.practice import World
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.system.proc_sys_and_etc_files import read_file
from zconsole.practice.world.vdev_states_and_drive_unplugging import plug, unplug


def status_of(world: World) -> str:
    return run(world, "zpool status").stdout


def test_a_pulled_disk_is_gone_everywhere_and_comes_back() -> None:
    world = mirrors()
    disk = world.disk("LAB0001")

    unplug(world, disk)

    assert "LAB0001" not in run(world, "lsblk -J -o SERIAL").stdout
    assert "wwn-0x5000c500a0000001 " not in run(world, "ls -l /dev/disk/by-id").stdout
    assert " sdb " not in read_file(world, "/proc/diskstats")
    status = run(world, "zpool status").stdout
    assert "    wwn-0x5000c500a0000001  REMOVED      0     0     0\n" in status
    assert " state: DEGRADED\nstatus: One or more devices have been removed.\n" in status
    assert 'vdev_state = "REMOVED" (0x3)' in run(world, "zpool events -v").stdout
    plug(world, disk)
    assert " state: ONLINE\nstatus: One or more devices is currently being resilvered." in status_of(world)
    Simulation(world).advance(30.0)
    assert " state: ONLINE\n  scan: resilvered " in status_of(world)


def test_a_pool_that_lost_a_whole_vdev_is_suspended() -> None:
    world = mirrors()

    for serial in ("LAB0000", "LAB0001"):
        unplug(world, world.disk(serial))

    assert "SUSPENDED\n" == read_file(world, "/proc/spl/kstat/zfs/tank/state")
