"""Repairs of all hosts for the screens, with a call for the user when a person is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Protocol

from zconsole.base.errors import ZConsoleError
from zconsole.ui.screens_by_name import REPAIR_OF, REPAIR_WATCH, loaded

if TYPE_CHECKING:
    from zconsole.base.user_config_file import Config
    from zconsole.model.exercise import Exercise
    from zconsole.model.repair import Repair
    from zconsole.service.screen_protocols import Queries
    from zconsole.ui.alert_calls import AlertCalls
    from zconsole.ui.repair_watch import RepairWatch
    from zconsole.views.host_states_with_findings import HostView, View


class CalledApp(Protocol):
    """App as seen by the calls."""

    queries: Queries
    config: Config
    exercise: Exercise | None

    @property
    def alerts(self) -> AlertCalls:
        """What calls the user."""

    def view(self) -> View:
        """The newest states with findings."""

    def in_background(self, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a while."""


class RepairCalls:
    """Watch of all repairs; its module is loaded with the first host in trouble."""

    def __init__(self, app: CalledApp) -> None:
        self._app = app
        self._watch: RepairWatch | None = None
        self._is_reading = False

    @property
    def watch(self) -> RepairWatch:
        """The repairs of each host."""
        if self._watch is None:
            self._watch = loaded(REPAIR_WATCH)()
            self._watch.cold = self._cold_by_configuration() | self._kept_cold()
        return self._watch

    def _cold_by_configuration(self) -> frozenset[str]:
        hosts = (each for each in self._app.config.hosts if not each.has_hot_swap)
        return frozenset(name for each in hosts for name in (each.name, each.address))

    def _kept_cold(self) -> frozenset[str]:
        if self._app.exercise is not None:
            return frozenset()
        from zconsole.storage.disks.cold_swap_hosts import cold_swap_hosts  # noqa: PLC0415  # with the first repair

        return cold_swap_hosts()

    def swap_cold(self, host: str) -> str:
        """Say that a host has no hot-swap, or that it has; what was kept, in words."""
        from zconsole.storage.disks.cold_swap_hosts import keep_cold_swap  # noqa: PLC0415  # rarely used

        cold = self.watch.cold
        if host in self._cold_by_configuration():
            return f"hot_swap = false for {host} is in the configuration"
        is_cold = host not in cold
        self.watch.cold = cold | {host} if is_cold else cold - {host}
        kept = ""
        if self._app.exercise is None:
            try:
                keep_cold_swap(host, is_cold=is_cold)
            except ZConsoleError as error:
                kept = f"; not kept: {error}"
        return f"{host} {'is shut down to swap disks' if is_cold else 'has hot-swap'}{kept}"

    def of(self, host: str) -> tuple[Repair, ...]:
        """The repairs that a host needs now, the most urgent first."""
        view = self._app.view()
        known = view.host(host)
        if known is None or known.state.recalled_at is not None:
            return ()
        return self.watch.of(known.state, view.now, view.monotonic)

    def of_this_second(self, view: View, host: str) -> tuple[Repair, ...]:
        """The same of the states that a screen shows and keeps for longer."""
        known = view.host(host)
        if known is None or known.state.recalled_at is not None:
            return ()
        return self.watch.of(known.state, view.now, view.monotonic, oldest_s=1.0)

    def are_in(self, host: str, pool: str) -> bool:
        """Whether a pool needs a repair."""
        return any(each.pool == pool for each in self.of(host))

    def stop_in(self, host: str, pool: str) -> str:
        """The alarm of a pool that a sound disk of it has to be put back; empty for none."""
        if self._watch is None:
            return ""  # no host was in trouble so far
        return next((each.alarm for each in self.of(host) if each.pool == pool and each.is_stop), "")

    def may_be_in(self, host: str, pool: str) -> bool:
        """Whether a pool needs a repair, or was not read yet so that nobody knows."""
        known = self._app.view().host(host)
        of = known.state.pool(pool) if known is not None else None
        return (of is not None and of.pool.value is None) or self.are_in(host, pool)

    def of_device(self, host: str, pool: str, *device: str) -> Repair | None:
        """The repair of a device, by its guid or its names."""
        found = self.of(host)
        known = (loaded(REPAIR_OF)(found, pool, each) for each in device) if found else ()
        return next((each for each in known if each is not None), None)

    @property
    def where(self) -> tuple[str, str] | None:
        """Host and pool of the news."""
        latest = self._watch.latest if self._watch is not None else None
        return None if latest is None else (latest.host, latest.pool)

    def tick(self, view: View) -> None:
        """Look at the repairs of the newest states; call the user when something was waited for."""
        hosts = [host for host in view.hosts if self._is_concerned(host)]
        if not hosts:
            return
        if not self.watch.knows_past:
            self.read_journal()
            return
        for host in hosts:
            fresh = self.watch.take_in(host.state, view.now, view.monotonic)
            if fresh is not None:
                self._app.alerts.call_for_repair(fresh, view.now)

    def _is_concerned(self, host: HostView) -> bool:
        if host.state.recalled_at is not None:
            return False
        if host.findings or (self._watch is not None and self._watch.has_seen(host.state.host)):
            return True
        pools = (each.pool.value for each in host.state.pools)
        return any(
            pool.scan.function == "resilver" for pool in pools if pool is not None and pool.scan is not None
        )

    def mark_as_seen(self, host: str, pool: str) -> None:
        """The repair is on the screen: the news are old, and the title is as it was."""
        if self._watch is not None and self._watch.mark_as_seen(host, pool):
            self._app.alerts.see_repair(host, pool)

    def read_journal(self) -> None:
        """Read who did what; the repairs are derived again with it."""
        if not self._is_reading:
            self._is_reading = True
            self._app.in_background(self._learn())

    def run_ended(self) -> None:
        """Learn of a run of this console."""
        if self._watch is not None:
            self.read_journal()

    async def _learn(self) -> None:
        try:
            entries = await asyncio.wrap_future(self._app.queries.journal())
            self.watch.learn(entries)
        except ZConsoleError:
            self.watch.learn(())
        finally:
            self._is_reading = False
