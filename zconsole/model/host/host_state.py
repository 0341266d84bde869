"""All that is known of one host at one moment, each part with its age. Immutable: a change is a new one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:  # a state without them, as the first is, is on the screen before any of them is loaded
    from zconsole.model.datasets.dataset import Dataset
    from zconsole.model.datasets.snapshot_listing import Listing
    from zconsole.model.host.plan_facts import Hold
    from zconsole.model.host.zfs_version import ZfsVersion
    from zconsole.model.pools.arc import ArcSample, ThrottleSample, Txg, ZilSample
    from zconsole.model.pools.dataset_io import DatasetIoSample
    from zconsole.model.pools.disk import Inventory
    from zconsole.model.pools.event import Event
    from zconsole.model.pools.histograms import HistogramSample
    from zconsole.model.pools.iostat import Histogram, IoSample
    from zconsole.model.pools.pool import Pool
    from zconsole.model.pools.slow_disk import Judgement, SitOuts, SlowDiskVerdict, Undecided
    from zconsole.model.run import Run
    from zconsole.model.timeline_mark import TimelineMark

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Reading(Generic[T_co]):
    """A value, when it was read, and what went wrong when it was last tried.

    `taken_at` is monotonic seconds of the reader's clock; a `problem` beside a value means that the
    value is the last good one and old.
    """

    value: T_co | None = None
    taken_at: float | None = None
    problem: str = ""

    def age(self, monotonic: float) -> float | None:
        """Seconds since the value was read."""
        return None if self.taken_at is None else max(0.0, monotonic - self.taken_at)


class LinkState(Enum):
    """Where the connection to a host stands."""

    CONNECTING = "connecting"
    UP = "up"
    DOWN = "down"  # will be tried again
    REFUSED = "refused"  # will not be tried again without the user: key, authentication, no ZFS


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The connection to a host; `reason` is a sentence, `retry_at` monotonic seconds."""

    state: LinkState = LinkState.CONNECTING
    reason: str = ""
    hint: str = ""
    fingerprint: str | None = None  # of an unknown host key that waits for the user's answer
    retry_at: float | None = None
    since: float | None = None


@dataclass(frozen=True, slots=True)
class PoolState:
    """One pool: what status and list said, its kstat state, and its last I/O samples."""

    name: str
    kstat_state: str | None = None  # from /proc/spl/kstat, which answers when zpool hangs
    pool: Reading[Pool] = Reading()
    samples: tuple[IoSample, ...] = ()  # oldest first, bounded
    io_at: float | None = None  # monotonic seconds of the last sample
    io_problem: str = ""
    scan_history: tuple[tuple[float, int], ...] = ()  # (epoch s, issued bytes) of the running scan
    scan_restarts: int = 0  # times that the running scan started anew while watched
    degraded_since: float | None = None  # epoch seconds, from events or from watching
    datasets: Reading[tuple[Dataset, ...]] = Reading()  # with snapshots and bookmarks; while wanted
    listing: Reading[Listing] = Reading()  # in place of them, where there are many snapshots
    holds: Reading[tuple[Hold, ...]] = Reading()  # of its snapshots; while wanted
    judgement: Judgement | None = None  # of how fast its disks are; None until there was a sample
    slow_io_rises: tuple[tuple[int, float], ...] = ()  # guids, and when (epoch s) it rose
    sit_outs: Reading[SitOuts] = Reading()  # of slow disks, while there are any
    # The following only while they are wanted; of several samples the oldest comes first.
    latencies: Reading[tuple[HistogramSample, ...]] = Reading()  # how long I/Os took, `zpool iostat -w`
    sizes: Reading[tuple[HistogramSample, ...]] = Reading()  # of requests, `zpool iostat -r`
    dataset_io: Reading[DatasetIoSample] = Reading()
    txgs: Reading[tuple[Txg, ...]] = Reading()
    assign_waits: Reading[Histogram] = Reading()  # of writes for a transaction group, in the last interval

    @property
    def state(self) -> str:
        """The pool's health in ZFS's word; a suspension in kstat outranks an older status."""
        if self.kstat_state == "SUSPENDED" or self.pool.value is None:
            return self.kstat_state or "·"
        return self.pool.value.state

    @property
    def slow(self) -> tuple[SlowDiskVerdict, ...]:
        """The disks that are slower than their like now; `judgement` has those that were, too."""
        verdicts = () if self.judgement is None else self.judgement.verdicts
        return tuple(verdict for verdict in verdicts if verdict.is_ongoing)

    @property
    def undecided(self) -> tuple[Undecided, ...]:
        """The disks of which nothing can be said, and why."""
        return () if self.judgement is None else self.judgement.undecided

    @property
    def sample(self) -> IoSample | None:
        """The newest I/O sample."""
        return self.samples[-1] if self.samples else None


@dataclass(frozen=True, slots=True)
class HostState:
    """One host. `revision` grows by one with every change, so that a screen sees what is new."""

    host: str
    revision: int = 0
    slack: float = 1.0  # how many times rarer this host is asked than a lone one
    link: LinkStatus = LinkStatus()
    is_production: bool = False  # the machine is one, under whichever name the configuration has it
    hostname: str | None = None  # what it calls itself, where that differs from `host`
    version: Reading[ZfsVersion] = Reading()
    pools: tuple[PoolState, ...] = ()
    pools_at: float | None = None  # monotonic seconds of the last good list of pools
    pools_problem: str = ""
    inventory: Reading[Inventory] = Reading()
    events: tuple[Event, ...] = ()  # newest last, bounded
    events_problem: str = ""
    runs: tuple[Run, ...] = ()  # plans that are or were carried out from here, newest last, bounded
    marks: tuple[TimelineMark, ...] = ()  # in the order of time
    # The following only while they are wanted, oldest first, bounded to the last hour.
    arc: Reading[tuple[ArcSample, ...]] = Reading()
    throttle: Reading[tuple[ThrottleSample, ...]] = Reading()
    zil: Reading[tuple[ZilSample, ...]] = Reading()

    def pool(self, name: str) -> PoolState | None:
        """The pool of that name."""
        return next((pool for pool in self.pools if pool.name == name), None)
