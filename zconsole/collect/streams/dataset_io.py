"""I/O of a pool's datasets and zvols, while displayed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.read_command_runner import Asker, failure, in_words
from zconsole.hosts.host import Outcome
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.dataset_io import DatasetIoSample
from zconsole.zfs.kstat.objsets import Objset, parse_objsets, rates, read_objsets

KeepsLoad = Callable[[str, DatasetIoSample], None]
EVERY_S: Final = 2.0
LEAST_REST: Final = 4.0  # minimum pause as a multiple of the reading's duration, for many datasets
NOTHING_FOUND: Final = 1  # grep's exit status
SOMETHING_FAILED: Final = 2  # grep's exit status after a dataset was unmounted meanwhile


class ObjsetWatch:
    """Reader of the dataset I/O of one pool of a host."""

    def __init__(self, asker: Asker, store: Store, clock: Clock, keep: KeepsLoad) -> None:
        """`keep` receives each reading with its pool."""
        self._keep = keep
        self._asker = asker
        self._store = store
        self._clock = clock
        self._wanted: str | None = None
        self._due = asyncio.Event()
        self._before: dict[str, Objset] = {}

    def want(self, pool: str | None) -> None:
        """Read the dataset I/O of this pool only; None stops."""
        if pool == self._wanted:
            return
        before, self._wanted, self._before = self._wanted, pool, {}
        if before is not None:
            self._store.update_pool(before, lambda state: replace(state, dataset_io=Reading()))
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        while True:
            self._due.clear()
            pool = self._wanted
            if pool is None:
                await self._due.wait()
                continue
            began = self._clock.monotonic()
            await self._read(pool)
            took_s = self._clock.monotonic() - began
            if pool == self._wanted:
                await pause(self._clock, max(EVERY_S - took_s, LEAST_REST * took_s), self._due)

    async def _read(self, pool: str) -> None:
        try:
            with contained(f"the I/O of the datasets of {pool}"):
                await self._read_counters(pool)
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            self._say(pool, in_words(error))

    async def _read_counters(self, pool: str) -> None:
        completed = await self._asker.run(read_objsets(pool), kind="objsets", pool=pool)
        if completed.outcome is Outcome.UNKNOWN or completed.status not in {
            0,
            NOTHING_FOUND,
            SOMETHING_FAILED,
        }:
            raise failure(completed, self._asker.host.label)
        if completed.status == SOMETHING_FAILED and not completed.stdout:
            raise failure(completed, self._asker.host.label)
        objsets = parse_objsets(completed.stdout.decode("utf-8", "surrogateescape"))
        if pool == self._wanted:
            self._take_in(pool, objsets)

    def _say(self, pool: str, problem: str) -> None:
        self._store.update_pool(
            pool, lambda state: replace(state, dataset_io=replace(state.dataset_io, problem=problem))
        )

    def _take_in(self, pool: str, objsets: tuple[Objset, ...]) -> None:
        before, self._before = self._before, {objset.dataset: objset for objset in objsets}
        if not before:
            return  # rates need two readings
        if objsets and all(before.get(each.dataset) == each for each in objsets):
            return  # a recording without a newer reading
        found = [rates(before, objset) for objset in objsets]
        rows = sorted((row for row in found if row is not None), key=lambda row: row.name)
        spans = [now.at_ns - then.at_ns for now in objsets if (then := before.get(now.dataset)) is not None]
        sample = DatasetIoSample(
            at=self._clock.now(),
            interval_s=max(spans, default=0) / 1e9,
            rows=tuple(rows),
            is_new=len(found) - len(rows),
        )
        reading = Reading(sample, self._clock.monotonic())
        self._store.update_pool(pool, lambda state: replace(state, dataset_io=reading))
        self._keep(pool, sample)
