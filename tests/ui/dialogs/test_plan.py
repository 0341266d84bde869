"""The plan dialog: what is seen first, and what gets through."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events
from textual.pilot import Pilot

from tests.ui import plans, states
from tests.ui.frames import frame, make_app
from zconsole.actions.guard import COUNTDOWN_S, QUIET_S, STILL, TOO_SOON, Guard, Stage
from zconsole.actions.plan import DIALOG_PLAN_LASTS_S, Plan
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.plan import Anew, Answer, Confirmed, Instead, PlanDialog

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
START = 1000.0


class Stand:
    """A dialog on a clock of its own."""

    def __init__(self, plan: Plan) -> None:
        self.now = START
        self.answers: list[Answer | None] = []
        self.app: ZConsoleApp = make_app(states.healthy())
        self.beat = START
        self.dialog = PlanDialog(
            self.app.paint, plan, colour="host-red", clock=lambda: self.now, beat=lambda: self.beat
        )

    async def open(self, pilot: Pilot[None]) -> None:
        await pilot.pause()
        self.app.push_screen(self.dialog, self.answers.append)
        await pilot.pause()
        self.dialog.shown(self.now)
        await pilot.pause()

    async def press(self, pilot: Pilot[None], *keys: str, after: float = 0.5) -> None:
        """Keys with the time of the stand's clock, so far apart."""
        for key in keys:
            self.now += after
            event = events.Key(key, key if len(key) == 1 else None)
            event.time = self.now
            self.dialog.post_message(event)
            await pilot.pause()

    def stand_still(self, seconds: float) -> None:
        """Neither a tick nor a key comes through."""
        self.now += seconds
        self.beat += seconds

    async def wait(self, pilot: Pilot[None], seconds: float) -> None:
        self.now += seconds
        self.dialog._tick()
        await pilot.pause()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("risk", plans.ALL)
async def test_a_plan_looks_as_it_should(risk: str, size: str, golden: Callable[[str, str], None]) -> None:
    stand = Stand(plans.ALL[risk]())
    async with stand.app.run_test(size=SIZES[size]) as pilot:
        await stand.open(pilot)
        golden(f"plan-{risk}-{size}.txt", frame(stand.app))


@pytest.mark.parametrize("size", SIZES)
async def test_warnings_and_the_way_back_stand_before_a_long_list_whose_end_can_be_read(size: str) -> None:
    stand = Stand(plans.destroy_many())
    async with stand.app.run_test(size=SIZES[size]) as pilot:
        await stand.open(pilot)
        first = frame(stand.app)
        assert "49 objects, 9 of them in use" in first
        assert "and 43 more, 3 of them live: all are at the end" in first
        assert first.index("vault/vm builds on") < first.index("UNDO") < first.index("DEPENDS")
        assert "tank/vm@39" not in first

        await pilot.press(*["pagedown"] * 20)
        shown = frame(stand.app)
        assert "tank/vm@39 guid=" in " ".join(shown.replace("┃", " ").split())


async def test_a_routine_plan_runs_after_yes_and_quiet() -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, *"yes")
        assert stand.answers == []
        await stand.wait(pilot, QUIET_S + 0.01)
        assert stand.answers == [Confirmed("")]


async def test_keys_from_before_it_was_shown_are_dropped() -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        early = events.Key("y", "y")
        early.time = START - 0.1
        stand.dialog.post_message(early)
        await pilot.pause()
        await stand.wait(pilot, 5.0)
        assert stand.answers == []
        assert stand.dialog.guard.stage is Stage.READY


@pytest.mark.parametrize("key", ["enter", "escape", "n"])
async def test_no_is_one_key_away(key: str) -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, key)
        assert stand.answers == [None]


async def test_a_catastrophe_is_typed_counted_down_and_can_be_stopped() -> None:
    plan = plans.destroy_gold()
    stand = Stand(plan)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        assert plan.confirm == "storage1:tank/images@gold 7"
        await stand.press(pilot, *plan.confirm, after=0.1)
        await stand.press(pilot, *"yes")
        await stand.wait(pilot, QUIET_S + 0.01)
        assert "Begins in 10 s." in frame(stand.app)
        await stand.press(pilot, "x")
        assert "stopped; nothing was done" in frame(stand.app)
        await stand.press(pilot, *"yes")
        await stand.wait(pilot, QUIET_S + COUNTDOWN_S + 0.1)
        assert stand.answers == [Confirmed(plan.confirm)]


async def test_pasting_is_refused_in_words() -> None:
    plan = plans.destroy_snapshot()
    stand = Stand(plan)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        stand.dialog.post_message(events.Paste(plan.confirm or ""))
        await pilot.pause()
        assert "pasting does not count" in frame(stand.app)
        assert stand.dialog.guard.typed == ""


async def test_a_refused_plan_has_no_key_that_runs_it() -> None:
    stand = Stand(plans.refused())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, *"yes", *"mirror-0")
        await stand.wait(pilot, 5.0)
        assert stand.answers == []
        await stand.press(pilot, "enter")
        assert stand.answers == [None]


async def test_an_alternative_is_a_key() -> None:
    plan = plans.destroy_gold()
    stand = Stand(plan)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, "f1")
        assert stand.answers == [Instead(plan.alternatives[0][1])]


async def test_an_expired_plan_is_made_anew_or_left() -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.wait(pilot, DIALOG_PLAN_LASTS_S + 1)
        assert "expired" in frame(stand.app)
        await stand.press(pilot, *"yes")
        assert stand.answers == []
        await stand.press(pilot, "f5")
        assert stand.answers == [Anew()]


async def test_names_from_the_host_are_drawn_and_never_obeyed() -> None:
    stand = Stand(plans.hostile())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        shown = frame(stand.app)
        assert "[bold]x[/]" in shown
        assert not set(shown) & {"\x1b", "\x9b", "\u202e"}


@pytest.mark.parametrize("seconds", [0.4, 0.9])
async def test_a_key_that_was_pressed_while_all_stood_still_stops_what_it_was_to_stop(seconds: float) -> None:
    """The machine was busy: the tick comes through first, and Esc behind it."""
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, *"yes")
        stand.stand_still(seconds)
        stand.dialog._tick()
        await pilot.pause()
        assert stand.answers == []
        await stand.press(pilot, "escape", after=0.1)
        assert stand.answers == [None]


@pytest.mark.parametrize(("risk", "confirmed_s"), [("routine", 0.0), ("catastrophic", QUIET_S + 0.01)])
async def test_after_a_stop_it_is_asked_for_anew(risk: str, confirmed_s: float) -> None:
    """Nobody saw the countdown, and the keys that were to stop it may be lost."""
    stand = Stand(plans.ALL[risk]())
    async with stand.app.run_test(size=(160, 50)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, *stand.dialog.guard.confirm or "", *"yes")
        await stand.wait(pilot, confirmed_s)
        stand.stand_still(20.0)
        stand.dialog._tick()
        await pilot.pause()
        assert STILL in frame(stand.app)
        await stand.wait(pilot, 30.0)
        assert stand.answers == []


@pytest.mark.parametrize("keys", ["yes", "tank"])
async def test_it_is_told_that_keys_came_too_soon(keys: str) -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        stand.app.push_screen(stand.dialog, stand.answers.append)
        await pilot.pause()
        stand.dialog.guard = Guard(None)
        await stand.press(pilot, *keys, after=0.15)
        stand.dialog.shown(stand.now)
        await pilot.pause()
        assert TOO_SOON in frame(stand.app)
        await stand.press(pilot, *"yes")
        await stand.wait(pilot, QUIET_S + 0.01)
        assert stand.answers == [Confirmed("")]
