"""Reading the SMART data of disks, a few at a time: a disk that hangs costs its own data."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from zconsole.analysis.vdevs.device_names import stable_link
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.collect.asker import Asker
from zconsole.collect.privilege import Privilege
from zconsole.hosts.host import NOT_STARTED, Completed, Outcome
from zconsole.model.pools.disk import Disk
from zconsole.model.pools.disk_health import HealthAnswer, Unreadable
from zconsole.system.smartctl import parse_health, read_health

AT_ONCE: Final = 4  # concurrent commands: sshd allows ten sessions per connection


async def read_disk_health(
    asker: Asker, privilege: Privilege, disks: Iterable[Disk]
) -> dict[str, HealthAnswer]:
    """Health of each disk by kernel name. Raises HostError where the host is unreachable."""
    disks = tuple(disks)
    found: dict[str, HealthAnswer] = {}
    for at in range(0, len(disks), AT_ONCE):
        batch = disks[at : at + AT_ONCE]
        answers = await asyncio.gather(*(_read(asker, privilege, disk) for disk in batch))
        found |= {disk.name: answer for disk, answer in zip(batch, answers, strict=True)}
        if Unreadable.NO_PROGRAM in answers:
            return {disk.name: Unreadable.NO_PROGRAM for disk in disks}
    return found


async def _read(asker: Asker, privilege: Privilege, disk: Disk) -> HealthAnswer:
    command = read_health(stable_link(disk) or disk.path)
    try:
        allowed = await privilege.to_read(command)
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
    if completed.outcome is Outcome.UNKNOWN:
        return Unreadable.NO_ANSWER
    try:
        return parse_health(completed.stdout.decode("utf-8", "replace"))
    except ParseError:
        return Unreadable.NO_ANSWER
