"""Containers of the practice host, as the console's own readers understand them."""

from __future__ import annotations

from tests.practice.laboratory import run
from zconsole.practice import create_world
from zconsole.practice.containers.practice_container import PracticeContainer
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World
from zconsole.system.containers.container_processes import (
    CGROUPS,
    list_mounts,
    parse_cgroups,
    parse_container_mounts,
)
from zconsole.system.containers.proxmox_config import CONFIGURATION, parse_proxmox


def world() -> World:
    """A host with one container."""
    made = create_world("mirror 0 1", disks=3)
    assert 0 == run(made, "zfs create tank/web1").status
    mounts = [("/", "zfs", "tank/web1", "rw,xattr"), ("/proc", "proc", "proc", "rw")]
    made.containers = [PracticeContainer("/lxc.payload.web1/init.scope", 5200, mounts)]
    return made


def said(host: World, argv: tuple[str, ...]) -> Reply:
    reply = answer(host, argv)
    assert isinstance(reply, Reply)
    return reply


def test_processes_of_containers_are_found_and_others_are_not() -> None:
    assert [5200] == [each.process for each in parse_cgroups(said(world(), CGROUPS.argv).stdout)]


def test_the_root_of_a_process_is_its_dataset() -> None:
    found = parse_container_mounts(said(world(), list_mounts((5200,)).argv).stdout)

    assert [("/", "tank/web1")] == [(each.path, each.source) for each in found]
    assert "" == said(world(), list_mounts((1,)).argv).stdout


def test_files_of_proxmox_are_searched_and_without_a_line_the_status_says_so() -> None:
    host = world()
    assert 1 == said(host, CONFIGURATION.argv).status

    host.proxmox_files["/etc/pve/lxc/101.conf"] = "arch: amd64\nrootfs: zfs:subvol-101-disk-0,size=8G\n"

    (guest,) = parse_proxmox(said(host, CONFIGURATION.argv).stdout).guests
    assert ["subvol-101-disk-0"] == [disk.volume for disk in guest.disks]
