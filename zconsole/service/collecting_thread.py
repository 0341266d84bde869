"""Engine: all sessions on an asyncio loop in its own thread, and the service for screens."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.gc_tuning import enable_gc
from zconsole.base.user_config_file import Config
from zconsole.collect.fault_isolation import again_and_again
from zconsole.collect.host_state_store import Store
from zconsole.hosts.command_log import LoggedHost
from zconsole.hosts.host import Host
from zconsole.hosts.host_opened_late import LateHost
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus
from zconsole.model.timeline_mark import TimelineMark
from zconsole.service.host_queries import HostQueries
from zconsole.service.operator_calls_from_any_thread import OperatorCalls, PersistentFiles
from zconsole.service.plan_operations_for_screens import HostOperations
from zconsole.service.screen_protocols import Service
from zconsole.storage.run_in_thread import patiently

if TYPE_CHECKING:  # loaded on demand: not needed for the first frame
    from zconsole.collect.host_session import HostSession
    from zconsole.collect.readings_while_displayed import Demand
    from zconsole.execution.facts.fact_reader_context import SendBases
    from zconsole.history.command_results_of_last_hour import Memory
    from zconsole.history.dataset_load_history import LoadHistory
    from zconsole.history.host_timeline import HostPast
    from zconsole.model.datasets.replication import ReplicationSeen
    from zconsole.model.past_states_and_latency_strips import Bandwidth, Past, Strips, TimelineSpan
    from zconsole.model.pools.dataset_io import DatasetIoSample
    from zconsole.model.run import Run
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore
    from zconsole.storage.journal import Journal
    from zconsole.storage.known_machines import KnownMachines
    from zconsole.storage.last_host_states import LastHostStates
    from zconsole.storage.snapshot_cache import SnapshotIndex
    from zconsole.storage.space_samples import SpaceStore

logger = logging.getLogger(__name__)

COALESCE_S: Final = 0.02  # changes closer together than this notify once
FEW_HOSTS: Final = 4  # with more hosts each is read more rarely, except streams and events
FIRST_SAMPLE_S: Final = 20.0  # seconds after the start
SAVE_WITHIN_S: Final = 600.0
FRAME_WITHIN_S: Final = 30.0  # then hosts are read although nothing is on the screen yet
KEPT_EVERY_S: Final = 600.0  # between two writings of what is known of the pools
STOP_TIMEOUT_S: Final = 1.5  # the program ends within 2 s of a signal
LEAVE_WITHIN_S: Final = 1.0  # in addition, for a running step to end and be journaled


@runtime_checkable
class HasMarks(Protocol):
    """Host whose recording has marks."""

    @property
    def marks(self) -> tuple[tuple[float, str], ...]:
        """Epoch seconds and text of each mark."""


class Engine:
    """Owner of the collecting thread. `start` it, read `states`, `stop` it."""

    def __init__(  # noqa: PLR0913 - all but the hosts have good defaults
        self,
        hosts: Sequence[Host],
        *,
        clock: Clock | None = None,
        interval_s: float = 1.0,
        config: Config | None = None,
        journal: Callable[[], Journal] | None = None,
        space: Callable[[], SpaceStore] | None = None,
        send_bases: SendBases | None = None,
        indexes: Callable[[], SnapshotIndex] | None = None,
        machines: Callable[[], KnownMachines] | None = None,
        health: Callable[[], DiskHealthStore] | None = None,
        comparisons: Callable[[], tuple[ReplicationSeen, ...]] | None = None,
        last_states: Callable[[], LastHostStates] | None = None,
    ) -> None:
        """`journal` opens another than the user's, `space` the space samples for forecasts.

        `send_bases` returns send bases of copies.

        `indexes` opens the saved snapshot listings, `machines` the machines by address, `health` the kept
        SMART data, `comparisons` what is known of copies, `last_states` the last known pools of each host.
        """
        self._comparisons = comparisons
        self._last_states = last_states
        self._keeps_states = False  # since they were recalled
        self._space = space
        self._indexes = indexes
        self._health = health
        self._clock = clock or SystemClock()
        self._interval_s = interval_s
        self._config = config or Config()
        self._memories: dict[str, Memory] = {}  # since the host was first used
        self._pasts: dict[str, HostPast] = {}  # since the first samples
        self._hosts = tuple(
            LoggedHost(LateHost(host.label, partial(self._remembered, host)), self._clock) for host in hosts
        )
        self._stores = tuple(Store(host.label, self._changed) for host in hosts)
        self._loads: LoadHistory | None = None  # for all hosts; made at the first reading
        kept = PersistentFiles(journal, space, send_bases, machines)
        self._calls = OperatorCalls(self._hosts, self._stores, self._clock, self._config, kept)
        self.service = Service(self, HostQueries(self._calls), HostOperations(self._calls))
        self._sessions: tuple[HostSession, ...] = ()
        self._listeners: tuple[Callable[[], None], ...] = ()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._may_begin = threading.Event()
        self._telling = False
        self._tasks: set[asyncio.Task[None]] = set()
        for host, store in zip(hosts, self._stores, strict=True):
            for at, words in host.marks if isinstance(host, HasMarks) else ():
                store.add_mark(TimelineMark(at, words))

    def start(self, *, behind_first_frame: bool = False) -> None:
        """Start the collecting thread; `behind_first_frame`, it loads and reads nothing before `begin`.

        What is asked of it meanwhile is done then.
        """
        if not behind_first_frame:
            self.begin()
            enable_gc()
        self._thread = threading.Thread(target=self._run, name="zconsole-collect", daemon=True)
        self._thread.start()
        self._ready.wait()

    def recall(self) -> None:
        """Show what an earlier console last read of each host, until the host has answered.

        From then on what this one reads is kept for the next.
        """
        if self._last_states is None:
            return
        self._keeps_states = True
        kept, now, monotonic = self._last_states(), self._clock.now(), self._clock.monotonic()
        for store in self._stores:
            last = kept.of(store.state.host, now)
            if last is not None:
                store.recall(last.pools, last.at, now - last.at, monotonic)

    def begin(self) -> None:
        """Let collecting begin: the first frame is on the screen."""
        self._may_begin.set()

    def stop(self) -> tuple[Run, ...]:
        """End every stream and connection; the wait is bounded, because a host may hang.

        Returns the runs in progress in their last state, and those that waited for them: a started step
        continues on the host.
        """
        self.begin()
        ended = {run.id for run in self._runs() if run.state.is_end}
        is_running = any(not run.state.is_end for run in self._runs())
        if self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # the loop may already have ended
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join(STOP_TIMEOUT_S + (LEAVE_WITHIN_S if is_running else 0))
        return tuple(run for run in self._runs() if run.id not in ended)

    def _runs(self) -> tuple[Run, ...]:
        return tuple(run for state in self.newest() for run in state.runs)

    def newest(self) -> tuple[HostState, ...]:
        return tuple(store.state for store in self._stores)

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        self._listeners = (*self._listeners, on_change)

        def leave() -> None:
            self._listeners = tuple(other for other in self._listeners if other is not on_change)

        return leave

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def now(self) -> float:
        return self._clock.now()

    def refresh(self, host: str | None = None) -> None:
        self._tell_sessions(host, lambda session: session.refresh())

    def set_interval(self, seconds: float) -> None:
        self._tell_sessions(None, lambda session: session.set_interval(seconds))

    def accept_host_key(self, host: str, fingerprint: str) -> None:
        self._tell_sessions(host, lambda session: self._accept(session, fingerprint))

    def want_datasets(self, host: str, pool: str, *, is_wanted: bool) -> None:
        self._demand(host, lambda demand: demand.want_datasets(pool, is_wanted=is_wanted))

    def want_first(self, host: str, pool: str, datasets: Sequence[str]) -> None:
        self._demand(host, lambda demand: demand.want_first(pool, datasets))

    def want_latency(self, host: str, pool: str | None) -> None:
        self._demand(host, lambda demand: demand.want_latency(pool))

    def want_sizes(self, host: str, pool: str | None) -> None:
        self._demand(host, lambda demand: demand.want_sizes(pool))

    def want_objsets(self, host: str, pool: str | None) -> None:
        self._demand(host, lambda demand: demand.want_objsets(pool))

    def want_arc(self, host: str, *, is_wanted: bool) -> None:
        self._demand(host, lambda demand: demand.want_arc(is_wanted=is_wanted))

    def want_disks(self, host: str, *, is_wanted: bool) -> None:
        self._tell_sessions(host, lambda session: session.want_disks(is_wanted=is_wanted))

    def want_guests(self, host: str, *, is_wanted: bool) -> None:
        self._demand(host, lambda demand: demand.want_guests(is_wanted=is_wanted))

    def want_contents(self, host: str, *, is_wanted: bool) -> None:
        self._demand(host, lambda demand: demand.want_contents(is_wanted=is_wanted))

    def span(self, host: str, pool: str) -> TimelineSpan | None:
        return self._pasts[host].span(pool) if host in self._pasts else None

    def times(self, host: str) -> Mapping[str, Sequence[float]]:
        return self._pasts[host].times() if host in self._pasts else {}

    def at(self, host: str, pool: str, epoch: float) -> Past | None:
        return self._pasts[host].at(pool, epoch) if host in self._pasts else None

    def strips(self, host: str, pool: str, *, until: float, seconds: float, columns: int) -> Strips | None:
        if host not in self._pasts:
            return None
        return self._pasts[host].strips(pool, until=until, seconds=seconds, columns=columns)

    def bandwidth(
        self, host: str, pool: str, *, until: float, seconds: float, columns: int
    ) -> Bandwidth | None:
        if host not in self._pasts:
            return None
        return self._pasts[host].bandwidth(pool, until=until, seconds=seconds, columns=columns)

    def load_times(self, host: str, pool: str) -> Sequence[float]:
        return self._loads.times(host, pool) if self._loads is not None else ()

    def loads(self, host: str, pool: str, epoch: float, most: int) -> tuple[DatasetIoSample, ...]:
        return self._loads.until(host, pool, epoch, most) if self._loads is not None else ()

    def mark(self, host: str, words: str, at: float | None = None) -> None:
        mark = TimelineMark(self.now() if at is None else at, words)
        for store in self._stores:
            if store.state.host == host:
                self._calls.soon(partial(store.add_mark, mark))

    def save(self, host: str, folder: Path) -> Future[Path]:
        return self._calls.answered(self._save(host, folder))

    async def _save(self, host: str, folder: Path) -> Path:
        """Export in a daemon thread, which does not delay the program's exit."""
        from zconsole.history.save_for_replay import save  # noqa: PLC0415  # rarely used

        state = next((store.state for store in self._stores if store.state.host == host), None)
        if state is None:
            raise UsageError(f"there is no host {host!r} here")
        memory, past = self._memory_of(host), self._past_of(host)
        return await patiently(save, folder, state, memory, past, self._clock, within_s=SAVE_WITHIN_S)

    def _keep_load(self, host: str, pool: str, sample: DatasetIoSample) -> None:
        """Add a dataset I/O reading to the history. Called on the collecting loop."""
        if self._loads is None:
            from zconsole.history.dataset_load_history import LoadHistory  # noqa: PLC0415  # dataset I/O only

            self._loads = LoadHistory(keep_s=60 * self._config.history_minutes)
        self._loads.add(host, pool, sample)

    def _remembered(self, host: Host) -> Host:
        """The host, with its answers of the last hour kept. Called at its first use."""
        from zconsole.history.command_results_of_last_hour import RememberedHost  # noqa: PLC0415  # as below

        return RememberedHost(host, self._memory_of(host.label))

    def _memory_of(self, host: str) -> Memory:
        """Answers of a host in the last hour."""
        from zconsole.history.command_results_of_last_hour import (  # noqa: PLC0415  # after the first frame
            MAX_BYTES,
            Memory,
        )

        if host not in self._memories:
            keep_s, share = 60 * self._config.history_minutes, max(1, len(self._hosts))
            self._memories[host] = Memory(self._clock, keep_s=keep_s, max_bytes=MAX_BYTES // share)
        return self._memories[host]

    def _past_of(self, host: str) -> HostPast:
        """History of a host. Called on the collecting loop."""
        past = self._pasts.get(host)
        if past is None:
            from zconsole.history.host_timeline import MAX_BYTES, HostPast  # noqa: PLC0415  # after the first frame

            keep_s, share = 60 * self._config.history_minutes, max(1, len(self._hosts))
            past = self._pasts[host] = HostPast(keep_s=keep_s, max_bytes=MAX_BYTES // share)
        return past

    def _tell_sessions(self, host: str | None, tell: Callable[[HostSession], None]) -> None:
        """Call for the sessions of a host, or of all, on the collecting loop, once there are sessions."""

        def call() -> None:
            for session in self._sessions:
                if host in {None, session.host.label}:
                    tell(session)

        self._calls.soon(call)

    def _demand(self, host: str, want: Callable[[Demand], None]) -> None:
        """Call on the collecting loop with a host's demand, created at first use."""
        self._tell_sessions(host, lambda session: want(session.demand))

    def _accept(self, session: HostSession, fingerprint: str) -> None:
        task = asyncio.ensure_future(session.accept_host_key(fingerprint))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _changed(self) -> None:
        """Notify the listeners, once for changes close together."""
        if self._telling or self._loop is None:
            return
        self._telling = True
        self._loop.call_later(COALESCE_S, self._tell)

    def _tell(self) -> None:
        self._telling = False
        for listener in self._listeners:
            listener()

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        finally:
            self._ready.set()

    async def _main(self) -> None:
        self._loop = self._calls.loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._ready.set()
        self._may_begin.wait(FRAME_WITHIN_S)  # of the loop nothing else is wanted yet
        from zconsole.collect.host_session import HostSession  # noqa: PLC0415  # behind the first frame
        from zconsole.collect.streams.process_samples_of_hosts_in_batches import (  # noqa: PLC0415  # as above
            BatchTicker,
        )

        slack = max(1.0, len(self._hosts) / FEW_HOSTS)
        beat = BatchTicker() if slack > 1 else None
        self._sessions = tuple(
            HostSession(
                host,
                store,
                self._clock,
                interval_s=self._interval_s,
                slack=slack,
                on_up=partial(self._calls.recover, host.label),
                past=partial(self._past_of, host.label),
                keep_load=partial(self._keep_load, host.label),
                beat=beat,
                indexes=self._indexes,
                health=self._health,
            )
            for host, store in zip(self._hosts, self._stores, strict=True)
        )
        running = [asyncio.create_task(self._contain(session)) for session in self._sessions]
        running += [asyncio.create_task(self._sample(session)) for session in self._sessions]
        running += [asyncio.create_task(self._forecast(session)) for session in self._sessions]
        running += [asyncio.create_task(self._compare(session)) for session in self._sessions]
        running.append(asyncio.create_task(self._keep_last_states()))
        await self._stop.wait()
        await self._calls.leave_within(LEAVE_WITHIN_S)
        for task in running:
            task.cancel()
        self._keep_states()
        self._calls.stop()
        await asyncio.wait(running, timeout=STOP_TIMEOUT_S / 2)
        for host in self._hosts:
            with suppress(ZConsoleError, OSError, TimeoutError):
                await asyncio.wait_for(host.close(), STOP_TIMEOUT_S / 4)

    async def _keep_last_states(self) -> None:
        """Keep the pools of all hosts for the next console, now and then and at the end."""
        while self._keeps_states:
            await self._clock.sleep(KEPT_EVERY_S)
            await patiently(self._keep_states)

    def _keep_states(self) -> None:
        if self._keeps_states and self._last_states is not None:
            kept = self._last_states()
            for store in self._stores:
                kept.keep(store.state, self._clock.now())

    async def _sample(self, session: HostSession) -> None:
        """Sample the space of the host's pools for forecasts, after all readings that a user waits for."""
        if self._space is not None:
            await self._clock.sleep(FIRST_SAMPLE_S)
            from zconsole.service.space_sampling import Sampler  # noqa: PLC0415  # after the first frame

            sampler = Sampler(session.host, session.store, self._space(), self._clock)
            await again_and_again("the samples of space", sampler.run, lambda _: None, self._clock)

    async def _forecast(self, session: HostSession) -> None:
        """Forecast by the samples when the pools are full, for the finding that says so."""
        if self._space is not None:
            await self._clock.sleep(FIRST_SAMPLE_S)
            from zconsole.service.forecasts_by_own_samples import ForecastWatch  # noqa: PLC0415  # as above

            watch = ForecastWatch(session.store, self._space(), self._clock)
            await again_and_again("the forecasts", watch.run, lambda _: None, self._clock)

    async def _compare(self, session: HostSession) -> None:
        """Keep what is known of the host's copies, for the findings on them."""
        if self._comparisons is not None:
            await self._clock.sleep(FIRST_SAMPLE_S)
            from zconsole.service.replication_as_last_compared import ComparisonWatch  # noqa: PLC0415  # as above

            watch = ComparisonWatch(session.store, self._comparisons, self._clock)
            await again_and_again("what is known of copies", watch.run, lambda _: None, self._clock)

    async def _contain(self, session: HostSession) -> None:
        """Run a session; an internal error in one session does not affect other hosts."""
        try:
            await session.run()
        except Exception as error:
            logger.exception("the session of %s failed", session.host.label)
            from zconsole.storage.crash_report import cause, log_folder, write_report  # noqa: PLC0415  # after a fault only

            path, wrong = write_report(error, log_folder()), cause(error)
            told = "A report could not be written." if path is None else f"The report is {path}."
            session.store.set_link(
                LinkStatus(
                    LinkState.REFUSED,
                    reason=f"zconsole itself failed here: {type(wrong).__name__}: {wrong}",
                    hint=f"{told} The other hosts go on; to watch this one again, restart zconsole.",
                    since=self._clock.monotonic(),
                )
            )
