"""Events of a host's ZFS, followed; where not permitted, the problem is shown and the stream retried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.read_command_runner import in_words
from zconsole.hosts.host import Host
from zconsole.model.pools.event import Event
from zconsole.zfs.listing.events import EventReader, follow

RETRY_S: Final = 60.0
REFUSED_RETRY_S: Final = 600.0  # rights change rarely, and each try is a session and a program
REFUSED_WITHIN_S: Final = 5.0


class EventWatch:
    """Watcher of one host; `heard` is called with new events, after they are in the store."""

    def __init__(
        self, host: Host, store: Store, clock: Clock, heard: Callable[[Sequence[Event]], None]
    ) -> None:
        self._host = host
        self._store = store
        self._clock = clock
        self._heard = heard
        self._followed_since: float | None = None

    @property
    def is_followed(self) -> bool:
        """Whether events are followed, for so long that a refusal would have been seen."""
        since = self._followed_since
        return since is not None and self._clock.monotonic() - since > REFUSED_WITHIN_S

    async def run(self) -> None:
        """Follow the events until cancelled, or until the link is lost."""
        pause_s = RETRY_S
        while True:
            began = self._clock.monotonic()
            try:
                with contained("the events"):
                    await self._follow()
            except (LinkLost, HostUnreachable):
                raise
            except ZConsoleError as error:
                self.report(error)
            is_refused = self._clock.monotonic() - began <= REFUSED_WITHIN_S
            await self._clock.sleep(pause_s)
            pause_s = min(2 * pause_s, REFUSED_RETRY_S) if is_refused else RETRY_S
            self._store.commit(replace(self._store.state, events=()))  # `-f` repeats all earlier events

    def report(self, error: ZConsoleError) -> None:
        """Show why there are no events."""
        self._store.commit(replace(self._store.state, events_problem=in_words(error)))

    async def _follow(self) -> None:
        reader = EventReader()
        try:
            async with self._host.stream(follow()) as chunks:
                self._followed_since = self._clock.monotonic()
                async for chunk in chunks:
                    events = reader.feed(chunk)
                    if events:
                        self._store.add_events(events)
                        self._heard(events)
        finally:
            self._followed_since = None
