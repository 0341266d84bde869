"""States judged until a signal: the signal is an orderly end as soon as anything was printed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from zconsole.base.user_config_file import Config
from zconsole.cli.collecting.judged_states import JudgedHosts, collect_until_ended
from zconsole.cli.selected_hosts import HostSelection

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@pytest.mark.parametrize("number", ENDING, ids=[each.name for each in ENDING])
def test_a_signal_while_it_begins_ends_it_in_order(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unheard(received: int, _frame: object) -> None:
        raise AssertionError(f"signal {received} would have ended the program at once")

    ticks: list[int] = []

    def begin(_judged: JudgedHosts) -> Callable[[], None]:
        os.kill(os.getpid(), number)
        return lambda: ticks.append(1)

    was = signal.signal(number, unheard)
    try:
        assert 0 == collect_until_ended(HostSelection(is_demo=True), Config(), begin, 3600.0)
    finally:
        signal.signal(number, was)
    assert len(ticks) <= 1
