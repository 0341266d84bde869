"""States that never change by themselves, and canned answers: what a console of a test stands on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan
from zconsole.analysis.snapshots.diff_summary import Differences, DiffSummary
from zconsole.analysis.snapshots.snapshots_to_free_space import Destroying
from zconsole.base.errors import CommandFailed, HostError, UsageError
from zconsole.base.secret import Secret
from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal
from zconsole.execution.read_only_and_protection_policy import UNLOCKED_S
from zconsole.hosts.command_log import LoggedCommand
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_details import DatasetDetails
from zconsole.model.datasets.snapshot_contents import FolderComparison
from zconsole.model.forecast import Outlook
from zconsole.model.host.capabilities import HostCapabilities
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import HostPolicy, PrivilegeMode, Privileges
from zconsole.model.journal import Entry
from zconsole.model.past_states_and_latency_strips import Bandwidth, Past, Strips, TimelineSpan
from zconsole.model.pools.dataset_io import DatasetIoSample
from zconsole.model.pools.pool import ImportablePool
from zconsole.model.pools.read_test import ReadTest
from zconsole.model.run import Run
from zconsole.service.screen_protocols import Service
from zconsole.zfs.listing.history import HistoryRecord

T = TypeVar("T")


class StaticSource:
    """States, queries and operations without any host."""

    def __init__(self, *states: HostState, now: float = 0.0, monotonic: float = 0.0) -> None:
        self._states = states
        self._now = now
        self._monotonic = monotonic
        self._listeners: list[Callable[[], None]] = []
        self.blinks: list[tuple[str, str, int]] = []
        self.is_blind = False  # no disk answers
        self.accepted: list[tuple[str, str]] = []
        self.refreshed: list[str | None] = []
        self.interval_s: float | None = None
        self.wanted: list[tuple[str, str, bool]] = []
        self.live: list[tuple[str, str, str | bool | None]] = []  # (what, host, pool or flag), as wanted
        self.pasts: dict[tuple[str, str], tuple[Past, ...]] = {}  # canned, by host and pool, oldest first
        self.canned_bandwidth: dict[tuple[str, str], Bandwidth] = {}
        self.canned_strips: dict[tuple[str, str], Strips] = {}
        self.kept_loads: dict[tuple[str, str], tuple[DatasetIoSample, ...]] = {}  # likewise
        self.marked: list[tuple[str, str, float | None]] = []
        self.saved: list[tuple[str, Path]] = []
        self.plans: dict[Intent, Plan | Exception] = {}  # canned answers of `prepare`
        self.runs: dict[Intent, Run | Exception] = {}  # canned answers of `execute`, by the plan's intent
        self.folders: dict[tuple[str, str], FolderComparison | Exception] = {}  # canned, by snapshot and path
        self.browsed: list[tuple[str, str, str]] = []
        self.diffs: dict[tuple[str, str], Differences | DiffSummary | Exception] = {}  # a summary goes on
        self.diffed: list[tuple[str, str, str]] = []
        self.prepared: list[tuple[str, Intent]] = []
        self.executed: list[tuple[str, Plan, str, dict[str, Secret]]] = []
        self.stopped: list[str] = []
        self.looks: dict[str, DatasetDetails | Exception] = {}  # canned answers of `look`
        self.canned_values: Mapping[str, Dataset] = {}  # by the names of snapshots
        self.asked_values: list[tuple[str, tuple[str, ...]]] = []
        self.first: list[tuple[str, str, tuple[str, ...]]] = []
        self.canned_frees: Mapping[str, int] | Exception = {}
        self.asked_frees: list[tuple[str, str, tuple[Destroying, ...]]] = []
        self.read_tests: dict[str, ReadTest | Exception] = {}  # canned answers of `read_test`, by disk
        self.tested: list[tuple[str, str]] = []
        self.reclaims: dict[str, Reclaim | Exception] = {}  # canned answers of `reclaim`, by the order
        self.outlooks: dict[tuple[str, str], Outlook | Exception] = {}  # canned, by host and pool
        self.wishes: list[tuple[str, ReclaimGoal]] = []
        self.details_read: list[tuple[str, str, str | None]] = []
        self.ran: tuple[LoggedCommand, ...] = ()
        self.pools_to_import: tuple[ImportablePool, ...] = ()
        self.unread: int | Exception = 0
        self.histories: dict[tuple[str, str], tuple[HistoryRecord, ...] | None] = {}
        self.entries: tuple[Entry, ...] | Exception = ()
        self.policies: dict[str, HostPolicy] = {}
        self.unlocked: list[str] = []
        self.asked_means: list[tuple[str, str, tuple[str, ...]]] = []
        self.at_hand: HostCapabilities | Exception = HostCapabilities(
            Privileges("root", 0, PrivilegeMode.ROOT)
        )

    @property
    def service(self) -> Service:
        """All of it, for a console."""
        return Service(self, self, self)

    def newest(self) -> tuple[HostState, ...]:
        return self._states

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        self._listeners.append(on_change)
        return lambda: self._listeners.remove(on_change)

    def monotonic(self) -> float:
        return self._monotonic

    def now(self) -> float:
        return self._now

    def refresh(self, host: str | None = None) -> None:
        self.refreshed.append(host)

    def set_interval(self, seconds: float) -> None:
        self.interval_s = seconds

    def accept_host_key(self, host: str, fingerprint: str) -> None:
        self.accepted.append((host, fingerprint))

    def want_datasets(self, host: str, pool: str, *, is_wanted: bool) -> None:
        self.wanted.append((host, pool, is_wanted))

    def want_first(self, host: str, pool: str, datasets: Sequence[str]) -> None:
        self.first.append((host, pool, tuple(datasets)))

    def want_latency(self, host: str, pool: str | None) -> None:
        self.live.append(("latency", host, pool))

    def want_sizes(self, host: str, pool: str | None) -> None:
        self.live.append(("sizes", host, pool))

    def want_objsets(self, host: str, pool: str | None) -> None:
        self.live.append(("objsets", host, pool))

    def want_arc(self, host: str, *, is_wanted: bool) -> None:
        self.live.append(("arc", host, is_wanted))

    def want_disks(self, host: str, *, is_wanted: bool) -> None:
        self.live.append(("disks", host, is_wanted))

    def want_guests(self, host: str, *, is_wanted: bool) -> None:
        self.live.append(("guests", host, is_wanted))

    def want_contents(self, host: str, *, is_wanted: bool) -> None:
        self.live.append(("contents", host, is_wanted))

    def span(self, host: str, pool: str) -> TimelineSpan | None:
        pasts = self.pasts.get((host, pool), ())
        return TimelineSpan(pasts[0].at, pasts[-1].at, len(pasts)) if pasts else None

    def times(self, host: str) -> Mapping[str, Sequence[float]]:
        return {pool: [past.at for past in pasts] for (of, pool), pasts in self.pasts.items() if of == host}

    def at(self, host: str, pool: str, epoch: float) -> Past | None:
        pasts = self.pasts.get((host, pool), ())
        return next((past for past in reversed(pasts) if past.at <= epoch), pasts[0] if pasts else None)

    def strips(self, host: str, pool: str, *, until: float, seconds: float, columns: int) -> Strips | None:
        del until, seconds, columns
        return self.canned_strips.get((host, pool))

    def bandwidth(
        self, host: str, pool: str, *, until: float, seconds: float, columns: int
    ) -> Bandwidth | None:
        del until
        known = self.canned_bandwidth.get((host, pool))
        if known is None:
            return None
        return Bandwidth(known.until, known.reads[-columns:], known.writes[-columns:], seconds)

    def load_times(self, host: str, pool: str) -> Sequence[float]:
        return [each.at for each in self.kept_loads.get((host, pool), ())]

    def loads(self, host: str, pool: str, epoch: float, most: int) -> tuple[DatasetIoSample, ...]:
        return tuple(each for each in self.kept_loads.get((host, pool), ()) if each.at <= epoch)[-most:]

    def mark(self, host: str, words: str, at: float | None = None) -> None:
        self.marked.append((host, words, at))

    def save(self, host: str, folder: Path) -> Future[Path]:
        self.saved.append((host, folder))
        return _answered(folder)

    def importable(self, host: str) -> Future[tuple[ImportablePool, ...]]:
        del host
        return _answered(self.pools_to_import)

    def let_blink(self, host: str, device: str, at_mib: int) -> Future[None]:
        self.blinks.append((host, device, at_mib))
        done: Future[None] = Future()
        if self.is_blind:
            done.set_exception(CommandFailed(f"dd on {host} failed", said="Input/output error"))
        else:
            done.set_result(None)
        return done

    def means(self, host: str, dataset: str, properties: Sequence[str] = ()) -> Future[HostCapabilities]:
        self.asked_means.append((host, dataset, tuple(properties)))
        return _answered(self.at_hand)

    def browse(self, host: str, snapshot: str, path: str) -> Future[FolderComparison]:
        self.browsed.append((host, snapshot, path))
        return _answered(self.folders.get((snapshot, path), UsageError(f"{path} is not canned")))

    def differences(
        self, host: str, older: str, newer: str, told: Callable[[DiffSummary], None]
    ) -> Future[Differences]:
        self.diffed.append((host, older, newer))
        known = self.diffs.get((older, newer), UsageError(f"no diff of {older} is canned"))
        if isinstance(known, DiffSummary):
            told(known)
            return Future()
        return _answered(known)

    def dataset_details(self, host: str, name: str, origin: str | None) -> Future[DatasetDetails]:
        self.details_read.append((host, name, origin))
        return _answered(self.looks.get(name, DatasetDetails(name)))

    def values(self, host: str, names: Sequence[str]) -> Future[tuple[Dataset, ...]]:
        self.asked_values.append((host, tuple(names)))
        found = (
            each
            for each in self.canned_values.values()
            if {each.name, each.name.partition("@")[0]} & {*names}
        )
        return _answered(tuple(found))

    def frees(self, host: str, pool: str, asked: Sequence[Destroying]) -> Future[Mapping[str, int]]:
        self.asked_frees.append((host, pool, tuple(asked)))
        return _answered(self.canned_frees)

    def read_test(self, host: str, disk: str) -> Future[ReadTest]:
        self.tested.append((host, disk))
        return _answered(self.read_tests.get(disk, UsageError(f"{disk} is in use: it is not tested")))

    def outlook(self, host: str, pool: str) -> Future[Outlook]:
        return _answered(self.outlooks.get((host, pool), HostError(f"no outlook of {pool} is canned")))

    def reclaim(self, host: str, wish: ReclaimGoal) -> Future[Reclaim]:
        self.wishes.append((host, wish))
        return _answered(self.reclaims.get(wish.order, UsageError(f"no answer is canned for {wish}")))

    def prepare(self, host: str, intent: Intent) -> Future[Plan]:
        self.prepared.append((host, intent))
        return _answered(self.plans.get(intent, UsageError(f"no plan is canned for {intent}")))

    def execute(self, host: str, plan: Plan, typed: str, secrets: Mapping[str, Secret]) -> Future[Run]:
        self.executed.append((host, plan, typed, dict(secrets)))
        return _answered(self.runs.get(plan.intent, UsageError(f"no run is canned for {plan.intent}")))

    def end_stream(self, run: str) -> None:
        self.stopped.append(run)

    def commands(self, host: str) -> tuple[LoggedCommand, ...]:
        del host
        return self.ran

    def pool_history(self, host: str, pool: str) -> Future[tuple[HistoryRecord, ...] | None]:
        return _answered(self.histories.get((host, pool), ()))

    def unread_runs(self, host: str) -> Future[int]:
        del host
        return _answered(self.unread)

    def journal(self) -> Future[tuple[Entry, ...]]:
        return _answered(self.entries)

    def policy(self, host: str) -> HostPolicy:
        return self.policies.get(host, HostPolicy())

    def unlock(self, host: str) -> float:
        self.unlocked.append(host)
        self.policies[host] = replace(self.policy(host), read_only="")
        return self._now + UNLOCKED_S

    def replace(self, *states: HostState, now: float | None = None, monotonic: float | None = None) -> None:
        """Move on to other states, and tell who listens."""
        self._states = states
        self._now = self._now if now is None else now
        self._monotonic = self._monotonic if monotonic is None else monotonic
        for listener in tuple(self._listeners):
            listener()


def _answered(answer: T | Exception) -> Future[T]:
    future: Future[T] = Future()
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
    return future
