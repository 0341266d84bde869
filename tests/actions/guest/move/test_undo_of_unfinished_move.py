"""The undo of a move by where it ended, and that its commands can be carried out."""

from __future__ import annotations

import asyncio
import shlex

import pytest

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import NEW, OLD, MovingGuest
from tests.doubles.replicating import MIB, Goes
from zconsole.actions.plan import Plan
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.run import Run, RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF

FIRST, SECOND, LAST = (f"{OLD}@zconsole-move-{end}" for end in ("1-live", "2-live", "3-off"))
RUNS, OFF = f"web01 is defined on {OLD} as before; ", f"web01 is defined on {OLD} as before, and off: "
START = "zconsole plan guest-start web01 starts it there; "
DESTROY = f"to give the move up: zconsole plan destroy {NEW} --recursive, then zconsole plan destroy "


async def planned(moving: MovingGuest) -> Plan:
    return await moving.plan("guest-move", "web01", NEW)


async def test_each_step_until_the_disks_are_defined_has_an_undo_of_its_own() -> None:
    made = await planned(MovingGuest())

    kept = f"to give the move up: zconsole plan abort-receive {NEW}, then zconsole plan destroy {FIRST}"
    assert (
        RUNS.removesuffix("; "),
        RUNS + kept,
        f"{RUNS}{DESTROY}{FIRST}",
        f"{RUNS}{DESTROY}{FIRST} {SECOND}",
        f"{RUNS}{DESTROY}{FIRST} {SECOND}",
        f"{OFF}{START}{DESTROY}{FIRST} {SECOND}",
        f"{OFF}{START}{DESTROY}{FIRST} {SECOND} {LAST}",
        f"{OFF}{START}{DESTROY}{FIRST} {SECOND} {LAST}",
        f"{OFF}{START}{DESTROY}{FIRST} {SECOND} {LAST}",
    ) == made.undo_after
    assert made.undo == made.undo_of_failed(9)
    assert made.undo is not None
    assert f"guest-move web01 {OLD} moves it back" in made.undo


async def test_to_another_host_it_ends_where_the_old_place_becomes_read_only() -> None:
    moving = MovingBetweenHosts()
    made = await moving.planned()

    assert f"zconsole plan abort-receive {NEW} --host vault1" in made.undo_after[1]
    number = next(at for at, step in enumerate(made.steps) if "readonly=on" in step.argv and not step.on)
    assert number + 1 == len(made.undo_after)


async def test_a_stream_of_which_nothing_was_kept_has_no_receive_to_abort() -> None:
    """A receive that ends before its first record leaves no dataset, and abort-receive would be refused."""
    moving = MovingGuest()
    goes = Goes(lambda: None)
    moving.nas.goes_on = goes

    running = asyncio.create_task(moving.move())
    await goes.began.wait()
    moving.operator.stop(moving.published[-1].id)
    run = await running

    assert RunState.FAILED is run.state
    assert "nothing of it is kept" in run.words
    assert f"{RUNS}to give the move up: zconsole plan destroy {FIRST}" == run.undo


async def test_what_was_kept_is_aborted() -> None:
    moving = MovingGuest()

    running = asyncio.create_task(moving.move())
    while not running.done() and _sent(moving) < 8 * MIB:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0)
    moving.operator.stop(moving.published[-1].id)
    run = await running

    assert "what was received is kept" in run.words
    assert run.undo is not None
    assert f"zconsole plan abort-receive {NEW}" in run.undo


@pytest.mark.parametrize(
    ("fails", "state"),
    [
        (f"zfs snapshot {SECOND}", RUNNING),
        (f"zfs snapshot {LAST}", SHUT_OFF),
        ("zfs set readonly=off", SHUT_OFF),
    ],
)
async def test_what_a_failed_run_names_gives_the_move_up(fails: str, state: int) -> None:
    moving = MovingGuest()
    before = moving.get(OLD, "guid")
    run = await _failed(moving, fails)

    assert (RunState.FAILED, state) == (run.state, moving.guest.state)
    assert run.undo is not None
    assert run.undo == moving.journal.entries()[-1].undo
    for command in run.undo.partition("to give the move up: ")[2].split(", then "):
        _, _, action, target, *more = shlex.split(command)
        words = [each for each in more if not each.startswith("--")]
        options = {each[2:]: True for each in more if each.startswith("--")}
        assert RunState.DONE is (await moving.do(action, target, *words, **options)).state
    if state == SHUT_OFF:
        assert RunState.DONE is (await moving.do("guest-start", "web01")).state
    assert before == moving.get(OLD, "guid")
    assert [] == moving.guids(OLD)
    assert NEW not in moving.nas_world.pools["vault"].datasets


async def _failed(moving: MovingGuest, fails: str) -> Run:
    error = Completed(Command(("false",)), Outcome.FAILED, 1, b"", b"error: not today\n", "")
    moving.nas.answers[fails] = error
    try:
        return await moving.move()
    finally:
        moving.nas.answers.clear()


def _sent(moving: MovingGuest) -> int:
    """Bytes of the first stream, as it was last told."""
    steps = moving.published[-1].steps if moving.published else ()
    moved = steps[1].moved if steps else None
    return 0 if moved is None else moved.bytes
