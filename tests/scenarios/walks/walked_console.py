"""The real program for the walker: its hosts write down what changes them, and it which screens were open.

`python -m tests.scenarios.walks.walked_console KIND FOLDER`: `demo` is `zconsole --demo`; `dying` is the same
with three hosts, of which one cuts its link, hangs and comes back, and one has an unknown key;
`replay` plays the recording in FOLDER/recording. The journal is kept in FOLDER, and so are the notes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Final

from tests.scenarios.moving_world.notes import JOURNAL, NOTES
from zconsole import practice
from zconsole.base.clock import SystemClock
from zconsole.base.errors import HostKeyUnknown
from zconsole.base.user_config_file import Config
from zconsole.cli import console
from zconsole.cli import run as run_zconsole
from zconsole.cli.collecting import engine_of_hosts
from zconsole.cli.open_and_ask_named_hosts import NamedHost
from zconsole.cli.selected_hosts import HostSelection
from zconsole.hosts.host import Command, Completed, Effect, Piped
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.storage.journal import Journal
from zconsole.ui.app import ZConsoleApp

RECORDING: Final = "recording"
PHASE_S: Final = 2.0  # of a host that is dying
FINGERPRINT: Final = "SHA256:q9Z1t1P0Vn9wUe7bL0Yc3w2R5m8KdXvTfGhJkLmNoPq"


class Notes:
    """One line each, on disk at once: nothing is lost however the program ends."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1)

    def write(self, **values: object) -> None:
        """A line."""
        self._file.write(json.dumps(values) + "\n")


class WatchedHost(practice.PracticeHost):
    """The practice host; each command that may change it is noted."""

    notes: Notes

    def __init__(self, *positional: Any, **named: Any) -> None:
        super().__init__(*positional, **named)
        wrapped = self.world.note

        def note(pool: PracticePool, command: str, *, at: float | None = None) -> None:
            self.notes.write(host=self.label, history=command)
            wrapped(pool, command, at=at)

        vars(self.world)["note"] = note  # what a pool keeps of a command, whatever that was said to be

    def _note(self, command: Command) -> None:
        if command.effect is not Effect.READ:
            self.notes.write(host=self.label, ran=command.argv)

    async def run(self, command: Command) -> Completed:
        self._note(command)
        return await super().run(command)

    def stream(self, command: Command) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        self._note(command)
        return super().stream(command)

    def pipe(self, command: Command) -> AbstractAsyncContextManager[Piped]:
        self._note(command)
        return super().pipe(command)


class DyingHost(WatchedHost):
    """Its link is cut, it takes three seconds for an answer, it is away, and it is well again."""

    _phase = 0

    async def run(self, command: Command) -> Completed:
        self._live()
        return await super().run(command)

    async def connect(self) -> None:
        self._live()
        await super().connect()

    def _live(self) -> None:
        phase = int(SystemClock().monotonic() / PHASE_S) % 5
        if phase != self._phase:
            self._phase = phase
            self.faults.is_link_cut = phase == 1
            self.faults.answer_after_s = 3.0 if phase == 3 else 0.0
            self.faults.is_unreachable = phase == 4
            self.faults.changed()


class UnmetHost(WatchedHost):
    """A host whose key nobody has accepted yet."""

    _is_accepted = False

    async def connect(self) -> None:
        if not self._is_accepted:
            raise HostKeyUnknown(self.label, FINGERPRINT, hint="It is the first connection.")
        await super().connect()

    async def accept_key(self, fingerprint: str) -> None:
        self.notes.write(accepted=fingerprint)
        self._is_accepted = True


def _dying_places(_where: HostSelection, _config: Config) -> tuple[NamedHost, ...]:
    clock = SystemClock()
    hosts = (WatchedHost("storage1"), DyingHost("nas2", seed=2), UnmetHost("vault3", seed=3))
    return tuple(NamedHost(host, clock) for host in hosts)


def run(kind: str, folder: Path) -> int:
    """Run the program on hosts of that kind."""
    notes = Notes(folder / NOTES)
    WatchedHost.notes = notes
    vars(practice)["PracticeHost"] = WatchedHost
    vars(engine_of_hosts)["journal_in_memory"] = lambda: Journal(folder / JOURNAL)
    if kind == "dying":
        vars(console)["open_hosts"] = _dying_places
    push: Callable[..., Any] = ZConsoleApp.push_screen

    def push_and_note(self: ZConsoleApp, screen: Any, *rest: Any, **words: Any) -> Any:
        notes.write(screen=type(screen).__name__)
        return push(self, screen, *rest, **words)

    ZConsoleApp.push_screen = push_and_note  # type: ignore[method-assign]
    return run_zconsole(["--replay", str(folder / RECORDING)] if kind == "replay" else ["--demo"])


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], Path(sys.argv[2])))
