"""Images of the practice host: moved by a rename, gone with a file system, hidden while it is not mounted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.practice import create_world
from zconsole.practice.libvirt.guests import SHUT_OFF, PracticeGuest, PracticeGuestDisk, PracticeImage
from zconsole.practice.libvirt.storage_of_images import images_received, images_to_send, is_there
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.send_receive.nvlist import pack, unpack
from zconsole.practice.world.host_world import World

OLD, NEW = "/tank/vm/a.raw", "/tank/new/a.raw"


@pytest.fixture
def world() -> World:
    made = create_world("mirror 0 1")
    made.lacking -= {"virsh"}
    answer(made, ("zfs", "create", "tank/vm"))
    answer(made, ("zfs", "create", "-V", "64M", "tank/disk"))
    made.images[OLD] = PracticeImage(OLD, "raw", 1 << 30, 1 << 20)
    return made


def test_a_rename_moves_them(world: World) -> None:
    answer(world, ("zfs", "rename", "tank/vm", "tank/new"))

    assert (False, True) == (is_there(world, OLD), is_there(world, NEW))
    assert NEW == world.images[NEW].path


def test_they_are_gone_with_their_file_system(world: World) -> None:
    answer(world, ("zfs", "destroy", "tank/vm"))

    assert {} == world.images


def test_they_are_not_found_while_it_is_not_mounted(world: World) -> None:
    assert is_there(world, OLD)

    answer(world, ("zfs", "unmount", "tank/vm"))

    assert not is_there(world, OLD)


@pytest.mark.parametrize(
    ("path", "is_found"), [("/dev/zvol/tank/disk", True), ("/dev/zvol/tank/none", False)]
)
def test_a_guest_starts_with_its_disks_only(world: World, path: str, *, is_found: bool) -> None:
    world.guests.append(PracticeGuest("web01", [PracticeGuestDisk("vda", path)], SHUT_OFF))

    started = answer(world, ("virsh", "-q", "-c", "qemu:///system", "start", "web01"))

    assert is_found is (started.status == 0)
    assert is_found is (f"Cannot access storage file '{path}'" not in started.stderr)


def test_a_stream_carries_them(world: World) -> None:
    answer(world, ("zfs", "create", "tank/copy"))
    image = PracticeImage(OLD, "qcow2", 1 << 30, 1 << 20, 65536, "/base", ("before",), "base")
    world.images[OLD] = image
    datasets = world.pools["tank"].datasets

    images_received(world, datasets["tank/copy"], unpack(pack(images_to_send(world, datasets["tank/vm"]))))

    assert replace(image, path="/tank/copy/a.raw") == world.images["/tank/copy/a.raw"]
