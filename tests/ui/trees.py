"""What tests of the datasets screen share: the screen, a filter that is typed, and waiting for words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual.pilot import Pilot

from tests.ui import states
from tests.ui.frames import frame
from tests.ui.states import GIB, NOW, TICKS
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.host_state import HostState, Reading
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
    return await soon(pilot, lambda: words in frame(app), tries)


async def gone(pilot: Pilot[None], app: ZConsoleApp, words: str, tries: int = 250) -> bool:
    """Whether it is shown no longer, soon."""
    return await soon(pilot, lambda: words not in frame(app), tries)


async def soon(pilot: Pilot[None], holds: Callable[[], bool], tries: int = 250) -> bool:
    """Whether something comes to hold."""
    for _ in range(tries):
        await pilot.pause()
        if holds():
            return True
        await pilot.pause(TRY_EVERY_S)
    return holds()


def chained(count: int = 6) -> HostState:
    """A file system with snapshots of 1 GiB each that share 10 GiB with their neighbours."""
    snapshots = tuple(
        Dataset(f"tank/home@{at}", "snapshot", GIB, referenced_bytes=50 * GIB, createtxg=at,
                creation=int(NOW) - (count - at) * 86400, holds=0, written_bytes=11 * GIB)
        for at in range(count)
    )  # fmt: skip
    home = Dataset("tank/home", "filesystem", 110 * GIB, referenced_bytes=50 * GIB, written_bytes=GIB,
                   used_by_snapshots_bytes=60 * GIB, used_by_dataset_bytes=GIB)  # fmt: skip
    listed = (Dataset("tank", "filesystem", 111 * GIB), home, *snapshots)
    pool = replace(states.pool_state(states.tank()), datasets=Reading(listed, TICKS - 5))
    return states.host("storage1", pool)
