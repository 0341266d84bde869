"""The world knows its drives by every name, and records what happens."""

from __future__ import annotations

import pytest

from zconsole.practice import World, create_world
from zconsole.practice.world.host_world import KERNEL_LINES, named_state


@pytest.fixture
def world() -> World:
    return create_world("mirror 0 1", disks=3)


@pytest.mark.parametrize(
    "name",
    [
        "sdb",
        "/dev/sdb",
        "LAB0001",
        "wwn-0x5000c500a0000001",
        "/dev/disk/by-id/scsi-35000c500a0000001",
        "/dev/disk/by-id/wwn-0x5000c500a0000001-part1",
    ],
)
def test_a_drive_has_many_names(world: World, name: str) -> None:
    assert world.disks[1] is world.disk(name)


def test_a_drive_that_is_not_there_is_not_found(world: World) -> None:
    with pytest.raises(KeyError):
        world.disk("sdz")


def test_a_drive_knows_the_vdev_that_it_serves(world: World) -> None:
    pool = world.pools["tank"]

    assert (pool, pool.root.children[0].children[1]) == world.leaf_of(world.disks[1])
    assert world.leaf_of(world.disks[2]) is None


def test_a_record_stands_in_the_history_and_among_the_events(world: World) -> None:
    pool = world.pools["tank"]
    pool.txg = 77.9

    world.history_event(pool, "set", "comment=x")

    assert ("set comment=x", 77) == (pool.history[-1].text, pool.history[-1].txg)
    assert ("history_txg", 77) in world.events[-1].fields
    assert world.events[-1].eid == world.events[-2].eid + 1


def test_an_event_about_a_vdev_says_which_and_how_it_is(world: World) -> None:
    pool = world.pools["tank"]
    leaf = pool.root.children[0].children[0]
    leaf.state = "FAULTED"

    world.vdev_event(pool, "vdev_remove", leaf)

    assert (
        ("vdev_guid", leaf.guid),
        ("vdev_state", named_state("FAULTED")),
        ("vdev_path", leaf.path),
        ("vdev_devid", "scsi-35000c500a0000000-part1"),
    ) == world.events[-1].fields


def test_the_same_seed_draws_the_same_numbers() -> None:
    assert World("a", now=0.0, seed=3).guid() == World("b", now=9.0, seed=3).guid()
    assert World("a", now=0.0, seed=3).guid() != World("a", now=0.0, seed=4).guid()


def test_the_kernel_keeps_its_newest_messages(world: World) -> None:
    for number in range(KERNEL_LINES + 10):
        world.kernel(f"message {number}")

    assert KERNEL_LINES == len(world.kernel_log)
    assert "message 10" == world.kernel_log[0][1]
