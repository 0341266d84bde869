"""Signals that ask a program to end: the first for an end in order, the second for one at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def asked_to_end(first: Callable[[], None], again: Callable[[], None]) -> Iterator[None]:
    """Call `first` at the first of Ctrl+C, SIGTERM and SIGHUP, `again` at each later one.

    One that was ignored when the program began stays so, as nohup wants it.
    """
    loop = asyncio.get_running_loop()
    seen: list[signal.Signals] = []
    caught: list[signal.Signals] = []

    def hear(number: signal.Signals) -> None:
        seen.append(number)
        if len(seen) == 1:
            first()
        else:
            again()

    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_IGN:
            continue
        with suppress(NotImplementedError, RuntimeError, ValueError):  # another thread than the main one
            loop.add_signal_handler(number, hear, number)
            caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
