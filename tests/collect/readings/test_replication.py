"""The pools of one host are compared within a time, and a pool that cannot be read is a problem."""

from __future__ import annotations

from dataclasses import replace

from zconsole.base.clock import ManualClock
from zconsole.collect.read_host import gather
from zconsole.collect.readings.replication import with_pools_compared
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.practice import PracticeHost, create_world

NOW = 1_800_000_000


async def test_the_practice_host_has_copies_of_some_datasets() -> None:
    clock = ManualClock(NOW)
    host = PracticeHost(clock=clock)

    state = await with_pools_compared(await gather(host, clock), host, clock, timeout_s=10)

    seen = state.replication.value
    assert seen is not None
    assert "receive-cut" in {each.id for each in seen.findings}
    assert {name.partition("/")[0] for name, _ in seen.received} <= {pool.name for pool in state.pools}
    assert seen.sent


async def test_a_single_pool_is_not_read() -> None:
    clock = ManualClock(NOW)
    host = PracticeHost(clock=clock, world=create_world("mirror 0 1"))
    state = await gather(host, clock)

    assert state == await with_pools_compared(state, host, clock, timeout_s=10)


async def test_a_pool_that_cannot_be_read_is_a_problem_and_nothing_is_judged() -> None:
    clock = ManualClock(NOW)
    host = PracticeHost(clock=clock)
    state = await gather(host, clock)

    async def fail(command: Command) -> Completed:
        return Completed(command, Outcome.FAILED, 1, b"", b"out of luck")

    host.run = fail  # type: ignore[method-assign]
    found = await with_pools_compared(replace(state), host, clock, timeout_s=10)

    assert found.replication.value is None
    assert "out of luck" in found.replication.problem
