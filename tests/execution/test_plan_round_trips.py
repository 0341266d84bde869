"""Cost of the plan of a replacement on a host far away: commands, and how many wait for others."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from tests.doubles.practice_runs import WatchedHost
from tests.practice.exercises.learner import NEW, Learner
from zconsole.actions.intent import intent
from zconsole.base.config import Config
from zconsole.execution.policy import Policies
from zconsole.hosts.host import Command, Completed
from zconsole.service.operations import Operator

COMMANDS: Final = 17
ROUNDS: Final = 5
LINK_S: Final = 0.01
LIMITS: Final = Path(__file__).parents[2] / "docs" / "limits.md"


class FarHost(WatchedHost):
    """A host behind a link; knows how many answers each command had to wait for, one after the other."""

    rounds = 0
    _answered = 0

    async def run(self, command: Command) -> Completed:
        number = self._answered + 1
        await asyncio.sleep(LINK_S)
        completed = await super().run(command)
        self._answered = max(self._answered, number)
        self.rounds = max(self.rounds, number)
        return completed


@pytest.mark.slow
async def test_the_plan_of_a_replacement_takes_few_commands_in_few_rounds() -> None:
    learner = await Learner.begin("failed-disk")
    await learner.until_idle()
    await learner.pull(2)
    await learner.insert(NEW, 2)
    host = FarHost(learner.host)
    operator = Operator([host], clock=learner.clock, policies=Policies(Config()))
    disk = next(disk for disk in learner.host.world.disks if disk.serial == NEW)

    plan = await operator.prepare(
        host.label,
        intent("replace", "tank", "ata-ST4000NM0035-1V4107_ZC13A0R7", f"/dev/disk/by-id/{disk.link}"),
    )

    assert not plan.is_refused
    assert COMMANDS >= len(host.commands)
    assert ROUNDS >= host.rounds


def test_the_manual_says_as_many() -> None:
    assert f"by {COMMANDS} commands in five rounds" in LIMITS.read_text("utf-8")
