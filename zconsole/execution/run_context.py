"""Where plans are carried out from: who sits there, the journal, and who hears of what becomes of a run."""

from __future__ import annotations

import asyncio
import getpass
import os
import platform
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from zconsole.base.digits import natural
from zconsole.model.run import Run
from zconsole.storage.journal import Journal
from zconsole.storage.run_in_thread import patiently

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_START: Final = 19  # of the fields of /proc/PID/stat behind the name of the program: starttime
_NAME_ENDS: Final = ") "


class Writes(Protocol):
    """Runs a write to the journal to its end, off the loop."""

    def __call__(self, call: Callable[..., Any], *arguments: Any) -> Awaitable[Any]:
        """Its result; raises what it raises."""


@dataclass(slots=True)
class TracesGone:
    """Since when a host shows nothing of a step that cannot run any more; monotonic seconds, None: not so."""

    since: float | None = None


@dataclass(slots=True)
class Watched:
    """A run whose end is not known: what this console told last, and since when its host shows nothing."""

    quiet: TracesGone = field(default_factory=TracesGone)
    words: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """`publish` is told of every change of a run."""

    journal: Journal
    publish: Callable[[Run], None]
    console: str
    origin: str
    write: Writes = patiently
    stops: dict[str, asyncio.Event] = field(default_factory=dict)  # of runs under way here, to end them
    settling: set[str] = field(default_factory=set)  # runs of before that are being settled here
    leaving: asyncio.Event = field(default_factory=asyncio.Event)  # whoever sits here wants to go
    watching: dict[str, Watched] = field(default_factory=dict)  # runs without a known end, by their ids
    watches_on: bool = False  # this console stays, and looks until every end is known
    left_running: set[asyncio.Future[Any]] = field(default_factory=set)  # nobody waits for these any more

    @property
    def who_watches(self) -> str:
        """Who finds out what is not known yet, for the end of a sentence."""
        if self.watches_on:
            return "this console goes on looking until it is known"
        return "the next zconsole that is opened on this host goes on looking until it is known"


def console_id(process: int | None = None) -> str:
    """This process, told so that no other is taken for it: the boot, its number, and when it started."""
    number = os.getpid() if process is None else process
    return f"{_boot()}:{number}:{_started(number)}"


def is_alive(console: str) -> bool:
    """Whether the process of that name still runs on this machine; one of another boot does not."""
    boot, _, rest = console.partition(":")
    number, _, started = rest.partition(":")
    process = natural(number)
    return process is not None and boot == _boot() and started == _started(process) != ""


def who() -> str:
    """The user of this machine who sits here."""
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return str(os.getuid())


def origin() -> str:
    """From where: user and machine of this console, and the address that the user came from."""
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
