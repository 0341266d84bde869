"""Every action that changes the tree of a pool, once over SSH: what ZFS has afterwards is what was shown."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import Acting, acting_on
from tests.lab.guests import Guest
from tests.lab.pools import pool_of_layout
from zconsole.actions.plan import Plan, Risk
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import read_version
from zconsole.collect.read_pool_status_and_space import read_pool
from zconsole.model.pools.pool import Pool, Vdev

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

PAIRS: Final = "mirror {0} {1} mirror {2} {3}"
EVERY_CLASS: Final = f"{PAIRS} special mirror {{4}} {{5}} log {{6}} cache {{7}} spare {{8}}"
RAIDZ: Final = "raidz1 {0} {1} {2}"
SLOW_SCAN: Final = "/sys/module/zfs/parameters/zfs_scan_suspend_progress"

Make = Callable[[str], Guest]


@pytest.fixture
def make(guest: Guest) -> Make:
    """Has the pool tank of a layout, `{3}` being the disk in bay 3; the disks that it leaves are blank."""

    def layout(words: str) -> Guest:
        pool_of_layout(guest, words)
        return guest

    return layout


@pytest.fixture
async def nas(guest: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Who acts on that guest."""
    async with acting_on(guest, ssh_alias, tmp_path / "journal.sqlite") as acting:
        yield acting


def serial(bay: int) -> str:
    """What is printed on the disk in a bay."""
    return f"LAB{bay:04d}"


def name_of(guest: Guest, bay: int) -> str:
    """How `zpool status` calls a disk that the pool was made of."""
    return guest.disk(bay).rpartition("/")[2]


def settled(guest: Guest, activity: str = "resilver") -> None:
    """Wait until it is over."""
    guest.ssh(f"zpool wait -t {activity} tank")


async def pool_of(nas: Acting, name: str = "tank") -> Pool:
    """The pool as it is now."""
    asker = Asker(nas.host)
    return await read_pool(asker, name, await read_version(asker))


def tree(pool: Pool | None) -> list[str]:
    """Class, depth and name of each vdev; groups by type, since their numbers depend on the past."""
    assert pool is not None

    def lines(vdev: Vdev, depth: int) -> list[str]:
        called = vdev.name if vdev.is_leaf else vdev.type
        below = [line for child in vdev.children for line in lines(child, depth + 1)]
        return [f"{vdev.vdev_class}{'.' * depth}{called}", *below]

    return [line for top in pool.vdevs for line in lines(top, 0)]


def redundancy(made: Plan, vdev: str) -> tuple[int | None, int | None, int | None]:
    """Failures that a vdev survives before, during and after."""
    return next((each.before, each.during, each.after) for each in made.redundancy if each.vdev == vdev)


async def test_a_faulted_disk_is_replaced(make: Make, nas: Acting) -> None:
    """The tree while it runs has both, and afterwards only the new one, under the name that was shown."""
    guest = make(PAIRS)
    guest.ssh(f"zpool offline -f tank {guest.disk(1)}; echo 1 > {SLOW_SCAN}")
    try:
        made = await nas.do("replace", "tank", name_of(guest, 1), serial(9))
        during = await pool_of(nas)
    finally:
        guest.ssh(f"echo 0 > {SLOW_SCAN}")
    settled(guest)

    assert (Risk.CAUTION, (0, 0, 1)) == (made.risk, redundancy(made, "mirror-0"))
    assert "replacing" in {vdev.type for vdev in during.walk()}
    assert tree(made.after) == tree(await pool_of(nas))
    assert "ONLINE" == (await pool_of(nas)).state


async def test_a_replacement_that_runs_can_be_stopped(make: Make, nas: Acting) -> None:
    guest = make(RAIDZ)
    guest.ssh(f"zpool offline tank {guest.disk(1)}; echo 1 > {SLOW_SCAN}")
    try:
        made = await nas.do("replace", "tank", name_of(guest, 1), serial(9))
        newcomer = made.steps[0].argv[-1].rpartition("/")[2]
        stopped = await nas.do("detach", "tank", newcomer)
    finally:
        guest.ssh(f"echo 0 > {SLOW_SCAN}")

    assert tree(made.before) == tree(stopped.after) == tree(await pool_of(nas))


async def test_a_healthy_disk_is_replaced_only_after_its_serial_was_typed(make: Make, nas: Acting) -> None:
    guest = make(PAIRS)

    made = await nas.do("replace", "tank", name_of(guest, 1), serial(9))
    settled(guest)

    assert (Risk.DESTRUCTIVE, serial(1), (1, 1, 1)) == (made.risk, made.target, redundancy(made, "mirror-0"))
    assert tree(made.after) == tree(await pool_of(nas))


async def test_a_lone_disk_is_mirrored_and_the_mirror_taken_apart(make: Make, nas: Acting) -> None:
    guest = make("{0}")

    attached = await nas.do("attach", "tank", name_of(guest, 0), serial(9))
    settled(guest)
    mirrored = await pool_of(nas)
    detached = await nas.do("detach", "tank", name_of(guest, 0))

    assert tree(attached.after) == tree(mirrored)
    assert tree(detached.after) == tree(await pool_of(nas))
    assert Risk.DESTRUCTIVE is detached.risk


async def test_a_raidz_becomes_wider_where_zfs_can(make: Make, nas: Acting) -> None:
    guest = make(RAIDZ)
    if not guest.has_json:  # OpenZFS before 2.3
        assert "version" in await nas.refused("attach", "tank", "raidz1-0", serial(9))
        return

    made = await nas.do("attach", "tank", "raidz1-0", serial(9))
    settled(guest, "raidz_expand")

    assert Risk.DESTRUCTIVE is made.risk
    assert tree(made.after) == tree(await pool_of(nas))


async def test_a_spare_stands_in_and_is_sent_back(make: Make, nas: Acting) -> None:
    guest = make(EVERY_CLASS)
    guest.ssh(f"zpool offline tank {guest.disk(1)}")

    serving = await nas.do("replace", "tank", name_of(guest, 1), name_of(guest, 8))
    settled(guest)
    in_use = await pool_of(nas)
    guest.ssh(f"zpool online tank {guest.disk(1)}; zpool wait -t resilver tank")
    if "INUSE" in {vdev.state for vdev in (await pool_of(nas)).of_class("spare")}:
        await nas.do("detach", "tank", name_of(guest, 8))

    assert tree(serving.after) == tree(in_use)
    assert tree(serving.before) == tree(await pool_of(nas))


@pytest.mark.parametrize(
    "words",
    [
        "mirror 9 10",
        "log mirror 9 10",
        "cache 9 spare 10",
        "special mirror 9 10 dedup mirror 11 12",
        "raidz1 9 10 11",
    ],
)
async def test_vdevs_are_added_as_they_were_drawn(make: Make, nas: Acting, words: str) -> None:
    make("mirror {0} {1}")
    told = [serial(int(word)) if word.isdigit() else word for word in words.split()]

    made = await nas.do("add", "tank", *told)

    assert [0] == [each.status for each in made.rehearsals]
    assert tree(made.after) == tree(await pool_of(nas))


async def test_a_bare_disk_never_gets_into_a_raidz(make: Make, nas: Acting) -> None:
    """We refuse it before ZFS does; and ZFS does, unless it is forced."""
    guest = make(RAIDZ)

    assert "below-redundancy" in await nas.refused("add", "tank", serial(9))
    assert "below-redundancy" in await nas.refused("add", "tank", "special", serial(9))
    assert "mismatched replication level" in guest.ssh(f"zpool add -n tank {guest.disk(9)} 2>&1", check=False)


async def test_a_wider_raidz_is_added_where_zfs_can_be_told_to_allow_it(make: Make, nas: Acting) -> None:
    guest = make(RAIDZ)
    words = ("raidz1", *map(serial, (9, 10, 11, 12)))
    if not guest.has_json:  # OpenZFS before 2.2.8
        assert "replication" in await nas.refused("add", "tank", *words)
        return

    made = await nas.do("add", "tank", *words)

    assert "--allow-replication-mismatch" in made.steps[0].argv
    assert tree(made.after) == tree(await pool_of(nas))


@pytest.mark.parametrize("bay", [6, 7, 8])
async def test_logs_caches_and_spares_are_removed(make: Make, nas: Acting, bay: int) -> None:
    guest = make(EVERY_CLASS)

    made = await nas.do("remove", "tank", name_of(guest, bay))

    assert tree(made.after) == tree(await pool_of(nas))


async def test_a_data_vdev_is_moved_away(make: Make, nas: Acting) -> None:
    guest = make(PAIRS)
    before = guest.ssh("sha256sum /tank/some")

    made = await nas.do("remove", "tank", "mirror-1")
    settled(guest, "remove")

    assert [0] == [each.status for each in made.rehearsals]
    assert tree(made.after) == tree(await pool_of(nas))
    assert before == guest.ssh("sha256sum /tank/some")


async def test_a_pool_of_mirrors_is_split(make: Make, nas: Acting) -> None:
    guest = make(PAIRS)

    made = await nas.do("split", "tank", "half")
    guest.ssh("zpool import -N half")
    half = await pool_of(nas, "half")

    assert tree(made.after) == tree(await pool_of(nas))
    assert [name_of(guest, 1), name_of(guest, 3)] == [vdev.name for vdev in half.vdevs]


async def test_a_pool_is_created_and_its_disks_are_freed_by_their_serials(make: Make, nas: Acting) -> None:
    """A disk of an exported pool is refused by name, until its label was cleared."""
    guest = make("mirror {0} {1}")

    made = await nas.do(
        "create-pool", "new", "mirror", serial(9), serial(10), "log", serial(11),
        ashift="12", compression="zstd", mountpoint="/srv/new",
    )  # fmt: skip
    created = await pool_of(nas, "new")
    told = guest.ssh("zfs get -Ho value compression,mountpoint new; zpool get -Ho value ashift new").split()
    guest.ssh("zpool export new")
    refused = await nas.plan("add", "tank", "log", serial(9))
    cleared = await nas.do("labelclear", serial(9))
    await nas.do("add", "tank", "log", serial(9))

    assert tree(made.after) == tree(created)
    assert ["zstd", "/srv/new", "12"] == told
    assert ["foreign-pool"] == [each.rule for each in refused.refusals]
    assert all(word in refused.refusals[0].reason for word in ("new", "exported", guest.hostname))
    assert (serial(9), Risk.DESTRUCTIVE) == (cleared.target, cleared.risk)


async def test_a_disk_of_a_destroyed_pool_is_told_as_such(make: Make, nas: Acting) -> None:
    guest = make("mirror {0} {1}")
    guest.ssh(f"zpool create gone {guest.disk(9)} && zpool destroy gone")

    refused = await nas.plan("replace", "tank", name_of(guest, 1), serial(9))
    cleared = await nas.do("labelclear", serial(9))

    assert ["zfs-label"] == [each.rule for each in refused.refusals]
    assert "destroyed" in refused.refusals[0].reason
    assert "-f" not in cleared.steps[0].argv


async def test_disks_that_bear_something_are_refused(make: Make, nas: Acting) -> None:
    """Swap space, a partition, a device of the pool itself, a kernel name."""
    guest = make("mirror {0} {1}")
    guest.ssh(f"mkswap {guest.disk(9)}; sgdisk -n 1:0:+100M {guest.disk(10)} >/dev/null; udevadm settle")
    letters = guest.ssh(f"basename $(readlink -f {guest.disk(11)})").strip()

    assert "signature" in await nas.refused("add", "tank", "log", serial(9))
    assert "partitions" in await nas.refused("add", "tank", "log", serial(10))
    assert "in-use" in await nas.refused("add", "tank", "log", serial(0))
    assert "kernel-name" in await nas.refused("add", "tank", "log", letters)
    assert "signature" in await nas.refused("labelclear", serial(9))
    assert "UUID=" in guest.ssh(f"blkid -p -o export {guest.disk(9)}")


async def test_what_is_refused_zfs_refuses_as_well(make: Make, nas: Acting) -> None:
    """Each in ZFS's own words."""
    guest = make(RAIDZ)

    def zfs_says(command: str) -> str:
        return guest.ssh(f"zpool {command} 2>&1 && echo ACCEPTED", check=False)

    assert {"raidz-child"} <= await nas.refused("attach", "tank", name_of(guest, 1), serial(9))
    assert "ACCEPTED" not in zfs_says(f"attach tank {guest.disk(1)} {guest.disk(9)}")
    assert {"only-mirrors"} <= await nas.refused("detach", "tank", name_of(guest, 1))
    assert "ACCEPTED" not in zfs_says(f"detach tank {guest.disk(1)}")
    assert {"last-vdev", "never-leaves"} <= await nas.refused("remove", "tank", "raidz1-0")
    assert "ACCEPTED" not in zfs_says("remove tank raidz1-0")
    assert {"not-mirrored"} <= await nas.refused("split", "tank", "half")
    assert "ACCEPTED" not in zfs_says("split tank half")


async def test_a_checkpoint_keeps_the_tree_as_it_is(make: Make, nas: Acting) -> None:
    guest = make(PAIRS)
    guest.ssh("zpool checkpoint tank")

    assert "checkpoint" in await nas.refused("replace", "tank", name_of(guest, 1), serial(9))
    assert "checkpoint" in await nas.refused("attach", "tank", name_of(guest, 1), serial(9))
    assert "checkpoint" in await nas.refused("detach", "tank", name_of(guest, 1))
    assert "checkpoint" in await nas.refused("remove", "tank", "mirror-1")
    assert "checkpoint" in await nas.refused("split", "tank", "half")
    assert "ACCEPTED" not in guest.ssh(f"zpool detach tank {guest.disk(1)} && echo ACCEPTED", check=False)


async def test_the_last_copy_is_never_detached(make: Make, nas: Acting) -> None:
    guest = make("mirror {0} {1}")
    guest.ssh(
        f"zpool offline tank {guest.disk(1)}; dd if=/dev/urandom of=/tank/more bs=1M count=8; zpool sync"
    )

    assert {"last-replica"} == await nas.refused("detach", "tank", name_of(guest, 0))
    assert "no valid replicas" in guest.ssh(f"zpool detach tank {guest.disk(0)} 2>&1", check=False)


async def test_a_plan_whose_disk_has_changed_runs_nothing(make: Make, nas: Acting) -> None:
    """Between the plan and its confirmation somebody put a file system on the disk."""
    guest = make("mirror {0} {1}")

    made = await nas.plan("attach", "tank", name_of(guest, 0), serial(9))
    guest.ssh(f"mkswap {guest.disk(9)}; udevadm settle")
    run = await nas.run(made)

    assert not made.is_refused
    assert "stale" == run.state.value
    assert any("contents of" in each or "signature" in each for each in run.differences)
    assert 2 == len((await pool_of(nas)).vdevs[0].children)
