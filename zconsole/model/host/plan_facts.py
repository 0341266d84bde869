"""What a plan is made from: one reading of one host, taken for one intent.

`None` is *not read* or *cannot be known*; an empty tuple is *read, and there is none*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.replication import SendBase
from zconsole.model.datasets.snapshot_contents import NOT_LOOKED, Looked
from zconsole.model.datasets.snapshot_scope import Scope
from zconsole.model.host.mount_targets import NOT_READ, MountTargets
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk import Disk, Inventory
from zconsole.model.pools.pool import ImportablePool, Pool, Vdev
from zconsole.model.protected_patterns import covering, left_behind, left_behind_in, reaching


@dataclass(frozen=True, slots=True)
class MachineIdentity:
    """Which machine this is, told so that it cannot be taken for another."""

    label: str  # as the user reached it
    hostname: str | None = None  # what it calls itself
    machine_id: str | None = None  # /etc/machine-id
    host_key: str | None = None  # SHA256:... of the SSH host key; None for this machine
    hostid: str | None = None  # hexadecimal, as hostid(1) prints it: what pools remember of their host
    boot_id: str | None = None  # of the running kernel, and so of its ZFS; another one after each boot
    host_keys: tuple[str, ...] = ()  # SHA256:... that its own files name as its host keys


@dataclass(frozen=True, slots=True)
class Hold:
    """A tag that keeps a snapshot from being destroyed; `since` in epoch seconds."""

    snapshot: str
    tag: str
    since: int | None = None


@dataclass(frozen=True, slots=True)
class OutsideUse:
    """Something outside of ZFS that stands on a dataset or device now."""

    object: str  # the dataset's name, or the device's path
    kind: str  # mount, share, process, swap, holder, guest
    name: str  # the mountpoint, the process with its number, the guest
    detail: str = ""

    @property
    def is_running(self) -> bool:
        """Whether something runs on it, as opposed to a place where it can be seen."""
        return self.kind in {"process", "swap", "holder", "guest"}


@dataclass(frozen=True, slots=True)
class DiskLabel:
    """What the ZFS label on a device says (`zdb -l`); the device belongs to that pool, or did."""

    path: str
    pool: str
    pool_guid: int | None = None
    vdev_guid: int | None = None
    state: str = ""  # active, exported, destroyed, spare, cache; otherwise as ZFS says
    hostname: str | None = None
    hostid: str | None = None
    txg: int | None = None  # of the configuration in the label
    last_txg: int | None = None  # of the newest uberblock: the last time that the pool wrote to it
    last_written: int | None = None  # epoch seconds of that
    ashift: int | None = None  # of the top-level vdev that it is part of


class Becoming(Enum):
    """How commands that change something become root."""

    ROOT = "root"  # they are already
    PLAIN = "plain"  # they cannot: only what `zfs allow` delegates works
    SUDO = "sudo"
    SUDO_PASSWORD = "sudo with a password"  # noqa: S105  # the name of a way, not a password
    DOAS = "doas"


@dataclass(frozen=True, slots=True)
class Delegation:
    """What `zfs allow` gives on a dataset. To ZFS its snapshots are below it."""

    dataset: str
    permissions: frozenset[str]
    here: bool = True
    below: bool = True

    def reaches(self, name: str) -> bool:
        """Whether it holds on a dataset, there or not yet there, or on a snapshot or bookmark."""
        if name.partition("#")[0] == self.dataset:
            return self.here
        return self.below and name.startswith((f"{self.dataset}/", f"{self.dataset}@"))


@dataclass(frozen=True, slots=True)
class Privileges:
    """Who acts there, and what may be done."""

    user: str = ""
    user_id: int | None = None
    becoming: Becoming = Becoming.PLAIN
    delegations: tuple[Delegation, ...] = ()

    @property
    def is_root(self) -> bool:
        """Whether commands run as root, one way or another."""
        return self.becoming is not Becoming.PLAIN

    def may(self, permission: str, name: str) -> bool:
        """Whether root, or delegated on what has this name."""
        return self.is_root or any(
            permission in each.permissions and each.reaches(name) for each in self.delegations
        )


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """What the user's configuration forbids on this host."""

    read_only: str = ""  # why nothing may be changed; empty where it may
    protected: tuple[str, ...] = ()  # patterns of objects that nothing may destroy

    def protects(self, name: str) -> str | None:
        """The pattern that protects an object, or None."""
        return covering(self.protected, name)

    def loses(self, old: str, new: str) -> str | None:
        """The pattern that protects an object now, where none protects it under its new name."""
        return left_behind(self.protected, old, new)

    def loses_in(self, pool: str, new: str) -> str | None:
        """The same of all that may be in a pool that is to have another name."""
        return left_behind_in(self.protected, pool, new)

    def protects_in(self, pool: str) -> str | None:
        """The pattern that protects the pool, or may protect something in it, or None."""
        return reaching(self.protected, pool)


@dataclass(frozen=True, slots=True)
class SendingSide:
    """The host that is to send, as far as a plan of a receive needs it. `problem`: why no more is known."""

    identity: MachineIdentity
    is_elsewhere: bool = False  # another host than the one that receives
    privileges: Privileges = Privileges()
    datasets: tuple[Dataset, ...] = ()  # of the pool that it sends from
    problem: str = ""
    measured_by: tuple[str, ...] = ()  # the dry run that told the size
    said: str = ""
    status: int | None = None
    size_bytes: int | None = None

    def dataset(self, name: str) -> Dataset | None:
        """The dataset, snapshot or bookmark of that name."""
        return next((each for each in self.datasets if each.name == name), None)


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """One host, as far as an intent needs it."""

    identity: MachineIdentity
    version: ZfsVersion
    taken_at: float  # epoch seconds
    pools: tuple[Pool, ...] = ()
    inventory: Inventory | None = None
    datasets: tuple[Dataset, ...] = ()  # of the pools in `listed`; of snapshots those of `scope`
    listed: frozenset[str] = frozenset()
    scope: Scope | None = None  # None: every snapshot of those pools, with all that is known of it
    holds: tuple[Hold, ...] | None = None  # of the snapshots of which all is known
    uses: tuple[OutsideUse, ...] | None = None
    unseen: tuple[str, ...] = ()  # uses that may be there and could not be seen, in words
    importable: tuple[ImportablePool, ...] | None = None
    destroyed: tuple[ImportablePool, ...] | None = None  # that `zpool import -D` could bring back
    labels: tuple[DiskLabel, ...] | None = None
    labels_unread: frozenset[str] = frozenset()  # devices that were asked for and could not be read
    labels_barred: frozenset[str] = frozenset()  # of these, those that take root, which this user is not
    elsewhere: tuple[tuple[str, int], ...] = ()  # (our other host, guid) of pools imported there
    properties: tuple[tuple[str, str, str, str], ...] = ()  # (object, property, value, source) asked for
    boot_pools: frozenset[str] = frozenset()  # that hold / or /boot of the running system
    kernel_pools: frozenset[str] | None = None  # that hold /boot, where a boot loader reads the kernel
    read_only_pools: frozenset[str] = frozenset()  # imported read-only: pool property `readonly`
    may_run_programs: bool | None = None  # whether `zfs program` works in the intent's pool
    missing_tools: frozenset[str] | None = None  # programs that were asked for and are not there
    core: tuple[str, ...] | None = None  # what a call of libzfs_core begins with; None where commands serve
    files: Looked = NOT_LOOKED
    mounting: MountTargets = NOT_READ  # directories on which file systems would be mounted
    altroots: tuple[tuple[str, str], ...] = ()  # (pool, its altroot), of those that have one
    privileges: Privileges = Privileges()
    policy: HostPolicy = HostPolicy()
    sending: SendingSide | None = None  # where a stream is to come from
    send_bases: tuple[SendBase, ...] = ()  # what copies of its datasets build on, as far as that is known

    def pool(self, name: str) -> Pool | None:
        """The imported pool of that name."""
        return next((pool for pool in self.pools if pool.name == name), None)

    def altroot(self, pool: str) -> str:
        """The directory below which a pool's file systems are mounted; nothing for the root."""
        return dict(self.altroots).get(pool, "")

    def dataset(self, name: str) -> Dataset | None:
        """The dataset, snapshot or bookmark of that name."""
        return next((dataset for dataset in self.datasets if dataset.name == name), None)

    def unread(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of these that are there, and of which it is not known what is in them or who needs them."""
        scope = self.scope
        if scope is None:
            return ()
        systems = {each.name for each in self.datasets if each.type in {"filesystem", "volume"}}
        return tuple(
            name
            for name in names
            if (name in systems and not scope.lists(name)) or ("@" in name and not scope.has(name))
        )

    def uses_of(self, name: str) -> tuple[OutsideUse, ...]:
        """What stands on a dataset or device."""
        return tuple(use for use in self.uses or () if use.object == name)

    def property(self, name: str, key: str) -> str | None:
        """A property's value, as it was asked for."""
        return next((value for of, known, value, _ in self.properties if (of, known) == (name, key)), None)

    def disk(self, path: str) -> Disk | None:
        """The block device behind a path: a whole disk, a partition, or what is mapped on one."""
        if self.inventory is None:
            return None
        name = self.inventory.kernel_name(path)
        return next(
            (each for disk in self.inventory.disks for each in disk.walk() if each.name == name), None
        )

    def leaves(self) -> Iterator[tuple[Pool, Vdev]]:
        """Every device of every imported pool."""
        for pool in self.pools:
            for vdev in pool.walk():
                if vdev.is_leaf:
                    yield pool, vdev
