"""Questions to one libvirt of the same moment, asked by one process of virsh.

A process costs the host more than most answers of libvirt. One that hangs, and one whose answer is not
certain, cost themselves: all that one process did not answer is asked by processes of their own, but the
question that it waited for.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from functools import partial
from typing import Final

from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Host, Outcome, keep_answer
from zconsole.system.libvirt.several_commands_in_one_virsh import MOST, SharedProcess, process_of

Waiting = tuple[Command, asyncio.Future[tuple[Completed, Command]]]
TURNS: Final = 2  # of the loop, in which all tasks of a group have asked


class VirshSharing:
    """Gathers commands for which `may_share_process` holds, and runs those of one moment together."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._gathered: dict[tuple[object, ...], list[Waiting]] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def run(self, command: Command) -> tuple[Completed, Command]:
        """The result, and the command that was sent for it. Raises HostError."""
        result: asyncio.Future[tuple[Completed, Command]] = asyncio.get_running_loop().create_future()
        process = process_of(command)
        gathered = self._gathered.setdefault(process, [])
        gathered.append((command, result))
        if len(gathered) == 1:
            self._after_turns(TURNS, process)
        return await result

    def _after_turns(self, turns: int, process: tuple[object, ...]) -> None:
        loop = asyncio.get_running_loop()
        if turns:
            loop.call_soon(self._after_turns, turns - 1, process)
            return
        gathered = [each for each in self._gathered.pop(process, ()) if not each[1].cancelled()]
        for at in range(0, len(gathered), MOST):
            batch = gathered[at : at + MOST]
            task = loop.create_task(self._answer(batch))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            for _, result in batch:
                result.add_done_callback(partial(_stop_unwanted, task, batch))

    async def _answer(self, batch: Sequence[Waiting]) -> None:
        try:
            left = batch if len(batch) == 1 else await self._together(batch)
            await asyncio.gather(*(self._alone(*each) for each in left))
        except Exception as error:  # noqa: BLE001 - the same for all who wait
            for _, result in batch:
                if not result.done():
                    result.set_exception(error)

    async def _together(self, batch: Sequence[Waiting]) -> list[Waiting]:
        """Tell what one process answers; those that are to be asked by themselves."""
        shared = SharedProcess(tuple(each for each, _ in batch), f"zconsole-end-{os.urandom(8).hex()}")
        sent = shared.as_one
        completed = await self._host.run(sent)
        left: list[Waiting] = []
        for (command, result), found in zip(batch, shared.results(completed), strict=True):
            if found is None:
                left.append((command, result))
                continue
            if found.is_done:
                keep_answer(self._host, command, found.stdout)
            _tell(result, found, sent)
        at = shared.count_ended(completed)
        if (
            completed.outcome is Outcome.UNKNOWN
            and at < len(batch)
            and len(completed.stdout) < sent.max_bytes
        ):
            command, result = batch[at]
            reason, took = completed.reason, completed.duration_s
            _tell(result, unknown(command, reason, stderr=completed.stderr, duration_s=took), sent)
            left.remove(batch[at])
        return left

    async def _alone(self, command: Command, result: asyncio.Future[tuple[Completed, Command]]) -> None:
        if not result.cancelled():
            _tell(result, await self._host.run(command), command)


def _tell(result: asyncio.Future[tuple[Completed, Command]], completed: Completed, sent: Command) -> None:
    if not result.done():
        result.set_result((completed, sent))


def _stop_unwanted(task: asyncio.Task[None], batch: Sequence[Waiting], _: object) -> None:
    """End the process when nobody waits for any of its answers any more."""
    if all(result.cancelled() for _, result in batch):
        task.cancel()
