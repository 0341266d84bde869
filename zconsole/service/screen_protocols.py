"""Protocols that screens use: states, queries and operations; a recorded state can implement them too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from zconsole.base.lazy_dataclass import dataclass

if TYPE_CHECKING:  # rarely used types are loaded late
    from zconsole.actions.intent import Intent
    from zconsole.actions.plan import Plan
    from zconsole.analysis.snapshots.diff_summary import Differences, DiffSummary
    from zconsole.analysis.snapshots.snapshots_to_free_space import Destroying
    from zconsole.base.secret import Secret
    from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal
    from zconsole.hosts.command_log import LoggedCommand
    from zconsole.model.datasets.dataset import Dataset
    from zconsole.model.datasets.dataset_details import DatasetDetails
    from zconsole.model.datasets.snapshot_contents import FolderComparison
    from zconsole.model.forecast import Outlook
    from zconsole.model.host.capabilities import HostCapabilities
    from zconsole.model.host.host_state import HostState
    from zconsole.model.host.plan_facts import HostPolicy
    from zconsole.model.journal import Entry
    from zconsole.model.past_states_and_latency_strips import Bandwidth, Past, Strips, TimelineSpan
    from zconsole.model.pools.dataset_io import DatasetIoSample
    from zconsole.model.pools.pool import ImportablePool
    from zconsole.model.pools.read_test import ReadTest
    from zconsole.model.run import Run
    from zconsole.zfs.listing.history import HistoryRecord


class States(Protocol):
    """Newest state of every host, states of the last hour, and subscriptions to further readings."""

    def newest(self) -> tuple[HostState, ...]:
        """Newest state of each host, in the order in which the user named the hosts."""

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` (from the collecting thread, without a payload) after changes.

        Returns a function that ends the subscription.
        """

    def monotonic(self) -> float:
        """Current monotonic seconds, on the clock of the ages in the states."""

    def now(self) -> float:
        """Current epoch seconds."""

    def refresh(self, host: str | None = None) -> None:
        """Read everything now, of one host or of all; a lost connection is retried at once."""

    def set_interval(self, seconds: float) -> None:
        """Set the seconds between two I/O samples."""

    def accept_host_key(self, host: str, fingerprint: str) -> None:
        """Save the key of a host whose fingerprint the user has compared, and connect."""

    def want_datasets(self, host: str, pool: str, *, is_wanted: bool) -> None:
        """Start or stop refreshing the pool's datasets and holds in its state."""

    def want_first(self, host: str, pool: str, datasets: Sequence[str]) -> None:
        """List the snapshots of these datasets before others."""

    def want_latency(self, host: str, pool: str | None) -> None:
        """Stream latency histograms of this pool only into its state; None stops.

        At most one `zpool iostat -w` stream per host.
        """

    def want_sizes(self, host: str, pool: str | None) -> None:
        """Stream request size histograms (`zpool iostat -r`) of this pool only; None stops."""

    def want_objsets(self, host: str, pool: str | None) -> None:
        """Read the I/O of the datasets and zvols of this pool only; None stops."""

    def want_arc(self, host: str, *, is_wanted: bool) -> None:
        """Start or stop reading ARC, write throttle and intent log of the host, and txgs of its pools."""

    def want_disks(self, host: str, *, is_wanted: bool) -> None:
        """Start or stop reading the host's disks often, and their SMART data where it is not recent."""

    def want_guests(self, host: str, *, is_wanted: bool) -> None:
        """Start or stop reading the guests of libvirt on the host, at its events and each minute."""

    def want_contents(self, host: str, *, is_wanted: bool) -> None:
        """Start or stop looking at what lives on the host's datasets: once, and again hourly."""

    def span(self, host: str, pool: str) -> TimelineSpan | None:
        """Time range of the pool's history: at most the last hour."""

    def times(self, host: str) -> Mapping[str, Sequence[float]]:
        """Epoch seconds of every sample in the history, oldest first, by pool, vanished pools included."""

    def at(self, host: str, pool: str, epoch: float) -> Past | None:
        """State of the pool at a past time: with its last sample until then, or the oldest one.

        Takes some 10 ms for a pool of hundreds of disks. None without history.
        """

    def strips(self, host: str, pool: str, *, until: float, seconds: float, columns: int) -> Strips | None:
        """Largest latency of each vdev in `columns` intervals of `seconds` each; fast."""

    def bandwidth(
        self, host: str, pool: str, *, until: float, seconds: float, columns: int
    ) -> Bandwidth | None:
        """Bandwidth of the pool in the last complete stretches of `seconds` before a time (epoch seconds).

        Fast. Stretches shorter than STRETCH_S are known of the last minutes alone, and with the latency.
        """

    def load_times(self, host: str, pool: str) -> Sequence[float]:
        """Epoch seconds of each dataset I/O reading of a pool in the history, oldest first."""

    def loads(self, host: str, pool: str, epoch: float, most: int) -> tuple[DatasetIoSample, ...]:
        """Last dataset I/O readings up to a time, oldest first, with the busiest datasets of each."""

    def mark(self, host: str, words: str, at: float | None = None) -> None:
        """Add a time (now, or epoch seconds of the host's clock) to the host's `marks`."""

    def save(self, host: str, folder: Path) -> Future[Path]:
        """Export the history of a host to a new folder, as a recording for `zconsole --replay`.

        The future returns the folder, and raises ZConsoleError.
        """


class Queries(Protocol):
    """Single read-only questions, each answered by a cancellable future."""

    def importable(self, host: str) -> Future[tuple[ImportablePool, ...]]:
        """Pools on the host's disks that are not imported; slow, because the label of every disk is read.

        The future raises HostError.
        """

    def pool_history(self, host: str, pool: str) -> Future[tuple[HistoryRecord, ...] | None]:
        """History of a pool, oldest first; None where the user may not read it. Fails with HostError."""

    def means(self, host: str, dataset: str, properties: Sequence[str] = ()) -> Future[HostCapabilities]:
        """Best privileges of the user on a host and a dataset, with some properties; for menus.

        The future raises HostError.
        """

    def let_blink(self, host: str, device: str, at_mib: int) -> Future[None]:
        """One burst of reads of a disk, for its activity light. The future raises HostError."""

    def browse(self, host: str, snapshot: str, path: str) -> Future[FolderComparison]:
        """Folder of a snapshot and the same folder now; `path` starts at the root of the file system.

        The future raises HostError, with the reason where files cannot be read.
        """

    def differences(
        self, host: str, older: str, newer: str, told: Callable[[DiffSummary], None]
    ) -> Future[Differences]:
        """Differences between a snapshot and a later one, or the live file system.

        `told` is called on the collecting thread with partial results. Cancelling the future ends the
        command. The future raises HostError.
        """

    def dataset_details(self, host: str, name: str, origin: str | None) -> Future[DatasetDetails]:
        """Properties of one dataset or snapshot, and data written to a clone since its origin; cancellable.

        Fails with HostError.
        """

    def values(self, host: str, names: Sequence[str]) -> Future[tuple[Dataset, ...]]:
        """All columns of snapshots; a dataset's name stands for all of its snapshots. Cancellable.

        Destroyed snapshots are left out. Fails with HostError.
        """

    def frees(self, host: str, pool: str, asked: Sequence[Destroying]) -> Future[Mapping[str, int]]:
        """Space that snapshots free, by dataset, from ZFS's dry runs; cancellable.

        Fails with HostError.
        """

    def outlook(self, host: str, pool: str) -> Future[Outlook]:
        """Forecast of a pool, and space used by its datasets, as the basis of a capacity plan.

        Takes a second, or a minute where a million snapshots are listed. Fails with HostError.
        """

    def reclaim(self, host: str, wish: ReclaimGoal) -> Future[Reclaim]:
        """Snapshots whose destruction frees a given space; changes nothing, cancellable.

        Fails with HostError.
        """

    def read_test(self, host: str, disk: str) -> Future[ReadTest]:
        """Short read test of a disk that nothing uses, which is kept in the state; cancellable.

        Fails with UsageError for a disk in use, and with HostError.
        """

    def commands(self, host: str) -> tuple[LoggedCommand, ...]:
        """Last commands that the console ran on a host, oldest first."""

    def unread_runs(self, host: str) -> Future[int]:
        """Rows of the journal that cannot be read and may be runs without a known end; read from disk."""

    def journal(self) -> Future[tuple[Entry, ...]]:
        """Last runs of all consoles of this account, oldest first.

        Read from disk, so not for every frame. The future raises ZConsoleError.
        """


class Operations(Protocol):
    """Changes to hosts: permissions, plans, runs."""

    def policy(self, host: str) -> HostPolicy:
        """Current restrictions of the configuration on a host."""

    def unlock(self, host: str) -> float:
        """Allow changes on a production host temporarily; returns the end in epoch seconds."""

    def prepare(self, host: str, intent: Intent) -> Future[Plan]:
        """Plan from a reading of the host, with ZFS's dry runs. Changes nothing.

        The future raises UsageError for invalid words, HostError where the host cannot be read.
        """

    def execute(self, host: str, plan: Plan, typed: str, secrets: Mapping[str, Secret]) -> Future[Run]:
        """Execute a plan that the user confirmed by typing `typed` (empty where a key is enough).

        `secrets` are by the names in `plan.secrets`. Progress is in the host's `runs`; the future returns
        the final Run, and raises no host errors.
        """

    def end_stream(self, run: str) -> None:
        """End the stream that feeds a run of this console; received data is kept."""


@dataclass(frozen=True, slots=True)
class Service:
    """All three protocols together."""

    states: States
    queries: Queries
    operations: Operations
