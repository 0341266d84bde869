"""The programs of the benchmarks start and take keys, although they are run rarely."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.programs import Million, MillionScreen, state
from tests.doubles.static_source import StaticSource


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
