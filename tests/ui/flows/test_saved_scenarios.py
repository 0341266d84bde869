"""Plans of a purchase are kept, opened, compared and written to files."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from textual.widgets import Input

from tests.ui import states
from tests.ui.frames import frame, make_app
from tests.ui.planned import settle
from tests.ui.purchases import LOW, SIZES, an_app
from zconsole.storage.capacity_scenarios import ScenarioStore, scenarios_path
from zconsole.ui.app import ZConsoleApp


async def test_plans_are_kept_opened_held_side_by_side_and_dropped() -> None:
    app = an_app()

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        await pilot.press("ctrl+o")
        assert "no scenario is saved yet" in frame(app)
        screen.form.fill({"bays": "24", "growth": "3"})
        await pilot.press("ctrl+s", *"five years", "enter")
        await settle(pilot)
        assert ["five years"] == [each.name for each in ScenarioStore().all()]
        assert "five years" in frame(app)

        await pilot.press("ctrl+r")
        await settle(pilot)
        await pilot.press("ctrl+s", *"five years", "enter")
        await pilot.pause()
        assert "There is a scenario five years already" in frame(app)
        await pilot.press("escape", "escape")
        assert "24" == ScenarioStore().all()[0].texts["bays"]

        await pilot.press("ctrl+o", "enter")
        await settle(pilot)
        assert ("24", "3") == (screen.form.texts["bays"], screen.form.texts["growth"])
        await pilot.press("delete", "enter")
        await pilot.pause()
        assert "five years will be deleted" in frame(app)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert () == ScenarioStore().all()
        assert 1 == len(screen.rows_kept)


async def test_a_broken_file_of_plans_is_named_and_stays() -> None:
    path = scenarios_path()
    path.parent.mkdir(parents=True)
    path.write_text("{ nonsense")
    app = an_app()

    async with app.run_test(size=SIZES["160x50"]) as pilot:
        await pilot.press("P")
        await settle(pilot)
        await pilot.press("end")
        await pilot.pause()
        assert "is damaged. Move it away to start a new one" in " ".join(frame(app).split())
        await pilot.press("ctrl+s", *"mine", "enter")
        for _ in range(100):
            await pilot.pause(0.02)
            if "go on" in frame(app) and "is damaged" in frame(app):
                break

        assert "is damaged" in frame(app)
        assert "{ nonsense" == path.read_text()


async def test_plans_are_written_to_a_new_file_and_never_over_another(tmp_path: Path) -> None:
    app = an_app()
    wanted, taken = tmp_path / "plans.json", tmp_path / "taken.md"
    taken.write_text("mine")

    async with app.run_test(size=SIZES["160x50"]) as pilot:
        await pilot.press("P")
        await settle(pilot)
        await pilot.press("W")
        await pilot.pause()
        await _write_to(pilot.app, str(taken))
        await _until(app, "is there already")
        assert "mine" == taken.read_text()
        await pilot.press("enter")
        await pilot.pause()
        assert str(taken) in frame(app)
        await _write_to(pilot.app, str(tmp_path / "plans.xls"))
        await _until(app, "is no format")
        await pilot.press("enter")
        await pilot.pause()
        await _write_to(pilot.app, str(wanted))
        await _until(app, "written to")

        assert ["what is typed"] == [each["name"] for each in json.loads(wanted.read_text())["scenarios"]]


async def test_a_hostile_name_of_a_pool_makes_no_path_and_steers_nothing() -> None:
    hostile = "../../etc/\x1b]0;x\x07"
    pool = replace(states.tank(), name=hostile)
    app = make_app(states.host("storage1", states.pool_state(pool)))

    async with app.run_test(size=LOW) as pilot:
        app.open("capacity_planner", "storage1", hostile)
        await settle(pilot)
        assert "\x1b" not in frame(app)
        await pilot.press("W")
        await _until(app, "~/scenarios-______etc___0_x_.md")
        assert "\x1b" not in frame(app)


async def _write_to(app: object, path: str) -> None:
    assert isinstance(app, ZConsoleApp)
    box = app.screen.query_one("#box", Input)
    box.value = path
    await box.action_submit()


async def _until(app: ZConsoleApp, words: str) -> None:
    for _ in range(200):
        await asyncio.sleep(0.02)
        if words in " ".join(frame(app).replace("│", " ").split()):
            return
    raise AssertionError(frame(app))
