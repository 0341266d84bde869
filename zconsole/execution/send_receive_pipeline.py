"""Pipeline of a plan's step fed by a sending host, and how to resume it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Final

from zconsole.actions.intent import OF_GUESTS, Intent
from zconsole.actions.plan import Sender, Step
from zconsole.actions.replication.sending_host_and_interrupted_receive import ABORT, NONE, RESUME, host_of
from zconsole.base.errors import HostError, ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.collect.machine_identity import read_identity
from zconsole.collect.privilege import as_root
from zconsole.collect.read_command_runner import in_words
from zconsole.execution.command_pipe import End, Watch, transfer
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.hosts.build_command_results import never_started
from zconsole.hosts.host import Command, Completed
from zconsole.model.host.machine_identity import is_still_same
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.model.run import StepFeed
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN

START_TIMEOUT_S: Final = 60.0  # for a command to start; it may run for days
NOTHING_KEPT: Final = "nothing of it is kept"


def fed_by(step: Step) -> StepFeed | None:
    """The sender of a step."""
    sender = step.sender
    return None if sender is None else StepFeed(sender.identity.label, sender.argv, sender.is_elsewhere)


def can_stop(step: Step, command: Command) -> bool:
    """Whether the user can stop a step and keep its data.

    A stream ends with its sender. A program that sends by itself must be killed, which only its own user may
    do: one run by sudo cannot be.
    """
    return step.sender is not None or (step.is_followed and command.argv == step.argv)


@dataclass(frozen=True, slots=True)
class Feeding:
    """Step fed by a sender."""

    reader: Reader
    sender: Sender
    secrets: Mapping[str, Secret]
    watch: Watch

    async def run(self, command: Command) -> Completed:
        """Result of the step's command. Raises HostError when its host is unreachable."""
        label = self.sender.identity.label
        peer = self.reader.peer(label)
        if peer is None:
            return never_started(command, f"{label} is none of our hosts here")
        try:
            await peer.asker.host.connect()
            if not is_still_same(self.sender.identity, await read_identity(peer.asker)):
                return never_started(command, f"another machine answers as {label} now")
            privilege_mode = self.sender.privilege_mode
            if privilege_mode is not PrivilegeMode.PLAIN:
                privilege_mode = (await peer.privilege.way(self.sender.argv)).privilege_mode
            sending = Command(self.sender.argv, timeout_s=START_TIMEOUT_S)
            sending = as_root(sending, privilege_mode, self.secrets.get(self.sender.secret))
        except (HostError, ParseError) as error:
            return never_started(command, f"nothing was sent: {in_words(error)}")
        sink = End(self.reader.host, command)
        return await transfer(End(peer.asker.host, sending), sink, self.sender.size_bytes, self.watch)


async def what_is_left(reader: Reader, wanted: Intent, step: Step) -> str:
    """State of an incomplete receive in words, with the commands to resume or abort it."""
    name = step.argv[-1]
    try:
        completed = await reader.asker.run(get_properties((TOKEN,), (name,)), kind="token")
        found = parse_properties(completed.stdout.decode("utf-8", "surrogateescape"), (TOKEN,))
    except (HostError, ParseError):
        return f"whether some of it is kept is not known: {RESUME} {name} tells"
    if all(value in NONE for _, _, value, _ in found):
        return NOTHING_KEPT
    if wanted.action.startswith(OF_GUESTS):
        discard = shlex.join(["zconsole", "plan", ABORT, name])
        return f"what was received is kept: {discard} discards it"
    origin = f" --from {shlex.quote(host_of(wanted))}" if host_of(wanted) else ""
    resume, discard = (shlex.join(["zconsole", "plan", each, name]) for each in (RESUME, ABORT))
    return f"what was received is kept: {resume}{origin} resumes it, {discard} discards it"


def last_words(said: str) -> str:
    """A receiver's output without its advice on tokens, on one line."""
    kept = [line.strip() for line in said.splitlines() if line.strip()]
    advice = next((at for at, line in enumerate(kept) if line.startswith("Partially received")), None)
    if advice is not None:
        behind = next((at for at in range(advice, len(kept)) if kept[at].startswith("zfs send -t")), advice)
        del kept[advice : behind + 1]
    return "; ".join(line.rstrip(".") for line in kept)
