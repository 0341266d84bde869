"""Waiting until an app has done all that it was asked, by its event loop instead of by the clock.

Textual's own way sleeps 20 ms twice a key and until the process was idle: most of a test's time, and on a
busy machine too early or never.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import process_time
from typing import Any, Final

SOON_S: Final = 0.005  # a timer that is due so soon is waited for
TURNS: Final = 3  # of the loop, in which nobody had anything to do
THREAD_S: Final = 0.002  # between looks at whether threads are still at work
LONGEST: Final = 10  # times as long by the clock
AT_WORK: Final = frozenset(
    "RD"
)  # proc_pid_stat(5): running or ready to, in an uninterruptible wait for a disk
IDLE: Final = 0.1  # of one processor; threads that take less wait for something


async def wait_for_quiet(_min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until nothing is ready to run, no timer is due and no thread computes.

    At most so many seconds of the processor: on a busy machine the clock goes on without the app.
    """
    loop: Any = asyncio.get_running_loop()
    end, spent, quiet = loop.time() + LONGEST * max_sleep, process_time() + max_sleep, 0
    while quiet < TURNS and loop.time() < end and process_time() < spent:
        await asyncio.sleep(0)
        due = min((each.when() for each in loop._scheduled if not each.cancelled()), default=end)
        if loop._ready:
            quiet = 0
        elif due - loop.time() < SOON_S:
            await asyncio.sleep(max(0.0, due - loop.time()))
            quiet = 0
        elif _is_busy(loop._default_executor):
            began, worked = loop.time(), process_time()
            await asyncio.sleep(THREAD_S)
            is_idle = process_time() - worked < IDLE * (loop.time() - began)
            quiet = quiet + 1 if is_idle and not _is_at_work(loop._default_executor) else 0
        else:
            quiet += 1


def _is_at_work(executor: ThreadPoolExecutor) -> bool:
    """Whether one of its threads would run if it had a processor, or waits for a disk."""
    return any(_state(thread.native_id) in AT_WORK for thread in executor._threads)


def _state(thread: int | None) -> str:
    try:
        return Path(f"/proc/self/task/{thread}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return ""  # it has just ended


def _is_busy(executor: ThreadPoolExecutor | None) -> bool:
    if executor is None:
        return False
    idle: Any = executor._idle_semaphore
    return bool(executor._work_queue.qsize()) or idle._value < len(executor._threads)
