"""A failed disk from the finding to verified redundancy, by keys on a practice host with a shelf."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest
from textual.pilot import Pilot

from tests.practice.exercises.learner import EPOCH
from tests.ui.frames import UTF8, frame
from tests.ui.typists import confirm
from zconsole.base.clock import SystemClock
from zconsole.model.exercise import RemarkKind
from zconsole.practice.exercises.catalogue import open_exercise
from zconsole.practice.exercises.run_exercise import PracticeExercise
from zconsole.service.engine import Engine
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

    def __init__(self, pilot: Pilot[None], clock: Skipping, exercise: PracticeExercise) -> None:
        self.pilot = pilot
        self.clock = clock
        self.exercise = exercise

    @property
    def app(self) -> ZConsoleApp:
        assert isinstance(self.pilot.app, ZConsoleApp)
        return self.pilot.app

    async def press(self, *keys: str) -> None:
        for key in keys:
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
        await self.sees("LOST", *words)
        dialog = self.app.screen
        assert isinstance(dialog, PlanDialog)
        await confirm(self.pilot, dialog)
        await self.sees("DONE")
        run = self.app.screen
        assert isinstance(run, RunDialog)
        while not run._ending.done():
            await self.pilot.pause(0.05)
        await self.press("enter")
        assert isinstance(self.app.screen, RepairScreen)

    async def at_the_rack(self, *chosen: str) -> None:
        """Choose from the lists of the rack, by bay and serial."""
        await self.press("f2")
        await self.sees("The rack")
        for each in chosen:
            menu = self.app.screen
            assert isinstance(menu, MenuDialog)
            while menu.rows.key != each:
                await self.press("down")
            await self.press("enter")


@asynccontextmanager
async def called_at_night(name: str) -> AsyncIterator[Administrator]:
    """The console on an exercise, behind its briefing."""
    clock = Skipping()
    host = open_exercise(name, clock)
    assert host.exercise is not None
    engine = Engine([host], clock=clock, interval_s=SPEED, journal=Journal(is_kept=False))
    engine.start()
    try:
        app = ZConsoleApp(engine.service, environment=UTF8, gap_s=0.0, quiet_s=0.0, exercise=host.exercise)
        async with app.run_test(size=SIZE) as pilot:
            admin = Administrator(pilot, clock, host.exercise)
            await admin.press("enter")
            await admin.sees("tank DEGRADED")
            yield admin
    finally:
        engine.stop()


@pytest.mark.slow
async def test_a_failed_disk_is_repaired_by_keys_alone_from_the_finding_to_the_report(tmp_path: Path) -> None:
    async with called_at_night("failed-disk") as admin:
        await admin.press("f")
        await admin.sees("no redundancy left in mirror-0")
        await admin.press("enter", "enter")
        await admin.sees("repair tank mirror-0 · ZC13A0R7 has failed", "2 identify now")

        await admin.plans("locate LED", "ZC13A0R7")
        await admin.sees("3 take out now: pull ZC13A0R7")
        await admin.at_the_rack("2")
        await admin.sees("3 take out done", "4 new disk now")
        await admin.at_the_rack("2", "ZC17K2M4")
        await admin.sees("4 new disk done: ZC17K2M4", "5 replace not now")

        admin.clock.skip(3600)
        await admin.sees("5 replace now", "replace ZC13A0R7 by ZC17K2M4")
        await admin.plans("replace", "ZC13A0R7")
        await admin.sees("6 resilver now")
        await admin.press("escape", "escape")
        admin.clock.skip(7200)
        await admin.sees("R tank: the resilver ended; next: after-care")

        await admin.press("R")
        shown = await admin.sees("7 after-care now")
        assert "R tank" not in shown
        if "clear the counters" in shown:
            await admin.plans("zpool clear")
        await admin.sees("▸ scrub tank")
        await admin.plans("zpool scrub")
        await admin.sees("✓ ZC13A0R7 of mirror-0: the scrub was started")
        await admin.press("w")
        await admin.sees("A new file")
        await admin.press("ctrl+u", *str(tmp_path / "report.md"), "enter")
        await admin.sees("written to")

        told = (tmp_path / "report.md").read_text()
        assert "ZC13A0R7" in told
        assert "ZC17K2M4" in told
        assert "zpool replace tank" in told
        assert told.startswith("# ZC13A0R7 in tank mirror-0 was replaced")
        risky = [each.words for each in admin.exercise.state().remarks if each.kind is RemarkKind.RISKY]
        assert [] == risky


@pytest.mark.slow
async def test_the_wrong_disk_stops_loudly_until_it_is_back_and_then_it_goes_on_by_itself() -> None:
    async with called_at_night("wrong-disk-pulled") as admin:
        await admin.press("R")
        await admin.sees("STOP: the wrong disk was pulled. Put back ZC13A1JN", "take out not now")
        await admin.at_the_rack("4", "ZC13A1JN")
        shown = await admin.sees("ZC13A11M has failed", "identify now")

        assert "STOP" not in shown
        risky = [each.words for each in admin.exercise.state().remarks if each.kind is RemarkKind.RISKY]
        assert [] == risky
