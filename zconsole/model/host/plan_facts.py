"""Facts for a plan: one reading of one host, made for one intent.

`None` is *not read* or *unknown*; an empty tuple is *read, and there is none*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.datasets.replication import SendBase
from zconsole.model.datasets.snapshot_contents import NOT_LOOKED, FileLookup
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope
from zconsole.model.guests.domain_needs import LibvirtHost
from zconsole.model.guests.guest import Guest, GuestState, Image
from zconsole.model.guests.guest_agent import AgentReading
from zconsole.model.guests.stored_definition import StoredDefinition, UnreadDefinition
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.mount_points import NOT_READ, MountTargets
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import ImportablePool, Pool, Vdev
from zconsole.model.protected_patterns import covering, left_behind, left_behind_in, reaching


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold: a tag that prevents the destruction of a snapshot; `since` in epoch seconds."""

    snapshot: str
    tag: str
    since: int | None = None


@dataclass(frozen=True, slots=True)
class OutsideUse:
    """Use of a dataset or device outside ZFS."""

    object: str  # dataset name or device path
    # mount, share, process, swap, holder, guest, container; of none that runs `stopped guest`, `saved guest`,
    # `container data`
    kind: str
    name: str  # mountpoint, process with its pid, guest or container
    detail: str = ""
    way_to_stop: str = ""  # how its engine stops it, for a person; empty where it is another
    path: str = ""  # of a guest: its image
    real: str = ""  # of a guest: where that path leads, if it is a link or leads through one
    is_written: bool = True  # of a guest: whether it may write there
    uuid: str = ""  # of a guest of libvirt

    @property
    def is_running(self) -> bool:
        """Whether a running program uses it, as opposed to a mount or share."""
        return self.kind in {"process", "swap", "holder", "guest", "container"}


@dataclass(frozen=True, slots=True)
class DiskLabel:
    """ZFS label of a device (`zdb -l`); the device belongs or belonged to that pool."""

    path: str
    pool: str
    pool_guid: int | None = None
    vdev_guid: int | None = None
    state: str = ""  # active, exported, destroyed, spare, cache; otherwise as ZFS prints it
    hostname: str | None = None
    hostid: str | None = None
    txg: int | None = None  # of the configuration in the label
    last_txg: int | None = None  # of the newest uberblock: the last write of the pool to this device
    last_written: int | None = None  # epoch seconds of `last_txg`
    ashift: int | None = None  # of its top-level vdev
    top_type: str = ""  # of its top-level vdev: disk, mirror, raidz, ...
    is_log: bool = False
    top_vdevs: int | None = None  # of the pool

    @property
    def is_needed(self) -> bool:
        """Whether its pool cannot be imported without it: it is a top-level vdev of its own."""
        return self.top_type in {"disk", "file"} and not self.is_log

    @property
    def is_only_device(self) -> bool:
        """Whether its pool has no other device with data."""
        return self.is_needed and self.top_vdevs == 1


class PrivilegeMode(Enum):
    """How commands that change something gain root privileges."""

    ROOT = "root"  # already root
    PLAIN = "plain"  # not root: only operations delegated by `zfs allow` work
    SUDO = "sudo"
    SUDO_PASSWORD = "sudo with a password"  # noqa: S105  # the name of a way, not a password
    DOAS = "doas"


@dataclass(frozen=True, slots=True)
class Delegation:
    """Permissions granted by `zfs allow` on a dataset. Its snapshots count as descendants."""

    dataset: str
    permissions: frozenset[str]
    here: bool = True
    below: bool = True

    def reaches(self, name: str) -> bool:
        """Whether it applies to a dataset, existing or not, or to a snapshot or bookmark."""
        if "@" not in name and dataset_of(name) == self.dataset:
            return self.here
        return self.below and name.startswith((f"{self.dataset}/", f"{self.dataset}@"))


@dataclass(frozen=True, slots=True)
class Privileges:
    """The acting user and the user's permissions."""

    user: str = ""
    user_id: int | None = None
    privilege_mode: PrivilegeMode = PrivilegeMode.PLAIN
    delegations: tuple[Delegation, ...] = ()

    @property
    def is_root(self) -> bool:
        """Whether commands run as root, directly or by sudo."""
        return self.privilege_mode is not PrivilegeMode.PLAIN

    def may(self, permission: str, name: str) -> bool:
        """Whether an operation on this name is permitted, by root or by delegation."""
        return self.is_root or any(
            permission in each.permissions and each.reaches(name) for each in self.delegations
        )


BY_UNLOCKING: Final = "unlock the host, or act on it by hand"  # what ends that a host is read-only


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """Restrictions of the user's configuration on this host."""

    read_only: str = ""  # the reason; empty when changes are allowed
    read_only_ends: str = ""  # what would allow changes
    protected: tuple[str, ...] = ()  # patterns of objects that must not be destroyed

    def protects(self, name: str) -> str | None:
        """The pattern that protects an object, or None."""
        return covering(self.protected, name)

    def loses(self, old: str, new: str) -> str | None:
        """The pattern that protects an object under its old name when none protects its new name."""
        return left_behind(self.protected, old, new)

    def loses_in(self, pool: str, new: str) -> str | None:
        """The same for anything that may exist in a pool that is renamed."""
        return left_behind_in(self.protected, pool, new)

    def protects_in(self, pool: str) -> str | None:
        """The pattern that protects the pool or may protect something in it, or None."""
        return reaching(self.protected, pool)


@dataclass(frozen=True, slots=True)
class SendingSide:
    """Sending host, as far as a plan of a receive needs it. `problem` says why no more is known."""

    identity: MachineIdentity
    is_elsewhere: bool = False  # on another host than the receiver
    privileges: Privileges = Privileges()
    datasets: tuple[Dataset, ...] = ()  # of the sending pool
    problem: str = ""
    measured_by: tuple[str, ...] = ()  # the dry run that estimated the size
    said: str = ""
    status: int | None = None
    size_bytes: int | None = None

    def dataset(self, name: str) -> Dataset | None:
        """The dataset, snapshot or bookmark with this name."""
        return next((each for each in self.datasets if each.name == name), None)


@dataclass(frozen=True, slots=True)
class RunningPlan:
    """Plan that this console is carrying out on the host."""

    action: str
    target: str
    title: str


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """Facts of one host, as far as an intent needs them."""

    identity: MachineIdentity
    version: ZfsVersion
    taken_at: float  # epoch seconds
    pools: tuple[Pool, ...] = ()
    inventory: Inventory | None = None
    datasets: tuple[Dataset, ...] = ()  # of the pools in `listed`; snapshots only of `scope`
    listed: frozenset[str] = frozenset()
    scope: SnapshotScope | None = None  # None: every snapshot of those pools, with all columns
    holds: tuple[Hold, ...] | None = None  # of the snapshots that were read with all columns
    uses: tuple[OutsideUse, ...] | None = None
    unseen: tuple[str, ...] = ()  # uses that may exist but could not be checked, in words
    guests_unread: str = ""  # why guests that run may be missing among the uses; empty where none is
    importable: tuple[ImportablePool, ...] | None = None
    destroyed: tuple[ImportablePool, ...] | None = None  # that `zpool import -D` could restore
    labels: tuple[DiskLabel, ...] | None = None
    labels_asked: frozenset[str] = frozenset()  # requested devices, with and without a label
    labels_unread: frozenset[str] = frozenset()  # requested devices whose label could not be read
    labels_barred: frozenset[str] = frozenset()  # the part of these that requires root, which this user lacks
    elsewhere: tuple[tuple[str, int], ...] = ()  # (our other host, guid) of pools imported on that host
    properties: tuple[tuple[str, str, str, str], ...] = ()  # requested: (object, property, value, source)
    boot_pools: frozenset[str] = frozenset()  # that hold / or /boot of the running system
    kernel_pools: frozenset[str] | None = None  # that hold /boot, from which a boot loader reads the kernel
    read_only_pools: frozenset[str] = frozenset()  # imported read-only: pool property `readonly`
    may_run_programs: bool | None = None  # whether `zfs program` works in the intent's pool
    missing_tools: frozenset[str] | None = None  # requested programs that are not installed
    core: tuple[str, ...] | None = None  # argv prefix of a libzfs_core call; None when the commands suffice
    files: FileLookup = NOT_LOOKED
    mounting: MountTargets = NOT_READ  # mount points of the file systems that would be mounted
    altroots: tuple[tuple[str, str], ...] = ()  # (pool, altroot) of pools that have one
    privileges: Privileges = Privileges()
    policy: HostPolicy = HostPolicy()
    sending: SendingSide | None = None  # the sender of a stream
    places: tuple[DiskPlace, ...] = ()  # where disks of pools were last seen: shown, and nothing rests on it
    send_bases: tuple[SendBase, ...] = ()  # snapshots that copies of its datasets build on, as far as known
    guests: tuple[Guest, ...] | None = None  # of libvirt, active or not; without the sizes of their images
    guests_problem: str = ""  # why they could not be read
    guest_states: tuple[tuple[str, GuestState], ...] = ()  # by address, of those that were asked for
    stored: tuple[StoredDefinition, ...] = ()  # of the guests that were asked for
    stored_unread: tuple[UnreadDefinition, ...] = ()  # of these, with what libvirt says
    image_chains: tuple[tuple[str, tuple[Image, ...] | None], ...] = ()  # by path; None: not read
    agents: tuple[AgentReading, ...] = ()  # of the guests that were asked for
    written_until_off: frozenset[str] = frozenset()  # datasets of guests that the plan shuts down first
    may_change_guests: bool | None = None  # whether libvirt lets this user do so without root
    libvirt_host: LibvirtHost | None = None  # what its libvirt has for the guest that was asked about
    running: tuple[RunningPlan, ...] = ()  # other plans that this console is carrying out here
    lock_holder: str | None = None  # another zconsole that acts here, and its plan; empty: not told
    slow_disks: tuple[tuple[str, str], ...] = ()  # (pool, disk) that this console finds slow at present
    suspects: frozenset[tuple[str, str]] = (
        frozenset()
    )  # (pool, device): beside a spare; SMART warns of it, or slow
    other: PlanFacts | None = None  # of the second host that the steps change

    def pool(self, name: str) -> Pool | None:
        """The imported pool with this name."""
        return next((pool for pool in self.pools if pool.name == name), None)

    def altroot(self, pool: str) -> str:
        """The altroot below which a pool's file systems are mounted; empty for the root."""
        return dict(self.altroots).get(pool, "")

    def dataset(self, name: str) -> Dataset | None:
        """The dataset, snapshot or bookmark with this name."""
        return next((dataset for dataset in self.datasets if dataset.name == name), None)

    def unread(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of these datasets whose contents or users could not be read."""
        scope = self.scope
        if scope is None:
            return ()
        systems = {each.name for each in self.datasets if each.type in FILESYSTEMS_AND_VOLUMES}
        return tuple(
            name
            for name in names
            if (name in systems and not scope.lists(name)) or ("@" in name and not scope.has(name))
        )

    def guest_state(self, address: str) -> GuestState | None:
        """State of a guest; None where libvirt did not tell."""
        states = {each.definition.address: each.status.state for each in self.guests or ()}
        return dict(self.guest_states).get(address, states.get(address))

    def uses_of(self, name: str) -> tuple[OutsideUse, ...]:
        """Uses of a dataset or device outside ZFS."""
        return tuple(use for use in self.uses or () if use.object == name)

    def property(self, name: str, key: str) -> str | None:
        """A property's value, as requested."""
        return next((value for of, known, value, _ in self.properties if (of, known) == (name, key)), None)

    def disk(self, path: str) -> Disk | None:
        """The block device at a path: whole disk, partition, or mapped device."""
        if self.inventory is None:
            return None
        name = self.inventory.kernel_name(path)
        return self.inventory.device(name) if name is not None else None

    def place(self, vdev: Vdev) -> DiskPlace | None:
        """Where the disk of a pool's device was last seen; None where that is not known."""
        pools = {pool.guid for pool in self.pools}
        return next((e for e in self.places if e.leaf_guid == vdev.guid and e.pool_guid in pools), None)

    def leaves(self) -> Iterator[tuple[Pool, Vdev]]:
        """Every leaf of every imported pool."""
        for pool in self.pools:
            for vdev in pool.walk():
                if vdev.is_leaf:
                    yield pool, vdev
