"""Termination signals: the first ends in order, the second at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NOT_DONE: Final = 3
NOTHING_RUN: Final = "you stopped it before anything was sent: nothing was run"

_before: list[int] = []  # signals received before `asked_to_end`


class StoppedBefore(KeyboardInterrupt):
    """A signal requested termination before the program had begun."""


@contextmanager
def stopped_before() -> Iterator[None]:
    """Make the termination signals raise StoppedBefore until `asked_to_end` handles them."""

    def stop(number: int, _frame: object) -> None:
        _before.append(number)  # survives where the exception is lost, as in a finalizer
        raise StoppedBefore

    were = {each: signal.getsignal(each) for each in ENDING}
    with suppress(ValueError):  # another thread than the main one
        for number, was in were.items():
            if was is not signal.SIG_IGN:
                signal.signal(number, stop)
    try:
        yield
    finally:
        _before.clear()
        with suppress(ValueError):
            for number, was in were.items():
                signal.signal(number, was)


@contextmanager
def asked_to_end(first: Callable[[], None], again: Callable[[], None]) -> Iterator[None]:
    """Call `first` at the first of Ctrl+C, SIGTERM and SIGHUP, `again` at each later one.

    A signal ignored at program start stays ignored, as under nohup.
    """
    import asyncio  # late: signals are handled while this loads

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
    if _before:
        seen.append(signal.Signals(_before[0]))
        loop.call_soon(first)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
