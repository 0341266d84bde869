"""Copies of a host as they were last compared: from the file of this account, into its state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import ZConsoleError
from zconsole.collect.host_state_store import Store
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.host.host_state import HostState, Reading
from zconsole.storage.run_in_thread import patiently

EVERY_S: Final = 600.0
READ_WITHIN_S: Final = 10.0
Comparisons = Callable[[], tuple[ReplicationSeen, ...]]


async def with_comparison(
    state: HostState, known: Comparisons | None, clock: Clock, tell: Callable[[ZConsoleError], None]
) -> HostState:
    """A state with what is known of its copies; `tell` is given why the file cannot be read."""
    if known is None:
        return state
    try:
        found = await patiently(known, within_s=READ_WITHIN_S)
    except ZConsoleError as error:
        tell(error)
        return state
    seen = next((each for each in found if each.host == state.host), None)
    return replace(state, replication=Reading(seen, None if seen is None else clock.monotonic()))


class ComparisonWatch:
    """Keeper of what is known of one host's copies while the console runs."""

    def __init__(self, states: Store, known: Comparisons, clock: Clock) -> None:
        self._states = states
        self._known = known
        self._clock = clock

    async def run(self) -> None:
        """Read until cancelled; what is not read is a problem of the reading."""
        while True:
            problems: list[ZConsoleError] = []
            made = await with_comparison(self._states.state, self._known, self._clock, problems.append)
            reading = made.replication
            if problems:
                reading = replace(reading, problem=problems[0].message)
            is_known = reading.value is not None or problems
            if is_known and reading != self._states.state.replication:  # or what was just read stays
                self._states.commit(replace(self._states.state, replication=reading))
            await self._clock.sleep(EVERY_S)
