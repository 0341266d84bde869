"""What every test gets: no user configuration, no network, the captures of real hosts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("zconsole", settings(), deadline=None)  # no test is timed: the machine may be busy
settings.load_profile("zconsole")

CAPTURES = Path(__file__).parent / "captures"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run property and fault tests in full count")
    parser.addoption("--update-frames", action="store_true", help="write the screens' golden frames anew")
    parser.addoption("--update-golden", action="store_true", help="write the golden JSON of reports anew")


@pytest.fixture(autouse=True)
def _no_user_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the user's files nor the user's terminal may change a result."""
    for name in ("NO_COLOR", "SSH_CONNECTION", "SSH_AUTH_SOCK", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("TERM", "xterm-256color")
