"""Plans of storage that guests name which are off: named, and refused where a saved memory would go wrong."""

from __future__ import annotations

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from zconsole.actions.plan import Plan, Risk
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import PAUSED, SHUT_OFF, PracticeGuest, PracticeGuestDisk, PracticeImage
from zconsole.practice.program_and_subcommand_table import answer

OFF = "on tank/web01, shut off; its definition names /dev/zvol/tank/web01"
EVERY = [
    ("destroy", "tank/web01", "--recursive"),
    ("rename", "tank/web01", "tank/web02"),
    ("rollback", "tank/web01@a"),
]


def named(made: Plan, kind: str) -> list[tuple[str, str]]:
    return [(each.name, each.detail) for each in made.dependents if each.kind == kind]


def refused(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


@pytest.fixture
def off(nas: Acting) -> Acting:  # noqa: F811
    answer(nas.host.world, ("zfs", "snapshot", "tank/web01@a"))
    web01(nas).state = SHUT_OFF
    return nas


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
async def test_a_guest_that_is_off_is_named(off: Acting, words: tuple[str, ...]) -> None:
    made = await off.plan(*(each for each in words if each[:2] != "--"), recursive="--recursive" in words)

    assert [] == refused(made)
    assert [("web01", OFF)] == named(made, "stopped guest")


@pytest.mark.parametrize("words", [("export", "tank"), ("destroy", "tank")], ids=" ".join)
async def test_it_is_named_in_plans_of_its_pool(off: Acting, words: tuple[str, ...]) -> None:
    made = await off.plan(*words)

    assert [] == refused(made)
    assert [("web01", OFF.partition(", ")[2])] == named(made, "stopped guest")


async def test_an_image_below_another_is_named_though_the_guest_is_off(off: Acting) -> None:
    world = off.host.world
    world.lacking -= {"qemu-img"}
    for name in ("golden", "own"):
        answer(world, ("zfs", "create", f"tank/{name}"))
    world.images["/tank/golden/base"] = PracticeImage("/tank/golden/base", "qcow2", 1 << 30, 1 << 20)
    world.images["/tank/own/top"] = PracticeImage(
        "/tank/own/top", "qcow2", 1 << 30, 1 << 20, backing="/tank/golden/base"
    )
    disk = PracticeGuestDisk("vda", "/tank/own/top", "qcow2")
    world.guests.append(PracticeGuest("db01", [disk], SHUT_OFF))

    made = await off.plan("destroy", "tank/golden")

    assert ["db01"] == [name for name, _ in named(made, "stopped guest")]


async def test_a_guest_on_what_is_not_mounted_is_named(off: Acting) -> None:
    world = off.host.world
    answer(world, ("zfs", "create", "tank/files"))
    answer(world, ("zfs", "unmount", "tank/files"))
    world.guests.append(PracticeGuest("db01", [PracticeGuestDisk("vda", "/tank/files/db01.raw")], SHUT_OFF))

    for words in (("destroy", "tank/files"), ("destroy", "tank")):
        assert "db01" in [name for name, _ in named(await off.plan(*words), "stopped guest")]


async def test_a_guest_that_was_defined_meanwhile_makes_the_plan_stale(off: Acting) -> None:
    made = await off.plan("destroy", "tank/web01", recursive=True)
    other = PracticeGuest("late", [PracticeGuestDisk("vda", "/dev/zvol/tank/web01")], SHUT_OFF)
    off.host.world.guests.append(other)

    ended = await run(off, made)

    assert RunState.STALE is ended.state
    assert "tank/web01" in off.host.world.pools["tank"].datasets


async def test_a_rollback_below_a_saved_memory_is_refused_with_the_way_out(off: Acting) -> None:
    web01(off).has_saved_memory = True

    made = await off.plan("rollback", "tank/web01@a")

    assert ["saved-memory"] == refused(made)
    assert "damages it" in made.refusals[0].reason
    assert "start web01 and shut it down" in made.refusals[0].instead
    assert "managedsave-remove" in made.refusals[0].instead


async def test_what_changes_no_data_below_a_saved_memory_is_not_refused(off: Acting) -> None:
    web01(off).has_saved_memory = True

    made = await off.plan("export", "tank")

    assert [] == refused(made)
    assert ["web01"] == [name for name, _ in named(made, "saved guest")]


@pytest.mark.parametrize("words", [("destroy", "tank/web01"), ("destroy", "tank")], ids=" ".join)
async def test_what_a_saved_memory_goes_on_with_is_destroyed_as_under_a_running_guest(
    off: Acting, words: tuple[str, ...]
) -> None:
    web01(off).has_saved_memory = True

    made = await off.plan(*words, recursive="/" in words[1])

    assert (Risk.CATASTROPHIC, []) == (made.risk, refused(made))
    assert ["web01"] == [name for name, _ in named(made, "saved guest")]
    assert "the saved memory of web01, with all not yet on its disks" in made.loses
    answer(off.host.world, ("zfs", "create", "tank/other"))
    assert Risk.DESTRUCTIVE is (await off.plan("destroy", "tank/other")).risk


async def test_a_paused_guest_is_not_called_running(nas: Acting) -> None:  # noqa: F811
    web01(nas).state = PAUSED

    made = await nas.plan("destroy", "tank/web01")

    assert Risk.REFUSED is made.risk
    assert [("web01", "on tank/web01, /dev/zvol/tank/web01, paused")] == named(made, "guest")
    assert not [each for each in made.alternatives if each[1].flag("shut-down-guests")]
