"""Settings are read after a while, hourly, a pool at a time, and never held against the pool."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.doubles.watched_host import Watched, watching
from zconsole.base.clock import ManualClock
from zconsole.collect.host_session import SETTINGS_AFTER_S
from zconsole.collect.read_host import gather
from zconsole.collect.streams.dataset_and_host_settings import (
    AGAIN_S,
    EVERY_S,
    RECENT_S,
    RETRY_S,
    with_settings,
)
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.practice import PracticeHost, create_world

EPOCH = 1_800_000_000


class Asked:
    """Counts the listings of settings, and lets them fail."""

    def __init__(self, host: PracticeHost) -> None:
        self.count = 0
        self.fails = False
        self._run = host.run
        host.run = self.run  # type: ignore[method-assign]

    async def run(self, command: Command) -> Completed:
        if "volblocksize" in " ".join(command.argv) and "xattr" in " ".join(command.argv):
            self.count += 1
            if self.fails:
                return Completed(command, Outcome.FAILED, 1, b"", b"out of luck")
        return await self._run(command)


@asynccontextmanager
async def watched_host() -> AsyncIterator[tuple[Watched[PracticeHost], Asked]]:
    clock = ManualClock(EPOCH)
    host = PracticeHost(clock=clock, world=create_world("mirror 0 1"))
    asked = Asked(host)
    async with watching(host, clock) as watched:
        yield watched, asked


async def test_they_are_read_once_an_hour_and_not_at_the_start() -> None:
    async with watched_host() as (watched, asked):
        await watched.pass_time(SETTINGS_AFTER_S / 2)
        assert 0 == asked.count

        await watched.pass_time(SETTINGS_AFTER_S)
        assert 1 == asked.count
        assert ["tank"] == [each.name for each in watched.state.pools[0].settings.value or ()]

        await watched.pass_time(EVERY_S / 2)
        assert 1 == asked.count

        await watched.pass_time(EVERY_S / 2 + 120)
        assert 2 == asked.count


async def test_for_somebody_who_looks_at_advice_they_are_read_at_once_unless_they_are_recent() -> None:
    async with watched_host() as (watched, asked):
        watched.session.demand.want_contents(is_wanted=True)
        await watched.pass_time(1)
        assert 1 == asked.count
        assert watched.state.settings.value is not None

        watched.session.demand.want_contents(is_wanted=True)
        await watched.pass_time(RECENT_S / 2)
        assert 1 == asked.count

        await watched.pass_time(RECENT_S)
        watched.session.demand.want_contents(is_wanted=True)
        await watched.pass_time(1)
        assert 2 == asked.count


async def test_after_a_change_they_are_read_soon_however_recent_they_are() -> None:
    async with watched_host() as (watched, asked):
        watched.session.demand.want_contents(is_wanted=True)
        await watched.pass_time(1)
        watched.session.refresh()
        watched.session.refresh()
        await watched.pass_time(AGAIN_S / 2)
        assert 1 == asked.count

        await watched.pass_time(AGAIN_S)
        assert 2 == asked.count

        await watched.pass_time(EVERY_S / 2)
        assert 2 == asked.count


async def test_a_failure_is_a_problem_of_the_settings_alone_and_asked_again_later() -> None:
    async with watched_host() as (watched, asked):
        asked.fails = True
        await watched.pass_time(2 * SETTINGS_AFTER_S)

        (pool,) = watched.state.pools
        assert "out of luck" in pool.settings.problem
        assert pool.settings.value is None
        assert ("", "") == (pool.pool.problem, watched.state.pools_problem)

        asked.fails = False
        await watched.pass_time(RETRY_S + 120)
        assert "" == watched.state.pools[0].settings.problem
        assert watched.state.pools[0].settings.value


async def test_a_state_that_is_read_once_is_given_them() -> None:
    clock = ManualClock(EPOCH)
    host = PracticeHost(clock=clock, world=create_world("mirror 0 1"))

    state = await with_settings(await gather(host, clock), host, clock, timeout_s=10)

    (root,) = state.pools[0].settings.value or ()
    assert ("tank", "filesystem", "on") == (root.name, root.type, root.checksum)
