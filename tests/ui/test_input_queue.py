"""Keys come one at a time, and none is for a screen that nobody saw."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from textual import events
from textual.pilot import Pilot

from tests.ui import plans, states
from tests.ui.contents import give_contents
from tests.ui.frames import frame, make_app, source_of
from tests.ui.typists import at_once, one_by_one
from zconsole.actions.intent import intent
from zconsole.actions.typed_confirmation_state_machine import TOO_SOON
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.plan import PlanDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TextDialog
from zconsole.ui.input_queue import FLOW_ENDS_S, FLOW_ROUNDS, PASTED
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.pools import PoolsScreen

AFTER_DIALOG: Final = "a key right after a dialog is not taken"
SIZE: Final = (80, 24)
SMALL: Final = ((20, 5), (40, 8))
WAYS: Final = (
    *((key,) for key in (*"LAPfeJCTamMUy", "ctrl+s", "colon", "question_mark", "ctrl+p")),
    *(("enter", "enter"), ("enter", "3", "3"), ("D", "plus", "a"), ("D", "K"), ("D", "F")),
    ("D", "equals_sign"),
    *(("D", "b"), ("P", "enter", "4")),
)  # fmt: skip
NEVER_S: Final = 1e6  # of quiet: what is swallowed stays so however slow the test is


async def test_enter_twice_at_a_prompt_answers_it_once() -> None:
    app = make_app(states.degraded(), quiet_s=NEVER_S)
    answers: list[str | None] = []

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(TextDialog(app.paint, (), "tank"), answers.append)
        await pilot.pause()
        await at_once(pilot, "enter", "enter", "escape", "enter")

        assert ["tank"] == answers
        assert isinstance(app.screen, PoolsScreen)


@pytest.mark.parametrize("quiet_s", [0.0, NEVER_S])
@pytest.mark.parametrize(
    "keys", [("D", "delete", "n", "n"), ("a", "enter", "enter"), ("a", "escape", "escape", "j")]
)
async def test_keys_that_come_together_break_nothing(keys: tuple[str, ...], quiet_s: float) -> None:
    app = make_app(states.with_datasets(), quiet_s=quiet_s)
    source_of(app).plans[intent("scrub", "tank")] = plans.scrub()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await one_by_one(pilot, "D")
        await at_once(pilot, *keys)
        await at_once(pilot, *keys)

        assert app.return_code is None
        assert [] == source_of(app).executed


async def test_a_key_that_comes_while_the_screens_are_closed_is_no_error() -> None:
    """Textual closes them one after the other, and goes on taking what is queued."""
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app._running = False
        await app._close_all()
        app.post_message(events.Key("j", "j"))

    assert app._exception is None


async def test_the_palette_is_answered_once() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, "ctrl+p")
        await at_once(pilot, "escape", "escape", "escape")

        assert isinstance(app.screen, PoolsScreen)


async def test_a_dialog_can_be_answered_from_two_sides() -> None:
    """By its timer and by a key."""
    app = make_app(states.degraded())
    answers: list[str | None] = []

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        dialog = TextDialog(app.paint, (), "tank")
        app.push_screen(dialog, answers.append)
        await pilot.pause()
        dialog.dismiss("one")
        dialog.dismiss("two")
        await pilot.pause()

        assert ["one"] == answers


async def test_after_a_plan_keys_go_nowhere_until_it_is_quiet() -> None:
    app = make_app(states.degraded(), quiet_s=NEVER_S)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(PlanDialog(app.paint, plans.scrub()))
        await pilot.pause()
        await one_by_one(pilot, "escape", "escape")
        assert AFTER_DIALOG not in frame(app)  # it may be held
        await one_by_one(pilot, *"tank", "D", "enter", "q")

        assert AFTER_DIALOG in frame(app)
        assert isinstance(app.screen, PoolsScreen)
        assert app.return_code is None


@pytest.mark.parametrize("box", ["a", "y", "colon", "ctrl+p"])
async def test_the_key_behind_esc_of_a_list_is_taken(box: str) -> None:
    """However soon: whoever left a menu, a copy menu or the command line means the screen."""
    app = make_app(states.degraded(), quiet_s=NEVER_S)

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, box)
        assert not isinstance(app.screen, PoolsScreen)
        await at_once(pilot, "escape", "D")
        for _ in range(FLOW_ROUNDS):
            await pilot.pause(FLOW_ENDS_S)

        assert isinstance(app.screen, DatasetsScreen)


async def test_after_a_dialog_a_person_is_heard_again() -> None:
    app = make_app(states.degraded(), quiet_s=0.05)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(PlanDialog(app.paint, plans.scrub()))
        await pilot.pause()
        await one_by_one(pilot, "escape")
        await asyncio.wait_for(until_heard(pilot), 20)

        assert isinstance(app.screen, DatasetsScreen)


async def until_heard(pilot: Pilot[None]) -> None:
    """Press a key now and then until it does something."""
    while isinstance(pilot.app.screen, PoolsScreen):
        await pilot.pause(0.2)
        await pilot.press("D")


async def test_pasted_text_is_no_keys_in_a_list() -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=(100, 24)) as pilot:
        await one_by_one(pilot, "D")
        app.post_message(events.Paste("tank\nbulk\nq\nq"))
        await pilot.pause()

        assert isinstance(app.screen, DatasetsScreen)
        assert PASTED in frame(app)


@pytest.mark.parametrize("size", SMALL)
async def test_every_screen_and_dialog_can_be_as_small_as_a_stamp(size: tuple[int, int]) -> None:
    app = make_app(states.with_datasets())
    give_contents(source_of(app), "tank/home@2026-11-17")

    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for keys in WAYS:
            await shown_and_left(app, pilot, *keys)


async def shown_and_left(app: ZConsoleApp, pilot: Pilot[None], *keys: str) -> None:
    """From the first screen by these keys, and back."""
    await pilot.press(*keys)
    assert app.return_code is None
    frame(app)
    for _ in range(6):
        if isinstance(app.screen, PoolsScreen):
            return
        await pilot.press("escape")
    while len(app.screen_stack) > 1:
        app.pop_screen()
        await pilot.pause()


async def test_what_is_typed_right_after_a_dialog_goes_nowhere_and_the_next_one_says_so() -> None:
    """The plan stands there, and somebody types what it asks for at once: it does not just stay empty."""
    app = make_app(states.degraded(), quiet_s=NEVER_S)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(TextDialog(app.paint, (), "tank"))
        await pilot.pause()
        await at_once(pilot, "enter")
        dialog = PlanDialog(app.paint, plans.scrub())
        app.push_screen(dialog)
        await pilot.pause()
        dialog.shown(0.0)
        await at_once(pilot, "enter")
        assert TOO_SOON not in frame(app)  # it is still held, and nobody typed
        await at_once(pilot, *"yes")

        assert TOO_SOON in frame(app)
        assert "" == dialog.guard.answer


async def test_the_rest_of_a_name_goes_nowhere_when_enter_closes_its_plan() -> None:
    """Enter closes it, and what follows is for nobody."""
    app = make_app(states.degraded(), quiet_s=NEVER_S)
    answers: list[object] = []

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        dialog = PlanDialog(app.paint, plans.destroy_snapshot())
        app.push_screen(dialog, answers.append)
        await pilot.pause()
        dialog.shown(0.0)
        await one_by_one(pilot, "enter", *"me", "D")

        assert [None] == answers
        assert isinstance(app.screen, PoolsScreen)
        assert app.return_code is None
