"""Many hosts' work is done on one beat; without a period nobody waits."""

from __future__ import annotations

import asyncio

from zconsole.collect.streams.process_samples_of_hosts_in_batches import BatchTicker


async def test_all_who_wait_go_on_at_once_and_the_next_wait_for_the_next_beat() -> None:
    beat, order = BatchTicker(0.01), []

    async def work(host: str) -> None:
        for turn in range(2):
            await beat.wait()
            order.append((turn, host))

    await asyncio.gather(*map(work, "abc"))

    assert order == [(turn, host) for turn in range(2) for host in "abc"]


async def test_one_that_is_cancelled_keeps_nobody_from_going_on() -> None:
    beat = BatchTicker(0.01)
    gone, staying = (asyncio.create_task(beat.wait()) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()

    await staying

    assert gone.cancelled() or gone.cancelling()


async def test_without_a_period_nobody_waits() -> None:
    waiting = asyncio.create_task(BatchTicker(0).wait())
    await asyncio.sleep(0)

    assert waiting.done()
