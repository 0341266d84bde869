"""Golden frames: compared, or written anew with --update-frames; and keys that are answered at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import app, pilot, screen

from tests.ui.quiet import wait_for_quiet

UPDATE_S = 0.001  # between two drawings of a screen: Textual has a sixtieth of a second
FRAMES = Path(__file__).parent / "frames"


@pytest.fixture(autouse=True)
def _no_waiting_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that was pressed has been answered when its own loop says so."""
    monkeypatch.setattr(app, "wait_for_idle", wait_for_quiet)
    monkeypatch.setattr(pilot, "wait_for_idle", wait_for_quiet)
    monkeypatch.setattr(screen, "UPDATE_PERIOD", UPDATE_S)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of that name."""

    def compare(name: str, text: str) -> None:
        path = FRAMES / name
        if request.config.getoption("--update-frames"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.read_text("utf-8") == text, f"{name} differs; look at it, then --update-frames"

    return compare
