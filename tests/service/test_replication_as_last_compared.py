"""What is known of copies comes into the state of its host, and a file that is wrong costs nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.storage.test_replication_last_compared import SEEN
from zconsole.base.clock import ManualClock
from zconsole.base.errors import ZConsoleError
from zconsole.collect.host_state_store import Store
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.host.host_state import HostState
from zconsole.service.replication_as_last_compared import EVERY_S, ComparisonWatch, with_comparison
from zconsole.storage.replication_last_compared import ComparisonUnread

STATE = HostState("nas1")
OTHER = replace(SEEN, host="nas2")


def broken() -> tuple[ReplicationSeen, ...]:
    raise ComparisonUnread("it is damaged")


async def test_a_host_is_given_its_own_part() -> None:
    told: list[ZConsoleError] = []

    found = await with_comparison(STATE, lambda: (OTHER, SEEN), ManualClock(5.0), told.append)

    assert SEEN == found.replication.value
    assert [] == told


async def test_nothing_known_is_no_value() -> None:
    for known in (None, lambda: (OTHER,)):
        found = await with_comparison(STATE, known, ManualClock(5.0), lambda _: None)
        assert found.replication.value is None


async def test_a_file_that_cannot_be_read_is_told_and_the_rest_of_the_state_stays() -> None:
    told: list[ZConsoleError] = []

    assert STATE == await with_comparison(STATE, broken, ManualClock(5.0), told.append)
    assert ["it is damaged"] == [each.message for each in told]


async def test_the_console_reads_again_what_another_command_has_found() -> None:
    made, clock = asyncio.Event(), ManualClock(5.0)
    store = Store("nas1", made.set)
    answers = [(), (SEEN,)]

    running = asyncio.create_task(ComparisonWatch(store, lambda: answers.pop(0), clock).run())
    async with asyncio.timeout(20):
        while not made.is_set():
            clock.advance(EVERY_S / 4)
            await asyncio.sleep(0)
    running.cancel()

    assert [] == answers
    assert SEEN == store.state.replication.value
