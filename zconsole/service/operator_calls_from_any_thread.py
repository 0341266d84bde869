"""Operator on the collecting loop, callable from any thread; created on first use."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from zconsole.base.clock import Clock
from zconsole.base.errors import HostError, UsageError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.execution.outcomes.watch_unsettled_runs import UnsettledWatch
from zconsole.hosts.command_log import LoggedHost
from zconsole.model.host.host_state import Reading
from zconsole.storage.run_in_thread import patiently

if TYPE_CHECKING:  # loaded on demand: not needed for the first frame
    from zconsole.execution.facts.fact_reader_context import SendBases
    from zconsole.execution.read_only_and_protection_policy import Policies
    from zconsole.model.forecast import Forecast
    from zconsole.model.host.host_state import HostState
    from zconsole.model.journal import Entry
    from zconsole.model.pools.read_test import ReadTest
    from zconsole.model.run import Run
    from zconsole.service.prepare_execute_and_recover_plans import Operator
    from zconsole.storage.journal import Journal
    from zconsole.storage.known_machines import KnownMachines
    from zconsole.storage.space_samples import SpaceStore

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PersistentFiles:
    """What opens persistent files: `space` those of samples for forecasts; `send_bases` returns copies."""

    journal: Callable[[], Journal] | None = None  # None: the user's own
    space: Callable[[], SpaceStore] | None = None
    send_bases: SendBases | None = None
    machines: Callable[[], KnownMachines] | None = None


def journal_in_memory() -> Journal:
    """The journal of a console on practice hosts and recordings, without runs of earlier consoles."""
    from zconsole.storage.journal import Journal  # noqa: PLC0415  # with the first run, or where runs are asked for

    return Journal(is_kept=False)


class OperatorCalls:
    """Calls of the Operator returning futures, and the watch over unsettled runs."""

    def __init__(
        self,
        hosts: Sequence[LoggedHost],
        stores: Sequence[Store],
        clock: Clock,
        config: Config,
        kept: PersistentFiles,
    ) -> None:
        self.hosts = tuple(hosts)
        self.stores = tuple(stores)
        self.kept = kept
        self.loop: asyncio.AbstractEventLoop | None = None  # the collecting loop, while it runs
        self._clock = clock
        self._config = config
        self._making = threading.RLock()
        self._operator: Operator | None = None
        self._policies: Policies | None = None
        self._journal: Journal | None = None
        self._unsettled: dict[str, UnsettledWatch] = {}  # by host; used on the collecting loop only

    def begin(self, host: str, call: Callable[[Operator], Coroutine[Any, Any, T]]) -> Future[T]:
        """Start a call for a host; returns a future of its result."""
        if all(each.label != host for each in self.hosts):
            return failed(UsageError(f"there is no host {host!r} here"))
        return self.answered(self._with_operator(call))

    def answered(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a call on the collecting loop; returns a future of its result."""
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                return asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        coroutine.close()
        return failed(HostError("zconsole is being closed"))

    def soon(self, call: Callable[[], object]) -> None:
        """Call on the collecting loop, while it runs."""
        if self.loop is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(call)

    def end_stream(self, run: str) -> None:
        """End the stream that feeds a run."""
        self.soon(lambda: self._acting().stop(run))

    def policies(self) -> Policies:
        """Restrictions of the configuration by host."""
        from zconsole.execution.read_only_and_protection_policy import Policies  # noqa: PLC0415  # after the first frame

        with self._making:
            if self._policies is None:
                machines = () if self.kept.machines is None else (self.kept.machines(),)
                self._policies = Policies(self._config, self._clock, *machines)
            return self._policies

    def journal(self) -> Journal:
        """The journal of all runs."""
        from zconsole.storage.journal import Journal  # noqa: PLC0415  # after the first frame

        with self._making:
            if self._journal is None:
                self._journal = (self.kept.journal or Journal)()
            return self._journal

    async def runs(self) -> tuple[Entry, ...]:
        """The last runs of the journal, oldest first; a journal that certainly has none is not opened."""
        return () if self._has_run_nothing else await patiently(lambda: self.journal().entries())

    @property
    def _has_run_nothing(self) -> bool:
        """Whether a journal would be empty, which begins with this console."""
        return self._journal is None and self.kept.journal is journal_in_memory

    def recover(self, host: str) -> None:
        """Settle runs without a known end, at each connection of their host.

        Called on the collecting loop.
        """
        watch = self._unsettled.get(host)
        if watch is None:
            look = partial(self._find_unsettled_runs, host)
            watch = self._unsettled[host] = UnsettledWatch(look, self._clock)
        watch.wake()

    async def leave_within(self, seconds: float) -> None:
        """Send no further step, and wait up to `seconds` for runs to end."""
        if self._operator is not None:
            await self._operator.leave_within(seconds)

    def stop(self) -> None:
        """Stop watching unsettled runs."""
        for watch in self._unsettled.values():
            watch.stop()

    async def _with_operator(self, call: Callable[[Operator], Coroutine[Any, Any, T]]) -> T:
        """Load the Operator at first use, in a thread, so that screens and samples do not wait."""
        with contained("what was asked for"):
            if self._operator is None:
                await patiently(self._acting)
            return await call(self._acting())

    def _acting(self) -> Operator:
        """Operator of the hosts."""
        from zconsole.service.forecasting import elsewhere_of  # noqa: PLC0415  # plans only
        from zconsole.service.prepare_execute_and_recover_plans import Operator  # noqa: PLC0415  # plans only

        with self._making:
            if self._operator is None:
                self._operator = Operator(
                    self.hosts,
                    clock=self._clock,
                    policies=self.policies(),
                    journal=self.journal(),
                    publish=self._publish,
                    send_bases=self.kept.send_bases,
                    space=self.kept.space,
                    elsewhere=partial(elsewhere_of, self._config),
                    state_of=self._state_of,
                    watches_on=True,
                )
            return self._operator

    def keep_read_test(self, host: str, test: ReadTest) -> None:
        """Put the newest read test of a disk into the state. Called on the collecting loop."""
        for store in self.stores:
            if store.state.host == host:
                others = (each for each in store.state.read_tests if each.disk != test.disk)
                store.commit(replace(store.state, read_tests=(*others, test)))

    def keep_forecast(self, host: str, pool: str, found: Forecast) -> None:
        """Put what was forecast for a user into the state, if it has dates. Called on the collecting loop."""
        if found.trend is None:
            return
        reading = Reading(found, self._clock.monotonic())
        for store in self.stores:
            if store.state.host == host:
                store.update_pool(pool, lambda state: replace(state, forecast=reading))

    def _state_of(self, host: str) -> HostState | None:
        return next((store.state for store in self.stores if store.state.host == host), None)

    def _publish(self, run: Run) -> None:
        for store in self.stores:
            if store.state.host == run.host:
                store.set_run(run)

    async def _find_unsettled_runs(self, host: str) -> Sequence[Run]:
        with suppress(ZConsoleError):  # a plan reads the identity again, and reports errors
            await self._meet(host)
        if self._has_run_nothing:
            return ()
        left: tuple[Entry, ...] = ()
        with suppress(ZConsoleError):  # without a journal there is nothing to recover
            left = await patiently(self.journal().unsettled)
        if not left:
            return ()
        return await self._with_operator(lambda operator: operator.recover(host))

    async def _meet(self, host: str) -> None:
        """Identify the machine of a host, where the configuration has any restrictions."""
        if any(each.restricts for each in self._config.hosts):
            from zconsole.collect.read_command_runner import Asker  # noqa: PLC0415  # with restrictions only

            policies = await patiently(self.policies)
            await policies.meet(Asker(next(each for each in self.hosts if each.label == host)))
            for store in self.stores:  # one identification may settle others
                is_production = policies.is_production(store.state.host)
                if store.state.is_production != is_production:
                    store.commit(replace(store.state, is_production=is_production))


def failed(error: ZConsoleError) -> Future[T]:
    """Future that failed with an error."""
    future: Future[T] = Future()
    future.set_exception(error)
    return future
