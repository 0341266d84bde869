"""A host whose world moves: somebody else acts right before the n-th thing that the console asks of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from tests.scenarios.moving_world.identity import CONSOLE, FIRST, OTHER, Effects, Eye, effects
from zconsole.base.clock import ManualClock
from zconsole.hosts.host import Command, Completed, Effect, Piped
from zconsole.practice import PracticeHost
from zconsole.practice.program_reply import Reply

TURNS = 20  # of the loop, in which a command that waits for nothing has ended

Moment = tuple[tuple[object, ...], float]  # what happened to a world until now, each with its time; the time
Answers = dict[tuple[str, ...], Completed]  # by argv: what a world says at one moment


@dataclass(frozen=True, slots=True)
class Acted:
    """A command of the console that was to change something, and what really came of it."""

    argv: tuple[str, ...]
    is_done: bool
    effects: Effects


@dataclass(frozen=True, slots=True)
class Asking:
    """Something that was read: a command, or a file by its path; and when."""

    what: Command | str
    moment: Moment


@dataclass
class MovingHost:
    """Passes everything on to a practice host and watches what each hand does to its objects.

    What is read is answered at once, by the world of the moment in which it is asked.
    """

    inner: PracticeHost
    clock: ManualClock
    happens: dict[int, list[tuple[str, Callable[[], None]]]] = field(default_factory=dict)  # before an asking
    asked: list[str] = field(default_factory=list)  # one line for each asking
    acts_at: list[int] = field(default_factory=list)  # positions of the commands that change something
    acted: list[Acted] = field(default_factory=list)
    others: Effects = field(default_factory=Effects)  # what the other hand did
    memory: dict[Moment, Answers] = field(default_factory=dict)  # shared by hosts that began as one
    past: tuple[object, ...] = ()  # all that happened to its world, in order
    askings: dict[int, Asking] = field(default_factory=dict)  # by position, where something was only read
    seen_at: Callable[[Moment], None] | None = None  # told of each moment at which something is read

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

    @property
    def moment(self) -> Moment:
        """By which worlds that are as they are now can be told."""
        return self.past, self.clock.now()

    async def run(self, command: Command) -> Completed:
        position = len(self.asked)
        self._asked(command)
        if command.effect is Effect.READ:
            self._remember(position, command)
            completed = answered(self.inner, command, self.memory.setdefault(self.moment, {}))
            if completed is None:
                return await self._run(command)
            await asyncio.sleep(0)  # the others have their turn, as while anything is on its way
            return completed
        self.past = (*self.past, (command.argv, self.clock.now()))
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
            self.past = (*self.past, (command.argv, self.clock.now()))
        async with self.inner.pipe(command) as running:
            yield running
            ended = await running.ended() if command.effect is Effect.CHANGE else None
        if ended is not None:
            assert others == self.others, "what happens meanwhile is not told apart"
            self.past = (*self.past, ("ended", self.clock.now()))
            self.eye.hand = CONSOLE
            self.acted.append(Acted(command.argv, ended.is_done, effects(before, self.eye.facts())))

    def is_lingering(self, command: Command) -> bool:
        return self.inner.is_lingering(command)

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        position = len(self.asked)
        self._next(f"(reads {path})")
        self._remember(position, path)
        return await self.inner.read(path, max_bytes=max_bytes)

    async def close(self) -> None:
        await self.inner.close()

    def happen(self, name: str, change: Callable[[], None]) -> None:
        """Somebody else acts now."""
        self.past = after(self.moment, name)[0]
        self.inner._catch_up()
        self.eye.hand = OTHER
        before = self.eye.facts()
        change()
        self.others |= effects(before, self.eye.facts())

    def _remember(self, position: int, what: Command | str) -> None:
        moment = self.moment
        self.askings[position] = Asking(what, moment)
        if self.seen_at is not None:
            self.inner._catch_up()
            self.seen_at(moment)

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

    def _asked(self, command: Command) -> None:
        if command.effect is Effect.CHANGE:
            self.acts_at.append(len(self.asked))
        self._next(" ".join(command.argv))

    def _next(self, line: str) -> None:
        changes = self.happens.pop(len(self.asked), ())
        self.asked.append(line)
        for change in changes:
            self.happen(*change)


def after(moment: Moment, name: str) -> Moment:
    """The moment right after a change."""
    past, now = moment
    return (*past, (name, now)), now


def answered(host: PracticeHost, command: Command, known: Answers) -> Completed | None:
    """What a practice host says to a command that only reads, from memory where it was asked before.

    None for one that takes its time.
    """
    if command.stdin is None and command.argv in known:
        return replace(known[command.argv], command=command)
    host._need_link()
    if host._is_stuck(command):
        return None
    reply = host._start(command)
    if not isinstance(reply, Reply):
        return None
    completed = host._completed(command, host._clock.monotonic(), reply)
    if command.stdin is None:
        known[command.argv] = completed
    return completed
