"""A session under watch: state to wait for, and time to drive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import pytest

from tests.doubles.scripted_host import ScriptedHost
from zconsole.base.clock import ManualClock
from zconsole.collect.host_session import HostSession
from zconsole.collect.host_state_store import Store
from zconsole.hosts.host import Host
from zconsole.model.host.host_state import HostState
from zconsole.storage.disks.disk_health_samples import DiskHealthStore

H = TypeVar("H", bound=Host)
MOST_S: Final = (
    60.0  # for what is done in milliseconds; a failure need not wait for the end of the test's own time
)


@dataclass
class Watched(Generic[H]):
    """A running session, and a way to wait for what it says."""

    host: H
    clock: ManualClock
    session: HostSession
    changed: asyncio.Event

    @property
    def state(self) -> HostState:
        return self.session.store.state

    async def until(self, holds: Callable[[HostState], object]) -> HostState:
        """Wait until the state is so; fails with the state that it has instead."""
        try:
            async with asyncio.timeout(MOST_S):
                while not holds(self.state):
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(f"not so within {MOST_S:g} s: {self.state}") from None
        return self.state

    async def pass_time(self, seconds: float, step_s: float = 1.0) -> None:
        """Let time go by in steps, each with room for everybody to act."""
        for _ in range(int(seconds / step_s)):
            self.clock.advance(step_s)
            for _ in range(50):
                await asyncio.sleep(0)


@asynccontextmanager
async def watching(
    host: H, clock: ManualClock | None = None, *, health: Callable[[], DiskHealthStore] | None = None
) -> AsyncIterator[Watched[H]]:
    """Run a session; no command that the test did not expect is sent."""
    changed = asyncio.Event()
    clock = clock or ManualClock(1_800_000_000)
    session = HostSession(host, Store(host.label, changed.set), clock, health=health)
    task = asyncio.create_task(session.run())
    try:
        yield Watched(host, clock, session, changed)
        if isinstance(host, ScriptedHost):
            assert [] == host.unexpected, host.unexpected
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
