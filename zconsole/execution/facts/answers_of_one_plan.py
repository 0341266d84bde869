"""One reading of a host for one plan: a question that was answered is not asked again.

The parts of a plan, its options and what is offered instead ask much of the same. Only answers of reading
commands that ended well are kept, for one plan; its run asks everything again.
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
