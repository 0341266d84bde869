"""The planner of purchases on a host of which it knows the past."""

from __future__ import annotations

from tests.ui import states
from tests.ui.frames import make_app
from tests.ui.planned import give_outlook
from zconsole.ui.app import ZConsoleApp

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
LOW = SIZES["80x24"]


def an_app(**more: object) -> ZConsoleApp:
    app = make_app(states.healthy(), **more)  # type: ignore[arg-type]
    give_outlook(app)
    return app
