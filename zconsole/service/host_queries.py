"""Queries on hosts, answered by the Operator on the collecting loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from zconsole.base.errors import HostError
from zconsole.service.operator_calls_from_any_thread import OperatorCalls, failed

if TYPE_CHECKING:  # loaded on demand: not needed for the first frame
    from zconsole.analysis.snapshots.diff_summary import Differences
    from zconsole.analysis.snapshots.snapshots_to_free_space import Destroying
    from zconsole.collect.readings.snapshot_folders_and_diff import DiffProgress
    from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal
    from zconsole.hosts.command_log import LoggedCommand
    from zconsole.model.datasets.dataset import Dataset
    from zconsole.model.datasets.dataset_details import DatasetDetails
    from zconsole.model.datasets.snapshot_contents import FolderComparison
    from zconsole.model.forecast import Outlook
    from zconsole.model.host.capabilities import HostCapabilities
    from zconsole.model.journal import Entry
    from zconsole.model.pools.pool import ImportablePool
    from zconsole.model.pools.read_test import ReadTest
    from zconsole.service.prepare_execute_and_recover_plans import Operator
    from zconsole.zfs.listing.history import HistoryRecord


class HostQueries:
    """`service.screen_protocols.Queries` on hosts."""

    def __init__(self, calls: OperatorCalls) -> None:
        self._calls = calls

    def means(self, host: str, dataset: str, properties: Sequence[str] = ()) -> Future[HostCapabilities]:
        return self._calls.begin(host, lambda operator: operator.means(host, dataset, properties))

    def importable(self, host: str) -> Future[tuple[ImportablePool, ...]]:
        return self._calls.begin(host, lambda operator: operator.importable(host))

    def pool_history(self, host: str, pool: str) -> Future[tuple[HistoryRecord, ...] | None]:
        return self._calls.begin(host, lambda operator: operator.pool_history(host, pool))

    def let_blink(self, host: str, device: str, at_mib: int) -> Future[None]:
        return self._calls.begin(host, lambda operator: operator.let_blink(host, device, at_mib))

    def browse(self, host: str, snapshot: str, path: str) -> Future[FolderComparison]:
        return self._calls.begin(host, lambda operator: operator.browse(host, snapshot, path))

    def differences(self, host: str, older: str, newer: str, told: DiffProgress) -> Future[Differences]:
        return self._calls.begin(host, lambda operator: operator.differences(host, older, newer, told))

    def dataset_details(self, host: str, name: str, origin: str | None) -> Future[DatasetDetails]:
        return self._calls.begin(host, lambda operator: operator.dataset_details(host, name, origin))

    def values(self, host: str, names: Sequence[str]) -> Future[tuple[Dataset, ...]]:
        return self._calls.begin(host, lambda operator: operator.values(host, names))

    def frees(self, host: str, pool: str, asked: Sequence[Destroying]) -> Future[Mapping[str, int]]:
        return self._calls.begin(host, lambda operator: operator.frees(host, pool, asked))

    def outlook(self, host: str, pool: str) -> Future[Outlook]:
        state = next((each.state for each in self._calls.stores if each.state.host == host), None)
        part = state.pool(pool) if state is not None else None
        if state is None or part is None or part.pool.value is None:
            return failed(HostError(f"{pool} on {host} has not been read"))
        called, value = state.hostname or state.host, part.pool.value

        async def call(operator: Operator) -> Outlook:
            found = await operator.outlook(host, value, called)
            self._calls.keep_forecast(host, pool, found.forecast)
            return found

        return self._calls.begin(host, call)

    def reclaim(self, host: str, wish: ReclaimGoal) -> Future[Reclaim]:
        return self._calls.begin(host, lambda operator: operator.reclaim(host, wish))

    def read_test(self, host: str, disk: str) -> Future[ReadTest]:
        async def call(operator: Operator) -> ReadTest:
            test = await operator.read_test(host, disk)
            self._calls.keep_read_test(host, test)
            return test

        return self._calls.begin(host, call)

    def commands(self, host: str) -> tuple[LoggedCommand, ...]:
        return next((each.commands() for each in self._calls.hosts if each.label == host), ())

    def unread_runs(self, host: str) -> Future[int]:
        return self._calls.begin(host, lambda operator: operator.unread_runs())

    def journal(self) -> Future[tuple[Entry, ...]]:
        return self._calls.answered(self._calls.runs())
