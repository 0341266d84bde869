"""Host that steps of a plan change: the plan's own, or the other one of a plan for two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import field, replace
from typing import Final

from zconsole.actions.plan import SUDO_SECRET, Plan, Step
from zconsole.base.errors import HostError, ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.collect.machine_identity import read_identity
from zconsole.collect.privilege import Escalation, as_root
from zconsole.collect.read_command_runner import in_words
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.guest_steps_without_root import as_planned
from zconsole.execution.host_lock import holder_words, host_lock
from zconsole.execution.identity_check import verify_identities
from zconsole.execution.outcomes.trace_for_finding_sent_command import CommandTrace, Traced, read_trace
from zconsole.execution.run_context import RunContext
from zconsole.hosts.host import Command, Effect
from zconsole.model.host.machine_identity import MachineIdentity, is_still_same
from zconsole.model.host.plan_facts import PlanFacts, PrivilegeMode

UNTRACED: Final = Traced(CommandTrace(), None)


@dataclass(slots=True)
class StepHost:
    """One host of a run; `traced` is the process that starts the next command there."""

    reader: Reader
    identity: MachineIdentity
    privilege_mode: PrivilegeMode
    password: Secret | None = field(default=None, repr=False)  # for sudo
    is_other: bool = False
    traced: Traced | None = None

    def lock(self, plan: Plan, context: RunContext) -> AbstractAsyncContextManager[bool]:
        """Its lock, with the privileges of the steps; see `host_lock`."""
        secrets = {} if self.password is None else {SUDO_SECRET: self.password}
        words = holder_words(plan, context)
        return host_lock(self.reader.host, self.reader.privilege, words, self.privilege_mode, secrets)

    def facts(self, facts: PlanFacts) -> PlanFacts:
        """Its part of the facts of a plan."""
        return facts.other if self.is_other and facts.other is not None else facts

    async def know_connection(self) -> None:
        """Record the process that will start the next step, to find out later whether it can still run."""
        if self.traced is None or not self.traced.is_of(self.reader.host):
            self.traced = await read_trace(self.reader.host)

    async def is_same_machine(self) -> bool:
        """Whether the connection still leads to the machine of the plan. Raises HostError."""
        return is_still_same(self.identity, await read_identity(self.reader.asker))

    async def what_differs(self, step: Step) -> tuple[tuple[str, ...], str]:
        """Objects of a step that are others than planned, and why it may not be sent; "" if it may."""
        try:
            others = await verify_identities(self.reader.asker, step.subjects)
        except (HostError, ParseError) as error:
            return (), f"what it acts on could not be read: {in_words(error)}"
        return others, "; ".join(others)

    async def way(self, step: Step, facts: PlanFacts) -> Escalation:
        """How the command of a step becomes root."""
        planned = as_planned(step, self.facts(facts).privileges)
        return await self.reader.privilege.way_as(planned, step.argv)

    def trace(self) -> CommandTrace:
        """Trace of the next command; of the other host with the machine that it is."""
        trace = (self.traced or UNTRACED).trace
        if not self.is_other:
            return trace
        identity = self.identity
        return replace(trace, host=identity.label, machine_id=identity.machine_id, host_key=identity.host_key)

    def command(self, step: Step, way: Escalation, secrets: Mapping[str, Secret]) -> Command:
        """Command of a step, as root, with its stdin. Raises UsageError where sudo wants a password."""
        stdin = step.stdin.encode("utf-8", "surrogateescape") if step.stdin is not None else None
        if step.wants_secret:
            stdin = secrets[step.wants_secret].reveal().encode("utf-8", "surrogateescape") + b"\n"
        command = Command(step.argv, Effect.CHANGE, step.timeout_s, stdin=stdin)
        privilege_mode = way.privilege_mode
        if privilege_mode is PrivilegeMode.SUDO_PASSWORD and not way.is_sure:
            privilege_mode = PrivilegeMode.SUDO
        return as_root(command, privilege_mode, self.password)


async def lock_all(hosts: Iterable[StepHost], stack: AsyncExitStack, plan: Plan, context: RunContext) -> bool:
    """Take the locks until the stack is left; whether they exclude all other consoles. Raises HostError."""
    return all([await stack.enter_async_context(host.lock(plan, context)) for host in hosts])


def hosts_of(plan: Plan, reader: Reader, secrets: Mapping[str, Secret]) -> dict[str, StepHost]:
    """Hosts by the label that steps have; the plan's own is "". Raises HostError for an unknown one."""
    own = StepHost(reader, plan.identity, plan.privilege_mode, secrets.get(SUDO_SECRET))
    if plan.other is None:
        return {"": own}
    other, label = plan.other, plan.other.identity.label
    password = secrets.get(other.secret) if other.secret else None
    there = StepHost(reader.at(label), other.identity, other.privilege_mode, password, is_other=True)
    return {"": own, label: there}
