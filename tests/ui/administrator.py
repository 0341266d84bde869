"""Somebody at the keyboard of the console and at the rack of a practice host with a shelf."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic

from textual.pilot import Pilot

from tests.practice.exercises.learner import EPOCH
from tests.ui.frames import UTF8, frame
from tests.ui.typists import confirm
from zconsole.base.clock import SystemClock
from zconsole.base.user_config_file import Config
from zconsole.model.exercise import RemarkKind
from zconsole.practice import PracticeHost
from zconsole.practice.exercises.catalogue import open_exercise, open_script
from zconsole.practice.exercises.running_exercise import RunningExercise
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Script
from zconsole.service.collecting_thread import Engine
from zconsole.storage.journal import Journal
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.plan import PlanDialog
from zconsole.ui.dialogs.run import RunDialog
from zconsole.ui.screens.repair import RepairScreen

PATIENCE_S = 30.0
SPEED = 10.0
SIZE = (80, 24)


class Skipping(SystemClock):
    """A quick clock on which hours can be skipped."""

    def __init__(self) -> None:
        self._began = super().monotonic()
        self._skipped = 0.0

    def now(self) -> float:
        return EPOCH + self.monotonic()

    def monotonic(self) -> float:
        return (super().monotonic() - self._began) * SPEED + self._skipped

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds / SPEED)

    def skip(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self._skipped += seconds


class Administrator:
    """Somebody at the keyboard and at the rack of an exercise."""

    def __init__(self, pilot: Pilot[None], clock: Skipping, exercise: RunningExercise) -> None:
        self.pilot = pilot
        self.clock = clock
        self.exercise = exercise
        self.keys = 0  # pressed at the console; a typed confirmation is one, the rack is not of them

    @property
    def app(self) -> ZConsoleApp:
        assert isinstance(self.pilot.app, ZConsoleApp)
        return self.pilot.app

    async def press(self, *keys: str) -> None:
        for key in keys:
            self.keys += 1
            await self.pilot.press(key)
            await self.pilot.pause()

    async def sees(self, *words: str) -> str:
        """Wait until all of it is on the screen."""
        end = monotonic() + PATIENCE_S
        while not all(each in " ".join(frame(self.app).split()) for each in words):
            assert monotonic() < end, f"{words} in:\n{frame(self.app)}"
            await self.pilot.pause(0.05)
            self.app.draw()
        return frame(self.app)

    async def plans(self, *words: str) -> None:
        """Enter plans what is offered; the plan says so, and is confirmed and done; Enter leads back."""
        await self.press("enter")
        await self.confirms(*words)

    async def confirms(self, *words: str) -> None:
        """The plan that was asked for says so, and is confirmed and done; Enter leads back to the repair."""
        await self.does(*words)
        assert isinstance(self.app.screen, RepairScreen)

    async def does(self, *words: str, then: Sequence[str] = ()) -> None:
        """The plan that was asked for says so, and is confirmed and done; Enter leads back."""
        await self.sees("LOST", *words)
        dialog = self.app.screen
        assert isinstance(dialog, PlanDialog)
        await confirm(self.pilot, dialog)
        self.keys += 1
        await self.sees("DONE", *then)
        run = self.app.screen
        assert isinstance(run, RunDialog)
        while not run._ending.done():
            await self.pilot.pause(0.05)
        await self.press("enter" if run.then else "escape")

    async def at_the_rack(self, *chosen: str) -> None:
        """Choose from the lists of the rack, by bay and serial."""
        keys = self.keys
        await self.press("f2")
        await self.sees("The rack")
        for each in chosen:
            menu = self.app.screen
            assert isinstance(menu, MenuDialog)
            await self.press("home")
            while menu.rows.key != each:
                await self.press("down")
            await self.press("enter")
        self.keys = keys

    async def is_debriefed(self) -> list[str]:
        """What was done well, as the debriefing has it at the end: nothing was risky, and nothing is left."""
        await self.at_the_rack("debriefing")
        await self.sees("tank is fully redundant again after")
        remarks = self.exercise.state().remarks
        assert [] == [each.words for each in remarks if each.kind is not RemarkKind.GOOD]
        return [each.words for each in remarks]


@asynccontextmanager
async def called_at_night(name: str, config: Config | None = None) -> AsyncIterator[Administrator]:
    """The console on an exercise, behind its briefing."""
    async with opened(name, config) as admin:
        await admin.sees("tank DEGRADED")
        yield admin


@asynccontextmanager
async def opened(name: str, config: Config | None = None) -> AsyncIterator[Administrator]:
    """The console on an exercise, behind its briefing, whatever the state of the pool."""
    async with console_on(open_exercise(name, clock := Skipping()), clock, config=config) as admin:
        yield admin


@asynccontextmanager
async def at_the_console(script: Script, size: tuple[int, int] = SIZE) -> AsyncIterator[Administrator]:
    """The console on the practice host of a script, behind its briefing."""
    clock = Skipping()
    async with console_on(open_script(script, clock), clock, size) as admin:
        yield admin


@asynccontextmanager
async def console_on(
    host: PracticeHost, clock: Skipping, size: tuple[int, int] = SIZE, config: Config | None = None
) -> AsyncIterator[Administrator]:
    """The console on a practice host with a shelf, which may have been used before."""
    assert host.exercise is not None
    engine = Engine([host], clock=clock, interval_s=SPEED, journal=lambda: Journal(is_kept=False))
    engine.start()
    try:
        app = ZConsoleApp(
            engine.service, config, environment=UTF8, gap_s=0.0, quiet_s=0.0, exercise=host.exercise
        )
        async with app.run_test(size=size) as pilot:
            admin = Administrator(pilot, clock, host.exercise)
            await admin.sees("Exercise", "go on")
            await admin.press("enter")
            yield admin
    finally:
        engine.stop()
