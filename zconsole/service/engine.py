"""All sessions on an asyncio loop in a thread of their own, and the Source that screens read.

A slow terminal stalls Textual's loop for seconds; collecting must not notice.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, runtime_checkable

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.config import Config
from zconsole.base.errors import HostError, UsageError, ZConsoleError
from zconsole.base.gc_tuning import look_briefly
from zconsole.base.secret import Secret
from zconsole.collect.batch_ticker import Beat
from zconsole.collect.fault_isolation import again_and_again, contained
from zconsole.collect.session import HostSession
from zconsole.collect.store import Store
from zconsole.execution.outcomes.unsettled_runs import UnsettledWatch
from zconsole.history.answer_cache import MAX_BYTES as MAX_ANSWERS_BYTES
from zconsole.history.answer_cache import Memory, RememberedHost
from zconsole.hosts.command_log import LoggedHost, Ran
from zconsole.hosts.host import Host
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus
from zconsole.model.timeline_mark import TimelineMark
from zconsole.storage.journal import Journal
from zconsole.storage.run_in_thread import patiently

if TYPE_CHECKING:  # what users ask for is loaded when they do: the first frame needs nothing of it
    from zconsole.actions.intent import Intent
    from zconsole.actions.plan import Plan
    from zconsole.analysis.snapshots.diff_summary import Differences
    from zconsole.analysis.snapshots.free_space import Destroying
    from zconsole.collect.on_screen_demand import Demand
    from zconsole.collect.readings.snapshot_contents import Told
    from zconsole.execution.facts.read_facts import SendBases
    from zconsole.execution.facts.snapshot_space import Reclaim, Wish
    from zconsole.execution.policy import Policies
    from zconsole.history.dataset_load_history import KeptLoads
    from zconsole.history.timeline import HostPast
    from zconsole.model.datasets.dataset import Dataset
    from zconsole.model.datasets.dataset_details import DatasetDetails
    from zconsole.model.datasets.snapshot_contents import Browsed
    from zconsole.model.forecast import Outlook
    from zconsole.model.host.capabilities import Means
    from zconsole.model.host.plan_facts import HostPolicy
    from zconsole.model.journal import Entry
    from zconsole.model.pools.dataset_io import DatasetIoSample
    from zconsole.model.pools.pool import ImportablePool
    from zconsole.model.run import Run
    from zconsole.model.timeline import Past, Strips, TimelineSpan
    from zconsole.service.operations import Operator
    from zconsole.storage.known_machines import KnownMachines
    from zconsole.storage.snapshot_index import SnapshotIndex
    from zconsole.storage.space_samples import SpaceStore

logger = logging.getLogger(__name__)
T = TypeVar("T")

COALESCE_S: Final = 0.02  # changes so close together are told once
FEW_HOSTS: Final = 4  # with more of them each is asked more rarely; streams and events keep their pace
FIRST_SAMPLE_S: Final = 20.0  # after the start
SAVE_WITHIN_S: Final = 600.0
STOP_TIMEOUT_S: Final = 1.5  # a program that was told to go is gone within 2 s
LEAVE_WITHIN_S: Final = 1.0  # beside that, for a step that runs to end, and to be known


@runtime_checkable
class HasMarks(Protocol):
    """A host in whose recording moments were marked."""

    @property
    def marks(self) -> tuple[tuple[float, str], ...]:
        """Epoch seconds, and the words."""


class Engine:
    """The collecting side. `start` it, read `states`, `stop` it."""

    def __init__(  # noqa: PLR0913 - all but the hosts have good defaults
        self,
        hosts: Sequence[Host],
        *,
        clock: Clock | None = None,
        interval_s: float = 1.0,
        config: Config | None = None,
        journal: Journal | None = None,
        space: Callable[[], SpaceStore] | None = None,
        send_bases: SendBases | None = None,
        indexes: Callable[[], SnapshotIndex] | None = None,
        machines: Callable[[], KnownMachines] | None = None,
    ) -> None:
        """`space` opens where samples for forecasts are kept; `send_bases` tells of copies.

        `indexes` opens where the last known snapshots are kept, `machines` who answered under which address.
        """
        self._space = space
        self._indexes = indexes
        self._machines = machines
        self._clock = clock or SystemClock()
        self._interval_s = interval_s
        self._config = config or Config()
        keep_s = 60 * self._config.history_minutes
        share = max(1, len(hosts))
        self._memories = {
            host.label: Memory(self._clock, keep_s=keep_s, max_bytes=MAX_ANSWERS_BYTES // share)
            for host in hosts
        }
        self._pasts: dict[str, HostPast] = {}  # from the first samples on
        self._hosts = tuple(
            LoggedHost(RememberedHost(host, self._memories[host.label]), self._clock) for host in hosts
        )
        self._stores = tuple(Store(host.label, self._changed) for host in hosts)
        self._loads: KeptLoads | None = None  # of all hosts; made when the first is kept
        self._operator: Operator | None = None
        self._journal = journal or Journal()
        self._send_bases = send_bases
        self._making = threading.RLock()
        self._all_policies: Policies | None = None
        self._sessions: tuple[HostSession, ...] = ()
        self._listeners: tuple[Callable[[], None], ...] = ()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._telling = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._unsettled: dict[str, UnsettledWatch] = {}  # by host; on the collecting loop
        for host, store in zip(hosts, self._stores, strict=True):
            for at, words in host.marks if isinstance(host, HasMarks) else ():
                store.add_mark(TimelineMark(at, words))

    def start(self) -> None:
        """Begin to collect."""
        look_briefly()
        self._thread = threading.Thread(target=self._run, name="zconsole-collect", daemon=True)
        self._thread.start()
        self._ready.wait()

    def stop(self) -> tuple[Run, ...]:
        """End every stream and connection; gives up waiting after a moment, since a host may hang.

        Returns the runs that were under way, as they are left: a step that was begun goes on.
        """
        runs = {run.id for run in self._runs() if not run.state.is_end}
        if self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # the loop may have ended by itself
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join(STOP_TIMEOUT_S + (LEAVE_WITHIN_S if runs else 0))
        return tuple(run for run in self._runs() if run.id in runs)

    def _runs(self) -> tuple[Run, ...]:
        return tuple(run for state in self.states() for run in state.runs)

    def states(self) -> tuple[HostState, ...]:
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
        for session in self._of(host):
            self._soon(session.refresh)

    def set_interval(self, seconds: float) -> None:
        for session in self._sessions:
            self._soon(partial(session.set_interval, seconds))

    def accept_host_key(self, host: str, fingerprint: str) -> None:
        for session in self._of(host):
            self._soon(partial(self._accept, session, fingerprint))

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

    def load_times(self, host: str, pool: str) -> Sequence[float]:
        return self._loads.times(host, pool) if self._loads is not None else ()

    def loads(self, host: str, pool: str, epoch: float, most: int) -> tuple[DatasetIoSample, ...]:
        return self._loads.until(host, pool, epoch, most) if self._loads is not None else ()

    def mark(self, host: str, words: str, at: float | None = None) -> None:
        mark = TimelineMark(self.now() if at is None else at, words)
        for store in self._stores:
            if store.state.host == host:
                self._soon(partial(store.add_mark, mark))

    def save(self, host: str, folder: Path) -> Future[Path]:
        return self._answered(self._save(host, folder))

    def means(self, host: str, dataset: str, properties: Sequence[str] = ()) -> Future[Means]:
        return self._begin(host, lambda operator: operator.means(host, dataset, properties))

    def importable(self, host: str) -> Future[tuple[ImportablePool, ...]]:
        return self._begin(host, lambda operator: operator.importable(host))

    def browse(self, host: str, snapshot: str, path: str) -> Future[Browsed]:
        return self._begin(host, lambda operator: operator.browse(host, snapshot, path))

    def differences(self, host: str, older: str, newer: str, told: Told) -> Future[Differences]:
        return self._begin(host, lambda operator: operator.differences(host, older, newer, told))

    def look(self, host: str, name: str, origin: str | None) -> Future[DatasetDetails]:
        return self._begin(host, lambda operator: operator.look(host, name, origin))

    def values(self, host: str, names: Sequence[str]) -> Future[tuple[Dataset, ...]]:
        return self._begin(host, lambda operator: operator.values(host, names))

    def frees(self, host: str, pool: str, asked: Sequence[Destroying]) -> Future[Mapping[str, int]]:
        return self._begin(host, lambda operator: operator.frees(host, pool, asked))

    def outlook(self, host: str, pool: str) -> Future[Outlook]:
        state = next((each for each in self.states() if each.host == host), None)
        part = state.pool(pool) if state is not None else None
        if state is None or part is None or part.pool.value is None:
            failed: Future[Outlook] = Future()
            failed.set_exception(HostError(f"{pool} on {host} has not been read"))
            return failed
        called, value = state.hostname or state.host, part.pool.value
        return self._begin(host, lambda operator: operator.outlook(host, value, called))

    def reclaim(self, host: str, wish: Wish) -> Future[Reclaim]:
        return self._begin(host, lambda operator: operator.reclaim(host, wish))

    def prepare(self, host: str, intent: Intent) -> Future[Plan]:
        return self._begin(host, lambda operator: operator.prepare(host, intent))

    def execute(self, host: str, plan: Plan, typed: str, secrets: Mapping[str, Secret]) -> Future[Run]:
        async def call(operator: Operator) -> Run:
            run = await operator.execute(host, plan, typed, secrets)
            if run.is_watched:
                self._recover(host)
            return run

        return self._begin(host, call)

    def end_stream(self, run: str) -> None:
        self._soon(lambda: self._acting().stop(run))

    def commands(self, host: str) -> tuple[Ran, ...]:
        return next((each.commands() for each in self._hosts if each.label == host), ())

    def journal(self) -> Future[tuple[Entry, ...]]:
        return self._answered(patiently(self._journal.entries))

    def policy(self, host: str) -> HostPolicy:
        return self._policies.of(host)

    def unlock(self, host: str) -> float:
        return self._policies.unlock(host)

    @property
    def _policies(self) -> Policies:
        from zconsole.execution.policy import Policies  # noqa: PLC0415

        with self._making:
            if self._all_policies is None:
                kept = () if self._machines is None else (self._machines(),)
                self._all_policies = Policies(self._config, self._clock, *kept)
            return self._all_policies

    async def _save(self, host: str, folder: Path) -> Path:
        """Write in a thread that nothing waits for when the program ends."""
        from zconsole.history.export_recording import save  # noqa: PLC0415

        state = next((store.state for store in self._stores if store.state.host == host), None)
        if state is None:
            raise UsageError(f"there is no host {host!r} here")
        memory, past = self._memories[host], self._past_of(host)
        return await patiently(save, folder, state, memory, past, self._clock, within_s=SAVE_WITHIN_S)

    def _begin(self, host: str, call: Callable[[Operator], Coroutine[Any, Any, T]]) -> Future[T]:
        """Begin something with a host that has an answer."""
        if all(each.label != host for each in self._hosts):
            failed: Future[T] = Future()
            failed.set_exception(UsageError(f"there is no host {host!r} here"))
            return failed
        return self._answered(self._with_operator(call))

    async def _with_operator(self, call: Callable[[Operator], Coroutine[Any, Any, T]]) -> T:
        """What acts is loaded when it is asked first: in a thread, as neither screens nor samples wait."""
        with contained("what was asked for"):
            if self._operator is None:
                await patiently(self._acting)
            return await call(self._acting())

    def _answered(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin something on the collecting loop that has an answer."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                return asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        coroutine.close()
        failed: Future[T] = Future()
        failed.set_exception(HostError("zconsole is being closed"))
        return failed

    def _acting(self) -> Operator:
        """Who acts on the hosts."""
        from zconsole.service.forecasting import elsewhere_of  # noqa: PLC0415
        from zconsole.service.operations import Operator  # noqa: PLC0415

        with self._making:
            if self._operator is None:
                self._operator = Operator(
                    self._hosts,
                    clock=self._clock,
                    policies=self._policies,
                    journal=self._journal,
                    publish=self._publish,
                    send_bases=self._send_bases,
                    space=self._space,
                    elsewhere=partial(elsewhere_of, self._config),
                    watches_on=True,
                )
            return self._operator

    def _publish(self, run: Run) -> None:
        for store in self._stores:
            if store.state.host == run.host:
                store.set_run(run)

    def _recover(self, host: str) -> None:
        """Find out what was left without a known end, each time that its host is there again."""
        watch = self._unsettled.get(host)
        if watch is None:
            watch = self._unsettled[host] = UnsettledWatch(
                partial(self._look_what_is_left, host), self._clock
            )
        watch.wake()

    async def _look_what_is_left(self, host: str) -> Sequence[Run]:
        with suppress(ZConsoleError):  # a plan reads it again, and says what is wrong
            await self._meet(host)
        left: tuple[Entry, ...] = ()
        with suppress(ZConsoleError):  # without a journal nothing was left behind that could be found
            left = await patiently(self._journal.unsettled)
        if not left:
            return ()
        return await self._with_operator(lambda operator: operator.recover(host))

    async def _meet(self, host: str) -> None:
        """Learn which machine answers there, where the configuration forbids anything on any."""
        if any(each.restricts for each in self._config.hosts):
            from zconsole.collect.ask import Asker  # noqa: PLC0415

            policies = await patiently(lambda: self._policies)
            await policies.meet(Asker(next(each for each in self._hosts if each.label == host)))
            for store in self._stores:  # one machine tells of the others
                is_production = policies.is_production(store.state.host)
                if store.state.is_production != is_production:
                    store.commit(replace(store.state, is_production=is_production))

    def _keep_load(self, host: str, pool: str, sample: DatasetIoSample) -> None:
        """Called on the collecting loop."""
        if self._loads is None:
            from zconsole.history.dataset_load_history import KeptLoads  # noqa: PLC0415

            self._loads = KeptLoads(keep_s=60 * self._config.history_minutes)
        self._loads.add(host, pool, sample)

    def _past_of(self, host: str) -> HostPast:
        """What is kept of a host's past. Called on the collecting loop."""
        past = self._pasts.get(host)
        if past is None:
            from zconsole.history.timeline import MAX_BYTES, HostPast  # noqa: PLC0415

            keep_s, share = 60 * self._config.history_minutes, max(1, len(self._hosts))
            past = self._pasts[host] = HostPast(keep_s=keep_s, max_bytes=MAX_BYTES // share)
        return past

    def _of(self, host: str | None) -> tuple[HostSession, ...]:
        return tuple(session for session in self._sessions if host in {None, session.host.label})

    def _demand(self, host: str, want: Callable[[Demand], None]) -> None:
        """On the collecting loop, where what is demanded for the first time is made."""

        def call(session: HostSession) -> None:
            want(session.demand)

        for session in self._of(host):
            self._soon(partial(call, session))

    def _soon(self, call: Callable[[], object]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(call)

    def _accept(self, session: HostSession, fingerprint: str) -> None:
        task = asyncio.ensure_future(session.accept_host_key(fingerprint))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _changed(self) -> None:
        """Tell the listeners, once for changes that come together."""
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
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        slack = max(1.0, len(self._hosts) / FEW_HOSTS)
        beat = Beat() if slack > 1 else None
        self._sessions = tuple(
            HostSession(
                host,
                store,
                self._clock,
                interval_s=self._interval_s,
                slack=slack,
                on_up=partial(self._recover, host.label),
                past=partial(self._past_of, host.label),
                keep_load=partial(self._keep_load, host.label),
                beat=beat,
                indexes=self._indexes,
            )
            for host, store in zip(self._hosts, self._stores, strict=True)
        )
        running = [asyncio.create_task(self._contain(session)) for session in self._sessions]
        running += [asyncio.create_task(self._sample(session)) for session in self._sessions]
        self._ready.set()
        await self._stop.wait()
        if self._operator is not None:
            await self._operator.leave_within(LEAVE_WITHIN_S)
        for task in running:
            task.cancel()
        for watch in self._unsettled.values():
            watch.stop()
        await asyncio.wait(running, timeout=STOP_TIMEOUT_S / 2)
        for host in self._hosts:
            with suppress(ZConsoleError, OSError, TimeoutError):
                await asyncio.wait_for(host.close(), STOP_TIMEOUT_S / 4)

    async def _sample(self, session: HostSession) -> None:
        """Keep how full the host's pools are, for forecasts: later than all that a user waits for."""
        if self._space is not None:
            await self._clock.sleep(FIRST_SAMPLE_S)
            from zconsole.service.space_sampling import Sampler  # noqa: PLC0415

            sampler = Sampler(session.host, session.store, self._space(), self._clock)
            await again_and_again("the samples of space", sampler.run, lambda _: None, self._clock)

    async def _contain(self, session: HostSession) -> None:
        """Run a session; a fault of ours in one must not take the other hosts off the screen."""
        try:
            await session.run()
        except Exception as error:
            logger.exception("the session of %s failed", session.host.label)
            from zconsole.storage.crash_report import cause, log_folder, write_report  # noqa: PLC0415

            path, wrong = write_report(error, log_folder()), cause(error)
            told = "A report could not be written." if path is None else f"The report is {path}."
            session.store.set_link(
                LinkStatus(
                    LinkState.REFUSED,
                    reason=f"zconsole itself failed here: {type(wrong).__name__}: {wrong}",
                    hint=f"{told} The other hosts go on; to watch this one again, start anew.",
                    since=self._clock.monotonic(),
                )
            )
