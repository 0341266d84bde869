"""Golden frames: compared, or written anew with --update-frames."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

FRAMES = Path(__file__).parent / "frames"


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
