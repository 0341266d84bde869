"""Whether the agents of guests answer and their file systems are frozen, for a plan that freezes them."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.model.guests.guest_agent import AgentReading
from zconsole.system.libvirt.agent_commands import freeze_status, parse_freeze_status

NOT_ASKED = "asking takes the right to change guests"


async def read_agents(
    asker: Asker, privilege: Privilege, uuids: Sequence[str], *, may_change: bool
) -> tuple[AgentReading, ...]:
    """The answer of each, asked at the same time. Raises link errors.

    `may_change`: libvirt lets this user change guests; otherwise they are asked as root, where that takes no
    password, or not at all.
    """
    return tuple(await all_of(_ask(asker, privilege, uuid, may_change=may_change) for uuid in uuids))


async def _ask(asker: Asker, privilege: Privilege, uuid: str, *, may_change: bool) -> AgentReading:
    command = freeze_status(uuid)
    if not may_change:
        as_root = await privilege.to_read(command)
        if as_root.argv == command.argv and not await privilege.is_root():
            return AgentReading(uuid, problem=NOT_ASKED, was_asked=False)
        command = as_root
    try:
        text = (await asker.ask(command, kind=f"guest-agent {uuid}")).decode("utf-8", "surrogateescape")
        return AgentReading(uuid, parse_freeze_status(text))
    except LinkLost:
        raise
    except (CommandFailed, Stuck, ParseError) as error:
        said = error.said if isinstance(error, CommandFailed) else ""
        return AgentReading(uuid, problem=" ".join((said or in_words(error)).split()).removeprefix("error: "))
