"""Context of runs: user, journal, and subscribers."""

from __future__ import annotations

import asyncio
import getpass
import os
import platform
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any, Final, Protocol

from zconsole.base.bounded_int import natural
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.run import Run
from zconsole.storage.journal import Journal
from zconsole.storage.run_in_thread import patiently

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_START: Final = 19  # index of starttime in /proc/PID/stat after the program name
_NAME_ENDS: Final = ") "


class Writes(Protocol):
    """Executor of journal writes, off the event loop."""

    def __call__(self, call: Callable[..., Any], *arguments: Any) -> Awaitable[Any]:
        """The result of the call, or its exception."""


@dataclass(slots=True)
class TracesGone:
    """Time since which a host shows no effect of a step that cannot run any more; monotonic seconds."""

    since: float | None = None


@dataclass(slots=True)
class WatchedRun:
    """Unsettled run: last published state, and time without effect."""

    quiet: TracesGone = field(default_factory=TracesGone)
    words: str = ""


@dataclass(frozen=True, slots=True)
class RunContext:
    """`publish` is called on every change of a run."""

    journal: Journal
    publish: Callable[[Run], None]
    console: str
    origin: str
    write: Writes = patiently
    stops: dict[str, asyncio.Event] = field(default_factory=dict)  # of active runs here, to stop them
    settling: set[str] = field(default_factory=set)  # earlier runs being settled here
    leaving: asyncio.Event = field(default_factory=asyncio.Event)  # set when the user wants to leave
    watching: dict[str, WatchedRun] = field(default_factory=dict)  # unsettled runs by id
    watches_on: bool = False  # this console stays and settles every run
    left_running: set[asyncio.Future[Any]] = field(default_factory=set)  # abandoned work

    @property
    def who_watches(self) -> str:
        """Who settles an unknown outcome, as the end of a sentence."""
        if self.watches_on:
            return "this console keeps checking until it is known"
        return "the next zconsole that is opened on this host keeps checking until it is known"


def console_id(process: int | None = None) -> str:
    """Unique identity of this process: boot id, pid, start time."""
    number = os.getpid() if process is None else process
    return f"{_boot()}:{number}:{_started(number)}"


def is_alive(console: str) -> bool:
    """Whether that process still runs on this machine; False after a reboot."""
    boot, _, rest = console.partition(":")
    number, _, started = rest.partition(":")
    process = natural(number)
    return process is not None and boot == _boot() and started == _started(process) != ""


def who() -> str:
    """The local user."""
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return str(os.getuid())


def origin() -> str:
    """Origin: user and machine of this console, and the user's address."""
    came_from = os.environ.get("SSH_CONNECTION", "").partition(" ")[0]
    return f"{who()}@{platform.node()}" + (f" from {came_from}" if came_from else "")


def _boot() -> str:
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _started(process: int) -> str:
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(_NAME_ENDS)[2].split()
    return fields[_START] if len(fields) > _START else ""
