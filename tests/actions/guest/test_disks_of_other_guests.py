"""A start is refused, or catastrophic, where a disk of the guest is of another guest too."""

from __future__ import annotations

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run  # noqa: F401
from tests.actions.pool.test_practice import Acting
from zconsole.actions.plan import Plan, Risk
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import (
    RUNNING,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
)
from zconsole.practice.program_and_subcommand_table import answer

BASE, TOP = "/tank/files/base.qcow2", "/tank/files/top.qcow2"


def image(nas: Acting, path: str, backing: str = "") -> None:  # noqa: F811
    made = PracticeImage(path, "qcow2", 1 << 30, 1 << 20, backing=backing)
    nas.host.world.images[path] = made


def add(nas: Acting, name: str, path: str, state: int) -> PracticeGuest:  # noqa: F811
    form = "raw" if path.startswith(ZVOL) else "qcow2"
    guest = PracticeGuest(name, [PracticeGuestDisk("vda", path, form)], state)
    nas.host.world.guests.append(guest)
    return guest


@pytest.fixture
def files(nas: Acting) -> Acting:  # noqa: F811
    """The host with qemu-img, a base image, and an image above it."""
    nas.host.world.lacking -= {"qemu-img"}
    answer(nas.host.world, ("zfs", "create", "tank/files"))
    image(nas, BASE)
    image(nas, TOP, BASE)
    return nas


def rules(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


@pytest.mark.parametrize("state", [RUNNING, SHUT_OFF])
async def test_an_image_below_the_disk_of_another_guest_is_not_written_to(files: Acting, state: int) -> None:
    add(files, "db02", TOP, state)
    add(files, "golden", BASE, SHUT_OFF)

    made = await files.plan("guest-start", "golden")

    assert ["backing-image"] == rules(made)
    assert f"vda of golden is {BASE}, which is the backing file of a disk of db02" in made.refusals[0].reason


async def test_nor_is_a_guest_started_above_an_image_that_a_running_one_writes_to(files: Acting) -> None:
    add(files, "golden", BASE, RUNNING)
    add(files, "db02", TOP, SHUT_OFF)

    made = await files.plan("guest-start", "db02")

    assert ["backing-image"] == rules(made)
    assert "shut golden down first" == made.refusals[0].instead


async def test_a_volume_that_a_running_guest_has_is_catastrophic(nas: Acting) -> None:  # noqa: F811
    add(nas, "twin", f"{ZVOL}tank/web01", SHUT_OFF)

    made = await nas.plan("guest-start", "twin")

    assert (Risk.CATASTROPHIC, []) == (made.risk, rules(made))
    assert any("two guests on one disk destroy its file system" in each for each in made.warnings)
    assert ["web01"] == [each.name for each in made.dependents]


async def test_one_that_is_off_is_told_and_nothing_more(nas: Acting) -> None:  # noqa: F811
    nas.host.world.guests[0].state = SHUT_OFF
    add(nas, "twin", f"{ZVOL}tank/web01", SHUT_OFF)

    made = await nas.plan("guest-start", "twin")

    assert (Risk.ROUTINE, []) == (made.risk, rules(made))
    assert any("web01, which is off, has the same disk" in each for each in made.notes)


async def test_guests_above_one_image_disturb_nobody(files: Acting) -> None:
    image(files, "/tank/files/other.qcow2", BASE)
    add(files, "db02", TOP, RUNNING)
    add(files, "db03", "/tank/files/other.qcow2", SHUT_OFF)

    made = await files.plan("guest-start", "db03")

    assert (Risk.ROUTINE, [], ()) == (made.risk, rules(made), made.dependents)


async def test_the_shutdown_of_a_transient_guest_loses_its_definition(nas: Acting) -> None:  # noqa: F811
    nas.host.world.guests[0].is_persistent = False

    made = await nas.plan("guest-shutdown", "web01")

    assert (Risk.DESTRUCTIVE, None, False) == (made.risk, made.undo, made.is_reversible)
    assert ("the definition of web01: it is transient, and gone once it is off",) == made.loses
    ended = await run(nas, made)
    assert RunState.DONE is ended.state, ended.words
    assert [] == nas.host.world.guests


async def test_a_transient_guest_is_shut_down_for_a_plan_but_not_started_after_it(
    nas: Acting,  # noqa: F811
) -> None:
    nas.host.world.guests[0].is_persistent = False

    after = await nas.plan("set", "tank/web01", "readonly=on", shut_down_guests=True, start_guests_after=True)
    made = await nas.plan("set", "tank/web01", "readonly=on", shut_down_guests=True)

    assert ["no-start", "transient"] == rules(after)
    assert ("the definition of web01: it is transient, and gone once it is off",) == made.loses
    ended = await run(nas, made)
    assert RunState.DONE is ended.state, ended.words
