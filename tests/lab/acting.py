"""Acting on a lab guest as a user does: a plan is made, its confirmation typed, and it is carried out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from unittest.mock import patch

from tests.lab.guests import Guest
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.base.clock import SystemClock
from zconsole.execution import execute
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host import Command, Completed, Host
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.ssh_host import SshHost
from zconsole.model.run import Run, RunState
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

PATIENCE: Final = 6  # times as long is allowed to an emulated machine, with other work beside it
FACTS_LAST_S: Final = 300.0  # such a machine may need two minutes to tell them
OPTIONS: Final = replace(SshOptions.patient(60.0), connect_timeout_s=90.0, read_timeout_s=90.0)


@dataclass(frozen=True, slots=True)
class Acting:
    """A guest, and the one who acts on it over SSH."""

    guest: Guest
    host: Host
    operator: Operator
    journal: Journal

    async def plan(self, action: str, target: str, *words: str, **options: OptionValue) -> Plan:
        """Only plan; options are written with underscores."""
        given = {name.replace("_", "-"): value for name, value in options.items()}
        return await self.operator.prepare(self.host.label, intent(action, target, *words, options=given))

    async def run(self, plan: Plan) -> Run:
        """Confirm a plan and carry it out, whatever comes of it."""
        return await self.operator.execute(
            self.host.label, plan, plan.confirm or "", lasts_s=SAVED_PLAN_LASTS_S
        )

    async def do(self, action: str, target: str, *words: str, **options: OptionValue) -> Plan:
        """Plan, confirm, carry out; it must be done."""
        made = await self.plan(action, target, *words, **options)
        assert not made.is_refused, made.refusals
        run = await self.run(made)
        assert RunState.DONE is run.state, (run.words, run.differences, [step.said for step in run.steps])
        return made

    async def lacks_space(self, action: str, target: str) -> None:
        """It is refused, or ZFS tells it, which before 2.2 stops while it has a little left."""
        made = await self.plan(action, target)
        if made.is_refused:
            assert {"full"} == {each.rule for each in made.refusals}
            return
        run = await self.run(made)
        assert (RunState.FAILED, True) == (run.state, "out of space" in run.words), run

    async def refused(self, action: str, target: str, *words: str, **options: OptionValue) -> set[str]:
        """The rules that refuse it; a refused plan runs nothing."""
        made = await self.plan(action, target, *words, **options)
        assert made.is_refused, made
        assert RunState.REFUSED is (await self.run(made)).state
        return {refusal.rule for refusal in made.refusals}


class PatientHost(SshHost):
    """Allows every command more time: an emulated machine among other work is slow."""

    async def run(self, command: Command) -> Completed:
        return await super().run(replace(command, timeout_s=command.timeout_s * PATIENCE))


@asynccontextmanager
async def acting_on(
    guest: Guest, alias: str, journal: Path, host: Host | None = None
) -> AsyncIterator[Acting]:
    """Connected to the guest by the name that the user's ~/.ssh/config knows."""
    host = host or PatientHost(Address(alias), OPTIONS)
    await host.connect()
    kept = Journal(journal)
    clock = SystemClock()
    try:
        with patch.object(execute, "FACTS_LAST_S", FACTS_LAST_S):
            yield Acting(
                guest, host, Operator([host], clock=clock, policies=Policies(clock=clock), journal=kept), kept
            )
    finally:
        await host.close()
        kept.close()
