"""Plans on a guest while this console moves its storage."""

from __future__ import annotations

import asyncio

import pytest

from tests.doubles.moving_guests import NEW, OLD, MovingGuest
from tests.doubles.replicating import directly
from zconsole.actions.intent import Intent, intent
from zconsole.actions.plan import Plan
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
