"""A small practice host with an operator at it: time passes when it is slept, writes are done at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from tests.doubles.faulty_host import DrivenClock
from zconsole.base.clock import ManualClock
from zconsole.base.user_config_file import Config
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host import Command, Completed, Effect, Host, connection_of
from zconsole.model.run import Run
from zconsole.practice import PracticeHost, World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

HOST = "practice"


async def directly(call: object, *arguments: object) -> object:
    """Write here and now."""
    assert callable(call)
    return call(*arguments)


class WatchedHost:
    """Passes everything on; tells what changed something, and lets a test answer in the host's place."""

    def __init__(self, inner: Host) -> None:
        self.inner = inner
        self.commands: list[Command] = []
        self.answers: dict[str, Completed | Exception] = {}
        self.files: dict[str, bytes | Exception] = {}
        self.host_key: str | None = None

    @property
    def label(self) -> str:
        return self.inner.label

    @property
    def connection(self) -> int | None:
        return connection_of(self.inner)

    @property
    def changes(self) -> list[str]:
        """The command lines that were sent to change something."""
        return [" ".join(each.argv) for each in self.commands if each.effect is Effect.CHANGE]

    async def connect(self) -> None:
        await self.inner.connect()

    async def run(self, command: Command) -> Completed:
        self.commands.append(command)
        line = " ".join(command.argv)
        found = max((prefix for prefix in self.answers if line.startswith(prefix)), key=len, default=None)
        if found is None:
            return await self.inner.run(command)
        given = self.answers[found]
        if isinstance(given, Exception):
            raise given
        return Completed(command, given.outcome, given.status, given.stdout, given.stderr, given.reason)

    def stream(self, command: Command) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self.inner.stream(command)

    def is_lingering(self, command: Command) -> bool:
        return self.inner.is_lingering(command)

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        content = self.files.get(path)
        if isinstance(content, Exception):
            raise content
        return await self.inner.read(path, max_bytes=max_bytes) if content is None else content

    async def close(self) -> None:
        await self.inner.close()


@dataclass
class Bench:
    """A host of two disks with tank/home@a, and who acts on it."""

    world: World = field(default_factory=lambda: create_world("mirror 0 1", disks=4))
    journal: Journal = field(default_factory=lambda: Journal(is_kept=False))
    published: list[Run] = field(default_factory=list)
    config: Config = field(default_factory=Config)

    def __post_init__(self) -> None:
        self.type("zfs create tank/home", "zfs snapshot tank/home@a")
        self.manual = ManualClock(self.world.now)
        self.clock = DrivenClock(self.manual)
        self.host = WatchedHost(PracticeHost(clock=self.manual, world=self.world))
        self.policies = Policies(self.config, self.clock)
        self.operator = self.another()

    def another(self, host: Host | None = None) -> Operator:
        """One more console with the same journal."""
        return Operator(
            [host or self.host],
            clock=self.clock,
            policies=self.policies,
            journal=self.journal,
            publish=self.published.append,
            write=directly,
        )

    def type(self, *lines: str) -> None:
        """Somebody else types this on the host."""
        for line in lines:
            reply = answer(self.world, line.split())
            assert isinstance(reply, Reply)
            assert 0 == reply.status, reply.stderr

    def says(self, words: Sequence[str]) -> str:
        """What the host answers."""
        reply = answer(self.world, list(words))
        assert isinstance(reply, Reply)
        return reply.stdout
