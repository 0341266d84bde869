"""The plan dialog: what is seen first, and what gets through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from textual import events
from textual.pilot import Pilot

from tests.ui import plans, states
from tests.ui.frames import frame, make_app
from zconsole.actions.plan import Plan
from zconsole.actions.typed_confirmation_state_machine import (
    COUNTDOWN_S,
    NO_USE,
    NOTHING_TYPED,
    QUIET_S,
    SILENT,
    STILL,
    TOO_SOON,
    Guard,
    GuardStage,
)
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.plan import TICK_S, Anew, Answer, Confirmed, Instead, PlanDialog
from zconsole.ui.terminal.terminal_lag import Answering
from zconsole.views.layout.styled_text import Line, line

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
START = 1000.0


class Stand:
    """A dialog on a clock of its own."""

    def __init__(self, plan: Plan, age_s: float = 0.0) -> None:
        self.now = START
        self.answers: list[Answer | None] = []
        self.app: ZConsoleApp = make_app(states.healthy())
        self.beat = START
        self.dialog = PlanDialog(
            self.app.paint,
            plan,
            colour="host-red",
            clock=lambda: self.now,
            beat=lambda: self.beat,
        )
        self.dialog.made(age_s)

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


async def test_a_name_that_is_longer_than_the_dialog_can_be_read_to_its_end_where_it_is_to_be_typed() -> None:
    plan = plans.destroy_many()
    long = f"practice:tank/{'containers/' * 8}gitlab@autosnap_2026-09-26_00:00:00_monthly +67"
    stand = Stand(plan)
    stand.dialog.guard = replace(stand.dialog.guard, confirm=long)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        asked = "".join(line.strip("┃ ") for line in frame(stand.app).splitlines())
        assert long.replace(" ", "") in asked.replace(" ", "")
        assert "No, go back" in frame(stand.app)


@pytest.mark.parametrize("size", SIZES)
async def test_warnings_and_the_way_back_stand_before_a_long_list_whose_end_can_be_read(size: str) -> None:
    stand = Stand(plans.destroy_many())
    async with stand.app.run_test(size=SIZES[size]) as pilot:
        await stand.open(pilot)
        first = frame(stand.app)
        assert "49 objects, 9 of them in use" in first
        assert first.index("FREES") < first.index("RUNS") < first.index("UNDO")
        assert first.index("UNDO") < first.index("vault/vm builds on") < first.index("DESTROYS")
        assert "tank/vm@39" not in first

        await pilot.press(*["pagedown"] * 20)
        shown = frame(stand.app)
        assert "tank/vm@39 guid=" in " ".join(shown.replace("┃", " ").split())


async def test_a_routine_plan_runs_after_yes_and_quiet() -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, *"yes")
        assert [] == stand.answers
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
        assert [] == stand.answers
        assert stand.dialog.guard.stage is GuardStage.READY


async def test_a_name_typed_in_front_of_yes_closes_nothing_and_is_answered() -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, "tab")
        assert NO_USE in frame(stand.app)
        await stand.press(pilot, *"bulk/anna", "enter", after=0.5)
        assert [] == stand.answers
        assert NOTHING_TYPED in frame(stand.app)
        await stand.press(pilot, "n")
        assert [] == stand.answers
        await stand.press(pilot, "escape")
        assert [None] == stand.answers


@pytest.mark.parametrize("key", ["enter", "escape"])
async def test_no_is_one_key_away(key: str) -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, key)
        assert [None] == stand.answers


async def test_a_catastrophe_is_typed_counted_down_and_can_be_stopped() -> None:
    plan = plans.destroy_gold()
    stand = Stand(plan)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        assert "storage1:tank/images@gold 7" == plan.confirm
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
        assert "" == stand.dialog.guard.typed


async def test_a_refused_plan_has_no_key_that_runs_it() -> None:
    stand = Stand(plans.refused())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, *"yes", *"mirror-0")
        await stand.wait(pilot, 5.0)
        assert [] == stand.answers
        await stand.press(pilot, "enter")
        assert [None] == stand.answers


async def test_an_alternative_is_a_key() -> None:
    plan = plans.destroy_gold()
    stand = Stand(plan)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, "f6")
        assert stand.answers == [Instead(plan.alternatives[0][1])]


@pytest.mark.parametrize("wait_s", [0.0, 600.0])
async def test_the_host_is_read_again_on_a_key(wait_s: float) -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.wait(pilot, wait_s)
        await stand.press(pilot, "f5")
        assert stand.answers == [Anew()]


async def test_the_key_that_reads_again_stops_a_confirmed_plan_like_any_other() -> None:
    stand = Stand(plans.scrub())
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, *"yes")
        await stand.press(pilot, "f5", after=0.1)
        await stand.wait(pilot, 5.0)
        assert [] == stand.answers
        assert "another key came; nothing was done" in frame(stand.app)


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
        assert [] == stand.answers
        await stand.press(pilot, "escape", after=0.1)
        assert [None] == stand.answers


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
        assert [] == stand.answers


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


class Terminal:
    """A terminal that answers so many seconds late, or not at all (None)."""

    def __init__(self, stand: Stand, usual_s: float | None = 0.0) -> None:
        self.late_s: float | None = usual_s
        self.is_behind = False
        self.answers_at: list[float] = []
        self.answering = Answering(self._asked, lambda: self.is_behind)
        self._stand = stand
        stand.dialog._terminal = self.answering
        if usual_s is not None:
            self.answering.ask(START - 10.0)
            self.answering.answered(START - 10.0 + usual_s)
        self.answers_at.clear()

    def _asked(self) -> None:
        if self.late_s is not None:
            self.answers_at.append(self._stand.now + self.late_s)

    async def pass_time(self, pilot: Pilot[None], seconds: float) -> None:
        """Answers and ticks, as they come."""
        end = self._stand.now + seconds
        while self._stand.now < end:
            self._stand.now += TICK_S
            while self.answers_at and self.answers_at[0] <= self._stand.now:
                self._stand.dialog.answered(self.answers_at.pop(0))
            self._stand.dialog._tick()
            await pilot.pause()


async def confirmed(stand: Stand, pilot: Pilot[None]) -> None:
    await stand.open(pilot)
    await stand.press(pilot, *stand.dialog.guard.confirm or "", after=0.1)
    await stand.press(pilot, *"yes")


@pytest.mark.parametrize("usual_s", [0.0, 0.05, 0.8, 1.5])
async def test_a_link_that_answers_in_its_own_time_lets_it_run(usual_s: float) -> None:
    stand = Stand(plans.destroy_gold())
    terminal = Terminal(stand, usual_s)
    async with stand.app.run_test(size=(160, 50)) as pilot:
        await confirmed(stand, pilot)
        await terminal.pass_time(pilot, QUIET_S + COUNTDOWN_S - 0.1)
        assert [] == stand.answers
        assert stand.dialog.guard.stage is GuardStage.COUNTING
        await terminal.pass_time(pilot, usual_s + 0.5)
        assert stand.answers == [Confirmed(stand.dialog.guard.confirm or "")]


@pytest.mark.parametrize("after_s", [0.0, 0.5, 5.0, 9.0, QUIET_S + COUNTDOWN_S - 0.2])
async def test_a_link_that_stands_still_while_it_counts_down_runs_nothing(after_s: float) -> None:
    """Seen: nothing was read for 14 s, and the pool was gone behind a frozen `Begins in 10 s`."""
    stand = Stand(plans.destroy_gold())
    terminal = Terminal(stand, 0.05)
    async with stand.app.run_test(size=(160, 50)) as pilot:
        await confirmed(stand, pilot)
        await terminal.pass_time(pilot, after_s)
        terminal.late_s = None
        terminal.answers_at.clear()
        await terminal.pass_time(pilot, 14.0)
        assert [] == stand.answers
        assert SILENT in frame(stand.app)
        terminal.late_s = 0.05
        await stand.press(pilot, *"yes")
        await terminal.pass_time(pilot, QUIET_S + COUNTDOWN_S + 0.5)
        assert stand.answers == [Confirmed(stand.dialog.guard.confirm or "")]


async def test_a_routine_plan_waits_for_the_keys_that_are_on_their_way() -> None:
    """Esc was pressed at once, and comes before the answer."""
    stand = Stand(plans.scrub())
    terminal = Terminal(stand, 0.8)
    async with stand.app.run_test(size=(160, 50)) as pilot:
        await confirmed(stand, pilot)
        await terminal.pass_time(pilot, 0.9)
        assert [] == stand.answers
        await stand.press(pilot, "escape", after=0.1)
        assert [None] == stand.answers


async def test_a_short_hitch_of_the_link_makes_the_countdown_longer() -> None:
    stand = Stand(plans.destroy_gold())
    terminal = Terminal(stand, 0.05)
    async with stand.app.run_test(size=(160, 50)) as pilot:
        await confirmed(stand, pilot)
        terminal.late_s = 0.75
        await terminal.pass_time(pilot, 1.6)
        assert stand.dialog.guard.stage is GuardStage.COUNTING
        before = stand.dialog.guard.deadline
        terminal.late_s = 0.05
        await terminal.pass_time(pilot, COUNTDOWN_S - 1.6 + QUIET_S + 0.2)
        assert [] == stand.answers
        await terminal.pass_time(pilot, before - stand.now + 0.5)
        assert stand.answers == [Confirmed(stand.dialog.guard.confirm or "")]


async def test_a_terminal_that_never_answers_is_watched_by_what_waits_for_it() -> None:
    stand = Stand(plans.destroy_gold())
    terminal = Terminal(stand, None)
    async with stand.app.run_test(size=(160, 50)) as pilot:
        await confirmed(stand, pilot)
        await terminal.pass_time(pilot, 2.0)
        terminal.is_behind = True
        await terminal.pass_time(pilot, 14.0)
        assert [] == stand.answers
        assert SILENT in frame(stand.app)
        terminal.is_behind = False
        await stand.press(pilot, *"yes")
        await terminal.pass_time(pilot, QUIET_S + COUNTDOWN_S + 0.2)
        assert stand.answers == [Confirmed(stand.dialog.guard.confirm or "")]


async def test_a_plan_stays_while_it_is_read_and_says_how_old_its_facts_are() -> None:
    stand = Stand(plans.destroy_gold(), age_s=3.0)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        assert "read 0" not in frame(stand.app)
        await stand.wait(pilot, 40.0)
        assert "F5 read the host again, read 40s ago" in frame(stand.app)
        await stand.wait(pilot, 700.0)
        assert "F5 read the host again, read 12m ago" in frame(stand.app)

        await stand.press(pilot, *stand.dialog.guard.confirm or "", after=0.2)
        await stand.press(pilot, *"yes")
        await stand.wait(pilot, QUIET_S + COUNTDOWN_S + 0.1)
        await stand.wait(pilot, 0.1)

        assert stand.answers == [Confirmed(stand.dialog.guard.confirm or "")]


async def test_the_plan_after_a_stale_one_names_what_changed_first() -> None:
    app = make_app(states.healthy())
    dialog = PlanDialog(app.paint, plans.scrub())
    dialog.made(0.0, ("state of mirror-0 was ONLINE, is DEGRADED",))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.push_screen(dialog)
        await pilot.pause()
        shown = frame(app)

        assert "The host has changed: nothing was run. This is the plan as it is now." in shown
        assert shown.index("CHANGED") < shown.index("state of mirror-0 was ONLINE") < shown.index("RUNS")


async def test_an_alarm_on_the_pool_is_shown_at_the_top_and_what_was_typed_does_not_count() -> None:
    stand = Stand(plans.offline())
    alarm: list[Line] = []
    stand.dialog.pool_watch = lambda: tuple(alarm)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        await stand.open(pilot)
        await stand.press(pilot, "t", "a")
        assert "ta" == stand.dialog.guard.typed

        alarm.append(line(("✗ STOP: SER0001 of tank is gone", "bad")))
        await stand.wait(pilot, 1.0)
        stand.dialog._tick()
        await pilot.pause()

        assert "✗ STOP: SER0001 of tank is gone" in frame(stand.app)
        assert "" == stand.dialog.guard.typed
        assert [] == stand.answers


async def test_end_and_home_go_to_the_ends_of_a_plan_that_is_longer_than_the_terminal() -> None:
    stand = Stand(plans.destroy_many())
    async with stand.app.run_test(size=(40, 8)) as pilot:
        await stand.open(pilot)
        rows = stand.dialog._rows
        await stand.press(pilot, "end")
        await pilot.pause()
        bottom = rows.scroll_offset.y
        assert 0 < bottom
        await stand.press(pilot, "down")
        assert bottom == rows.scroll_offset.y

        await stand.press(pilot, "home")
        assert 0 == rows.scroll_offset.y
        assert GuardStage.NO is not stand.dialog.guard.stage
