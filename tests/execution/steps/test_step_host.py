"""The two hosts of a plan: each step goes to its own, with that host's lock, machine and trace."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import in_short
from tests.doubles.replicating import PipedHost
from zconsole.base.errors import HostError
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.execution.steps.step_host import hosts_of
from zconsole.hosts.host import Effect
from zconsole.model.run import RunState
from zconsole.service.prepare_execute_and_recover_plans import Operator


def changes(host: PipedHost) -> list[str]:
    found = [each for each in host.commands if each.effect is Effect.CHANGE]
    return [in_short(each.argv) for each in found if each.argv != TAKE_AS_ROOT]


async def test_each_step_is_sent_to_its_host() -> None:
    moving = MovingBetweenHosts()

    made = await moving.planned()
    run = await moving.carried_out(made)

    assert RunState.DONE is run.state, run.words
    assert [in_short(step.argv) for step in made.steps if not step.on] == changes(moving.nas)
    assert [in_short(step.argv) for step in made.steps if step.on] == changes(moving.vault)


async def test_both_hosts_are_locked_before_either_is_changed() -> None:
    moving = MovingBetweenHosts()
    await moving.moved()

    for host in (moving.nas, moving.vault):
        argvs = [each.argv for each in host.commands]
        first = next(each.argv for each in host.commands if each.effect is Effect.CHANGE)
        assert argvs.index(first) >= argvs.index(TAKE_AS_ROOT)


async def test_the_journal_knows_the_machine_of_each_step() -> None:
    moving = MovingBetweenHosts()
    made = await moving.planned()
    await moving.carried_out(made)

    (entry,) = moving.journal.entries(host="nas1")
    traces = [json.loads(step.trace) for step in entry.steps]
    assert [step.on for step in made.steps] == [each.get("host", "") for each in traces]
    machines = {each["machine_id"] for each in traces if "host" in each}
    assert {moving.vault_world.machine_id} == machines
    assert [step.on for step in made.steps] == [
        "vault1" if step.why.startswith("on vault1: ") else "" for step in entry.steps
    ]


async def test_a_host_that_is_not_among_ours_is_refused() -> None:
    moving = MovingBetweenHosts()
    made = await moving.planned()
    alone = Operator([moving.nas], clock=moving.clock, policies=moving.policies)

    with pytest.raises(HostError, match="vault1 is none of our hosts"):
        hosts_of(made, alone._reader("nas1"), {})


async def test_where_a_step_runs_is_part_of_the_fingerprint() -> None:
    made = await MovingBetweenHosts().planned()
    here = replace(made, steps=tuple(replace(step, on="") for step in made.steps))

    assert made.fingerprint != here.fingerprint
