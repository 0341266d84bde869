"""The clock that tests drive."""

from __future__ import annotations

import asyncio

from zconsole.base.clock import ManualClock, SystemClock


def test_time_stands_until_it_is_advanced_and_the_wall_clock_goes_along() -> None:
    clock = ManualClock(now=100.0)

    clock.advance(2.5)

    assert 102.5 == clock.now()
    assert 2.5 == clock.monotonic()


async def test_a_sleeper_wakes_when_it_is_due_and_not_before() -> None:
    clock = ManualClock()
    sleeper = asyncio.ensure_future(clock.sleep(3))
    await asyncio.sleep(0)

    clock.advance(2)
    await asyncio.sleep(0)
    assert not sleeper.done()

    clock.advance(1)
    await sleeper
    assert 3 == clock.monotonic()


async def test_no_time_at_all_still_lets_others_go_on() -> None:
    clock, order = ManualClock(), list[str]()

    async def other() -> None:
        order.append("other")

    task = asyncio.ensure_future(other())
    await clock.sleep(0)
    order.append("sleeper")

    await task
    assert ["other", "sleeper"] == order


async def test_a_sleeper_that_was_cancelled_is_passed_over() -> None:
    clock = ManualClock()
    sleeper = asyncio.ensure_future(clock.sleep(1))
    await asyncio.sleep(0)
    sleeper.cancel()

    clock.advance(2)

    assert 2 == clock.monotonic()


async def test_the_clock_of_this_machine_goes_forward() -> None:
    clock = SystemClock()
    before = clock.monotonic()

    await clock.sleep(0)

    assert before <= clock.monotonic()
    assert clock.now() > 1_700_000_000
