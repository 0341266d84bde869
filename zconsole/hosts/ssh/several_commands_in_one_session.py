"""Reading commands of the same moment, run one after the other by one shell in one session.

A session costs the host more than most commands: sshd forks, a login shell starts and reads its files. A mark
behind each command's stdout and stderr, which nobody can guess, tells where it ended and how. Each has its
own time, those with the shortest come first. Commands that were not reached, because one before them did not
end, are run in sessions of their own.
"""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.build_command_results import ended, too_large, unknown
from zconsole.hosts.collected_and_streamed_output import MOST_TOGETHER_BYTES
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.hosts.ssh.shell_quoting_and_output_marker import why_not

GATHERED_WITHIN_S: Final = 0.002  # what one task group asks for comes within one turn of the loop ...
TURNS: Final = 4  # ... or some, where questions are put together before; a late loop takes longer than that
MOST: Final = 16
_STATUS_DIGITS: Final = 3


def may_share(command: Command) -> bool:
    """Whether a command may run behind others: it only reads, on any connection, and needs no stdin."""
    is_plain = command.stdin is None and command.connection is None and not command.keeps_end
    return command.shares_session and command.effect is Effect.READ and is_plain


@dataclass(frozen=True, slots=True)
class SharedSession:
    """Several commands as one; `mark` is a new word each time."""

    commands: tuple[Command, ...]
    mark: str

    @property
    def as_one(self) -> Command:
        """One shell that runs them all; `timeout_s` is that of the first, see `timeout_behind`."""
        end = f"s=$?; printf '\\n%s %d\\n' {self.mark} $s; printf '\\n%s\\n' {self.mark} >&2"
        script = "; ".join(f"{shlex.join(each.argv)} </dev/null; {end}" for each in self.commands)
        return Command(
            ("sh", "-c", script),
            timeout_s=self.timeout_behind(0),
            max_bytes=min(MOST_TOGETHER_BYTES, sum(each.max_bytes for each in self.commands)),
            is_urgent=any(each.is_urgent for each in self.commands),
        )

    def count_ended(self, stdout: bytes) -> int:
        """Number of commands that have ended by this stdout."""
        return stdout.count(f"\n{self.mark} ".encode())

    def timeout_behind(self, ended_count: int) -> float:
        """Seconds that the command has which runs when so many have ended."""
        return self.commands[min(ended_count, len(self.commands) - 1)].timeout_s

    def rest(self, stdout: bytes) -> bytes:
        """What the command has printed that has not ended."""
        end = stdout.rfind(f"\n{self.mark} ".encode())
        return stdout if end < 0 else stdout[end + 1 :].partition(b"\n")[2]

    def results(self, completed: Completed) -> tuple[Completed, ...]:
        """Results of those that ended, in order: fewer than there are commands where one did not."""
        errors = completed.stderr.split(f"\n{self.mark}\n".encode())
        found: list[Completed] = []
        for command, (stdout, status) in zip(self.commands, self._outputs(completed.stdout), strict=False):
            stderr = errors[len(found)] if len(found) < len(errors) else b""
            took = completed.duration_s / len(self.commands)
            if len(stdout) > command.max_bytes:
                reason = too_large(command.max_bytes)
                found.append(unknown(command, reason, stdout[: command.max_bytes], stderr, duration_s=took))
            else:
                found.append(ended(command, status, stdout, stderr, duration_s=took))
        return tuple(found)

    def _outputs(self, stdout: bytes) -> Iterator[tuple[bytes, int]]:
        """Stdout and exit status of each command that ended."""
        mark, start = f"\n{self.mark} ".encode(), 0
        while (end := stdout.find(mark, start)) >= 0:
            behind = end + len(mark)
            digits, line_break, _ = stdout[behind : behind + _STATUS_DIGITS + 1].partition(b"\n")
            status = natural(digits.decode("ascii", "replace"))
            if not line_break or status is None:
                return
            yield stdout[start:end], status
            start = behind + len(digits) + 1


class SessionSharing:
    """Gathers commands, and runs those of one moment together."""

    def __init__(
        self,
        run_alone: Callable[[Command], Awaitable[Completed]],
        run_together: Callable[[SharedSession], Awaitable[tuple[Completed, ...]]],
    ) -> None:
        """`run_together` returns the results of the first commands, as many as ended or hang."""
        self._run_alone = run_alone
        self._run_together = run_together
        self._gathered: list[tuple[Command, asyncio.Future[Completed]]] = []
        self._running: set[asyncio.Task[None]] = set()

    async def run(self, command: Command) -> Completed:
        """Run a command with those that come in the same moment. Raises HostError."""
        if why_not(command.argv):
            return await self._run_alone(command)
        loop = asyncio.get_running_loop()
        result: asyncio.Future[Completed] = loop.create_future()
        self._gathered.append((command, result))
        if len(self._gathered) == 1:
            loop.call_later(GATHERED_WITHIN_S, self._after_turns, TURNS, self._gathered)
        elif len(self._gathered) == MOST:
            self._start()
        return await result

    def _after_turns(self, turns: int, gathered: list[tuple[Command, asyncio.Future[Completed]]]) -> None:
        if gathered is not self._gathered:
            return  # they were as many as go together
        if turns:
            asyncio.get_running_loop().call_soon(self._after_turns, turns - 1, gathered)
        else:
            self._start()

    def _start(self) -> None:
        gathered = [each for each in self._gathered if not each[1].cancelled()]
        gathered.sort(key=lambda each: each[0].timeout_s)
        self._gathered = []
        if not gathered:
            return
        task = asyncio.create_task(self._answer(gathered))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        for _, result in gathered:
            result.add_done_callback(lambda _: _stop_unwanted(task, [each[1] for each in gathered]))

    async def _answer(self, gathered: Sequence[tuple[Command, asyncio.Future[Completed]]]) -> None:
        commands = tuple(command for command, _ in gathered)
        session = SharedSession(commands, f"zconsole-end-{os.urandom(8).hex()}")
        answered = 0
        try:
            if len(gathered) > 1 and not why_not(session.as_one.argv):
                for (_, result), completed in zip(gathered, await self._run_together(session), strict=False):
                    _tell(result, completed)
                    answered += 1
            await asyncio.gather(*(self._alone(*each) for each in gathered[answered:]))
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - the same for all who wait
            for _, result in gathered:
                if not result.done():
                    result.set_exception(error)

    async def _alone(self, command: Command, result: asyncio.Future[Completed]) -> None:
        if not result.cancelled():
            _tell(result, await self._run_alone(replace(command, shares_session=False)))


def _tell(result: asyncio.Future[Completed], completed: Completed) -> None:
    if not result.done():
        result.set_result(completed)


def _stop_unwanted(task: asyncio.Task[None], results: Sequence[asyncio.Future[Completed]]) -> None:
    """End the session when nobody waits for any of its answers any more."""
    if all(result.cancelled() for result in results):
        task.cancel()
