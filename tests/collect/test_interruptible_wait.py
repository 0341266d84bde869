"""Time passes, unless something is due before."""

from __future__ import annotations

import asyncio

from zconsole.base.clock import ManualClock
from zconsole.collect.interruptible_wait import first_of, pause, repeat_while_wanted


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_pause_ends_when_its_time_has_passed() -> None:
    clock, due = ManualClock(), asyncio.Event()
    waiting = asyncio.ensure_future(pause(clock, 5, due))
    await settled()
    assert not waiting.done()

    clock.advance(5)
    await waiting


async def test_what_is_due_ends_it_before_and_is_taken_note_of_once() -> None:
    clock, due = ManualClock(), asyncio.Event()
    waiting = asyncio.ensure_future(pause(clock, 5, due))
    await settled()

    due.set()
    await waiting

    assert 0 == clock.monotonic()
    assert not due.is_set()


async def test_what_is_due_for_others_too_is_kept() -> None:
    due = asyncio.Event()
    due.set()

    await pause(ManualClock(), 5, due, keep=True)

    assert due.is_set()


async def test_a_task_that_ends_first_is_enough() -> None:
    due = asyncio.Event()
    task = asyncio.create_task(settled())

    await first_of(task, due)

    assert task.done()


async def test_turns_are_taken_only_while_they_are_wanted() -> None:
    due, turns, wanted = asyncio.Event(), [], [False]

    async def turn() -> None:
        turns.append(len(turns))
        wanted[0] = len(turns) < 3

    running = asyncio.ensure_future(repeat_while_wanted(due, lambda: wanted[0], turn))
    await settled()
    assert [] == turns

    wanted[0] = True
    due.set()
    await settled()
    assert [0, 1, 2] == turns
    assert not running.done()
    running.cancel()
