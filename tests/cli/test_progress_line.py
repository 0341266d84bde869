"""The line of progress: for a terminal only, in one place, and gone in the end."""

from __future__ import annotations

import asyncio
import io

import pytest

from zconsole.base.clock import ManualClock
from zconsole.cli.progress_line import ProgressLine
from zconsole.model.run import Run, RunState, StepRun

RUNNING = Run(
    "1", "nas", "scrub tank", "tank", RunState.RUNNING,
    (StepRun(("zpool", "scrub", "tank"), "running", started=100.0),),
)  # fmt: skip
WIDE = "\u76e4"  # takes two cells
CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    """A stream that says that it is one."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


async def test_the_seconds_pass_on_one_line_that_is_taken_away(terminal: Terminal) -> None:
    clock = ManualClock(100.0)
    progress = ProgressLine(terminal)

    async with progress.ticking(clock):
        progress.show(RUNNING)
        await asyncio.sleep(0)
        clock.advance(1.0)
        await asyncio.sleep(0)
        progress.show(RUNNING)  # nothing new: nothing is written

    line = f"{CLEAR}nas: running for {{}}: zpool scrub tank"
    assert line.format("0s") + line.format("1s") + CLEAR == terminal.getvalue()


async def test_a_line_is_shorter_than_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    progress = ProgressLine(terminal)

    async with progress.ticking(ManualClock(100.0)):
        progress.show(RUNNING)
        progress.show(Run("1", WIDE * 20, "", "", RunState.CHECKING))

    assert ["", "nas: running for 0s", WIDE * 9, ""] == terminal.getvalue().split(CLEAR)


async def test_what_is_no_terminal_is_told_nothing(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = io.StringIO()
    monkeypatch.setenv("TERM", "dumb")

    for stream in (pipe, terminal):
        progress = ProgressLine(stream)
        async with progress.ticking(ManualClock(100.0)):
            progress.show(RUNNING)
            progress.clear()
        assert "" == stream.getvalue()


async def test_nothing_is_written_before_and_after(terminal: Terminal) -> None:
    progress = ProgressLine(terminal)

    progress.show(RUNNING)
    async with progress.ticking(ManualClock(100.0)):
        pass
    progress.show(RUNNING)

    assert "" == terminal.getvalue()
