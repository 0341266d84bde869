"""Guests of the practice host, with their disks and images."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

RUNNING, PAUSED, SHUT_OFF = 1, 3, 5  # virDomainState
BOOTED, IO_ERROR, SHUT_DOWN = 1, 5, 1  # reasons of these
UNPAUSED, BY_USER = 5, 1  # further reasons: of running, of paused
ZVOL: Final = "/dev/zvol/"
_NAMES: Final = uuid.UUID(int=0)


@dataclass(slots=True)
class PracticeImage:
    """File with the contents of a disk. `backing` is the path of the image below."""

    path: str
    format: str
    virtual_bytes: int
    allocated_bytes: int
    cluster_bytes: int | None = None
    backing: str = ""
    snapshots: tuple[str, ...] = ()  # inside the image
    written_backing: str = ""  # that path as it is written in this one; empty: the same
    is_corrupt: bool = False  # as QEMU marks one whose metadata is damaged


def volume_at(path: str) -> str:
    """The volume of a device's path, in which udev writes a blank as `+`."""
    return path.removeprefix(ZVOL).replace("+", " ")


@dataclass(slots=True)
class PracticeGuestDisk:
    """Disk of a guest: an image, or a device."""

    target: str
    source: str
    format: str = "raw"
    cache: str = "none"
    io: str = ""  # empty: not in the definition
    discard: str = "unmap"
    error_policy: str = ""  # empty: not in the definition
    error: str = ""  # of its last I/O, in virsh's words: `no space`

    @property
    def is_device(self) -> bool:
        """Whether it is a block device."""
        return self.source.startswith("/dev/")


@dataclass(slots=True)
class PracticeGuest:
    """Guest of libvirt."""

    name: str
    disks: list[PracticeGuestDisk] = field(default_factory=list)
    state: int = RUNNING
    reason: int = BOOTED
    memory_kib: int = 4 << 20
    processors: int = 2
    has_agent: bool = True
    is_persistent: bool = True
    has_saved_memory: bool = False
    has_snapshots: bool = False
    is_started_at_boot: bool = False
    definition_error: str = ""  # why libvirt does not print its stored definition
    own_uuid: str = ""  # of one that was defined with it
    shuts_down_in_s: float | None = 5.0  # after it was asked to; None: it ignores that
    is_agent_connected: bool = True
    does_agent_answer: bool = True  # otherwise it hangs
    file_systems: int = 1  # mounted read-write, which the agent freezes
    freezes: bool = True  # otherwise one of its file systems refuses
    is_frozen: bool = False
    counted: dict[str, tuple[tuple[str, int], ...]] = field(
        default_factory=dict
    )  # I/O, by disk, as last told
    off_at: float | None = None  # epoch seconds: it is shutting down

    @property
    def uuid(self) -> str:
        """Its uuid, made from its name unless it has one of its own."""
        return self.own_uuid or str(uuid.uuid5(_NAMES, self.name))

    @property
    def is_active(self) -> bool:
        """Whether it has a process: also one that crashed, sleeps or is shutting down."""
        return self.state != SHUT_OFF

    def pass_time(self, now: float) -> None:
        """Go on until this moment, in epoch seconds."""
        if self.off_at is not None and now >= self.off_at:
            self.state, self.reason, self.off_at = SHUT_OFF, SHUT_DOWN, None


def chain(images: Mapping[str, PracticeImage], path: str) -> Iterator[PracticeImage]:
    """The image at a path and those below it; ends where one is missing."""
    seen: set[str] = set()
    while path in images and path not in seen:
        seen.add(path)
        yield images[path]
        path = images[path].backing
