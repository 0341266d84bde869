"""A restore over the image of a guest: refused while it runs or has a saved memory, named while it is off."""

from __future__ import annotations

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from tests.doubles.plan_worlds import filesystem, host
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.guests_with_overwritten_file import check_guests_with_file, folders_of_guests
from zconsole.actions.plan import Plan, Risk
from zconsole.model.datasets.snapshot_contents import FileLookup
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import (
    RUNNING,
    SHUT_OFF,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
)
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.world.datasets import FileNode

IMAGE = "/tank/vm/db01.raw"
NAMES = ((200, "db01.raw"), (201, "notes"))


def refused(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


def db01(acting: Acting) -> PracticeGuest:
    return acting.host.world.guests[-1]


@pytest.fixture
def files(nas: Acting) -> Acting:  # noqa: F811
    """An image of the running db01 on a dataset, changed since its snapshot; and another file beside it."""
    world = nas.host.world
    answer(world, ("zfs", "create", "tank/vm"))
    touched = world.pools["tank"].datasets["tank/vm"].touched
    touched |= {name: FileNode("f", inode, 4000, 10**18) for inode, name in NAMES}
    answer(world, ("zfs", "snapshot", "tank/vm@a"))
    touched |= {
        name: FileNode("f", 300 + at, 4096, 10**18 + 5) for at, name in enumerate(("db01.raw", "notes"))
    }
    world.images[IMAGE] = PracticeImage(IMAGE, "raw", 1 << 20, 4096)
    world.guests.append(PracticeGuest("db01", [PracticeGuestDisk("vda", IMAGE)]))
    return nas


async def test_the_image_of_a_running_guest_is_replaced_only_after_its_shutdown(files: Acting) -> None:
    made = await files.plan("restore", "tank/vm@a", IMAGE, overwrite=True)
    assert ["in-use"] == refused(made)
    assert f"guest db01 has {IMAGE} open: it would go on with the replaced file" in made.refusals[0].reason
    assert "shut db01 down first, as a step of the same plan, and start it again at the end" in [
        words for words, _ in made.alternatives
    ]

    stopped = await files.plan("restore", "tank/vm@a", IMAGE, overwrite=True, shut_down_guests=True)
    assert Risk.CATASTROPHIC is stopped.risk
    ended = await run(files, stopped)

    assert RunState.DONE is ended.state, ended.words
    assert SHUT_OFF == db01(files).state
    assert 4000 == files.host.world.pools["tank"].datasets["tank/vm"].touched["db01.raw"].size


async def test_beside_it_and_over_another_file_nothing_is_asked_of_the_guest(files: Acting) -> None:
    beside = await files.plan("restore", "tank/vm@a", IMAGE)
    other = await files.plan("restore", "tank/vm@a", "notes", overwrite=True)

    assert ((Risk.ROUTINE, []), (Risk.DESTRUCTIVE, [])) == tuple(
        (each.risk, refused(each)) for each in (beside, other)
    )
    assert () == (*beside.dependents, *other.dependents)


async def test_a_guest_that_is_off_is_named_and_its_saved_memory_refuses(files: Acting) -> None:
    db01(files).state = SHUT_OFF
    off = await files.plan("restore", "tank/vm@a", IMAGE, overwrite=True)
    db01(files).has_saved_memory = True
    saved = await files.plan("restore", "tank/vm@a", IMAGE, overwrite=True)

    assert (Risk.DESTRUCTIVE, []) == (off.risk, refused(off))
    assert [("stopped guest", "db01")] == [(each.kind, each.name) for each in off.dependents]
    assert ["saved-memory"] == refused(saved)


@pytest.mark.parametrize(
    "words",
    [("create", "tank/new", "mountpoint=/tank/vm"), ("clone", "tank/vm@a", "tank/c", "mountpoint=/tank/vm")],
)
async def test_a_new_mount_over_the_folder_of_an_image_names_its_guest(
    files: Acting, words: list[str]
) -> None:
    db01(files).state = SHUT_OFF

    made = await files.plan(*words)

    assert ("stopped guest", "db01") in [(each.kind, each.name) for each in made.dependents]
    assert any("hides images of guests (db01)" in each for each in made.warnings)


async def test_a_dataset_with_a_mount_point_of_its_own_is_renamed_below_a_running_guest(
    files: Acting,
) -> None:
    answer(files.host.world, ("zfs", "set", "mountpoint=/tank/vm", "tank/vm"))

    made = await files.plan("rename", "tank/vm", "tank/guests")
    ended = await run(files, made)

    assert ("zfs", "rename", "-u", "tank/vm", "tank/guests") == made.steps[0].argv
    assert RunState.DONE is ended.state, ended.words
    assert RUNNING == db01(files).state
    assert IMAGE in files.host.world.images
    assert files.host.world.pools["tank"].datasets["tank/guests"].is_mounted


async def test_a_guest_that_comes_meanwhile_makes_the_plan_stale(files: Acting) -> None:
    guest = files.host.world.guests.pop()
    made = await files.plan("restore", "tank/vm@a", IMAGE, overwrite=True)
    assert Risk.DESTRUCTIVE is made.risk
    files.host.world.guests.append(guest)

    assert RunState.STALE is (await run(files, made)).state


def test_a_definition_that_reaches_the_folder_by_a_link_counts() -> None:
    use = OutsideUse("tank/vm", "guest", "db01", "", path="/srv/vm/db01.raw")
    found = FileLookup((), resolved=(("/srv/vm", "/tank/vm"),))
    facts = host([filesystem("tank"), filesystem("tank/vm")], uses=(use,), files=found)
    draft = Draft("restore", "tank/vm", Risk.ROUTINE)

    assert ("/srv/vm",) == folders_of_guests(facts)
    check_guests_with_file(draft, "/tank/vm/other", facts)
    assert [] == draft.refusals
    check_guests_with_file(draft, IMAGE, facts)
    assert ["in-use"] == [each.rule for each in draft.refusals]


def test_a_definition_that_names_a_link_to_the_file_counts() -> None:
    use = OutsideUse("tank/vm", "guest", "db01", "", path="/srv/db01", real=IMAGE)
    facts = host([filesystem("tank"), filesystem("tank/vm")], uses=(use,))

    over_file = Draft("restore", "tank/vm", Risk.ROUTINE)
    check_guests_with_file(over_file, IMAGE, facts)
    over_link = Draft("restore", "tank/vm", Risk.ROUTINE)
    check_guests_with_file(over_link, "/srv/db01", facts)

    assert ["in-use", "in-use"] == [each.rule for each in (*over_file.refusals, *over_link.refusals)]


def test_users_that_could_not_be_read_are_told() -> None:
    draft = Draft("restore", "tank/vm", Risk.ROUTINE)

    check_guests_with_file(draft, IMAGE, host([filesystem("tank")], uses=None))

    assert any("its users could not be read" in each for each in draft.warnings)
