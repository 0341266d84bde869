"""What is mounted, open and running beside ZFS, as the console's own readers understand it."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import run
from zconsole.analysis.dependencies.storage_consumers import StorageFacts, uses
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.hosts.process_list_and_command_search import (
    LIST_PROCESSES,
    OWN_STAT,
    parse_processes,
    parse_stat,
)
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.practice import World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.drives import Signature
from zconsole.system.disk_by_id import parse_links
from zconsole.system.mounts_and_boot_pools import Mount, parse_mounts
from zconsole.system.open_files import OPEN_FILES, OpenFile, parse_open_files
from zconsole.system.swaps import parse_swaps
from zconsole.system.volume_links import ZVOL_LINKS


@pytest.fixture
def world() -> World:
    world = create_world("mirror 0 1", disks=3)
    for line in (
        "zfs create tank/home",
        "zfs create -o mountpoint=none tank/vm",
        "zfs create -V 64M tank/vm/db",
    ):
        assert 0 == run(world, line).status
    return world


def said(world: World, argv: tuple[str, ...]) -> Reply:
    reply = answer(world, argv)
    assert isinstance(reply, Reply)
    return reply


def test_what_is_mounted_is_in_proc_mounts(world: World) -> None:
    answer(world, ["zfs", "create", "-o", "mountpoint=/a b", "tank/odd name"])
    world.disks[2].signatures = (
        Signature("ext4", "root", "/", number=1),
        Signature("swap", mountpoint="[SWAP]"),
    )
    run(world, "zfs unmount tank/home")

    mounts = parse_mounts(run(world, "cat /proc/mounts").stdout)

    assert {
        Mount("tank", "/tank", "zfs", mounts[-1].options),
        Mount("tank/odd name", "/a b", "zfs", mounts[-1].options),
    } == {mount for mount in mounts if mount.fstype == "zfs"}
    assert ("/dev/sdc1", "/", "ext4") in {(mount.source, mount.mountpoint, mount.fstype) for mount in mounts}
    assert ("/dev/sdc",) == parse_swaps(run(world, "cat /proc/swaps").stdout)


def test_volumes_have_their_links(world: World) -> None:
    assert (("/dev/zvol/tank/vm/db", "zd0"),) == parse_links(said(world, ZVOL_LINKS.argv).stdout)


def test_without_a_volume_there_is_no_folder() -> None:
    assert 2 == said(create_world("mirror 0 1"), ZVOL_LINKS.argv).status


def test_who_works_in_a_dataset_is_found(world: World) -> None:
    for name in ("tank/home", "tank/vm/db"):
        world.pools["tank"].datasets[name].is_busy = True

    files = parse_open_files(said(world, OPEN_FILES.argv).stdout)

    assert OpenFile(1, "exe", "/usr/lib/systemd/systemd") in files
    mounts = parse_mounts(run(world, "cat /proc/mounts").stdout)
    found = uses(StorageFacts(mounts, open_files=files, volumes={"zd0": "tank/vm/db"}))
    assert {
        OutsideUse("tank/home", "process", "smbd[4100]", "/tank/home/file"),
        OutsideUse("tank/vm/db", "process", "qemu-system-x86_64[4107]", "/dev/zd0"),
    } == {use for use in found if use.kind == "process"}


def test_the_processes_are_those_of_a_small_host(world: World) -> None:
    listed = parse_processes(said(world, LIST_PROCESSES.argv).stdout.encode())
    own = parse_stat(said(world, OWN_STAT.argv).stdout)
    assert "sshd" in {each.name for each in listed}
    assert own is not None
    assert own.parent in {each.number for each in listed}
    assert 127 == said(world, TAKE_AS_ROOT).status


@pytest.mark.parametrize("line", ["find / -delete", "find /proc -delete"])
def test_what_the_console_does_not_ask_is_refused(world: World, line: str) -> None:
    assert 1 == run(world, line).status
