"""The slots of an enclosure in /sys."""

from __future__ import annotations

from tests.practice.laboratory import mirrors, run
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.happenings import put_in, take_out
from zconsole.practice.exercises.shelf import shelf_world
from zconsole.practice.system.enclosure_files import ENCLOSURE, files, links

EPOCH = 1_795_219_200.0
AT = f"{ENCLOSURE}/0:0:24:0"


def test_a_slot_has_the_files_that_the_kernel_gives_it() -> None:
    world = shelf_world(SCRIPTS[0], EPOCH)

    assert f"{AT}:\n" not in run(world, f"ls -1p {ENCLOSURE}").stdout
    assert "0:0:24:0/\n" == run(world, f"ls -1p {ENCLOSURE}").stdout
    assert ["Slot 01/", "Slot 02/"] == run(world, f"ls -1p {AT}").stdout.splitlines()[:2]
    assert "12\n" == run(world, f"cat {AT}/components").stdout
    assert ("2\n", "OK\n", "array device\n") == tuple(
        files(world)[f"{AT}/Slot 02/{name}"] for name in ("slot", "status", "type")
    )
    assert "not installed\n" == files(world)[f"{AT}/Slot 09/status"]


def test_a_slot_leads_to_the_disk_that_is_in_it() -> None:
    world = shelf_world(SCRIPTS[0], EPOCH)
    disk = world.disk("ZC13A0R7")
    assert links(world)[f"{AT}/Slot 02/device"].endswith("/target0:0:2/0:0:2:0")

    take_out(world, disk)
    assert f"{AT}/Slot 02/device" not in links(world)
    put_in(world, disk, 11)

    assert f"/{disk.hctl}" in links(world)[f"{AT}/Slot 11/device"]


def test_the_locate_file_tells_of_the_lamp() -> None:
    world = shelf_world(SCRIPTS[0], EPOCH)

    run(world, "ledctl --listed-only locate=/dev/sdc")

    assert "1\n" == files(world)[f"{AT}/Slot 02/locate"]
    assert "0\n" == files(world)[f"{AT}/Slot 03/locate"]


def test_a_host_without_an_enclosure_has_no_slots() -> None:
    world = mirrors()

    assert {} == {**files(world), **links(world)}
    assert 2 == run(world, f"ls -1p {ENCLOSURE}").status
    assert "No such file" in run(world, f"cat {AT}/components").stderr
