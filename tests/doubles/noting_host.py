"""A practice host whose commands are noted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager

from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.hosts.host_wrapper import HostWrapper
from zconsole.practice import PracticeHost


class Noting(HostWrapper):
    """Notes what is run and streamed; commands about the pool `hangs` do not answer."""

    def __init__(self, inner: PracticeHost) -> None:
        super().__init__(inner)
        self.commands: list[str] = []
        self.hangs = ""
        self.lingering: list[Command] = []

    async def run(self, command: Command) -> Completed:
        self.commands.append(" ".join(command.argv))
        if self.hangs in command.argv and command.argv[:1] != ("ls",):
            self.lingering.append(command)
            return Completed(command, Outcome.UNKNOWN, None, b"", b"", reason="no answer within the deadline")
        return await super().run(command)

    def stream(self, command: Command) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self.inner.stream(command)

    def is_lingering(self, command: Command) -> bool:
        return command in self.lingering
