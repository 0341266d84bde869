"""Steps that remain of a move, from the facts that each interruption leaves."""

from __future__ import annotations

from tests.doubles.moving_guests import NEW, OLD, MovingGuest, in_short
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF

END = ["set", "define", "start"]


def sent(moving: MovingGuest) -> MovingGuest:
    """The first snapshot is there."""
    one = f"{OLD}@zconsole-move-1-live"
    moving.type(f"zfs snapshot {one}")
    return moving


async def test_what_is_there_is_not_sent_again() -> None:
    moving = sent(MovingGuest())
    await moving.do("receive", NEW, f"{OLD}@zconsole-move-1-live")

    assert ["snapshot", "receive", "shutdown", "snapshot", "receive", *END] == await moving.commands()


async def test_of_a_guest_that_is_off_one_more_increment_is_sent() -> None:
    moving = sent(MovingGuest())
    await moving.do("receive", NEW, f"{OLD}@zconsole-move-1-live")
    moving.guest.state = SHUT_OFF

    assert ["snapshot", "receive", *END] == await moving.commands()


async def test_after_the_disks_are_defined_there_nothing_is_sent() -> None:
    moving = sent(MovingGuest())
    await moving.do("receive", NEW, f"{OLD}@zconsole-move-1-live")
    moving.guest.state = SHUT_OFF
    moving.guest.disks[0].source = f"/dev/zvol/{NEW}"
    moving.type(f"zfs set readonly=off {NEW}")

    assert ["start"] == await moving.commands()
    moving.type(f"zfs set readonly=off {NEW}")
    assert ["start"] == await moving.commands()


async def test_a_guest_that_somebody_started_at_the_old_place_is_shut_down_again() -> None:
    moving = sent(MovingGuest())
    await moving.do("receive", NEW, f"{OLD}@zconsole-move-1-live")
    moving.guest.state = SHUT_OFF
    assert "shutdown" not in await moving.commands()

    moving.guest.state = RUNNING

    assert ["snapshot", "receive", "shutdown", "snapshot", "receive", *END] == await moving.commands()


async def test_numbers_go_on_where_either_side_is() -> None:
    moving = MovingGuest()
    moving.type(f"zfs snapshot {OLD}@zconsole-move-41-off", f"zfs snapshot {OLD}@zconsole-move-x-off")

    plan = await moving.plan("guest-move", "web01", NEW)

    assert ("zfs", "snapshot", f"{OLD}@zconsole-move-42-live") == plan.steps[0].argv


async def test_each_step_behind_the_last_snapshot_looks_again_at_what_it_rests_on() -> None:
    moving = MovingGuest(on_volume=False)

    made = await moving.plan("guest-move", "web01", NEW)

    rests = {in_short(step.argv): step.at_rest for step in made.steps}
    assert {"snapshot", "set", "define", "start"} == {
        name for name, rest in rests.items() if rest is not None
    }
    old, new = f"/{OLD}/disk.qcow2", f"/{NEW}/disk.qcow2"
    for name, path in (("set", old), ("define", old), ("start", new)):
        rest = rests[name]
        assert rest is not None
        assert (f"{OLD}@zconsole-move-3-off", (old,), (("vda", path),)) == (
            rest.snapshot, rest.images, rest.disks,
        )  # fmt: skip


async def test_a_move_that_starts_no_guest_looks_once_more_behind_its_last_step() -> None:
    moving = MovingGuest()
    moving.meanwhile("define", 1, lambda: moving.fill(5, OLD))

    run = await moving.move(**{"leave-off": True})

    assert RunState.FAILED is run.state
    assert f"every step is done, but behind the last one 5.00 MiB was written to {OLD} since" in run.words
    assert "do not start it: 5.00 MiB was written" in run.words


async def test_a_new_place_that_is_destroyed_meanwhile_is_not_taken_for_moved_to() -> None:
    moving = MovingGuest()
    moving.meanwhile("define", 1, lambda: moving.type(f"zfs destroy -r {NEW}"))

    run = await moving.move(**{"leave-off": True})

    assert RunState.FAILED is run.state
    assert (
        f"every step is done, but behind the last one {NEW}@zconsole-move-3-off is not there any more"
        in run.words
    )
