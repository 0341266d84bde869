"""The shelf of a practice host, as the console's own scripts and parsers see it."""

from __future__ import annotations

import pytest

from zconsole.hosts.host import Command
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.exercise_starting_world import shelf_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World
from zconsole.system.enclosures_and_disk_paths import parse_lights, parse_shelves, read_lights, read_shelves


@pytest.fixture
def world() -> World:
    return shelf_world(SCRIPTS[0], 1_800_000_000.0)


def said(world: World, command: Command) -> str:
    reply = answer(world, command.argv)
    assert isinstance(reply, Reply)
    return reply.stdout


def test_each_disk_of_the_shelf_is_in_its_bay(world: World) -> None:
    shelves = parse_shelves(said(world, read_shelves()))

    (shelf,) = shelves.enclosures
    assert {disk.hctl: disk.bay for disk in world.disks if disk.bay is not None and disk.is_present} == {
        hctl: bay.number for bay in shelf.bays for hctl in bay.hctls
    }
    assert world.bays == len(shelf.bays)
    assert {disk.kname for disk in world.disks if disk.is_present} == {path.disk for path in shelves.paths}


def test_the_lit_led_is_told_by_its_bay(world: World) -> None:
    disk = next(disk for disk in world.disks if disk.bay == 3)
    world.lit.add(disk.serial)

    lit = [folder for folder, lights in parse_lights(said(world, read_lights())).items() if lights.is_located]

    assert ["9:0:0:0/Slot 03"] == lit


def test_a_host_without_a_shelf_has_disks_only(world: World) -> None:
    world.bays = 0

    assert () == parse_shelves(said(world, read_shelves())).enclosures
    assert "" == said(world, read_lights())
