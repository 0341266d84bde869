"""Reading the SMART data of disks, a few at a time: a disk that hangs costs its own data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.disk_identity_and_links import stable_link
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import NOT_STARTED, Command, Completed, Outcome
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.smart_health import HealthAnswer, Unreadable
from zconsole.system.smartctl import parse_health, read_health

AT_ONCE: Final = 4  # concurrent commands: sshd allows ten sessions per connection


@dataclass(frozen=True, slots=True)
class SmartTimeLimit:
    """Time for the disks of a host: all until `ends_at` (monotonic seconds), and each one at most."""

    clock: Clock
    ends_at: float
    each_s: float

    def left_s(self) -> float:
        """Seconds for the next disk."""
        return min(self.each_s, self.ends_at - self.clock.monotonic())


Ways = dict[tuple[str, ...], Command]
"""Commands as they become root, by their argv: sudo is asked once for each disk."""


def _to_nobody(_disk: Disk, _answer: HealthAnswer) -> None:
    """Default: the answers are returned together."""


async def read_disk_health(
    asker: Asker,
    disks: Iterable[Disk],
    *,
    ways: Ways | None = None,
    told: Callable[[Disk, HealthAnswer], None] = _to_nobody,
    limit: SmartTimeLimit | None = None,
) -> dict[str, HealthAnswer]:
    """Health of each disk by kernel name; `told` is called with each answer as it comes.

    Disks that the time does not suffice for are missing. Raises HostError where the host is unreachable.
    """
    found: dict[str, HealthAnswer] = {}
    privilege = Privilege(asker)
    known = {} if ways is None else ways
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(disk: Disk) -> None:
        async with slots:
            left_s = None if limit is None else limit.left_s()
            if left_s is not None and left_s <= 0:
                return
            is_missing = Unreadable.NO_PROGRAM in found.values()
            answer = (
                Unreadable.NO_PROGRAM if is_missing else await _read(asker, privilege, disk, known, left_s)
            )
        found[disk.name] = answer
        told(disk, answer)

    await all_of(one(disk) for disk in disks)
    return found


async def _read(
    asker: Asker, privilege: Privilege, disk: Disk, ways: Ways, within_s: float | None
) -> HealthAnswer:
    command = read_health(stable_link(disk) or disk.path)
    if within_s is not None:
        command = replace(command, timeout_s=within_s)
    try:
        if command.argv not in ways:
            ways[command.argv] = await privilege.to_read(command)
        allowed = ways[command.argv]
        completed = await asker.run(allowed, kind="smartctl", pool=disk.name)
    except (CommandFailed, Stuck):
        return Unreadable.NO_ANSWER
    answer = _answer(completed)
    if answer in {Unreadable.NOT_SUPPORTED, Unreadable.NO_ANSWER} and allowed == command:
        return answer if await privilege.is_root() else Unreadable.NOT_PERMITTED
    return answer


def _answer(completed: Completed) -> HealthAnswer:
    if completed.status in NOT_STARTED:
        return Unreadable.NO_PROGRAM
    if completed.outcome is Outcome.UNKNOWN or not completed.stdout.strip():
        return Unreadable.NO_ANSWER
    try:
        return parse_health(completed.stdout.decode("utf-8", "replace"))
    except ParseError:
        return Unreadable.NOT_UNDERSTOOD
