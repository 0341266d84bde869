"""How long a guest was off, over one run or several."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from tests.doubles.moving_guests import NEW, OLD, MovingGuest
from zconsole.base.durations_in_words import lasting
from zconsole.execution.guest_downtime import downtime_in_words
from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.run import Run, RunState, StepRun
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF, PracticeGuest, PracticeGuestDisk

PLANNED, START = "zconsole plan guest-move web01 vault/web01", "zconsole plan guest-start web01"


def refusing(moving: MovingGuest, prefix: str) -> None:
    command = Command(("false",))
    moving.nas.answers[prefix] = Completed(command, Outcome.FAILED, 1, b"", b"error: not today\n", "")


def step_with(run: Run, word: str) -> StepRun:
    return next(step for step in run.steps if word in step.argv)


def told(run: Run) -> str:
    return next(part for part in run.words.split("; ") if "web01" in part)


async def test_off_is_from_the_look_that_saw_it_off_until_the_one_that_saw_it_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moving = MovingGuest()
    moving.guest.shuts_down_in_s = 40.0
    run_command = moving.nas.run

    async def start_slowly(command: Command) -> Completed:
        if command.argv[4:5] == ("start",):
            moving.manual.advance(12)
        return await run_command(command)

    monkeypatch.setattr(moving.nas, "run", start_slowly)

    run = await moving.move()

    asked, runs = step_with(run, "shutdown"), step_with(run, "start")
    assert asked.started is not None
    assert asked.ended is not None
    assert runs.ended is not None
    off, whole = int(runs.ended - asked.ended), int(runs.ended - asked.started)
    assert 12 <= off < 40 <= whole - 12
    assert (
        f"web01 was off for {lasting(off)} ({lasting(whole)} from the request to shut down until it ran)"
    ) == told(run)


async def test_over_two_runs_both_times_are_those_of_the_first() -> None:
    moving = MovingGuest()
    moving.guest.shuts_down_in_s = 130.0
    refusing(moving, "zfs set readonly=off")
    first = await moving.move(within="5m")
    moving.nas.answers.clear()
    moving.manual.advance(600)
    await asyncio.sleep(0)

    again = await moving.move()

    assert (RunState.FAILED, RunState.DONE) == (first.state, again.state)
    assert f"web01 is off: {PLANNED} --within 5m goes on, or {START} to start it" in first.words
    off, _, whole = told(again).partition(" (")
    assert off.startswith("web01 was off for 10m")
    assert whole.startswith("12m")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("shutdown", r"web01 ran \d+s after the request to shut down"),
        ("start", r"web01 was off for at most \d+s \(at most \d+s from the request .*\)"),
    ],
)
async def test_a_step_that_was_settled_behind_a_lost_link_ended_no_later_than_told(
    word: str, words: str
) -> None:
    moving = MovingGuest()
    plan = await moving.plan("guest-move", "web01", NEW)
    run = await moving.run(plan)
    steps = tuple(replace(each, settled="it is so now") if word in each.argv else each for each in run.steps)

    assert re.fullmatch(words, downtime_in_words(plan, replace(run, steps=steps)))


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
