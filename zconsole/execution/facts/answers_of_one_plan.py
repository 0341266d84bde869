"""One reading of a host for one plan: a question that was answered is not asked again.

The parts of a plan, its options and what is offered instead ask much of the same. Only answers of reading
commands that ended well, files and folders are kept, for one plan; its run asks everything again.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed, Effect

MOST_KEPT_BYTES: Final = 64 << 20  # of answers; what is above is asked for again
_Question = tuple[tuple[str, ...], bytes | None]


class AskerForOnePlan(Asker):
    """Asks another asker, each question once; questions of the same moment share an answer."""

    def __init__(self, asker: Asker) -> None:
        super().__init__(asker.host)
        self._asker = asker
        self._answers: dict[_Question, Completed] = {}
        self._under_question: dict[_Question, asyncio.Event] = {}
        self._files: dict[tuple[str, int], bytes] = {}
        self._folders: dict[str, tuple[str, ...] | None] = {}  # None: there is none
        self._kept_bytes = 0

    @property
    def anew(self) -> Asker:
        """The asker of what has to be told as it is now."""
        return self._asker

    async def run(self, command: Command, *, kind: str, pool: str = "") -> Completed:
        """A kept answer or one that is under way, or a new one; see `Asker.run`."""
        if command.effect is not Effect.READ:
            return await self._asker.run(command, kind=kind, pool=pool)
        question = (command.argv, command.stdin)
        while question in self._under_question:
            await self._under_question[question].wait()
        if question in self._answers:
            return replace(self._answers[question], command=command)
        answered = self._under_question[question] = asyncio.Event()
        try:
            completed = await self._asker.run(command, kind=kind, pool=pool)
        finally:
            del self._under_question[question]
            answered.set()
        size = len(completed.stdout)
        if completed.is_done and self._kept_bytes + size <= MOST_KEPT_BYTES:
            self._kept_bytes += size
            self._answers[question] = completed
        return completed

    async def read_file(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        """A file as it was read for this plan, or now; see `Asker.read_file`."""
        if (path, max_bytes) not in self._files:
            found = await self._asker.read_file(path, max_bytes=max_bytes)
            if self._kept_bytes + len(found) > MOST_KEPT_BYTES:
                return found
            if (path, max_bytes) not in self._files:
                self._kept_bytes += len(found)
                self._files[path, max_bytes] = found
        return self._files[path, max_bytes]

    async def list_folder(self, path: str) -> tuple[str, ...]:
        """A folder as it was listed for this plan, or now; see `Asker.list_folder`."""
        if path not in self._folders:
            try:
                self._folders[path] = await self._asker.list_folder(path)
            except FileNotFoundError:
                self._folders[path] = None
        found = self._folders[path]
        if found is None:
            raise FileNotFoundError(path)
        return found
