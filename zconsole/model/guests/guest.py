"""Virtual machine of libvirt: its state, its disks, and the images that these consist of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import Dataset

SYSTEM: Final = "qemu:///system"  # the connection to libvirt, of all users of the host
SESSION: Final = "qemu:///session"  # of the user that commands run as
LIBVIRT: Final = "libvirt"  # permission to change guests without root, on a connection
LIBVIRT_SILENT: Final = "libvirt does not answer"  # how the problem of a reading begins where one hangs
LIBVIRT_ACCESS: Final = (LIBVIRT, SYSTEM)
SESSION_ACCESS: Final = (LIBVIRT, SESSION)  # which the user always has


_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


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
        """Whether the guest has a process that holds its disks open; QEMU keeps it in a crashed one."""
        return self not in {GuestState.UNKNOWN, GuestState.SHUT_OFF}

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
    DIR = "dir"  # shown to the guest as a FAT file system
    NVME = "nvme"  # controller of the host, passed through
    VHOST_USER = "vhostuser"  # served by a daemon over a socket
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
    backing: str = ""  # the image below, as it is written in this one: it may be relative to its folder


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
    is_shareable: bool = False  # <shareable/>: other guests may have it too, as those of a cluster do
    startup_policy: str = ""  # of a source that may be missing at a start; empty: it may not
    backing: tuple[str, ...] = ()  # paths of the images below, the nearest first, where libvirt tells them
    volume_path: str = ""  # of a volume of a storage pool, where libvirt tells it
    problem: str = ""  # why it does not

    @property
    def may_be_missing(self) -> bool:
        """Whether a guest starts without its source: `requisite` is dropped at a migration alone."""
        return self.startup_policy == "optional"

    @property
    def is_written(self) -> bool:
        """Whether the guest may write to it: no medium, and not read-only."""
        return not self.is_read_only and self.device in {"disk", "lun"}

    @property
    def path(self) -> str:
        """Absolute path of its uppermost image; empty where it has none on the host, or it is not known."""
        return self.volume_path or (self.source if self.source.startswith("/") and self.has_path else "")

    @property
    def has_path(self) -> bool:
        """Whether its source is a path of the host by its kind."""
        return self.kind in {SourceKind.FILE, SourceKind.BLOCK, SourceKind.DIR}

    @property
    def pool_and_volume(self) -> tuple[str, str] | None:
        """Storage pool of libvirt, whose names have no slash, and volume; None for other kinds."""
        if self.kind is not SourceKind.POOL_VOLUME:
            return None
        pool, _, volume = self.source.partition("/")
        return pool, volume


@dataclass(frozen=True, slots=True)
class OtherStorage:
    """Storage beside its disks that the definition of a guest names, or implies."""

    role: str  # what it is to the guest, in words: `UEFI variables`
    path: str = ""  # absolute; empty where `unknown` tells why
    unknown: str = ""
    is_default: bool = False  # where libvirt of the system keeps it unless it is told otherwise
    is_read_only: bool = False  # whether the guest only reads it, as it does its firmware


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
    others: tuple[OtherStorage, ...] = ()
    has_agent_channel: bool = False
    is_agent_connected: bool | None = None  # None: libvirt does not tell
    memory_bytes: int | None = None
    processors: int | None = None
    is_container: bool = False  # otherwise a virtual machine
    connection: str = SYSTEM  # URI of its libvirt on its host
    uri: str = SYSTEM  # by which virsh on that host reaches it: of a session with the path of the socket

    @property
    def address(self) -> str:
        """Uuid, with the URI of a libvirt that is not the system's: unique on its host."""
        return address_of(self.uuid, self.uri)


def address_of(uuid: str, uri: str) -> str:
    """Uuid, with the URI of a libvirt that is not the system's."""
    return uuid if uri == SYSTEM else f"{uuid} {uri}"


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
    """Image of a disk, and what holds it: a dataset, a volume, or the path of a device.

    Without a place it is known not to be on ZFS, unless `unknown` tells why nothing is known of it.
    """

    image: Image
    place: str = ""
    is_volume: bool = False
    dataset: Dataset | None = None  # the place with its properties, where ZFS could be asked
    also: tuple[str, ...] = ()  # further places, of a device on several
    unknown: str = ""
    elsewhere: str = ""  # what else holds it: `ext4 on /dev/sda1`
    is_missing: bool = False  # certainly not on the host: no device or file has its path
    real_path: str = ""  # its path without symbolic links, where these could be followed

    @property
    def places(self) -> tuple[str, ...]:
        """All its places."""
        return (self.place, *self.also) if self.place else self.also


@dataclass(frozen=True, slots=True)
class StoredOther:
    """Storage beside the disks, and the datasets, volumes and devices that hold it."""

    storage: OtherStorage
    places: tuple[str, ...] = ()
    unknown: str = ""  # why not all are known
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class StoredDisk:
    """Disk of a guest with its images, the uppermost first; `problem` tells why images below are unknown."""

    disk: GuestDisk
    images: tuple[StoredImage, ...] = ()
    counters: GuestDiskCounters | None = None
    problem: str = ""
    error: str = ""  # of its last I/O, by libvirt: `no space`; read of guests that this has paused
    rates: GuestDiskRates | None = None  # since the reading before

    @property
    def is_written(self) -> bool:
        """Whether the guest may write to it: no medium, and not read-only."""
        return self.disk.is_written


@dataclass(frozen=True, slots=True)
class Guest:
    """Guest with its storage."""

    definition: GuestDefinition
    status: GuestStatus
    disks: tuple[StoredDisk, ...] = ()
    others: tuple[StoredOther, ...] = ()
    unread: str = ""  # why its definition is not known: then it has no uuid here, and no disks

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
    def missing(self) -> tuple[tuple[StoredDisk, str], ...]:
        """Disks with the path of an image that is not there, each: libvirt does not start it."""
        return tuple(each for each in self._without_image if not each[0].disk.may_be_missing)

    @property
    def without_medium(self) -> tuple[tuple[StoredDisk, str], ...]:
        """Drives with the path of a medium that is not there, each: they are empty after a start."""
        return tuple(each for each in self._without_image if each[0].disk.may_be_missing)

    @property
    def _without_image(self) -> Iterator[tuple[StoredDisk, str]]:
        images = ((disk, each) for disk in self.disks for each in disk.images)
        return ((disk, each.image.path) for disk, each in images if each.is_missing)

    @property
    def places(self) -> tuple[str, ...]:
        """Datasets, volumes and devices that hold its disks, each once.

        What a missing image was on holds nothing of a guest that is off.
        """
        images = (image for disk in self.disks for image in disk.images)
        held = (each for each in images if self.status.state.is_active or not each.is_missing)
        return tuple(dict.fromkeys(place for each in held for place in each.places))

    @property
    def all_places(self) -> tuple[str, ...]:
        """These, and what holds its other storage."""
        return tuple(dict.fromkeys((*self.places, *(place for each in self.others for place in each.places))))

    @property
    def unmapped(self) -> tuple[tuple[str, str], ...]:
        """Disks and other storage of which it is not known what holds them, each with the reason."""
        disks = (
            (disk.disk.target, image.unknown) for disk in self.disks for image in disk.images if image.unknown
        )
        others = ((each.storage.role, each.unknown) for each in self.others if each.unknown)
        return tuple(dict.fromkeys((*self._without_definition, *disks, *others)))

    @property
    def written_unmapped(self) -> tuple[tuple[str, str], ...]:
        """Disks that it writes to of which it is not known what holds their uppermost images."""
        disks = (
            (each.disk.target, each.images[0].unknown)
            for each in self.disks
            if each.is_written and each.images and each.images[0].unknown
        )
        return (*self._without_definition, *disks)

    @property
    def _without_definition(self) -> tuple[tuple[str, str], ...]:
        return (("its storage", self.unread),) if self.unread else ()


def guests_named(word: str, guests: Iterable[Guest]) -> tuple[Guest, ...]:
    """The guest with this uuid; where none has it, those of this name. As virsh does it."""
    known = tuple(guests)
    by_uuid = tuple(each for each in known if each.definition.uuid == word)
    return by_uuid or tuple(each for each in known if each.name == word)


def is_plain_name(name: str) -> bool:
    """Whether a command can name a guest by it: neither an option nor a uuid, which may be another's."""
    return not name.startswith("-") and _UUID.fullmatch(name) is None


def to_type(guest: Guest) -> str:
    """What a person types to confirm a change of a guest: its name, or its uuid where that is not plain."""
    return guest.name if is_plain_name(guest.name) else guest.definition.uuid


def word_for(guest: Guest, among: Iterable[Guest] = ()) -> str:
    """The word that names a guest of libvirt in a command: its name, or its uuid where that is not plain."""
    is_alone = sum(1 for each in among if each.name == guest.name) <= 1
    is_named = guest.definition.connection == SYSTEM and is_alone and is_plain_name(guest.name)
    return guest.name if is_named else guest.definition.uuid
