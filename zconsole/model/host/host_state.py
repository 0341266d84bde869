"""State of one host at one time, each part with its age. Immutable: a change makes a new value."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import SUSPENDED

if TYPE_CHECKING:  # the first, empty state is shown before any of these modules is loaded
    from zconsole.model.datasets.dataset import Dataset
    from zconsole.model.datasets.dataset_contents import DatasetContents
    from zconsole.model.datasets.dataset_settings import DatasetSettings
    from zconsole.model.datasets.datasets_and_snapshot_table import Listing
    from zconsole.model.datasets.replication import ReplicationSeen
    from zconsole.model.forecast import Forecast
    from zconsole.model.guests.container import Container
    from zconsole.model.guests.guest import Guest
    from zconsole.model.host.connected_machine_and_user import KnownMachine
    from zconsole.model.host.host_settings import HostSettings
    from zconsole.model.host.plan_facts import Hold
    from zconsole.model.host.ssh_login import SshLogin
    from zconsole.model.host.zfs_version import ZfsVersion
    from zconsole.model.pools.dataset_io import DatasetIoSample
    from zconsole.model.pools.dedup_table import DedupTable
    from zconsole.model.pools.device_evidence import DeviceEvidence
    from zconsole.model.pools.disk_and_inventory import Inventory
    from zconsole.model.pools.event import Event
    from zconsole.model.pools.histograms import HistogramSample
    from zconsole.model.pools.iostat import Histogram, IoSample
    from zconsole.model.pools.kernel_counters import ArcSample, ThrottleSample, Txg, ZilSample
    from zconsole.model.pools.kernel_message import KernelMessage
    from zconsole.model.pools.last_seen_disk_place import DiskPlace
    from zconsole.model.pools.pool import Pool
    from zconsole.model.pools.read_test import ReadTest
    from zconsole.model.pools.slow_disk import (
        Judgement,
        SitOuts,
        SlightlySlowerDisk,
        SlowDiskVerdict,
        Undecided,
    )
    from zconsole.model.pools.smart_health import HealthRecord, SmartCoverage
    from zconsole.model.run import Run
    from zconsole.model.timeline_mark import TimelineMark

T_co = TypeVar("T_co", covariant=True)
NO_LIBVIRT: Final = "there is no virsh on this host"  # begins the problem of `guests` where there is none


@dataclass(frozen=True, slots=True)
class Reading(Generic[T_co]):
    """Value with the time of its reading, and the problem met by the last attempt.

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
    """State of the connection to a host."""

    CONNECTING = "connecting"
    UP = "up"
    DOWN = "down"  # will be retried
    REFUSED = "refused"  # will not be retried without the user: host key, authentication, no ZFS


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The connection to a host; `reason` is a sentence, `retry_at` monotonic seconds."""

    state: LinkState = LinkState.CONNECTING
    reason: str = ""
    hint: str = ""
    fingerprint: str | None = None  # of an unknown host key that the user has to confirm
    retry_at: float | None = None
    since: float | None = None


@dataclass(frozen=True, slots=True)
class PoolState:
    """One pool: its status, sizes, kstat state and last I/O samples."""

    name: str
    kstat_state: str | None = None  # from /proc/spl/kstat, which answers even when zpool hangs
    pool: Reading[Pool] = Reading()
    status_every_s: float = 5.0  # pace at which it is read now; changes in between are told by events
    samples: tuple[IoSample, ...] = ()  # oldest first, bounded
    io_at: float | None = None  # monotonic seconds of the last sample
    io_problem: str = ""
    scan_history: tuple[tuple[float, int], ...] = ()  # (epoch s, `done_bytes`) of the running scan
    scan_restarts: int = 0  # number of restarts of the running scan seen so far
    degraded_since: float | None = None  # epoch seconds, from events or from watching
    datasets: Reading[tuple[Dataset, ...]] = (
        Reading()
    )  # with snapshots and bookmarks; while a screen needs them
    listing: Reading[Listing] = Reading()  # replaces `datasets` in pools with many snapshots
    settings: Reading[tuple[DatasetSettings, ...]] = Reading()  # of file systems and volumes; read hourly
    dedup: Reading[DedupTable] = Reading()  # read with the settings, where something is deduplicated
    contents: Reading[tuple[DatasetContents, ...]] = Reading()  # only while advice is asked for
    holds: Reading[tuple[Hold, ...]] = Reading()  # of its snapshots; only while a screen needs them
    judgement: Judgement | None = None  # on the speed of its disks; None before the first sample
    slow_io_rises: tuple[tuple[int, float], ...] = ()  # (vdev guid, epoch s) of each rise of slow_ios
    forecast: Reading[Forecast] = Reading()  # by zconsole's own samples
    sit_outs: Reading[SitOuts] = Reading()  # of slow disks, as long as there are any
    # The following are read only while a screen needs them; samples are ordered oldest first.
    latencies: Reading[tuple[HistogramSample, ...]] = Reading()  # `zpool iostat -w`: latency
    sizes: Reading[tuple[HistogramSample, ...]] = Reading()  # `zpool iostat -r`: request sizes
    dataset_io: Reading[DatasetIoSample] = Reading()
    txgs: Reading[tuple[Txg, ...]] = Reading()
    assign_waits: Reading[Histogram] = Reading()  # waits of writes for a txg, in the last interval

    def __post_init__(self) -> None:
        """A pool that the kernel calls suspended is that in its last status too, which may be of before."""
        pool = self.pool.value
        if self.kstat_state == SUSPENDED and pool is not None and not pool.is_suspended:
            of_now = replace(self.pool, value=replace(pool, state=SUSPENDED))
            object.__setattr__(self, "pool", of_now)

    @property
    def state(self) -> str:
        """The pool's health as ZFS spells it; a suspension in kstat overrides an older status."""
        if self.kstat_state == SUSPENDED or self.pool.value is None:
            return self.kstat_state or "·"
        return self.pool.value.state

    @property
    def slow(self) -> tuple[SlowDiskVerdict, ...]:
        """Disks that are slower than their peers now; `judgement` also has past verdicts."""
        verdicts = () if self.judgement is None else self.judgement.verdicts
        return tuple(verdict for verdict in verdicts if verdict.is_ongoing)

    @property
    def slightly_slower(self) -> tuple[SlightlySlowerDisk, ...]:
        """Disks that are a little slower than their peers now, in most seconds."""
        return () if self.judgement is None else self.judgement.slightly

    @property
    def undecided(self) -> tuple[Undecided, ...]:
        """Disks that could not be judged, with the reason."""
        return () if self.judgement is None else self.judgement.undecided

    @property
    def sample(self) -> IoSample | None:
        """The newest I/O sample."""
        return self.samples[-1] if self.samples else None


@dataclass(frozen=True, slots=True)
class HostState:
    """One host. `revision` increases by one with every change."""

    host: str
    revision: int = 0
    slack: float = 1.0  # factor by which this host is polled less often than a single one
    link: LinkStatus = LinkStatus()
    login: SshLogin | None = None  # the newest one, where the host is behind SSH; also a failed one
    is_production: bool = False  # whether any configuration entry of this machine marks it as production
    has_hot_swap: bool = True  # False where its user says that disks are swapped while it is shut down
    hostname: str | None = None  # the host's own name, when it differs from `host`
    machine: KnownMachine | None = None  # of the present connection, a while after it began
    version: Reading[ZfsVersion] = Reading()
    pools: tuple[PoolState, ...] = ()
    pools_at: float | None = None  # monotonic seconds of the last good list of pools
    pools_problem: str = ""
    recalled_at: float | None = None  # epoch seconds: `pools` are those that an earlier console read then
    inventory: Reading[Inventory] = Reading()
    smart: Reading[tuple[HealthRecord, ...]] = Reading()  # of its disks; read rarely
    kernel: Reading[tuple[KernelMessage, ...]] = Reading()  # its messages about disks; read on demand
    places: tuple[DiskPlace, ...] = ()  # where the disks of its pools were last seen
    settings: Reading[HostSettings] = Reading()  # of ZFS beside its pools; read hourly
    evidence: tuple[DeviceEvidence, ...] = ()  # on devices of its pools whose disks are gone
    read_tests: tuple[ReadTest, ...] = ()  # the newest of each disk that this console tested
    smart_coverage: SmartCoverage | None = None  # of what is kept, where no SMART data was read
    smart_awaited: int = 0  # disks whose SMART data is being read now, until it is kept
    events: tuple[Event, ...] = ()  # newest last, bounded
    events_problem: str = ""
    guests: Reading[tuple[Guest, ...]] = (
        Reading()
    )  # of libvirt; while a screen shows them or one is in trouble
    guests_elsewhere: tuple[tuple[str, str], ...] = ()  # uuids of its running guests, and who runs them too
    replication: Reading[ReplicationSeen] = Reading()  # as its copies were compared last
    containers: Reading[tuple[Container, ...]] = Reading()  # while a screen shows guests
    runs: tuple[Run, ...] = ()  # recent plan runs of this console, newest last, bounded
    lock_holder: str | None = None  # another zconsole that acts here, and its plan; while guests are shown
    marks: tuple[TimelineMark, ...] = ()  # in time order
    # The following are read only while a screen needs them; oldest first, at most the last hour.
    arc: Reading[tuple[ArcSample, ...]] = Reading()
    throttle: Reading[tuple[ThrottleSample, ...]] = Reading()
    zil: Reading[tuple[ZilSample, ...]] = Reading()

    def pool(self, name: str) -> PoolState | None:
        """The pool with this name."""
        return next((pool for pool in self.pools if pool.name == name), None)
