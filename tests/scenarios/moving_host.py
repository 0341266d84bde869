"""A host whose world moves: somebody else acts right before the n-th thing that the console asks of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from tests.scenarios.identity import CONSOLE, FIRST, OTHER, Effects, Eye, effects
from zconsole.base.clock import ManualClock
from zconsole.hosts.host import Command, Completed, Effect, Piped
from zconsole.hosts.practice import PracticeHost

TURNS = 20  # of the loop, in which a command that waits for nothing has ended


@dataclass(frozen=True, slots=True)
class Acted:
    """A command of the console that was to change something, and what really came of it."""

    argv: tuple[str, ...]
    is_done: bool
    effects: Effects


@dataclass
class MovingHost:
    """Passes everything on to a practice host and watches what each hand does to its objects."""

    inner: PracticeHost
    clock: ManualClock
    happens: dict[int, Callable[[], None]] = field(default_factory=dict)  # before so many askings
    asked: list[str] = field(default_factory=list)  # one line for each asking
    acts_at: list[int] = field(default_factory=list)  # positions of the commands that change something
    acted: list[Acted] = field(default_factory=list)
    others: Effects = field(default_factory=Effects)  # what the other hand did
    known: dict[tuple[str, ...], Completed] = field(default_factory=dict)  # answers as long as nothing moved

    def __post_init__(self) -> None:
        self.eye = Eye(self.inner.world, FIRST)
        self.eye.facts()

    @property
    def label(self) -> str:
        return self.inner.label

    @property
    def is_here(self) -> bool:
        return self.inner.is_here

    @property
    def console(self) -> Effects:
        """All that the console did."""
        whole = Effects()
        for acted in self.acted:
            whole |= acted.effects
        return whole

    async def connect(self) -> None:
        await self.inner.connect()

    async def run(self, command: Command) -> Completed:
        self._asked(command)
        if command.effect is Effect.READ:
            return await self._answer(command)
        self.known = {}
        self.inner._catch_up()
        self.eye.hand = CONSOLE
        before = self.eye.facts()
        completed = await self._run(command)
        self.acted.append(Acted(command.argv, completed.is_done, effects(before, self.eye.facts())))
        return completed

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        self._asked(command)
        async with self.inner.stream(command) as chunks:
            yield chunks

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        self._asked(command)
        self.eye.hand = CONSOLE
        before = self.eye.facts()
        others = self.others
        if command.effect is Effect.CHANGE:
            self.known = {}
        async with self.inner.pipe(command) as running:
            yield running
            ended = await running.ended() if command.effect is Effect.CHANGE else None
        if ended is not None:
            assert others == self.others, "what happens meanwhile is not told apart"
            self.eye.hand = CONSOLE
            self.acted.append(Acted(command.argv, ended.is_done, effects(before, self.eye.facts())))

    def is_lingering(self, command: Command) -> bool:
        return self.inner.is_lingering(command)

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        self._next(f"(reads {path})")
        return await self.inner.read(path, max_bytes=max_bytes)

    async def close(self) -> None:
        await self.inner.close()

    def happen(self, change: Callable[[], None]) -> None:
        """Somebody else acts now."""
        self.known = {}
        self.inner._catch_up()
        self.eye.hand = OTHER
        before = self.eye.facts()
        change()
        self.others |= effects(before, self.eye.facts())

    async def _run(self, command: Command) -> Completed:
        """Run it there; time passes as long as it waits for something."""
        running = asyncio.ensure_future(self.inner.run(command))
        turns = 0
        while not running.done():
            await asyncio.sleep(0)
            turns += 1
            if turns > TURNS:
                self.clock.advance(1.0)
        return await running

    async def _answer(self, command: Command) -> Completed:
        """What the world says; from memory where nothing has moved since it was asked the same."""
        known = self.known
        if command.argv in known and command.stdin is None:
            return replace(known[command.argv], command=command)
        completed = await self._run(command)
        if command.stdin is None and command.argv[0] != "date":
            known[command.argv] = completed
        return completed

    def _asked(self, command: Command) -> None:
        if command.effect is Effect.CHANGE:
            self.acts_at.append(len(self.asked))
        self._next(" ".join(command.argv))

    def _next(self, line: str) -> None:
        change = self.happens.pop(len(self.asked), None)
        self.asked.append(line)
        if change is not None:
            self.happen(change)
