"""A deadline holds whatever the awaited thing does."""

from __future__ import annotations

import asyncio

import pytest

from zconsole.hosts.wait_with_timeout import is_set_within, within


async def test_a_result_in_time_is_given() -> None:
    async def answer() -> int:
        return 7

    assert 7 == await within(1.0, answer())


async def test_an_error_in_time_is_raised() -> None:
    async def fail() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await within(1.0, fail())


async def test_what_ignores_its_cancellation_does_not_hold_us_up() -> None:
    let_go, ended = asyncio.Event(), asyncio.Event()

    async def stubborn() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        ended.set()
        raise LookupError

    with pytest.raises(TimeoutError):
        await within(0.01, stubborn())

    let_go.set()
    await ended.wait()


async def test_whoever_waits_can_be_cancelled_and_the_work_with_it() -> None:
    began, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    task = asyncio.create_task(within(60.0, work()))
    await began.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    await cancelled.wait()


async def test_an_event_is_waited_for_no_longer_than_it_may_take() -> None:
    event = asyncio.Event()

    assert not await is_set_within(event, within_s=0.01)
    event.set()
    assert await is_set_within(event, within_s=1.0)
