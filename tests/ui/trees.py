"""What tests of the datasets screen share: the screen, a filter that is typed, and waiting for words."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.ui.frames import frame
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.datasets import DatasetsScreen

TRY_EVERY_S = 0.02


def screen_of(app: ZConsoleApp) -> DatasetsScreen:
    """The tree in front."""
    front = app.front()
    assert isinstance(front, DatasetsScreen)
    return front


async def typed(pilot: Pilot[None], words: str) -> None:
    """A filter, letter by letter."""
    await pilot.press("slash", *(("space" if each == " " else each) for each in words), "enter")
    await pilot.pause()


async def seen(pilot: Pilot[None], app: ZConsoleApp, words: str, tries: int = 250) -> bool:
    """Whether it comes to be shown."""
    for _ in range(tries):
        await pilot.pause(TRY_EVERY_S)
        if words in frame(app):
            return True
    return False
