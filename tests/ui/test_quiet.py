"""What tests of screens wait for: the work of threads too, also where the machine keeps a thread from it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tests.ui import quiet

LOOKS = 20


@pytest.mark.parametrize("state", ["R", "D"])
async def test_a_thread_that_has_no_processor_or_waits_for_a_disk_is_at_work(
    state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes no time of the processor meanwhile, like one that waits for something else."""
    has_ended, looks = threading.Event(), 0

    def seen(_thread: int | None) -> str:
        nonlocal looks
        looks += 1
        if looks == LOOKS:
            has_ended.set()
        return state

    monkeypatch.setattr(quiet, "_state", seen)
    work = asyncio.ensure_future(asyncio.to_thread(has_ended.wait))
    try:
        await quiet.wait_for_quiet()

        assert work.done()
    finally:
        has_ended.set()


async def test_a_thread_that_waits_for_something_else_is_not_waited_for() -> None:
    has_ended = threading.Event()
    work = asyncio.ensure_future(asyncio.to_thread(has_ended.wait))
    try:
        await quiet.wait_for_quiet()

        assert not work.done()
    finally:
        has_ended.set()
