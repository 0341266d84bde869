"""What is said of the old place of a move, and of a weak new one."""

from __future__ import annotations

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import NEW, OLD, MovingGuest
from zconsole.actions.plan import Plan

FREED = "to free the old place"


def _said(made: Plan) -> str:
    return next((note for note in made.stays if FREED in note), "")


async def test_a_dataset_of_the_guest_alone_is_destroyed_afterwards() -> None:
    made = await MovingGuest().plan("guest-move", "web01", NEW)

    assert _said(made).endswith(f"zconsole plan destroy {OLD} --recursive")


async def test_what_is_below_the_old_place_is_not_destroyed_with_it() -> None:
    moving = MovingGuest(on_volume=False)
    moving.type(f"zfs create {OLD}/golden")

    made = await moving.plan("guest-move", "web01", NEW)

    assert not made.is_refused
    assert "--recursive" not in _said(made)
    assert "the datasets below it stay" in _said(made)


async def test_clones_of_the_old_place_are_named_instead_of_a_destroy_that_would_be_refused() -> None:
    moving = MovingGuest()
    moving.type(f"zfs snapshot {OLD}@golden")
    moving.type(f"zfs clone {OLD}@golden tank/test01")

    made = await moving.plan("guest-move", "web01", NEW)

    assert "" == _said(made)
    (told,) = (each for each in made.stays if "cannot be freed" in each)
    assert "tank/test01 is a clone of snapshots there" in told


async def test_a_refused_move_says_nothing_of_the_time_after_it() -> None:
    moving = MovingGuest()
    moving.type(f"zfs create {NEW}")

    made = await moving.plan("guest-move", "web01", NEW)

    assert made.is_refused
    assert "" == _said(made)


async def test_datasets_below_would_become_read_only_with_a_move_to_another_host() -> None:
    moving = MovingBetweenHosts(on_volume=False)
    moving.type(f"zfs create {OLD}/golden")

    made = await moving.planned()

    assert "below" in [each.rule for each in made.refusals]


async def test_a_pool_that_survives_no_further_failure_is_named() -> None:
    moving = MovingGuest()
    sound = await moving.plan("guest-move", "web01", NEW)
    moving.nas_world.pools["vault"].root.children[0].children[1].state = "OFFLINE"

    made = await moving.plan("guest-move", "web01", NEW)

    assert not [each for each in sound.warnings if "vault" in each]
    assert [each for each in made.warnings if each.startswith("vault: no redundancy left in mirror-0")]
