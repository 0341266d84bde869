"""Timeline mark flows: mark a moment, choose among the marks, save the history as a recording."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from zconsole.base.errors import ZConsoleError
from zconsole.base.fixed_width_formatting import moment
from zconsole.model.timeline_mark import TimelineMark
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog, TextDialog
from zconsole.views.findings.slow_disk_phrases import clock
from zconsole.views.layout.shown_past_moment_and_marks import mark_row
from zconsole.views.layout.styled_text import EMPTY, FixedLines, line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp


class SayingScreen(Protocol):
    """Screen with a timeline, as seen by these flows."""

    @property
    def console(self) -> ConsoleApp:
        """The app."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""


async def mark(screen: SayingScreen, host: str, at: float) -> None:
    """Mark a moment, with an optional text."""
    console = screen.console
    words = (
        line((host, console.host_colour(host)), (f" · mark {clock(at)} UTC", "title")),
        line(("What it is, in some words, or none:", "dim")),
    )
    typed = await console.push_screen_wait(TextDialog(console.paint, words, may_be_empty=True))
    if typed is not None:
        console.states.mark(host, typed.strip(), at)
        screen.say(f"{clock(at)} is marked; < and > go from mark to mark")


async def choose_mark(
    screen: SayingScreen,
    go: Callable[[float], None],
    host: str,
    marks: Sequence[TimelineMark],
    kept: Sequence[TimelineMark],
) -> None:
    """Show all marks; `go` shows the moment of the chosen one."""
    console, now = screen.console, screen.console.states.now()
    keys = tuple(str(at) for at in range(len(marks)))
    chosen = await console.push_screen_wait(
        MenuDialog(
            console.paint,
            line((host, console.host_colour(host)), (" · go to a mark", "title")),
            FixedLines(tuple(mark_row(each, now, is_kept=each in kept) for each in marks), keys),
            closed={
                key: "no samples of that time are kept"
                for key, each in zip(keys, marks, strict=True)
                if each not in kept
            },
        )
    )
    if chosen:
        go(marks[int(chosen[0])].at)


async def save(screen: SayingScreen, host: str) -> None:
    """Save the history of a host in a folder that the user may choose, and show the folder."""
    console = screen.console
    asked = (
        line((host, console.host_colour(host)), (" · save what is kept as a recording", "title")),
        line(("Names and serial numbers are in it. A new folder:", "dim")),
    )
    typed = await console.push_screen_wait(
        TextDialog(console.paint, asked, str(recording_folder(host, console.states.now())))
    )
    if typed is None:
        return
    screen.say("saving; the console goes on meanwhile")
    try:
        saved = await asyncio.wrap_future(console.states.save(host, _folder(typed)))
    except ZConsoleError as error:
        words = [line((f"nothing is saved: {error.message}", "warn")), line((error.hint, "dim"))]
    else:
        words = [
            line(("saved: ", "ok"), str(saved)), EMPTY,
            line(("zconsole --replay ", "key"), (shlex.quote(str(saved)), "key")),
            line(("plays it, with --speed 10 ten times as fast.", "dim")),
        ]  # fmt: skip
    await console.push_screen_wait(TellDialog(console.paint, words))


def _folder(typed: str) -> Path:
    """Expand ~ in a path from the user, as shells do."""
    return Path(os.path.abspath(os.path.expanduser(typed)))  # noqa: PTH100,PTH111  # a ~name that nobody has stays


def recording_folder(host: str, at: float) -> Path:
    """Return the default folder of a recording: one that does not exist yet."""
    import platformdirs  # noqa: PLC0415  # needed only here

    under = Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / "recordings"
    name = "".join(char if char.isalnum() or char in "-_@" else "_" for char in host)
    stem = f"{name}-{moment(at, '%Y%m%d-%H%M%S')}"
    folder, number = under / stem, 1
    while folder.exists():
        number += 1
        folder = under / f"{stem}-{number}"
    return folder
