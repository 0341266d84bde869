"""A rename below guests that are off: their disks are defined at the new paths, and the guests start."""

from __future__ import annotations

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from tests.doubles.moving_guests import in_short
from tests.doubles.plan_worlds import filesystem, host, volume
from zconsole.actions.checks.mount_points_after_change import Placement
from zconsole.actions.guest.define_disks_of_renamed_dataset import PathChange, path_change
from zconsole.actions.plan import Plan
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import (
    RUNNING,
    SHUT_OFF,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
)
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.system import root_file_system

GIB = 1 << 30
FILES = "/tank/vm/files"


def verbs(made: Plan) -> list[str]:
    return [in_short(step.argv) for step in made.steps]


def disks(acting: Acting, name: str) -> list[str]:
    (guest,) = (each for each in acting.host.world.guests if each.name == name)
    return [disk.source for disk in guest.disks]


def refused(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


@pytest.fixture
def off(nas: Acting) -> Acting:  # noqa: F811
    web01(nas).state = SHUT_OFF
    return nas


@pytest.fixture
def files(nas: Acting) -> Acting:  # noqa: F811
    """Below tank/vm: a volume and a file of db01, an image and the one below it of mail01, both off."""
    world = nas.host.world
    world.lacking -= {"qemu-img"}
    for words in (("tank/vm",), ("tank/vm/files",), ("-V", "64M", "tank/vm/db01")):
        answer(world, ("zfs", "create", *words))
    for name, backing in (("db01.raw", ""), ("base.qcow2", ""), ("mail01.qcow2", f"{FILES}/base.qcow2")):
        path = f"{FILES}/{name}"
        world.images[path] = PracticeImage(path, name.rpartition(".")[2], GIB, 1 << 20, backing=backing)
    paths = {"vda": "/dev/zvol/tank/vm/db01", "vdb": f"{FILES}/db01.raw"}
    both = [PracticeGuestDisk(target, path) for target, path in paths.items()]
    world.guests.append(PracticeGuest("db01", both, SHUT_OFF))
    return nas


def add_mail(acting: Acting) -> None:
    disk = PracticeGuestDisk("vda", "/tank/vm/files/mail01.qcow2", "qcow2")
    acting.host.world.guests.append(PracticeGuest("mail01", [disk], SHUT_OFF))


async def test_a_guest_that_is_off_starts_after_the_rename(off: Acting) -> None:
    made = await off.plan("rename", "tank/web01", "tank/web02")
    assert ["rename", "define"] == verbs(made)
    assert "zconsole plan rename tank/web02 tank/web01" == made.undo

    ended = await run(off, made)
    started = await run(off, await off.plan("guest-start", "web01"))

    assert (RunState.DONE, RunState.DONE) == (ended.state, started.state), ended.words + started.words
    assert ["/dev/zvol/tank/web02"] == disks(off, "web01")


async def test_a_running_guest_is_shut_down_first_and_started_at_the_end(nas: Acting) -> None:  # noqa: F811
    made = await nas.plan(
        "rename", "tank/web01", "tank/web02", shut_down_guests=True, start_guests_after=True
    )
    assert ["shutdown", "rename", "define", "start"] == verbs(made)

    ended = await run(nas, made)

    assert RunState.DONE is ended.state, ended.words
    assert RUNNING == web01(nas).state
    assert ["/dev/zvol/tank/web02"] == disks(nas, "web01")


async def test_all_disks_below_a_renamed_parent_are_defined_anew(files: Acting) -> None:
    made = await files.plan("rename", "tank/vm", "tank/machines")
    assert ["rename", "define", "define"] == verbs(made)

    ended = await run(files, made)

    assert RunState.DONE is ended.state, ended.words
    assert ["/dev/zvol/tank/machines/db01", "/tank/machines/files/db01.raw"] == disks(files, "db01")
    assert RunState.DONE is (await run(files, await files.plan("guest-start", "db01"))).state


async def test_a_file_system_that_stays_where_it_is_changes_no_definition(files: Acting) -> None:
    answer(files.host.world, ("zfs", "set", "mountpoint=/srv/vm", "tank/vm/files"))
    (guest,) = (each for each in files.host.world.guests if each.name == "db01")
    guest.disks = [PracticeGuestDisk("vdb", "/srv/vm/db01.raw")]

    made = await files.plan("rename", "tank/vm/files", "tank/vm/images")

    assert (["rename"], []) == (verbs(made), refused(made))


async def test_the_path_of_an_image_in_another_refuses(files: Acting) -> None:
    add_mail(files)

    made = await files.plan("rename", "tank/vm/files", "tank/vm/images")

    assert ["backing-file"] == refused(made)
    assert (
        "/tank/vm/files/mail01.qcow2 of mail01 builds on /tank/vm/files/base.qcow2" in made.refusals[0].reason
    )


async def test_a_path_relative_to_its_folder_goes_along(files: Acting) -> None:
    world = files.host.world
    world.images[f"{FILES}/mail01.qcow2"].written_backing = "base.qcow2"
    add_mail(files)

    made = await files.plan("rename", "tank/vm/files", "tank/vm/images")

    assert ([], ["rename", "define", "define"]) == (refused(made), verbs(made))


@pytest.mark.parametrize(
    "wanted", [("rename", "tank/vm/files", "tank/vm/images"), ("rename", "tank/vm", "tank/v2")]
)
async def test_an_image_that_is_a_link_within_refuses(
    files: Acting, monkeypatch: pytest.MonkeyPatch, wanted: tuple[str, ...]
) -> None:
    monkeypatch.setitem(root_file_system.LINKS, f"{FILES}/db01.raw", f"{FILES}/kept/db01.raw")

    made = await files.plan(*wanted)

    assert ["path"] == refused(made)
    assert f"{FILES}/db01.raw of db01 is a symbolic link to {FILES}/kept/db01.raw" in made.refusals[0].reason
    assert f"name {FILES}/kept/db01.raw itself" in made.refusals[0].instead


async def test_a_link_to_a_place_that_stays_goes_along(
    files: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(files.host.world, ("zfs", "create", "tank/kept"))
    monkeypatch.setitem(root_file_system.LINKS, f"{FILES}/db01.raw", "/tank/kept/db01.raw")

    made = await files.plan("rename", "tank/vm/files", "tank/vm/images")

    assert [] == refused(made)


async def test_an_image_that_is_a_link_within_is_not_moved(
    files: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = await files.plan("guest-move", "db01", "tank/other", of="tank/vm/files")
    monkeypatch.setitem(root_file_system.LINKS, f"{FILES}/db01.raw", f"{FILES}/kept/db01.raw")

    made = await files.plan("guest-move", "db01", "tank/other", of="tank/vm/files")

    assert ([], ["path"]) == (refused(plain), refused(made))


async def test_a_saved_memory_and_an_unreadable_image_refuse(files: Acting) -> None:
    add_mail(files)
    files.host.world.lacking |= {"qemu-img"}
    (db01,) = (each for each in files.host.world.guests if each.name == "db01")
    db01.has_saved_memory = True

    made = await files.plan("rename", "tank/vm", "tank/machines")

    assert ["saved-memory", "image-unread"] == refused(made)


async def test_a_definition_that_was_changed_meanwhile_makes_the_plan_stale(off: Acting) -> None:
    made = await off.plan("rename", "tank/web01", "tank/web02")
    guest = web01(off)
    guest.disks[0].target = "vdb"

    ended = await run(off, made)

    assert RunState.STALE is ended.state


def facts() -> PlanFacts:
    fixed = filesystem("tank/vm/own", mountpoint="/tank/vm/a/own")
    return host(
        [filesystem("tank"), filesystem("tank/vm"), filesystem("tank/vm/a"), fixed, volume("tank/vm/v 1")]
    )


@pytest.mark.parametrize(
    ("after", "before"),
    [
        ("/tank/new/a/x.raw", "/tank/vm/a/x.raw"),
        ("/tank/vm/a/own/x.raw", "/tank/vm/a/own/x.raw"),
        ("/tank/vmx/x.raw", "/tank/vmx/x.raw"),
        ("/dev/zvol/tank/new/v+1", "/dev/zvol/tank/vm/v+1"),
        ("/dev/zvol/tank/new/v+1-part1", "/dev/zvol/tank/vm/v+1-part1"),
        ("/dev/zvol/tank/vm/v+10", "/dev/zvol/tank/vm/v+10"),
        ("/srv/x", "/srv/x"),
    ],
)
def test_a_path_changes_with_the_nearest_mount_point_or_device(after: str, before: str) -> None:
    names = ("tank/vm", "tank/vm/a", "tank/vm/own", "tank/vm/v 1")
    pairs = [(name, name.replace("tank/vm", "tank/new")) for name in names]
    placed = [Placement("tank/vm", "/tank/new"), Placement("tank/vm/a", "/tank/new/a")]

    change = path_change(pairs, placed, facts())

    assert after == change.of(before)
    assert isinstance(change, PathChange)
