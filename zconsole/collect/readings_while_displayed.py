"""Readings made only while a screen needs them: datasets, their I/O, histograms, ARC, SMART data, guests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Protocol

from zconsole.base.clock import Clock
from zconsole.collect.host_state_store import Store
from zconsole.collect.on_demand.container_watch import ContainerWatch
from zconsole.collect.on_demand.dataset_contents_watch import DatasetContentsWatch
from zconsole.collect.on_demand.guest_watch import GuestWatch
from zconsole.collect.on_demand.kernel_log_watch import KernelLogWatch
from zconsole.collect.on_demand.pool_dataset_watch import DatasetWatch, Indexes
from zconsole.collect.on_demand.smart_watch import DiskHealthWatch, KeepsHealth
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.streams.dataset_io import KeepsLoad, ObjsetWatch
from zconsole.collect.streams.kstats import ArcWatch
from zconsole.collect.streams.latency_or_request_size_histograms import HistogramWatch
from zconsole.model.pools.dataset_io import DatasetIoSample
from zconsole.model.pools.event import Event
from zconsole.zfs.iostat.histogram_stream import LATENCIES, SIZES


class _Watch(Protocol):
    """Collector of this module."""

    async def run(self) -> None:
        """Read until cancelled. Raises errors that end the whole session."""


def _forget(_pool: str, _sample: DatasetIoSample) -> None:
    """Default: dataset I/O readings are not kept."""


class Demand:
    """Collectors of one host that run on demand."""

    def __init__(  # noqa: PLR0913 - all but three have good defaults
        self,
        asker: Asker,
        store: Store,
        clock: Clock,
        *,
        slack: float = 1.0,
        keep_load: KeepsLoad = _forget,
        indexes: Indexes | None = None,
        health: KeepsHealth | None = None,
        settings_due: asyncio.Event | None = None,
    ) -> None:
        """`keep_load` receives readings of dataset I/O; `indexes` opens the saved snapshot listings.

        `health` opens the SMART data that was kept; with it that data and guests are read rarely, unasked.
        `settings_due` belongs to the watch of the settings, which always runs.
        """
        self._datasets = DatasetWatch(asker, store, clock, slack, indexes=indexes)
        self._latencies = HistogramWatch(asker.host, store, clock, LATENCIES)
        self._sizes = HistogramWatch(asker.host, store, clock, SIZES)
        self._objsets = ObjsetWatch(asker, store, clock, keep_load)
        self._arc = ArcWatch(asker.host, store, clock)
        self._disk_health = DiskHealthWatch(asker, store, clock, slack=slack, kept=health)
        self._kernel_log = KernelLogWatch(asker, store, clock)
        self._contents = DatasetContentsWatch(asker, store, clock, slack=slack)
        self._guests = GuestWatch(asker, store, clock, slack=slack, is_unasked=health is not None)
        self._containers = ContainerWatch(asker, store, clock, slack=slack)
        self._settings_due = settings_due or asyncio.Event()

    def want_datasets(self, pool: str, *, is_wanted: bool) -> None:
        """Start or stop refreshing a pool's datasets and holds."""
        self._datasets.want(pool, is_wanted=is_wanted)

    def want_first(self, pool: str, datasets: Sequence[str]) -> None:
        """List the snapshots of these datasets first."""
        self._datasets.want_first(pool, datasets)

    def want_latency(self, pool: str | None) -> None:
        """Stream latency histograms of this pool only; None stops."""
        self._latencies.want(pool)

    def want_sizes(self, pool: str | None) -> None:
        """Stream request size histograms of this pool only; None stops."""
        self._sizes.want(pool)

    def want_objsets(self, pool: str | None) -> None:
        """Read the dataset I/O of this pool only; None stops."""
        self._objsets.want(pool)

    def want_arc(self, *, is_wanted: bool) -> None:
        """Start or stop reading ARC, throttle, intent log and txgs."""
        self._arc.want(is_wanted=is_wanted)

    def want_disk_health(self, *, is_wanted: bool) -> None:
        """Read SMART data and kernel messages that are not recent, and go on while they are wanted."""
        self._disk_health.want(is_wanted=is_wanted)
        self._kernel_log.want(is_wanted=is_wanted)

    def want_guests(self, *, is_wanted: bool) -> None:
        """Read the guests of libvirt and the containers, and go on while they are wanted."""
        self._guests.want(is_wanted=is_wanted)
        self._containers.want(is_wanted=is_wanted)

    def want_contents(self, *, is_wanted: bool) -> None:
        """Look at what lives on the datasets, and again hourly while it is wanted.

        Settings, by which it is judged what to look at, are read at once unless they are recent.
        """
        if is_wanted:
            self._settings_due.set()
        self._contents.want(is_wanted=is_wanted)

    def follow_guests(self) -> None:
        """Read the states of the guests, rarely and at events, though no screen shows them."""
        self._guests.follow()

    def refresh_guests(self) -> None:
        """Read the guests with their disks soon, where they are read."""
        self._guests.refresh_soon()

    def disks_were_read(self) -> None:
        """Read the SMART data of disks that have appeared."""
        self._disk_health.refresh_soon()

    def refresh_soon(self) -> None:
        """Adapt to pools that appeared, disappeared or changed state."""
        for watch in (self._latencies, self._sizes):
            watch.refresh_soon()

    def hear(self, events: Iterable[Event]) -> None:
        """Refresh the datasets soon if an event shows a change of one."""
        self._datasets.hear(events)

    async def run(self) -> None:
        """Read until cancelled. Raises errors that end the whole session."""
        watches: Sequence[_Watch] = (
            self._datasets,
            self._latencies,
            self._sizes,
            self._objsets,
            self._arc,
            self._disk_health,
            self._kernel_log,
            self._guests,
            self._containers,
            self._contents,
        )
        async with asyncio.TaskGroup() as tasks:
            for watch in watches:
                tasks.create_task(watch.run())
