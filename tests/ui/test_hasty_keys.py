"""Keys that arrive together: a dialog is answered once, and nothing below it hears what was meant for it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

import pytest
from textual import events
from textual.pilot import Pilot

from tests.ui import plans, states
from tests.ui.contents import give_contents
from tests.ui.frames import frame, make_app, source_of
from zconsole.actions.guard import AT_ONCE, TOO_SOON, GuardStage
from zconsole.actions.intent import intent
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.host_key import HostKeyDialog
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.plan import PlanDialog
from zconsole.ui.dialogs.text_prompt import TextDialog
from zconsole.ui.input_queue import PASTED
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.snapshot_files import FilesScreen

SIZE: Final = (80, 24)
SMALL: Final = ((20, 5), (40, 8))
WAYS: Final = (
    *((key,) for key in (*"LAPfeJCtamSMU", "question_mark", "ctrl+p")),
    *(("enter", "enter"), ("enter", "h", "h"), ("D", "plus", "a"), ("D", "K"), ("D", "F"), ("D", "d")),
    *(("D", "b"), ("P", "enter", "w")),
)  # fmt: skip
NEVER_S: Final = 1e6  # of quiet: what is swallowed stays so however slow the test is
CHARACTERS: Final = {"enter": "\r", "space": " "}


async def at_once(pilot: Pilot[None], *keys: str) -> None:
    """Keys in one piece: the next is there before the one before it did anything."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else CHARACTERS.get(key)))
    for _ in range(3):
        await pilot.pause()


async def one_by_one(pilot: Pilot[None], *keys: str) -> None:
    """Keys, each of which has done what it does before the next one comes."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


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
    "keys", [("D", "D", "n", "n"), ("a", "enter", "enter"), ("a", "escape", "escape", "q")]
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


async def test_after_a_dialog_keys_go_nowhere_until_it_is_quiet() -> None:
    app = make_app(states.degraded(), quiet_s=NEVER_S)

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, "a")
        assert isinstance(app.screen, MenuDialog)
        await one_by_one(pilot, "escape", *"tank", "D", "enter", "q")

        assert isinstance(app.screen, PoolsScreen)
        assert app.return_code is None


async def test_after_a_dialog_a_person_is_heard_again() -> None:
    app = make_app(states.degraded(), quiet_s=0.05)

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, "a", "escape")
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


@pytest.mark.parametrize("text", ["tank\nbulk", "\n", "", "\r\n\r\n", "\x00", "é漢\u202e", "x" * 5000])
async def test_pasted_text_is_text_in_a_field(text: str) -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, "D", "slash")
        app.post_message(events.Paste(text))
        await pilot.pause()

        assert isinstance(app.screen, DatasetsScreen)


async def test_a_host_key_is_trusted_by_hand_only() -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, HostKeyDialog)
        app.post_message(events.Paste("yes"))
        await one_by_one(pilot, "enter")

        assert not isinstance(app.screen, HostKeyDialog)
        assert [] == source_of(app).accepted


async def test_a_host_key_is_not_trusted_by_keys_that_come_all_at_once() -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, HostKeyDialog)
        await at_once(pilot, *"yes")
        assert AT_ONCE in frame(app)
        await one_by_one(pilot, "enter")

        assert [] == source_of(app).accepted


async def test_the_name_of_a_locked_host_is_typed_by_hand() -> None:
    app = make_app(states.healthy())
    answers: list[str | None] = []

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(TextDialog(app.paint, (), takes_paste=False), answers.append)
        await pilot.pause()
        app.post_message(events.Paste("storage1"))
        await one_by_one(pilot, "enter")
        assert [] == answers
        assert AT_ONCE in frame(app)


async def test_files_are_left_by_escape_with_a_filter_and_without() -> None:
    app = make_app(states.with_datasets())
    give_contents(source_of(app), "tank/home@2026-11-17")

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, "D", "plus", "down", "down", "down", "down", "b")
        assert isinstance(app.screen, FilesScreen)
        await one_by_one(pilot, "slash", "x", "enter", "escape")
        assert isinstance(app.screen, FilesScreen)
        await one_by_one(pilot, "escape")
        assert isinstance(app.screen, DatasetsScreen)


# The cursor and its object


def only(state: HostState, *names: str) -> HostState:
    """The same host with these pools."""
    pools = tuple(pool for pool in state.pools if pool.name in names)
    return replace(state, pools=pools, revision=state.revision + 1)


async def test_an_untouched_cursor_goes_with_its_pool_when_another_has_trouble() -> None:
    app = make_app(only(states.degraded(), "tank"))
    source = source_of(app)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        stood_on = app.front().rows.key  # type: ignore[union-attr]
        source.replace(states.degraded(), now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()

        assert stood_on == "storage1\0tank"
        assert app.front().rows.cursor > 0  # type: ignore[union-attr]
        assert stood_on == app.front().rows.key  # type: ignore[union-attr]


async def test_an_untouched_cursor_stands_on_the_worst_pool_once_all_were_read() -> None:
    """What is the matter with a pool comes after its name: until then the order of the rows means nothing."""
    state = states.degraded()
    named = replace(state, pools=tuple(PoolState(each.name, each.kstat_state) for each in state.pools))
    one_read = replace(named, pools=(*state.pools[:1], *named.pools[1:]), revision=state.revision + 1)
    app = make_app(named)
    source = source_of(app)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        source.replace(one_read, now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()
        source.replace(
            replace(state, revision=state.revision + 2), now=states.NOW + 2, monotonic=states.TICKS + 2
        )
        await pilot.pause()
        rows = app.front().rows  # type: ignore[union-attr]

        assert 0 < [each.name for each in state.pools].index((rows.key or "").partition("\0")[2])
        assert rows.cursor == rows._selectable(0, 1)


async def test_no_key_is_for_the_row_that_took_the_place_of_another() -> None:
    app = make_app(states.degraded())
    source = source_of(app)

    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.pause()
        rows = app.front().rows  # type: ignore[union-attr]
        gone = (rows.key or "").partition("\0")[2]
        left = tuple(pool.name for pool in states.degraded().pools if pool.name != gone)
        source.replace(only(states.degraded(), *left), now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()
        assert f"{gone} is not in the list any more" in frame(app)

        await one_by_one(pilot, "a")
        assert isinstance(app.screen, PoolsScreen)
        await one_by_one(pilot, "a")
        assert isinstance(app.screen, MenuDialog)


# Small terminals


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
        assert dialog.guard.answer == ""


async def test_the_rest_of_a_name_goes_nowhere_whose_plan_expires_while_it_is_typed() -> None:
    """Enter closes it, and what follows is for nobody."""
    app = make_app(states.degraded(), quiet_s=NEVER_S)
    answers: list[object] = []

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        dialog = PlanDialog(app.paint, plans.destroy_snapshot())
        app.push_screen(dialog, answers.append)
        await pilot.pause()
        dialog.shown(0.0)
        dialog.guard = replace(dialog.guard, stage=GuardStage.EXPIRED)
        await one_by_one(pilot, "enter", *"me", "D")

        assert [None] == answers
        assert isinstance(app.screen, PoolsScreen)
        assert app.return_code is None
