"""Moments are marked, found again and saved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.service.test_collecting_thread import PATIENCE_S, wait_for
from tests.service.test_collecting_thread_timeline import Past
from tests.ui.frames import UTF8, frame, source_of
from tests.ui.past import BACK, MARKS, MINUTE_BACK, SIZE, lived
from tests.ui.states import NOW
from zconsole.base.errors import HostError
from zconsole.base.user_config_file import Config
from zconsole.cli.open_and_ask_named_hosts import open_hosts
from zconsole.cli.selected_hosts import HostSelection
from zconsole.service.collecting_thread import Engine
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog, TextDialog
from zconsole.ui.widgets.text_input import TextBox


async def test_a_mark_whose_moment_is_not_kept_cannot_be_chosen() -> None:
    app = lived(*MARKS)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("M", "home", "enter")

        assert "unavailable: no samples of that time are kept" in frame(app)


@pytest.mark.parametrize(
    ("keys", "typed", "expected"),
    [
        ([], ["enter"], ("storage1", "", NOW)),
        ([], [*"slow", "enter"], ("storage1", "slow", NOW)),
        (["enter", BACK], ["enter"], ("storage1", "", NOW - 1)),
        (["enter", "enter", MINUTE_BACK], ["x", "enter"], ("storage1", "x", NOW - 60)),
    ],
)
async def test_m_marks_the_moment_that_is_shown(
    keys: list[str], typed: list[str], expected: tuple[str, str, float]
) -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys, "m")
        await pilot.pause()
        assert TextDialog is type(app.screen)
        await pilot.press(*typed)
        await pilot.pause()

        assert [expected] == source_of(app).marked
        assert "is marked; < and > go from mark to mark" in frame(app)


async def test_a_mark_that_was_thought_better_of_is_none() -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m", "escape")
        await pilot.pause()

        assert [] == source_of(app).marked


async def test_capital_s_saves_under_a_name_of_its_own_and_tells_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kept = tmp_path / "zconsole" / "recordings"
    (kept / "storage1-20261118-110640").mkdir(parents=True)
    app = lived()

    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("enter", "ctrl+s")
        await pilot.pause()
        assert str(kept / "storage1-20261118-110640-2") == app.screen.query_one(TextBox).value
        await pilot.press("enter")
        await pilot.pause()

        assert [("storage1", kept / "storage1-20261118-110640-2")] == source_of(app).saved
        assert TellDialog is type(app.screen)
        assert "zconsole --replay" in frame(app)


async def test_a_recording_that_cannot_be_saved_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    app = lived()
    source = source_of(app)
    monkeypatch.setattr(source, "save", lambda *_: _failed(HostError("the disk is full", hint="make room")))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+s", "enter")
        await pilot.pause()

        assert "nothing is saved: the disk is full" in frame(app)
        assert "make room" in frame(app)


def _failed(error: Exception) -> object:
    future: Future[Path] = Future()
    future.set_exception(error)
    return future


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
            await pilot.press("ctrl+s", "enter")
            await until(pilot, lambda: type(app.screen) is TellDialog)
            assert "saved: " in frame(app)
            await pilot.press("enter", "ctrl+s")
            app.screen.query_one(TextBox).value = str(tmp_path)
            await pilot.press("enter")
            await until(pilot, lambda: type(app.screen) is TellDialog)
            assert f"nothing is saved: {tmp_path} is" in frame(app)
    finally:
        lived.engine.stop()

    (folder,) = (tmp_path / "zconsole" / "recordings").iterdir()
    (place,) = open_hosts(HostSelection(replay=folder, speed=SPEED), Config())
    engine = Engine([place.host], clock=place.clock)
    engine.start()
    try:
        wait_for(engine, lambda _: (span := engine.span("nas1", "tank")) and span.last > mark.at)
        app = app_on(engine)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("enter", "less_than_sign")
            await until(pilot, lambda: "◆ odd" in frame(app) and "BUSY" in frame(app))

            assert shown == rows(app)
    finally:
        engine.stop()
