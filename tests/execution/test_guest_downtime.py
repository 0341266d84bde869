"""How long a guest was off, over one run or several."""

from __future__ import annotations

import asyncio

from tests.doubles.moving_guests import OLD, MovingGuest
from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF, PracticeGuest, PracticeGuestDisk


def refusing(moving: MovingGuest, prefix: str) -> None:
    command = Command(("false",))
    moving.nas.answers[prefix] = Completed(command, Outcome.FAILED, 1, b"", b"error: not today\n", "")


async def test_the_downtime_is_from_the_request_to_shut_down_until_it_runs_again() -> None:
    moving = MovingGuest()
    moving.guest.shuts_down_in_s = 40.0

    run = await moving.move()

    asked = next(step for step in run.steps if "shutdown" in step.argv)
    runs = run.steps[-1]
    assert asked.started is not None
    assert runs.ended is not None
    took = int(runs.ended - asked.started)
    assert 40 <= took < 60
    assert f"web01 was off for {took} seconds" in run.words


async def test_over_two_runs_it_is_from_the_request_in_the_first() -> None:
    moving = MovingGuest()
    refusing(moving, "zfs set readonly=off")
    first = await moving.move()
    moving.nas.answers.clear()
    moving.manual.advance(600)
    await asyncio.sleep(0)

    again = await moving.move()

    assert (RunState.FAILED, RunState.DONE) == (first.state, again.state)
    assert "web01 is off: plan guest-move again to go on, or guest-start" in first.words
    assert "web01 was off for 10 minutes" in again.words


async def test_a_guest_that_was_off_before_has_no_downtime() -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF

    run = await moving.move()

    assert (RunState.DONE, SHUT_OFF) == (run.state, moving.guest.state)
    assert "was off for" not in run.words


async def test_a_shutdown_after_which_it_was_started_again_does_not_count() -> None:
    moving = MovingGuest()
    await moving.move()
    moving.manual.advance(3600)
    moving.guest.state = SHUT_OFF

    back = await moving.move(OLD)

    assert (RunState.DONE, RUNNING, f"/dev/zvol/{OLD}") == (back.state, moving.guest.state, moving.disk)
    assert "was off for" not in back.words


async def test_whether_it_is_off_is_not_said_where_it_is_not_known() -> None:
    moving = MovingGuest()
    moving.nas.answers["virsh -q -c qemu:///system start"] = unknown(Command(("virsh",)), "no end was seen")

    run = await moving.move()

    assert RunState.DONE is not run.state
    assert "web01 is off" not in run.words or "failed" == run.steps[-1].state


async def test_each_of_several_guests_has_its_own_downtime() -> None:
    moving = MovingGuest()
    moving.nas_world.guests.append(PracticeGuest("db02", [PracticeGuestDisk("vda", f"/dev/zvol/{OLD}")]))
    moving.type(f"zfs snapshot {OLD}@a")

    run = await moving.do("rollback", f"{OLD}@a", **{"shut-down-guests": True, "start-guests-after": True})

    assert RunState.DONE is run.state, run.words
    assert ["db02", "web01"] == sorted(
        part.partition(" was off for ")[0] for part in run.words.split("; ") if " was off for " in part
    )
