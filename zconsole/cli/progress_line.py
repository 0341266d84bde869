"""Progress line of a run on a terminal, erased at its end."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import accumulate
from typing import Final, TextIO
from unicodedata import east_asian_width

from zconsole.base.clock import Clock
from zconsole.model.run import Run
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.changes.run import progress

TICK_S: Final = 1.0
_CLEAR: Final = "\r\x1b[K"
_DUMB: Final = frozenset({"", "dumb"})  # values of TERM without control sequences
_WIDE: Final = "WF"  # east_asian_width of characters that take two cells


class ProgressLine:
    """Writes to a terminal periodically; to anything else, nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty() and os.environ.get("TERM", "") not in _DUMB
        self._clock: Clock | None = None
        self._run: Run | None = None
        self._line = ""

    def show(self, run: Run) -> None:
        """Set the displayed state of the run."""
        self._run = run
        self._draw()

    def clear(self) -> None:
        """Erase the line before other output."""
        self._write("")

    @asynccontextmanager
    async def ticking(self, clock: Clock) -> AsyncIterator[None]:
        """Context in which the line is drawn every second, and erased at the end."""
        if not self._is_terminal:
            yield
            return
        self._clock = clock
        task = asyncio.create_task(self._tick(clock))
        try:
            yield
        finally:
            self._clock = None
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            self.clear()

    async def _tick(self, clock: Clock) -> None:
        while True:
            await clock.sleep(TICK_S)
            self._draw()

    def _draw(self) -> None:
        if self._run is not None and self._clock is not None:
            self._write(next(printed([progress(self._run, self._clock.now())])))

    def _write(self, line: str) -> None:
        shown = _cut(line, self._columns() - 1)
        if shown != self._line:
            self._line = shown
            self._stream.write(f"{_CLEAR}{shown}")
            self._stream.flush()

    def _columns(self) -> int:
        """Width of this stream's terminal; some terminals report 0."""
        with suppress(OSError):
            if columns := os.get_terminal_size(self._stream.fileno()).columns:
                return columns
        return shutil.get_terminal_size().columns


def _cut(line: str, cells: int) -> str:
    """Text cut to the width: a wrapped line could not be erased."""
    ends = accumulate(2 if east_asian_width(char) in _WIDE else 1 for char in line)
    return line[: sum(end <= cells for end in ends)]
