"""How a run that ended early says that it has left the guests: as they are, and what the next plan is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.doubles.moving_guests import NEW, OLD, MovingGuest
from tests.execution.outcomes.test_recheck_plan_after_guest_shutdown import PLAN, STEPS
from zconsole.execution.outcomes.guests_as_left import left_off
from zconsole.model.run import Run, RunState, StepRun
from zconsole.practice.libvirt.guests import SHUT_OFF, PracticeGuest, PracticeGuestDisk, PracticeImage

MOVE = f"zconsole plan guest-move web01 {NEW}"
START = "zconsole plan guest-start web01"


async def failed(what: str, number: int, act: Callable[[MovingGuest], object]) -> Run:
    moving = MovingGuest()
    moving.meanwhile(what, number, lambda: act(moving))
    run = await moving.move()
    assert RunState.FAILED is run.state
    return run


def destroy_snapshots(moving: MovingGuest) -> None:
    moving.type(*(f"zfs destroy {NEW}@zconsole-move-{short}" for short in ("2-live", "1-live")))


def lose_libvirt(moving: MovingGuest) -> None:
    moving.nas_world.lacking.add("virsh")


DEFINED = f"{START} to start it as it is defined"
CASES = [
    (MovingGuest.start_and_stop, f"web01 is off: {MOVE} goes on, or {DEFINED}"),
    (MovingGuest.start, f"web01 is running now: somebody has started it; {MOVE} goes on"),
    (
        destroy_snapshots,
        f"web01 is off: {DEFINED}; {MOVE} is refused now: {NEW} exists, and is no copy of {OLD}",
    ),
    (lose_libvirt, "web01 was shut down by this run, and what state libvirt has now was not read"),
    (
        lambda moving: moving.type(f"zfs rename {OLD} tank/elsewhere"),
        f"{START} is refused now: vda of web01 is /dev/zvol/{OLD}, which does not exist",
    ),
]


@pytest.mark.parametrize(("act", "words"), CASES)
async def test_a_move_that_failed_tells_the_guest_as_it_is(
    act: Callable[[MovingGuest], object], words: str
) -> None:
    run = await failed("receive", 3, act)

    assert words in run.words
    assert (act in {MovingGuest.start, lose_libvirt}) is ("web01 is off" not in run.words)


async def test_a_move_that_failed_before_the_shutdown_tells_whether_it_goes_on() -> None:
    run = await failed("receive", 2, destroy_snapshots_of_first)

    assert "is off" not in run.words
    assert f"{MOVE} is refused now: {NEW} exists, and is no copy of {OLD}" in run.words


def destroy_snapshots_of_first(moving: MovingGuest) -> None:
    moving.type(f"zfs destroy {NEW}@zconsole-move-1-live")


async def test_a_guest_defined_at_the_new_place_is_not_to_be_started_without_what_the_old_one_got() -> None:
    moving = MovingGuest()

    def start_where_it_was() -> None:
        """Behind the look before the definition: it runs on what it was defined with, and is off again."""
        moving.fill(5, OLD)

    moving.meanwhile("define", 1, start_where_it_was)
    run = await moving.move()

    assert RunState.FAILED is run.state
    assert f"web01 is off: {MOVE} goes on; do not start it: 5.00 MiB was written to {OLD}" in run.words
    assert DEFINED not in run.words


async def test_of_guests_that_were_in_the_way_one_that_runs_is_not_told_as_off() -> None:
    moving = MovingGuest(on_volume=False)
    path = f"/{OLD}/b.qcow2"
    moving.nas_world.images[path] = PracticeImage(path, "qcow2", 1 << 27, 1 << 24, 65536)
    moving.nas_world.guests.append(PracticeGuest("zz02", [PracticeGuestDisk("vda", path, "qcow2")]))
    moving.type(f"zfs snapshot {OLD}@s1")
    moving.fill(1, OLD)
    options = {"shut-down-guests": True, "start-guests-after": True}
    made = await moving.plan("rollback", f"{OLD}@s1", **options)
    assert not made.is_refused, made.refusals
    seen: list[str] = []

    def second() -> None:
        """The other guest is asked to shut down: somebody starts the first one again."""
        if SHUT_OFF == moving.guest.state:
            seen.append(moving.guest.name)
            moving.type(f"virsh -q -c qemu:///system start {moving.guest.uuid}")

    moving.meanwhile("shutdown", 2, second)
    run = await moving.run(made, moving.another())

    assert (RunState.FAILED, ["web01"]) == (run.state, seen), run.words
    assert "web01 is running now: somebody has started it" in run.words
    assert "zz02 was shut down by this run, started again by zconsole plan guest-start zz02" in run.words


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (("failed", "waiting", "waiting", "waiting"), ""),
        (
            ("done", "done", "failed", "waiting"),
            (
                "web, db were shut down by this run, started again by zconsole plan guest-start web; "
                "zconsole plan guest-start db"
            ),
        ),
        (
            ("done", "done", "done", "done"),
            "db was shut down by this run, started again by zconsole plan guest-start db",
        ),
    ],
)
def test_guests_that_are_off_and_not_started_again_are_named(states: tuple[str, ...], words: str) -> None:
    steps = tuple(StepRun(step.argv, state=state) for step, state in zip(STEPS, states, strict=True))
    run = Run("1", "storage1", "go back", "t@a", RunState.FAILED, steps)
    assert words == left_off(PLAN, run).partition(":")[0]
