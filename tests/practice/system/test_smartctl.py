"""The practice host's smartctl: its output is read by the parser of real output."""

from __future__ import annotations

from zconsole.model.pools.smart_health import DiskHealth, Unreadable
from zconsole.practice.demo.demo_drives import demo_disks
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World
from zconsole.system.smartctl import parse_health, read_health


def said(world: World, path: str) -> Reply:
    found = answer(world, read_health(path).argv)
    assert isinstance(found, Reply)
    return found


def of(world: World, path: str) -> DiskHealth | Unreadable:
    return parse_health(said(world, path).stdout)


def demo() -> World:
    world = World("practice", now=1_800_000_000.0)
    world.disks = demo_disks()
    return world


def test_every_drive_answers_and_one_of_the_demonstration_is_failing() -> None:
    world = demo()

    answers = {disk.serial: of(world, f"/dev/{disk.kname}") for disk in world.disks}

    failing = answers["VLGX4P7Y"]
    assert isinstance(failing, DiskHealth)
    assert (24, 112, 3) == (failing.pending, failing.reallocated, failing.offline_uncorrectable)
    assert all(isinstance(each, DiskHealth) for each in answers.values())
    assert [True] == list({each.is_passing for each in answers.values() if isinstance(each, DiskHealth)})


def test_a_drive_is_known_by_its_link_too() -> None:
    world = demo()
    disk = world.disk("VLGX4P7Y")

    assert of(world, f"/dev/{disk.kname}") == of(world, f"/dev/disk/by-id/{disk.link}")


def test_the_disk_itself_says_that_it_fails_also_by_the_exit_status() -> None:
    world = demo()
    disk = world.disk("S64FNE0R802741")
    disk.health.is_passing = False

    assert 8 == said(world, f"/dev/{disk.kname}").status
    found = of(world, f"/dev/{disk.kname}")
    assert isinstance(found, DiskHealth)
    assert (False, 1) == (found.is_passing, found.critical_warning)


def test_who_is_not_root_reads_nothing_and_a_pulled_drive_is_not_there() -> None:
    world = demo()
    disk = world.disk("VLGX4P7Y")

    world.user_id = 1000
    assert Unreadable.NOT_PERMITTED is of(world, f"/dev/{disk.kname}")
    world.user_id, disk.is_present = 0, False
    assert Unreadable.NOT_SUPPORTED is of(world, f"/dev/{disk.kname}")
