"""An exercise in the console: the briefing, the rack behind a key, the debriefing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from tests.ui.frames import frame, make_app, source_of
from tests.ui.states import degraded, healthy
from tests.views.test_exercise_and_rack_words import DISK, STATE
from zconsole.model.exercise import ChangeCable, ExerciseState, Handwork, Insert, Pull, RackBay, RackDisk
from zconsole.ui.app import RACK_KEY
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog
from zconsole.views import exercise_and_rack_words as views

NEW = RackDisk("ZC17K2M4", DISK.model, DISK.size_bytes)


class AtARack:
    """An exercise that only keeps what is done."""

    def __init__(self) -> None:
        self.done: list[Handwork] = []
        self.is_over = False

    def state(self) -> ExerciseState:
        """Always the same, until it is over."""
        state = replace(STATE, on_table=(DISK, NEW))
        return replace(state, restored_s=700.0, remarks=()) if self.is_over else state

    def do(self, work: Handwork) -> None:
        """Keep it."""
        self.done.append(work)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, and let each have its effect."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


def test_the_key_is_the_one_that_is_told() -> None:
    assert RACK_KEY == views.RACK_KEY.lower()


@pytest.mark.parametrize(
    ("expected", "keys"),
    [
        ([Pull(1)], ["enter"]),
        ([Insert("ZC17K2M4", 2)], ["down", "enter", "down", "enter"]),
        ([ChangeCable("A")], ["down", "down", "enter"]),
        ([Insert("ZC17K2M4", 2)], ["j", "enter", "j", "enter"]),
        ([Insert("ZC17K2M4", 2)], ["2", "enter", "2", "enter"]),
        ([Pull(1)], ["j", "k", "enter"]),
        ([], ["1", "2", "escape"]),
        ([], ["2", "enter", "2", "escape", "escape"]),
        ([], ["escape"]),
        ([], ["down", "enter", "escape", "escape"]),
    ],
)
async def test_one_thing_is_done_at_the_rack(expected: list[Handwork], keys: list[str]) -> None:
    exercise = AtARack()
    app = make_app(healthy(), exercise=exercise)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert TellDialog is type(app.screen)
        assert "Find the disk." in frame(app)
        await press(pilot, "enter", RACK_KEY)
        assert MenuDialog is type(app.screen)
        await press(pilot, *keys)

        assert expected == exercise.done
        assert not isinstance(app.screen, MenuDialog)
        if expected:
            assert views.by_hand(expected[0]) in frame(app)


@pytest.mark.parametrize(
    ("expected", "is_lit"), [([Pull(3)], True), ([Pull(2)], False)], ids=["lit", "failed"]
)
async def test_the_cursor_begins_on_the_disk_with_its_led_on_or_on_one_that_failed(
    expected: list[Handwork], is_lit: bool
) -> None:
    exercise = AtARack()
    serials = ("ZC13A01K", "ZL2F0A91", "ZC13A0R7")
    bays = tuple(
        RackBay(at, replace(DISK, serial=serial), is_lit=is_lit and at == len(serials))
        for at, serial in enumerate(serials, start=1)
    )
    exercise.state = lambda: replace(STATE, on_table=(NEW,), bays=bays)  # type: ignore[method-assign]
    app = make_app(degraded(), exercise=exercise)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "enter", RACK_KEY)
        if not is_lit:
            assert "Enter: pull ZL2F0A91 out of bay 2 · it is FAULTED in bulk" in frame(app)
        await press(pilot, "enter")

        assert expected == exercise.done


async def test_the_rack_tells_how_it_was_done_so_far() -> None:
    app = make_app(healthy(), exercise=AtARack())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "enter", RACK_KEY, "end", "enter")

        assert "ZC13A0R7 is still part of tank: replace it" in frame(app)


async def test_the_end_is_told_once() -> None:
    exercise = AtARack()
    app = make_app(healthy(), exercise=exercise)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "enter")
        app._age()
        assert "the exercise is done" not in frame(app)

        exercise.is_over = True
        app._age()
        await pilot.pause()
        assert "the exercise is done: F2 has the debriefing" in frame(app)
        front = app.front()
        assert front is not None
        front.say("something else")
        app._age()
        await pilot.pause()
        assert "something else" in frame(app)


async def test_the_list_of_keys_has_the_rack_only_in_an_exercise() -> None:
    for exercise in (AtARack(), None):
        app = make_app(healthy(), exercise=exercise)
        async with app.run_test(size=(80, 150)) as pilot:
            await pilot.pause()
            await press(pilot, "enter", "escape", "question_mark")

            assert ("Open the rack" in frame(app)) is (exercise is not None)


async def test_without_an_exercise_there_is_no_rack() -> None:
    app = make_app(healthy())

    async with app.run_test(size=(80, 24)) as pilot:
        before = frame(app)
        await press(pilot, RACK_KEY)

        assert before == frame(app)
        assert [] == source_of(app).marked
