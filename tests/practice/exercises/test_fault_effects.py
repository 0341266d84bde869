"""What happens to the world of an exercise, as OpenZFS, ZED and Linux let it happen."""

from __future__ import annotations

import pytest

from tests.practice.exercises.learner import EPOCH, NEW
from tests.practice.laboratory import run
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.exercise_starting_world import serial_in, shelf_world
from zconsole.practice.exercises.fault_effects import ask_for_spares, change_cable, happen, put_in, take_out
from zconsole.practice.exercises.starting_shelf_and_timed_faults import (
    Fails,
    Garbles,
    Happening,
    IsTaken,
    Slows,
    Wears,
)
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticeVdev

SPARED, RAIDZ, CABLED = 0, 1, 5  # scripts by their layout


def world_of(number: int) -> World:
    """The world of a script before anything has happened."""
    return shelf_world(SCRIPTS[number], EPOCH)


def occur(world: World, what: Happening) -> None:
    """Let something happen to the disks that are there."""
    happen(world, what, {disk.bay: disk for disk in world.disks if disk.bay is not None})


def leaf(world: World, bay: int) -> PracticeVdev:
    """The vdev of the disk that was in a bay at the beginning."""
    served = world.leaf_of(world.disk(serial_in(bay)))
    assert served is not None
    return served[1]


def test_a_failed_disk_is_faulted_and_the_spare_stands_in() -> None:
    world = world_of(SPARED)

    occur(world, Fails(2, 14, 486))
    assert ("FAULTED", "ERR_EXCEEDED", 14, 486) == (
        leaf(world, 2).state,
        leaf(world, 2).aux,
        leaf(world, 2).read_errors,
        leaf(world, 2).write_errors,
    )
    ask_for_spares(world)

    shown = run(world, "zpool status tank").stdout
    assert "spare-1" in shown
    assert "INUSE     currently in use" in shown
    assert "spare in vdev=" in run(world, "zpool history -i tank").stdout
    assert "critical medium error, dev sdc" in world.kernel_log[-1][1]
    assert world.disk(serial_in(2)).health.pending > 0
    ask_for_spares(world)
    assert shown == run(world, "zpool status tank").stdout


def test_the_last_copy_is_degraded_and_not_taken_away() -> None:
    world = world_of(SPARED)
    world.pools["tank"].spares.clear()
    occur(world, Fails(2, 14, 486))

    occur(world, Fails(1, 3, 4))

    assert "DEGRADED" == leaf(world, 1).state
    assert not world.pools["tank"].is_suspended


def test_a_slow_disk_has_slow_ios_and_no_errors() -> None:
    world = world_of(RAIDZ)

    occur(world, Slows(4, 4.0, 37))

    assert (4.0, 37, False) == (
        leaf(world, 4).disk.slow_factor,
        leaf(world, 4).slow_ios,
        leaf(world, 4).has_errors,
    )  # type: ignore[union-attr]
    assert "ereport.fs.zfs.delay" in run(world, "zpool events -H").stdout


def test_a_wearing_disk_counts_defects_and_zfs_its_errors() -> None:
    world = world_of(RAIDZ)

    occur(world, Wears(1, reallocated=4, pending=8, uncorrectable=2, reported=1, reads=3))
    occur(world, Wears(1, pending=8))

    health = world.disk(serial_in(1)).health
    assert (4, 16, 2, 1) == (health.reallocated, health.pending, health.uncorrectable, health.reported)
    assert 3 == leaf(world, 1).read_errors


def test_a_bad_cable_garbles_whatever_is_behind_it() -> None:
    world = world_of(CABLED)
    take_out(world, world.disk(serial_in(6)))

    occur(world, Garbles((5, 6, 7), crc=41, errors=3))

    assert [41, 0, 41] == [world.disk(serial_in(bay)).health.crc for bay in (5, 6, 7)]
    assert [3, 0, 3] == [leaf(world, bay).read_errors for bay in (5, 6, 7)]
    assert any("mpt3sas_cm0: log_info" in message for _, message in world.kernel_log)


def test_a_disk_that_is_pulled_is_removed_and_comes_back() -> None:
    world = world_of(RAIDZ)
    run(world, "ledctl --listed-only locate=/dev/sde")
    disk = world.disk(serial_in(4))

    occur(world, IsTaken(4))
    assert ("REMOVED", None, set()) == (leaf(world, 4).state, disk.bay, world.lit)
    assert ("remove", "sde") == world.disk_events[-1]
    put_in(world, disk, 4)

    assert ("ONLINE", 4) == (leaf(world, 4).state, disk.bay)
    assert ("add", "sde") == world.disk_events[-1]
    assert world.kernel_log[-1][1].endswith("[sde] Attached SCSI disk")


def test_a_new_disk_is_seen_where_it_was_inserted() -> None:
    world = world_of(RAIDZ)

    put_in(world, world.disk(NEW), 7)

    assert NEW in run(world, "lsblk -J -O").stdout
    assert "pci-0000:03:00.0-sas-phy7-lun-0" in run(world, "ls -l /dev/disk/by-path").stdout


@pytest.mark.parametrize(("cable", "expected"), [(range(5, 9), False), (range(1, 9), True)])
def test_disks_behind_a_new_cable_are_away_for_a_moment(cable: range, expected: bool) -> None:
    world = world_of(CABLED)

    change_cable(world, cable)

    assert ["ONLINE"] * len(cable) == [leaf(world, bay).state for bay in cable]
    assert expected is world.pools["tank"].is_suspended
    assert [] == [disk.serial for disk in world.disks if disk.bay in cable and not disk.is_present]
