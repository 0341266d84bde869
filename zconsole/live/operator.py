"""What an administrator does to hosts: plans that are prepared, and carried out."""

from __future__ import annotations

from collections.abc import Mapping

from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan
from zconsole.actions.planner import plan
from zconsole.base.clock import Clock
from zconsole.base.errors import HostError
from zconsole.base.secret import Secret
from zconsole.hosts.host import Host
from zconsole.live.ask import Asker
from zconsole.live.facts import Reader, read_facts
from zconsole.live.policy import Policies
from zconsole.live.privilege import Privilege
from zconsole.model.run import Run


class Operator:
    """Prepares and carries out plans on hosts."""

    def __init__(self, clock: Clock, policies: Policies) -> None:
        self._clock = clock
        self._policies = policies

    async def prepare(self, host: Host, intent: Intent) -> Plan:
        """Read the host and plan. Raises UsageError and HostError."""
        await host.connect()
        asker = Asker(host)
        reader = Reader(asker, self._clock, Privilege(asker), self._policies.of(host.label))
        return plan(intent, await read_facts(reader, intent))

    async def execute(self, host: Host, plan: Plan, typed: str, secrets: Mapping[str, Secret]) -> Run:
        """Carry out a plan. Raises HostError."""
        del typed, secrets
        raise HostError(f"{plan.title} on {host.label}: this version of zconsole only plans")
