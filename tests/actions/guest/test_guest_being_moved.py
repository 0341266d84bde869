"""Plans on a guest while this console moves its storage."""

from __future__ import annotations

import asyncio

import pytest

from tests.doubles.moving_guests import NEW, OLD, MovingGuest
from tests.doubles.replicating import directly
from zconsole.actions.intent import Intent, intent
from zconsole.actions.plan import Plan
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command
from zconsole.model.run import Run, RunState
from zconsole.service.prepare_execute_and_recover_plans import Operator


def rules(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


async def planned_meanwhile(moving: MovingGuest, wanted: Intent) -> tuple[Plan, Run]:
    """The plan that is made while the first stream of a move runs, and the end of that move."""
    meanwhile: list[asyncio.Task[Plan]] = []

    def published(run: Run) -> None:
        if not meanwhile and run.steps[1].state == "running":
            meanwhile.append(asyncio.ensure_future(operator.prepare(moving.nas.label, wanted)))

    operator = Operator(
        [moving.nas], clock=moving.clock, policies=moving.policies, journal=moving.journal,
        publish=published, write=directly,
    )  # fmt: skip
    move = await operator.prepare(moving.nas.label, intent("guest-move", "web01", NEW))
    run = await operator.execute(moving.nas.label, move, "web01")
    return await meanwhile[0], run


@pytest.mark.parametrize(
    "wanted",
    [
        intent("guest-move", "web01", "vault/another"),
        intent("guest-start", "web01"),
        intent("guest-shutdown", "web01"),
        intent("guest-suspend", "web01"),
        intent("guest-resume", "web01"),
    ],
    ids=lambda wanted: wanted.action,
)
async def test_nothing_else_changes_its_power_or_moves_it(wanted: Intent) -> None:
    made, run = await planned_meanwhile(MovingGuest(), wanted)

    assert RunState.DONE is run.state
    assert "being-moved" in rules(made)
    (said,) = [each.reason for each in made.refusals if each.rule == "being-moved"]
    assert said.endswith(f"move the storage of guest web01 from {OLD} to {NEW}")


async def test_what_is_not_of_it_is_planned() -> None:
    moving = MovingGuest()

    made, _ = await planned_meanwhile(moving, intent("snapshot", "tank/home@beside"))

    assert [] == rules(made)


async def test_after_its_end_it_can_be_shut_down() -> None:
    moving = MovingGuest()
    assert RunState.DONE is (await moving.move()).state

    assert [] == rules(await moving.plan("guest-shutdown", "web01"))


async def test_a_move_to_another_place_says_that_an_earlier_one_has_not_ended() -> None:
    moving = MovingGuest()
    moving.type(f"zfs snapshot {OLD}@zconsole-move-1-live")

    made = await moving.plan("guest-move", "web01", "vault/another")

    assert [each for each in made.warnings if f"{OLD}@zconsole-move-1-live, and has not ended" in each]


async def test_a_move_that_has_ended_is_none_that_was_begun() -> None:
    moving = MovingGuest()
    assert RunState.DONE is (await moving.move()).state

    made = await moving.plan("guest-move", "web01", "tank/another")

    assert not [each for each in made.warnings if "has not ended" in each]


TITLE = f"move the storage of guest web01 from {OLD} to {NEW}"
HELD = b"1: FLOCK  ADVISORY  WRITE 4711 00:1a:77 0 EOF\n"


def with_another_console(moving: MovingGuest, holder: str | None) -> MovingGuest:
    """Root's lock is held by another console; None: who that is may not be read."""
    nothing = Command(("true",))
    moving.nas.answers["stat -c %d %i /run/zconsole/lock"] = ended(nothing, 0, b"26 77\n", b"")
    moving.nas.files["/proc/locks"] = HELD
    status = 1 if holder is None else 0
    moving.nas.answers["head -c 2000 /run/zconsole/by"] = ended(
        nothing, status, f"{holder or ''}\n".encode(), b""
    )
    return moving


@pytest.mark.parametrize(
    ("action", "more"),
    [("guest-move", (NEW,)), ("guest-start", ()), ("guest-shutdown", ()), ("guest-suspend", ())],
)
async def test_what_another_console_moves_is_left_alone(action: str, more: tuple[str, ...]) -> None:
    moving = with_another_console(MovingGuest(), f"anna@desk (from 10.0.0.9), process 4711: {TITLE}")

    made = await moving.plan(action, "web01", *more)

    (said,) = [each.reason for each in made.refusals if each.rule == "being-moved"]
    assert f"another zconsole (anna@desk (from 10.0.0.9), process 4711) is carrying out: {TITLE}" == said


@pytest.mark.parametrize(
    ("holder", "told"),
    [
        ("anna@desk, process 4711: scrub tank", " (anna@desk, process 4711: scrub tank)"),
        (f"anna@desk, process 4711: {TITLE.replace('web01', 'web011', 1)}", "web011"),
        (None, "on this host: until"),
    ],
)
async def test_of_another_plan_it_is_said_that_it_comes_first(holder: str | None, told: str) -> None:
    made = await with_another_console(MovingGuest(), holder).plan("guest-shutdown", "web01")

    assert [] == rules(made)
    (warning,) = [each for each in made.warnings if "another zconsole" in each]
    assert told in warning


async def test_the_lock_that_a_run_holds_itself_is_not_in_its_way() -> None:
    """A run reads the host again while it has the lock."""
    moving = MovingGuest()
    plan = await moving.plan("guest-shutdown", "web01")
    with_another_console(moving, f"me, process 1: {plan.title}")

    run = await moving.run(plan)

    assert RunState.DONE is run.state
