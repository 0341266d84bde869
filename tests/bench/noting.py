"""The console's own app, that writes down when what is on its screen, and how late its loop is.

`python -m tests.bench.noting FOLDER` writes lines to the file `seen` in that folder.
It loads nothing before the console does.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zconsole.base.gc_tuning import enable_gc
from zconsole.hosts.local.local_host import LocalHost
from zconsole.service.collecting_thread import Engine
from zconsole.storage.journal import Journal
from zconsole.ui.app import ZConsoleApp

if TYPE_CHECKING:
    from zconsole.storage.snapshot_cache import SnapshotIndex

EVERY_S: Final = 0.005
SCREEN: Final = "zconsole.ui.screens.datasets"  # loaded when it is opened


class Noting(ZConsoleApp):
    """The console, with a task that looks at it."""

    folder = Path()

    def on_mount(self) -> None:
        super().on_mount()
        self.run_worker(self._watch())

    async def _watch(self) -> None:
        """A line for each change: the moment, the worst stall since the last line, what is on the screen."""
        before: list[object] = []
        worst = 0.0
        with (self.folder / "seen").open("a", buffering=1) as file:
            while True:
                began = time.perf_counter()
                await asyncio.sleep(EVERY_S)
                worst = max(worst, time.perf_counter() - began - EVERY_S)
                seen = self._seen()
                if seen != before:
                    file.write(json.dumps([time.perf_counter(), 1000 * worst, *seen]) + "\n")
                    before, worst = seen, 0.0

    def _seen(self) -> list[object]:
        """Rows, whether all was listed, the filter, whether that is done, its count, the newest sample."""
        if SCREEN not in sys.modules:
            return []
        from zconsole.ui.screens.datasets import DatasetsScreen  # noqa: PLC0415

        screen = self.front()
        if not isinstance(screen, DatasetsScreen) or screen.view is None:
            return []
        pool = screen.view.pool(screen.host, screen.pool)
        listing = None if pool is None else pool.listing.value
        sieve = screen.sieve()
        filtered = [None, False, 0] if sieve is None else [sieve.query.text, sieve.is_done, 0]
        if sieve is not None and sieve.is_done:
            filtered[2] = sieve.count
        sample = pool.samples[-1].at if pool is not None and pool.samples else None
        return [screen.rows.count, listing is not None and listing.is_whole, *filtered, sample]


def _index(folder: Path) -> SnapshotIndex:
    from zconsole.storage.snapshot_cache import SnapshotIndex  # noqa: PLC0415

    return SnapshotIndex(folder)


def program(folder: Path) -> int:
    """Run it."""
    enable_gc()
    engine = Engine(
        [LocalHost()], journal=lambda: Journal(is_kept=False), indexes=lambda: _index(folder / "index")
    )
    engine.start()
    Noting.folder = folder
    try:
        Noting(engine.service).run()
    finally:
        engine.stop()
    return 0


if __name__ == "__main__":
    sys.exit(program(Path(sys.argv[1])))
