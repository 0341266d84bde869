"""Protocols that screens use: states, queries and operations; a recorded state can implement them too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # what is asked rarely is loaded when it is
    from zconsole.actions.intent import Intent
    from zconsole.actions.plan import Plan
    from zconsole.analysis.snapshots.diff_summary import Differences, DiffSummary
    from zconsole.analysis.snapshots.free_space import Destroying
    from zconsole.base.secret import Secret
    from zconsole.execution.facts.snapshot_space import Reclaim, ReclaimGoal
    from zconsole.hosts.command_log import LoggedCommand
    from zconsole.model.datasets.dataset import Dataset
    from zconsole.model.datasets.dataset_details import DatasetDetails
    from zconsole.model.datasets.snapshot_contents import FolderComparison
    from zconsole.model.forecast import Outlook
    from zconsole.model.host.capabilities import HostCapabilities
    from zconsole.model.host.host_state import HostState
    from zconsole.model.host.plan_facts import HostPolicy
    from zconsole.model.journal import Entry
    from zconsole.model.pools.dataset_io import DatasetIoSample
    from zconsole.model.pools.pool import ImportablePool
    from zconsole.model.run import Run
    from zconsole.model.timeline import Past, Strips, TimelineSpan


class States(Protocol):
    """Newest state of every host, states of the last hour, and what is kept fresh."""

    def newest(self) -> tuple[HostState, ...]:
        """The newest state of each host, in the order in which the user named them."""

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` (from the collecting thread, without a payload) after changes.

        Returns the way to stop that.
        """

    def monotonic(self) -> float:
        """Now, on the clock that the ages in the states are measured by."""

    def now(self) -> float:
        """Epoch seconds now."""

    def refresh(self, host: str | None = None) -> None:
        """Read everything anew, now; of one host or of all. Also tries a lost connection at once."""

    def set_interval(self, seconds: float) -> None:
        """Seconds between two I/O samples."""

    def accept_host_key(self, host: str, fingerprint: str) -> None:
        """The user compared the fingerprint and trusts the host: remember its key and connect."""

    def want_datasets(self, host: str, pool: str, *, is_wanted: bool) -> None:
        """Keep the pool's datasets and holds in its state fresh, until they are not wanted any more."""

    def want_first(self, host: str, pool: str, datasets: Sequence[str]) -> None:
        """While the pool's snapshots are listed: those of these datasets before others."""

    def want_latency(self, host: str, pool: str | None) -> None:
        """Keep histograms of this pool's latencies in its state, of no other one; None ends that.

        One `zpool iostat -w` stream a host, and none while nobody wants it.
        """

    def want_sizes(self, host: str, pool: str | None) -> None:
        """Keep histograms of this pool's request sizes in its state (`zpool iostat -r`); None ends that."""

    def want_objsets(self, host: str, pool: str | None) -> None:
        """Keep the I/O of this pool's datasets and zvols in its state; None ends that."""

    def want_arc(self, host: str, *, is_wanted: bool) -> None:
        """Keep cache, write throttle and intent log in the host's state, and txgs in its pools'."""

    def span(self, host: str, pool: str) -> TimelineSpan | None:
        """From when to when the pool's past is kept: the last hour, or what of it there is."""

    def times(self, host: str) -> Mapping[str, Sequence[float]]:
        """Epoch seconds of every sample that is kept, oldest first, by pool; also of pools that went away."""

    def at(self, host: str, pool: str, epoch: float) -> Past | None:
        """The pool as it was at a moment: its last sample until then, or the first that is kept.

        Takes some 10 ms for a pool of hundreds of disks. None when nothing is kept.
        """

    def strips(self, host: str, pool: str, *, until: float, seconds: float, columns: int) -> Strips | None:
        """How slow each vdev was over time: `columns` stretches of `seconds` each; fast."""

    def load_times(self, host: str, pool: str) -> Sequence[float]:
        """Epoch seconds of each reading of the I/O of a pool's datasets that is kept, oldest first."""

    def loads(self, host: str, pool: str, epoch: float, most: int) -> tuple[DatasetIoSample, ...]:
        """The last readings up to a moment, at most so many, oldest first: the busiest datasets of each."""

    def mark(self, host: str, words: str, at: float | None = None) -> None:
        """Remember a moment (now, or epoch seconds of the host's clock) in the host's `marks`."""

    def save(self, host: str, folder: Path) -> Future[Path]:
        """Write what is kept of a host to a new folder, as a recording for `zconsole --replay`.

        The future gives the folder, and raises ZConsoleError.
        """


class Queries(Protocol):
    """Single read-only questions, each answered by a cancellable future."""

    def importable(self, host: str) -> Future[tuple[ImportablePool, ...]]:
        """Pools on the host's disks that are not imported; reads a label of every disk, so it takes a while.

        The future raises HostError.
        """

    def means(self, host: str, dataset: str, properties: Sequence[str] = ()) -> Future[HostCapabilities]:
        """What the user may at best do there and on a dataset, with what, and some properties; for menus.

        The future raises HostError.
        """

    def browse(self, host: str, snapshot: str, path: str) -> Future[FolderComparison]:
        """A folder of a snapshot beside the same one now; `path` is from the root of the file system.

        The future raises HostError, with the reason where there are no files to be seen.
        """

    def differences(
        self, host: str, older: str, newer: str, told: Callable[[DiffSummary], None]
    ) -> Future[Differences]:
        """What differs between a snapshot and a later one, or the file system as it is now.

        `told` is called on the collecting thread with what is known by then. Cancelling the future ends
        the command. It raises HostError.
        """

    def look(self, host: str, name: str, origin: str | None) -> Future[DatasetDetails]:
        """Properties of one dataset or snapshot, and what a clone got since its origin; may be cancelled.

        Fails with HostError.
        """

    def values(self, host: str, names: Sequence[str]) -> Future[tuple[Dataset, ...]]:
        """All that is known of some snapshots, or of all of some datasets; may be cancelled.

        What is gone is left out. Fails with HostError.
        """

    def frees(self, host: str, pool: str, asked: Sequence[Destroying]) -> Future[Mapping[str, int]]:
        """What ZFS's dry runs say that snapshots free, by dataset; may be cancelled.

        Fails with HostError.
        """

    def outlook(self, host: str, pool: str) -> Future[Outlook]:
        """The forecast of a pool, and what its datasets take: what a plan from today rests on.

        Takes a second, or a minute where a million snapshots are listed. Fails with HostError.
        """

    def reclaim(self, host: str, wish: ReclaimGoal) -> Future[Reclaim]:
        """Which snapshots to destroy to free so much; changes nothing, and may be cancelled.

        Fails with HostError.
        """

    def commands(self, host: str) -> tuple[LoggedCommand, ...]:
        """The last commands that the console ran on a host, oldest first."""

    def journal(self) -> Future[tuple[Entry, ...]]:
        """The last runs of all consoles of this account, oldest first.

        Read from disk: for when it is looked at, not for every frame. The future raises ZConsoleError.
        """


class Operations(Protocol):
    """Changes to hosts: permissions, plans, runs."""

    def policy(self, host: str) -> HostPolicy:
        """What the configuration forbids on a host now."""

    def unlock(self, host: str) -> float:
        """Allow changes on a production host for a while; epoch seconds until when."""

    def prepare(self, host: str, intent: Intent) -> Future[Plan]:
        """Read the host, plan, and run ZFS's own dry runs. Changes nothing.

        The future raises UsageError for words that make no sense, HostError where the host cannot be read.
        """

    def execute(self, host: str, plan: Plan, typed: str, secrets: Mapping[str, Secret]) -> Future[Run]:
        """Carry out a plan that the user confirmed by typing `typed` (nothing where a key is enough).

        `secrets` by the names in `plan.secrets`. What becomes of it is in the host's `runs` meanwhile;
        the future gives its end and raises nothing that is a matter of the host.
        """

    def end_stream(self, run: str) -> None:
        """Let the stream that feeds a run of this console end here: what was received of it stays."""


@dataclass(frozen=True, slots=True)
class Service:
    """All three protocols together."""

    states: States
    queries: Queries
    operations: Operations
