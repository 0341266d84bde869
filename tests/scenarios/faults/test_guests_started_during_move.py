"""Somebody else acts on a guest while its storage is moved: nothing it wrote is left at the old place."""

from __future__ import annotations

import pytest

from tests.doubles.moving_guests import NEW, OLD, ConsoleKilled, MovingGuest, in_short, kill_console
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF

# each command behind the last snapshot that is sent while the guest is off, and which of its kind it is
BEHIND_SNAPSHOT = [("receive", 3), ("set", 1), ("define", 1)]


def only_at_old_place(moving: MovingGuest) -> str:
    """Bytes that the new place has not got."""
    pool = moving.nas_world.pools["vault"]
    newest = pool.datasets[NEW].snapshots[-1].name
    return moving.get(OLD, f"written@{newest}")


@pytest.mark.parametrize("on_volume", [True, False], ids=["volume", "file"])
@pytest.mark.parametrize(("what", "number"), BEHIND_SNAPSHOT)
async def test_what_a_guest_writes_at_the_old_place_meanwhile_is_sent(
    what: str, number: int, on_volume: bool
) -> None:
    moving = MovingGuest(on_volume=on_volume)
    moving.meanwhile(what, number, moving.start_and_stop)

    run = await moving.move()

    assert (RunState.FAILED, SHUT_OFF) == (run.state, moving.guest.state)
    assert f"5.00 MiB was written to {OLD} since {OLD}@zconsole-move-3-off" in run.words

    left = await moving.again()
    end = await moving.run(left, moving.another())

    assert ["snapshot", "receive"] == [in_short(step.argv) for step in left.steps][:2]
    assert (RunState.DONE, RUNNING) == (end.state, moving.guest.state), end.words
    assert NEW in moving.disk
    assert "0" == only_at_old_place(moving)


@pytest.mark.parametrize("on_volume", [True, False], ids=["volume", "file"])
@pytest.mark.parametrize(("what", "number"), [("snapshot", 3), *BEHIND_SNAPSHOT])
async def test_a_guest_that_somebody_starts_meanwhile_is_shut_down_by_the_next_plan(
    what: str, number: int, on_volume: bool
) -> None:
    moving = MovingGuest(on_volume=on_volume)
    moving.meanwhile(what, number, moving.start)

    run = await moving.move()

    assert (RunState.FAILED, RUNNING) == (run.state, moving.guest.state)
    assert OLD in moving.disk
    left = await moving.again()
    assert "shutdown" in [in_short(step.argv) for step in left.steps]

    end = await moving.run(left, moving.another())

    assert (RunState.DONE, RUNNING) == (end.state, moving.guest.state), end.words
    assert "0" == only_at_old_place(moving)


async def test_a_disk_that_somebody_defines_elsewhere_meanwhile_ends_the_run() -> None:
    moving = MovingGuest()
    moving.type("zfs create -s -V 128M tank/other")

    def edit() -> None:
        moving.guest.disks[0].source = "/dev/zvol/tank/other"

    moving.meanwhile("set", 1, edit)

    run = await moving.move()

    assert RunState.FAILED is run.state
    assert "vda of web01 is defined at /dev/zvol/tank/other, not at /dev/zvol/tank/web01" in run.words


async def half_defined(number: int = 2) -> MovingGuest:
    """A guest with two disks, whose move ended between the definitions of the two."""
    moving = MovingGuest(on_volume=False)
    moving.add_disk()
    moving.meanwhile("define", number, kill_console)
    with pytest.raises(ConsoleKilled):
        await moving.move()
    assert [True, False] == [disk.source.count(NEW) > 0 for disk in moving.guest.disks]
    return moving


async def test_a_half_defined_guest_of_which_nothing_was_written_gets_its_other_disk() -> None:
    moving = await half_defined()

    left = await moving.again()
    run = await moving.run(left, moving.another())

    assert ["define", "mount", "start"] == [in_short(step.argv) for step in left.steps]
    assert f"{NEW} has all that {OLD} has: nothing was written there since {OLD}@zconsole-move-3-off" in (
        left.notes
    )
    assert not [each for each in (*left.notes, *left.downtime) if "sent" in each]
    assert (RunState.DONE, RUNNING) == (run.state, moving.guest.state), run.words
    assert [f"/{NEW}/disk.qcow2", f"/{NEW}/data.qcow2"] == [disk.source for disk in moving.guest.disks]


async def test_what_was_written_to_the_old_place_alone_is_sent_before_the_other_disk_is_defined() -> None:
    moving = await half_defined()
    moving.fill(5, OLD)

    left = await moving.again()
    run = await moving.run(left, moving.another())

    assert ["snapshot", "receive", "define", "mount", "start"] == [in_short(step.argv) for step in left.steps]
    assert RunState.DONE is run.state, run.words
    assert "0" == only_at_old_place(moving)


@pytest.mark.parametrize("is_stopped", [True, False], ids=["stopped", "runs"])
async def test_a_half_defined_guest_that_wrote_to_both_places_loses_none_of_them(is_stopped: bool) -> None:
    moving = await half_defined()
    moving.type(f"zfs mount {NEW}")
    moving.start_and_stop() if is_stopped else moving.start()

    left = await moving.again()

    assert ["half-moved"] == [each.rule for each in left.refusals]
    assert f"vda at {NEW} and vdb at {OLD}" in left.refusals[0].reason
    assert not [each for each in left.stays if "destroy" in each]

    ((_, way),) = left.alternatives
    out = await moving.again(*way.arguments, **dict(way.options))  # type: ignore[arg-type]
    assert not out.is_refused, out.refusals
    assert is_stopped is ("shutdown" not in [in_short(step.argv) for step in out.steps])
    run = await moving.run(out, moving.another())

    assert RunState.DONE is run.state, run.words
    assert [f"/{NEW}/disk.qcow2", f"/{NEW}-vdb/data.qcow2"] == [disk.source for disk in moving.guest.disks]
    assert "0" == moving.get(OLD, "written")


async def test_a_half_defined_guest_goes_back_whole() -> None:
    moving = await half_defined()

    back = await moving.again(OLD)
    run = await moving.run(back, moving.another())

    assert ["define", "start"] == [in_short(step.argv) for step in back.steps]
    assert (RunState.DONE, RUNNING) == (run.state, moving.guest.state), run.words
    assert [f"/{OLD}/disk.qcow2", f"/{OLD}/data.qcow2"] == [disk.source for disk in moving.guest.disks]
