"""`zconsole record`: watch a host as the console does, and keep every answer in a folder."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

from zconsole.base.config import Config
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.text import visible
from zconsole.cli.invocation import Record
from zconsole.cli.places import Place, ask_each, open_places
from zconsole.hosts.recorded import RecordingHost
from zconsole.live.engine import Engine
from zconsole.live.gather import gather

CONNECT_TIMEOUT_S: Final = 60.0


def run_record(asked: Record, config: Config) -> int:
    """Read everything once, then watch for a while; the folder holds both."""
    _check_folder(asked.folder)
    places = open_places(asked.where, config)
    if len(places) > 1:
        raise UsageError("a folder holds one host", hint="Record each host to a folder of its own.")
    place = places[0]
    recording = RecordingHost(place.host, asked.folder)

    async def ask(one: Place) -> None:
        await gather(one.host, one.clock)

    (answer,) = asyncio.run(ask_each([Place(recording, place.clock)], ask, CONNECT_TIMEOUT_S))
    if isinstance(answer, ZConsoleError):
        raise answer
    engine = Engine([recording], interval_s=config.interval_s)
    engine.start()
    try:
        time.sleep(asked.for_s)
    finally:
        engine.stop()
    folder = visible(str(asked.folder))
    print(f"{visible(place.host.label)} is recorded in {folder}; look at it with: zconsole --replay {folder}")
    return 0


def _check_folder(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there and not an empty folder", hint="Name a new one.")
