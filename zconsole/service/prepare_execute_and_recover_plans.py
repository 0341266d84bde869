"""Operator: plans are prepared, executed, and settled after a crash."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan
from zconsole.actions.replication.syncoid import SYNCOID
from zconsole.analysis.repair.need_of_spare import suspects_beside_spares
from zconsole.analysis.snapshots.diff_summary import Differences
from zconsole.analysis.snapshots.snapshots_to_free_space import Destroying
from zconsole.base.clock import Clock
from zconsole.base.errors import HostError, ParseError
from zconsole.base.secret import Secret
from zconsole.collect.answers_ahead import AskerAhead
from zconsole.collect.privilege import Privilege, read_at_best
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import read_pool_names
from zconsole.collect.readings.activity_light import let_blink
from zconsole.collect.readings.dataset_details import read_dataset_details
from zconsole.collect.readings.displayed_snapshot_values import read_values
from zconsole.collect.readings.facts_for_plans import (
    read_history,
    read_kstat_guid,
    read_missing_tools,
    read_properties,
)
from zconsole.collect.readings.importable_pools import read_importable
from zconsole.collect.readings.read_test_of_unused_disk import read_test_of
from zconsole.collect.readings.snapshot_folders_and_diff import DiffProgress, browse, differences
from zconsole.execution.execute import execute
from zconsole.execution.facts.answers_of_one_plan import AskerForOnePlan
from zconsole.execution.facts.expected_questions import expected_questions
from zconsole.execution.facts.expected_questions_about_guests import expected_of_libvirts
from zconsole.execution.facts.fact_reader_context import Abilities, Reader, SendBases
from zconsole.execution.facts.recently_read_host import known_host
from zconsole.execution.facts.sending_host import Peer
from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal, read_freed, read_reclaim
from zconsole.execution.libzfs_core_availability import CoreFinder
from zconsole.execution.outcomes.recover_runs import count_unread, recover
from zconsole.execution.prepare_plan import prepare
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.execution.recheck_plan import Order
from zconsole.execution.run_context import RunContext, Writes, console_id, origin
from zconsole.hosts.host import Host, connection_of
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_details import DatasetDetails
from zconsole.model.datasets.snapshot_contents import FolderComparison
from zconsole.model.forecast import Outlook
from zconsole.model.guests.guest import Guest
from zconsole.model.host.capabilities import HostCapabilities
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import RunningPlan
from zconsole.model.pools.pool import ImportablePool, Pool
from zconsole.model.pools.read_test import ReadTest
from zconsole.model.run import Run
from zconsole.service.forecasting import Elsewhere, read_outlook
from zconsole.storage.journal import Journal
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.space_samples import SpaceStore
from zconsole.system import ledctl
from zconsole.zfs.listing.history import HistoryRecord

_NONE: Final[frozenset[str]] = frozenset()
GUEST_IO_SAMPLE_S: Final = 5.0  # a Linux guest writes back its page cache, and its journal, every 5 s
GUEST_IO_LASTS_S: Final = 30.0  # rates that a screen shows are of now
_MENU_LASTS_S: Final = 60.0  # sudo's answers for menus; plans ask each time


def _to_nobody(_run: Run) -> None:
    """Default: no subscriber."""


def _nowhere(_host: str) -> None:
    """Default: no metrics source for any host."""


def _unknown(_host: str) -> None:
    """Default: nothing is collected of any host."""


class _Turn:
    """Turn to act on a host or two, which can be passed on early."""

    def __init__(self, *locks: asyncio.Lock) -> None:
        self._locks = locks
        self._held: list[asyncio.Lock] = []

    async def __aenter__(self) -> None:
        try:
            for lock in self._locks:  # in the order of the hosts, so that two never wait for each other
                await lock.acquire()
                self._held.append(lock)
        except BaseException:
            self.let_others()
            raise

    async def __aexit__(self, *_error: object) -> None:
        self.let_others()

    def let_others(self) -> None:
        """Release the turn early."""
        while self._held:
            self._held.pop().release()


class Operator:
    """Operator of the hosts of one event loop. `publish` receives every change of a run."""

    def __init__(  # noqa: PLR0913 - all but the hosts have good defaults
        self,
        hosts: Sequence[Host],
        *,
        clock: Clock,
        policies: Policies,
        journal: Journal | None = None,
        publish: Callable[[Run], None] = _to_nobody,
        write: Writes = patiently,
        send_bases: SendBases | None = None,
        space: Callable[[], SpaceStore] | None = None,
        elsewhere: Callable[[str], Elsewhere | None] = _nowhere,
        state_of: Callable[[str], HostState | None] = _unknown,
        watches_on: bool = False,
    ) -> None:
        """`state_of` returns what is collected of a host, which its plans need not read again.

        With `watches_on` the owner calls `recover` repeatedly while a run is unsettled.
        """
        self._hosts = {host.label: host for host in hosts}
        self._askers = {host.label: Asker(host, is_urgent=True) for host in hosts}
        self._cores = {label: CoreFinder(asker) for label, asker in self._askers.items()}
        self._executing: set[asyncio.Future[Any]] = set()
        self._running: list[tuple[set[str], RunningPlan]] = []
        self._one_at_a_time = {host.label: asyncio.Lock() for host in hosts}
        self._recovering = {host.label: asyncio.Lock() for host in hosts}
        self._menus: dict[str, tuple[float, Privilege, frozenset[str]]] = {}  # read at; for menus
        self._clock = clock
        self._policies = policies
        self._send_bases = send_bases
        self._space = space
        self._elsewhere_of = elsewhere
        self._state_of = state_of
        self._abilities: dict[str, tuple[int | None, Abilities]] = {}  # by host, with their connection
        self._changed_at: dict[str, float] = {}  # monotonic seconds of the end of the last run, by host
        self._context = RunContext(
            journal or Journal(), publish, console_id(), origin(), write, watches_on=watches_on
        )

    @property
    def journal(self) -> Journal:
        """Journal of every step."""
        return self._context.journal

    async def importable(self, host: str) -> tuple[ImportablePool, ...]:
        """Pools on the host's disks that are not imported; reads a label of every disk. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await read_importable(asker)

    async def pool_history(self, host: str, pool: str) -> tuple[HistoryRecord, ...] | None:
        """History of a pool, oldest first; None where this user may not read it. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await read_history(asker, Privilege(asker), pool)

    async def means(self, host: str, dataset: str, properties: Sequence[str] = ()) -> HostCapabilities:
        """Best privileges of the user on a host and a dataset, with some of its properties.

        Raises HostError.
        """
        at, privilege, missing = self._menus.get(host, (0.0, None, _NONE))
        if privilege is None or self._clock.monotonic() - at > _MENU_LASTS_S:
            privilege = Privilege(self._askers[host])
            missing = await read_missing_tools(self._askers[host], (ledctl.TOOL, SYNCOID))
            self._menus[host] = (self._clock.monotonic(), privilege, missing)
        pool = pool_of(dataset)
        wanted = [(dataset, key) for key in properties]
        found = await read_properties(self._askers[host], wanted, (pool,), {})
        return HostCapabilities(await read_at_best(privilege, dataset), missing, found)

    async def let_blink(self, host: str, device: str, at_mib: int) -> None:
        """One burst of reads of a disk. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        await let_blink(asker, Privilege(asker), device, at_mib)

    async def browse(self, host: str, snapshot: str, path: str) -> FolderComparison:
        """Folder of a snapshot and the same folder now. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await browse(asker, Privilege(asker), snapshot, path)

    async def differences(self, host: str, older: str, newer: str, told: DiffProgress) -> Differences:
        """Differences between a snapshot and a later one, or the live file system. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await differences(asker, Privilege(asker), (older, newer), told, self._clock)

    async def dataset_details(self, host: str, name: str, origin: str | None) -> DatasetDetails:
        """Details of one dataset or snapshot, read on demand. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await read_dataset_details(asker, name, origin)

    async def values(self, host: str, names: Sequence[str]) -> tuple[Dataset, ...]:
        """All columns of snapshots; a dataset's name stands for all of its snapshots. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await read_values(asker, names)

    async def read_test(self, host: str, disk: str) -> ReadTest:
        """Short read test of a disk that nothing uses. Raises UsageError for others, and HostError."""
        return await read_test_of(self._askers[host], disk, self._clock)

    async def frees(self, host: str, pool: str, asked: Sequence[Destroying]) -> Mapping[str, int]:
        """Space that snapshots free, by dataset, from ZFS's dry runs. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await read_freed(asker, pool, asked)

    async def outlook(self, host: str, pool: Pool, called: str) -> Outlook:
        """Basis of a capacity plan; `called` is the host's own name. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        return await read_outlook(
            asker,
            pool,
            called,
            self._clock.now(),
            store=None if self._space is None else self._space(),
            elsewhere=self._elsewhere_of(host),
        )

    async def reclaim(self, host: str, wish: ReclaimGoal) -> Reclaim:
        """Snapshots whose destruction frees a given space; changes nothing. Raises HostError."""
        asker = self._askers[host]
        await asker.host.connect()
        policy = wish.keeping.policy
        if not policy.protected:
            policy = await self._policies.meet(asker)
        keeping = replace(wish.keeping, policy=policy)
        return await read_reclaim(asker, replace(wish, keeping=keeping), self._clock.now())

    async def prepare(self, host: str, intent: Intent) -> Plan:
        """Plan from a reading of the host, with ZFS's dry runs. Raises UsageError and HostError."""
        reader = replace(
            self._reader(host),
            known_guests=self._known_guests(host),
            io_sample_s=GUEST_IO_SAMPLE_S,
            running=self._running_on(host),
            is_to_plan=True,
        )
        await reader.host.connect()
        knowing = self._knowing(reader, intent)
        asker = AskerForOnePlan(knowing.asker)
        user = None if knowing.known is None else knowing.known.user
        try:
            reader = replace(
                knowing,
                asker=asker,
                privilege=Privilege(asker, user),
                abilities=knowing.abilities or Abilities(),
            )
            return await prepare(reader, intent)
        finally:
            if isinstance(knowing.asker, AskerAhead):
                knowing.asker.forget()

    async def execute(
        self,
        host: str,
        plan: Plan,
        typed: str = "",
        secrets: Mapping[str, Secret] | None = None,
        *,
        lasts_s: float | None = None,
    ) -> Run:
        """Execute a plan, one at a time per host. Every outcome is a Run."""
        labels = {host, *(() if plan.other is None else (plan.other.identity.label,))}
        turn = _Turn(*(lock for label, lock in self._one_at_a_time.items() if label in labels))
        async with turn:
            order = Order(plan, typed, secrets or {}, lasts_s)
            reader = replace(self._reader(host), running=self._running_on(host))
            executing = asyncio.ensure_future(execute(reader, order, self._context, turn.let_others))
            own = RunningPlan(plan.intent.action, plan.target, plan.title)
            self._running.append((labels, own))
            self._executing.add(executing)
            executing.add_done_callback(self._executing.discard)
            try:
                return await executing
            finally:
                executing.cancel()
                self._running.remove((labels, own))
                self._changed_at |= dict.fromkeys(labels, self._clock.monotonic())
                for each in labels:
                    self._abilities.pop(each, None)

    def stop(self, run: str) -> None:
        """Send no further step of a run, and end the stream that feeds it; received data is kept."""
        if run in self._context.stops:
            self._context.stops[run].set()

    async def recover(self, host: str, *, patience_s: float = 0.0) -> tuple[Run, ...]:
        """Settle this host's runs without a known end, of earlier consoles and this one.

        Checked once, and repeatedly for up to `patience_s` where that is certain to decide. Actions do not
        wait for recovery.
        """
        async with self._recovering[host]:
            return await recover(self._reader(host), self._context, patience_s=patience_s)

    async def unread_runs(self) -> int:
        """Rows of the journal that cannot be read and may be runs without a known end."""
        return await count_unread(self._context)

    def leave(self) -> None:
        """Request to leave: streams are stopped, no further step is sent, each run ends soon."""
        self._context.leaving.set()
        for stop in self._context.stops.values():
            stop.set()

    async def leave_within(self, seconds: float) -> None:
        """Like `leave`, and wait up to `seconds` for runs to end; a started step continues on the host."""
        self.leave()
        if self._executing:
            await asyncio.wait(self._executing, timeout=seconds)

    def _reader(self, host: str) -> Reader:
        asker = self._askers[host]
        return Reader(
            asker,
            self._clock,
            Privilege(asker),
            self._policies.of(host),
            partial(self._elsewhere, host),
            self._cores[host],
            self._send_bases,
            self._peer,
            partial(self._policies.meet, asker),
            slow_disks=self._slow_disks(host),
            suspects=self._suspects(host),
            others=self._other,
        )

    def _slow_disks(self, host: str) -> tuple[tuple[str, str], ...]:
        """Pool and name of each disk that is slower than its peers now, as far as the console judges it."""
        state = self._state_of(host)
        pools = () if state is None else state.pools
        return tuple((pool.name, verdict.disk) for pool in pools for verdict in pool.slow)

    def _suspects(self, host: str) -> frozenset[tuple[str, str]]:
        """Pool and name of each device beside a spare that SMART warns of, or that is slow."""
        state = self._state_of(host)
        pools = () if state is None else (each.pool.value for each in state.pools)
        known = (
            (of, suspects_beside_spares(state, of)) for of in pools if state is not None and of is not None
        )
        return frozenset((of.name, name) for of, names in known for name in names)

    def _other(self, label: str) -> Reader | None:
        """The reader of another of our hosts; None for one that is none of them."""
        return self._reader(label) if label in self._askers else None

    def _knowing(self, reader: Reader, intent: Intent) -> Reader:
        """A reader that reads nothing twice within seconds, for a plan of disks or of datasets.

        What such a plan decides on is read for it: labels, users, datasets, properties. A plan of a pool
        reads the pool, and a run reads everything.

        What was read before the end of the last run on the host is not used.
        """
        host = reader.host.label
        state = self._state_of(host)
        needs = spec(intent.action).needs(intent)
        is_of_datasets = bool(needs.datasets) and intent.target != intent.pool
        if state is None or self._executing or not (needs.disk_uses or is_of_datasets):
            return reader
        now = self._clock.monotonic()
        unchanged_s = now - self._changed_at.get(host, -math.inf)
        connection = connection_of(reader.host)
        known = known_host(state, now, connection, unchanged_s=unchanged_s)
        if known is None:
            return reader
        pool = state.pool(intent.pool)
        if host not in self._abilities or self._abilities[host][0] != connection:
            self._abilities[host] = (connection, Abilities())
        abilities = self._abilities[host][1]
        expected = (
            *(() if pool is None or not is_of_datasets else expected_questions(intent, known, pool)),
            *expected_of_libvirts(intent, state.guests.value or (), is_told=abilities.changes_guests),
        )
        asker = AskerAhead(reader.asker, expected) if expected else reader.asker
        return replace(
            reader,
            asker=asker,
            known=known,
            privilege=Privilege(asker, known.user),
            abilities=abilities,
        )

    def _running_on(self, host: str) -> tuple[RunningPlan, ...]:
        """Plans that are being carried out, and change this host."""
        return tuple(each for labels, each in self._running if host in labels)

    def _known_guests(self, host: str) -> tuple[Guest, ...]:
        """Guests with the I/O of their disks, where a screen has just read them."""
        state = self._state_of(host)
        age_s = None if state is None else state.guests.age(self._clock.monotonic())
        is_fresh = age_s is not None and age_s < GUEST_IO_LASTS_S
        return (state.guests.value or ()) if state is not None and is_fresh else ()

    def _peer(self, label: str) -> Peer | None:
        """One of our hosts as the sender of a stream; None for others."""
        asker = self._askers.get(label)
        return None if asker is None else Peer(asker, Privilege(asker))

    async def _elsewhere(self, host: str) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
        """Pools imported on our other hosts by host and guid, and the hosts that could not be read."""
        found: list[tuple[str, int]] = []
        unseen: list[str] = []
        for label, asker in self._askers.items():
            if self._policies.are_one(label, host):
                continue
            try:
                for name in await read_pool_names(asker):
                    guid = await read_kstat_guid(asker.host, name)
                    if guid is not None:
                        found.append((label, guid))
            except (HostError, ParseError):
                unseen.append(f"{label} could not be asked which pools it has imported")
        return tuple(found), tuple(unseen)
