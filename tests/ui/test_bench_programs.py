"""The programs of the benchmarks start and take keys, although they are run rarely."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.noting import Noting
from tests.bench.programs import Million, MillionScreen, state
from tests.doubles.static_source import StaticSource
from tests.hosts.helpers import until


async def test_the_list_of_a_million_rows_takes_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEATS", str(tmp_path / "beats"))
    app = Million(StaticSource(state(1)).service)

    async with app.run_test() as pilot:
        await pilot.press("down", "down")
        assert isinstance(app.screen, MillionScreen)
        rows = app.screen.query_one("#rows")
        assert "2" == rows.key  # type: ignore[attr-defined]


async def test_the_console_that_notes_what_it_shows_writes_it_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Noting, "folder", tmp_path)
    app = Noting(StaticSource(state(1)).service)

    async with app.run_test() as pilot:
        await pilot.press("D")
        await pilot.pause()
        noted = tmp_path / "seen"
        await until(lambda: noted.exists() and bool(noted.read_text()))
