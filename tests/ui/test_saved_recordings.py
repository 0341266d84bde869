"""What was lived on the practice host is saved by key, and played again as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.service.test_engine import PATIENCE_S, wait_for
from tests.service.test_engine_timeline import Past
from tests.ui.frames import UTF8, frame
from zconsole.base.config import Config
from zconsole.cli.named_hosts import open_places
from zconsole.cli.requests import HostSelection
from zconsole.service.engine import Engine
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.text_prompt import TellDialog

SPEED = 20.0


def app_on(engine: Engine) -> ZConsoleApp:
    return ZConsoleApp(engine.service, Config(), environment=UTF8, gap_s=0.0, quiet_s=0.0)


def rows(app: ZConsoleApp) -> list[str]:
    """The vdevs' numbers up to how busy their disks were: a recording has that within half a percent."""
    lines = frame(app).split("\n")
    return [line[: lines[2].index("BUSY")] for line in lines[3:7]]


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await pilot.pause()


async def test_a_recording_saved_by_key_is_played_at_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pause, step back, mark, save; then --replay: the mark is there, with the same numbers."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    lived = Past()
    try:
        app = app_on(lived.engine)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("enter", "left_square_bracket", "left_square_bracket", "m", *"odd", "enter")
            await until(pilot, lambda: lived.engine.newest()[0].marks and "BUSY" in frame(app))
            (mark,) = lived.engine.newest()[0].marks
            shown = rows(app)
            await pilot.press("S", "enter")
            await until(pilot, lambda: type(app.screen) is TellDialog)
            assert "saved: " in frame(app)
            await pilot.press("enter", "S")
            app.screen.query_one(Input).value = str(tmp_path)
            await pilot.press("enter")
            await until(pilot, lambda: type(app.screen) is TellDialog)
            assert f"nothing is saved: {tmp_path} is" in frame(app)
    finally:
        lived.engine.stop()

    (folder,) = (tmp_path / "zconsole" / "recordings").iterdir()
    (place,) = open_places(HostSelection(replay=folder, speed=SPEED), Config())
    engine = Engine([place.host], clock=place.clock)
    engine.start()
    try:
        wait_for(engine, lambda _: (span := engine.span("nas1", "tank")) and span.last > mark.at)
        app = app_on(engine)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("enter", "less_than_sign")

            assert "◆ odd" in frame(app)
            assert shown == rows(app)
    finally:
        engine.stop()
