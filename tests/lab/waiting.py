"""Waiting on an engine's own word until what it knows of its one host is so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

from zconsole.model.host.host_state import HostState
from zconsole.service.collecting_thread import Engine

STATE_S: Final = 300.0  # until an emulated host has said something
T = TypeVar("T")


def until(
    engine: Engine,
    found: Callable[[HostState], T | None],
    seconds: float = STATE_S,
    known: Callable[[HostState], object] = lambda state: state.link,
) -> T:
    """What is found in the state, once it is there; `known` is told to whoever waited in vain."""
    told = threading.Event()
    leave = engine.subscribe(told.set)
    deadline = time.monotonic() + seconds
    try:
        while True:
            (state,) = engine.newest()
            value = found(state)
            if value:
                return value
            assert told.wait(max(0.0, deadline - time.monotonic())), known(state)
            told.clear()
    finally:
        leave()
