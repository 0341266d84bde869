"""Several readings at once: all of them, or the first error and none left behind."""

from __future__ import annotations

import asyncio

import pytest

from zconsole.base.errors import LinkLost
from zconsole.collect.concurrent_reads import BATCH, all_of, begun_in_time, together


async def test_answers_come_in_the_order_of_the_questions() -> None:
    """Whichever is there first."""
    first, second = asyncio.Event(), asyncio.Event()

    async def slow() -> str:
        await second.wait()
        first.set()
        return "slow"

    async def quick() -> str:
        second.set()
        await first.wait()
        return "quick"

    assert ("slow", "quick") == await all_of((slow(), quick()))


async def test_the_first_error_ends_the_others_and_is_raised_as_it_is() -> None:
    given_up = asyncio.Event()

    async def hangs() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()

    async def fails() -> None:
        raise LinkLost("gone")

    async def both() -> None:
        async with together() as group:
            group.create_task(hangs())
            group.create_task(fails())

    with pytest.raises(LinkLost, match="gone"):
        await both()

    assert given_up.is_set()


@pytest.mark.parametrize(("within_s", "known"), [(0.0, BATCH), (600.0, 3 * BATCH)])
async def test_what_could_not_be_begun_in_time_is_missing_and_the_first_batch_never_is(
    within_s: float, known: int
) -> None:
    async def twice(number: int) -> int:
        return 2 * number

    found = await begun_in_time(twice, range(3 * BATCH), within_s)

    assert {number: 2 * number for number in range(known)} == found
