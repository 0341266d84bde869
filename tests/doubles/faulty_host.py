"""A host behind a bad link: by seed it cuts, delays, truncates, doubles, freezes and swallows exit statuses.

What really happened is in `executed`, for a test to compare with what was believed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from zconsole.base.clock import ManualClock
from zconsole.base.errors import HostUnreachable, LinkLost, NeverSent
from zconsole.hosts.build_command_results import never_started, unknown
from zconsole.hosts.host import Command, Completed, Effect, Host, Outcome
from zconsole.hosts.process_list_and_command_search import LIST_PROCESSES
from zconsole.practice import World
from zconsole.practice.system.mounts_and_processes import SERVES, stat

LATEST_S = 60.0  # a command that was under way when the link went has ended by then
LINGERS_S = 40.0  # the longest that an sshd stays behind whose connection was cut, with nothing to do
FAULTS = ("cut before", "cut after", "cut, later", "no status", "frozen", "frozen, later", "never started")
READ_FAULTS = ("cut before", "cut after", "truncated", "doubled", "frozen", "no status")


class Crashed(BaseException):
    """The console was killed here."""


class DrivenClock:
    """Time that passes only when somebody sleeps: then at once."""

    def __init__(self, manual: ManualClock) -> None:
        self._manual = manual

    def now(self) -> float:
        return self._manual.now()

    def monotonic(self) -> float:
        return self._manual.monotonic()

    async def sleep(self, seconds: float) -> None:
        self._manual.advance(max(0.0, seconds))
        await asyncio.sleep(0)


@dataclass
class Executed:
    """A change that really ran on the host, whatever was seen of it."""

    argv: tuple[str, ...]
    status: int | None


def world_of(host: Host) -> World:
    """What a practice host is made of, whatever stands before it."""
    inner = getattr(host, "inner", host)
    found = getattr(inner, "world", None)
    return found if isinstance(found, World) else world_of(inner)


@dataclass
class Late:
    """A command that goes on unseen: sshd has not taken it yet, then it runs, then it has its effect."""

    command: Command
    connection: int
    starts: float  # monotonic seconds
    ends: float
    session: int


@dataclass
class Nemesis:
    """Wraps a practice host. Probabilities are of each command; nothing goes wrong once `is_calm`.

    Each connection has an sshd of its own there, which stays behind a cut for a while: as long as a command
    has not started that it was sent, at least.
    """

    inner: Host
    clock: ManualClock
    seed: int
    change_faults: float = 0.5
    read_faults: float = 0.03
    crash_at: int | None = None  # so many commands
    is_calm: bool = False
    executed: list[Executed] = field(default_factory=list)
    cache: dict[tuple[str, ...], Completed] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)  # the faults, for a failing test to show

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)  # noqa: S311 - faults, not keys
        self.has_processes = self.random.random() < 0.9  # else /proc shows only one's own (hidepid)
        self._stays_away = self.random.random() < 0.05  # once it is gone
        self._is_replaced = self.random.random() < 0.05  # by another machine, once it is gone
        self._was_gone = False
        self._is_up = True
        self._late: list[Late] = []
        self._left_behind: dict[int, float] = {}  # numbers of sshd, and until when
        self._sessions = 50_000
        self._commands = 0
        self._going_on = asyncio.Lock()
        self.world = world_of(self.inner)

    @property
    def label(self) -> str:
        return self.inner.label

    @property
    def connection(self) -> int | None:
        return self.world.connection if self._is_up else None

    async def connect(self) -> None:
        await self._pass_time()
        if not self._is_up and not self.is_calm and (self._stays_away or self.random.random() < 0.3):
            raise HostUnreachable(f"{self.label} does not answer")
        await self.inner.connect()
        if not self._is_up:
            self.world.connection += 1
        self._is_up = True

    async def run(self, command: Command) -> Completed:
        self._commands += 1
        if self.crash_at is not None and self._commands >= self.crash_at:
            self.told.append(f"crash before {command.argv}")
            raise Crashed
        await self._pass_time()
        if not self._is_up or command.connection not in {None, self.connection}:
            raise NeverSent(f"the connection to {self.label} was lost")
        if not self.is_calm and self.random.random() < 0.1:
            self.clock.advance(self.random.uniform(0.0, 3.0))
        fault = self._fault(command)
        if fault:
            self.told.append(f"{fault}: {' '.join(command.argv)}")
        completed = await self._with(fault, command)
        if self.crash_at is not None and self._commands + 1 == self.crash_at and self.random.random() < 0.5:
            self.told.append(f"crash after {command.argv}")
            raise Crashed
        return completed

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        async with self.inner.stream(command) as chunks:
            yield chunks

    def is_lingering(self, command: Command) -> bool:
        here = self.world.connection
        lingering = [late.command.argv for late in self._late if late.connection == here]
        return self._is_up and command.argv in lingering

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        if not self._is_up:
            raise LinkLost(f"the connection to {self.label} was lost")
        if not self.is_calm and self.random.random() < self.read_faults / 3:
            self._cut()
            raise LinkLost(f"the connection to {self.label} was lost")
        if path == "/etc/machine-id" and self._is_replaced and self._was_gone and not self.is_calm:
            return b"00000000000000000000000000000000\n"
        return await self.inner.read(path, max_bytes=max_bytes)

    async def close(self) -> None:
        self._is_up = False

    async def drain(self) -> None:
        """Let everything that is still under way come to its end."""
        self.clock.advance(2 * LATEST_S)
        await self._pass_time()

    def end_console(self) -> None:
        """Whoever was connected is gone."""
        self._cut()

    def _fault(self, command: Command) -> str:
        if self.is_calm:
            return ""
        is_change = command.effect is Effect.CHANGE
        if self.random.random() >= (self.change_faults if is_change else self.read_faults):
            return ""
        return self.random.choice(FAULTS if is_change else READ_FAULTS)

    async def _with(self, fault: str, command: Command) -> Completed:
        match fault:
            case "cut before":
                self._cut()
                raise LinkLost(f"the connection to {self.label} was lost")
            case "cut after":
                completed = await self._really(command)
                self._cut()
                part = completed.stdout[: self.random.randint(0, len(completed.stdout))]
                return unknown(command, "the connection was lost before it was seen to end", part)
            case "cut, later":
                late = self._later(command)
                self._cut()
                lost = unknown(command, "the connection was lost before it was seen to end")
                return lost if late is None else replace(lost, session=late)
            case "no status":
                completed = await self._really(command)
                closed = unknown(command, "its session was closed without an exit status", completed.stdout)
                return replace(closed, session=self._a_session())
            case "frozen":
                self.clock.advance(command.timeout_s)
                frozen = unknown(command, f"no answer within {command.timeout_s:g} s")
                return replace(frozen, session=self._a_session() if self.random.random() < 0.7 else None)
            case "frozen, later":
                session = self._later(command)
                self.clock.advance(self.random.uniform(0.0, LATEST_S / 2))
                return replace(unknown(command, f"no answer within {command.timeout_s:g} s"), session=session)
            case "never started":
                return never_started(command, "sshd refuses another session")
            case "truncated":
                completed = await self._really(command)
                part = completed.stdout[: self.random.randint(0, len(completed.stdout))]
                return unknown(command, "the connection was lost before it was seen to end", part)
            case "doubled":
                completed = await self._really(command)
                return replace(completed, stdout=completed.stdout * 2)
            case _:
                return await self._really(command)

    async def _really(self, command: Command) -> Completed:
        """Run it there. What only looks is answered from memory until something changes."""
        if command.effect is Effect.READ:
            if command.argv == LIST_PROCESSES.argv:
                return await self._processes(command)
            known = self.cache.get(command.argv)
            if known is not None:
                return replace(known, command=command)
            completed = await self.inner.run(command)
            if command.argv[0] not in {"date", "cat"}:
                self.cache[command.argv] = completed
            return completed
        self.cache = {
            argv: known
            for argv, known in self.cache.items()
            if argv[0] == "lsblk" or (argv[0] == "ls" and not argv[-1].startswith("/proc"))
        }
        completed = await self.inner.run(command)
        self.executed.append(Executed(command.argv, completed.status))
        return completed

    async def _processes(self, command: Command) -> Completed:
        """What runs there; where others' processes are hidden, nothing of that."""
        if not self.has_processes:
            return Completed(command, Outcome.FAILED, 2, b"", b"")
        completed = await self.inner.run(command)
        now = self.clock.monotonic()
        serving = {number for number, until in self._left_behind.items() if until > now}
        serving |= {late.connection for late in self._late if late.starts > now}
        records = "".join(
            f"/proc/{number}/stat:{stat(number, SERVES)}\0/proc/{number}/cmdline:{SERVES}\0"
            for number in serving - {self.world.connection}
        )
        for late in self._late:
            if late.starts <= now:
                path = f"/proc/{late.session}"
                words = "".join(f"{path}/cmdline:{word}\0" for word in late.command.argv)
                records += f"{path}/stat:{stat(late.session, late.command.argv[0])}\0{words}"
        return replace(completed, stdout=completed.stdout + records.encode())

    def _later(self, command: Command) -> int | None:
        """The session that is known of it: of one that has begun, mostly."""
        now = self.clock.monotonic()
        has_begun = self.random.random() < 0.5
        starts = now if has_begun else now + self.random.uniform(0.0, LATEST_S)
        ends = self.random.uniform(starts, now + LATEST_S)
        session = self._a_session()
        self._late.append(Late(command, self.world.connection, starts, ends, session))
        return session if has_begun and self.random.random() < 0.7 else None

    def _a_session(self) -> int:
        self._sessions += 1
        return self._sessions

    async def _pass_time(self) -> None:
        """What was under way goes on, whether anybody is connected or not, and waits for it or not."""
        await asyncio.shield(self._go_on())

    async def _go_on(self) -> None:
        async with self._going_on:
            now = self.clock.monotonic()
            for late in sorted(self._late, key=lambda each: each.ends):
                if late.ends <= now:
                    await self.inner.connect()
                    await self._really(late.command)
                    self._late.remove(late)

    def _cut(self) -> None:
        if self._is_up and self.random.random() < 0.3:
            until = self.clock.monotonic() + self.random.uniform(0.0, LINGERS_S)
            self._left_behind[self.world.connection] = until
        self._is_up = False
        self._was_gone = True
