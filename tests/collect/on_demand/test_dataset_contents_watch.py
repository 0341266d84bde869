"""What lives on datasets is looked at while advice is shown: once their settings are known, then hourly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.collect.on_demand.test_read_dataset_contents import Listed
from tests.doubles.watched_host import Watched, watching
from zconsole.base.clock import ManualClock
from zconsole.collect.host_session import SETTINGS_AFTER_S
from zconsole.collect.on_demand.dataset_contents_watch import EVERY_S
from zconsole.practice import PracticeHost, create_world

EPOCH = 1_800_000_000


@asynccontextmanager
async def watched_host() -> AsyncIterator[tuple[Watched[PracticeHost], Listed]]:
    clock = ManualClock(EPOCH)
    host = PracticeHost(clock=clock, world=create_world("mirror 0 1"))
    asked = Listed(host)
    async with watching(host, clock) as watched:
        yield watched, asked


async def test_nothing_is_looked_at_unasked() -> None:
    async with watched_host() as (watched, asked):
        await watched.pass_time(2 * SETTINGS_AFTER_S)

        assert 0 == asked.looks


async def test_it_is_looked_at_once_the_settings_are_known_and_hourly() -> None:
    """Who asks for it has the settings read at once, and not half a minute later."""
    async with watched_host() as (watched, asked):
        watched.session.demand.want_contents(is_wanted=True)
        await watched.pass_time(SETTINGS_AFTER_S / 2)
        assert 1 == asked.looks
        assert watched.state.pools[0].contents.value is not None

        await watched.pass_time(EVERY_S + 60, step_s=10)
        assert 2 == asked.looks


async def test_a_failure_is_a_problem_of_this_part_alone() -> None:
    async with watched_host() as (watched, asked):
        asked.fails = True
        watched.session.demand.want_contents(is_wanted=True)

        await watched.pass_time(2 * SETTINGS_AFTER_S)

        (pool,) = watched.state.pools
        assert "truncated" in pool.contents.problem
        assert pool.contents.value is None
        assert "" == pool.pool.problem


async def test_where_no_comparison_of_copies_is_known_the_pools_of_the_host_are_compared() -> None:
    clock = ManualClock(EPOCH)
    async with watching(PracticeHost(clock=clock), clock) as watched:
        await watched.pass_time(2 * SETTINGS_AFTER_S)
        assert watched.state.replication.value is None

        watched.session.demand.want_contents(is_wanted=True)
        await watched.pass_time(60, step_s=10)

        seen = watched.state.replication.value
        assert seen is not None
        assert seen.sent
