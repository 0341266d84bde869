"""Virtual machine of libvirt: its state, its disks, and the images that these consist of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from zconsole.model.datasets.dataset import Dataset

SYSTEM: Final = "qemu:///system"  # the connection to libvirt, of all users of the host
SESSION: Final = "qemu:///session"  # of the user that commands run as
LIBVIRT: Final = "libvirt"  # permission to change guests without root, on a connection
LIBVIRT_ACCESS: Final = (LIBVIRT, SYSTEM)
SESSION_ACCESS: Final = (LIBVIRT, SESSION)  # which the user always has


class GuestState(Enum):
    """State of a domain, by libvirt's numbers (virDomainState)."""

    UNKNOWN = 0
    RUNNING = 1
    BLOCKED = 2  # waits for a resource; it runs
    PAUSED = 3
    SHUTTING_DOWN = 4
    SHUT_OFF = 5
    CRASHED = 6
    SLEEPING = 7  # suspended by its own power management

    @property
    def in_words(self) -> str:
        """The state as libvirt calls it, in lower case."""
        return self.name.lower().replace("_", " ")

    @property
    def is_executing(self) -> bool:
        """Whether the guest's processors run, so that it can answer a request to shut down."""
        return self in {GuestState.RUNNING, GuestState.BLOCKED}

    @property
    def is_active(self) -> bool:
        """Whether the guest has a process that holds its disks open."""
        return self not in {GuestState.UNKNOWN, GuestState.SHUT_OFF, GuestState.CRASHED}

    @property
    def is_running(self) -> bool:
        """Whether its processors run, so that its I/O goes on."""
        return self in {GuestState.RUNNING, GuestState.BLOCKED, GuestState.SHUTTING_DOWN}


PAUSED_BY_USER = 1  # reasons of PAUSED (virDomainPausedReason)
PAUSED_BY_IO_ERROR = 5


class SourceKind(Enum):
    """What a disk of a guest is on."""

    FILE = "file"
    BLOCK = "block"
    NETWORK = "network"
    POOL_VOLUME = "volume"  # of a storage pool of libvirt
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Image:
    """Link of a chain of images; the first one is the disk's own."""

    path: str
    format: str = ""
    virtual_bytes: int | None = None
    allocated_bytes: int | None = None  # of the file, by the file system
    cluster_bytes: int | None = None  # of qcow2
    internal_snapshots: tuple[str, ...] = ()
    is_corrupt: bool = False


@dataclass(frozen=True, slots=True)
class GuestDisk:
    """Disk of a guest, as configured; `source` is a path, a volume's name, or a network address."""

    target: str  # vda
    source: str
    kind: SourceKind
    device: str = "disk"  # or cdrom, lun, floppy
    format: str = ""
    cache: str = ""  # empty: the hypervisor's default
    io: str = ""
    discard: str = ""
    error_policy: str = ""
    is_read_only: bool = False
    backing: tuple[str, ...] = ()  # paths of the images below, the nearest first, where libvirt tells them


@dataclass(frozen=True, slots=True)
class GuestDiskCounters:
    """Sizes and totals since the start of the guest, of one disk."""

    target: str
    path: str = ""
    backing_index: int | None = None
    allocation_bytes: int | None = None  # highest byte written to, of a block device; else of the image
    capacity_bytes: int | None = None
    physical_bytes: int | None = None
    reads: int | None = None
    read_bytes: int | None = None
    read_ns: int | None = None
    writes: int | None = None
    written_bytes: int | None = None
    write_ns: int | None = None
    flushes: int | None = None
    flush_ns: int | None = None


@dataclass(frozen=True, slots=True)
class GuestDiskRates:
    """I/O of one disk between two readings of its counters; a mean is None without an operation."""

    seconds: float  # between the readings
    reads_per_s: float
    writes_per_s: float
    read_bytes_per_s: float | None = None
    written_bytes_per_s: float | None = None
    flushes_per_s: float | None = None
    mean_read_ns: float | None = None
    mean_write_ns: float | None = None
    mean_flush_ns: float | None = None


@dataclass(frozen=True, slots=True)
class GuestDefinition:
    """Guest as its XML defines it."""

    uuid: str
    name: str
    title: str = ""
    disks: tuple[GuestDisk, ...] = ()
    has_agent_channel: bool = False
    is_agent_connected: bool | None = None  # None: libvirt does not tell
    memory_bytes: int | None = None
    processors: int | None = None
    connection: str = SYSTEM  # URI of its libvirt on its host
    uri: str = SYSTEM  # by which virsh on that host reaches it: of a session with the path of the socket

    @property
    def address(self) -> str:
        """Uuid, with the URI of a libvirt that is not the system's: unique on its host."""
        return self.uuid if self.uri == SYSTEM else f"{self.uuid} {self.uri}"


def uuid_and_uri(address: str) -> tuple[str, str]:
    """The parts of an address."""
    uuid, _, uri = address.partition(" ")
    return uuid, uri or SYSTEM


@dataclass(frozen=True, slots=True)
class GuestStatus:
    """State and counters of a guest."""

    name: str
    state: GuestState
    reason: int = 0  # libvirt's number; its meaning depends on the state
    disks: tuple[GuestDiskCounters, ...] = ()
    connection: str = SYSTEM

    @property
    def key(self) -> tuple[str, str]:
        """Libvirt and name: each libvirt of a host has names of its own."""
        return self.connection, self.name

    @property
    def is_paused_by_io_error(self) -> bool:
        """Whether a disk's error has paused it: it goes on when it is resumed."""
        return self.state is GuestState.PAUSED and self.reason == PAUSED_BY_IO_ERROR


@dataclass(frozen=True, slots=True)
class StoredImage:
    """Image of a disk, and what holds it: a dataset, a volume, or the path of a device; empty if unknown."""

    image: Image
    place: str = ""
    is_volume: bool = False
    dataset: Dataset | None = None  # the place with its properties, where ZFS could be asked


@dataclass(frozen=True, slots=True)
class StoredDisk:
    """Disk of a guest with its images, the uppermost first; `problem` tells why images below are unknown."""

    disk: GuestDisk
    images: tuple[StoredImage, ...] = ()
    counters: GuestDiskCounters | None = None
    problem: str = ""
    error: str = ""  # of its last I/O, by libvirt: `no space`; read of guests that this has paused
    rates: GuestDiskRates | None = None  # since the reading before


@dataclass(frozen=True, slots=True)
class Guest:
    """Guest with its storage."""

    definition: GuestDefinition
    status: GuestStatus
    disks: tuple[StoredDisk, ...] = ()

    @property
    def name(self) -> str:
        """Name, unique in its libvirt."""
        return self.definition.name

    @property
    def is_of_libvirt(self) -> bool:
        """Whether libvirt runs it; otherwise its connection is the name of an engine of containers."""
        return "://" in self.definition.connection or self.definition.connection in {SYSTEM, SESSION}

    @property
    def key(self) -> tuple[str, str]:
        """Libvirt and name, as of its status."""
        return self.definition.connection, self.definition.name

    @property
    def places(self) -> tuple[str, ...]:
        """Datasets, volumes and devices that hold its disks, each once."""
        held = (image.place for disk in self.disks for image in disk.images if image.place)
        return tuple(dict.fromkeys(held))
