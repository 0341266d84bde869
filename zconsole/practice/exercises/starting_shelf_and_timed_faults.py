"""Script of an exercise as data: the shelf at the beginning, and what happens when."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Fails:
    """A disk reports I/O errors and medium errors; ZED faults it."""

    bay: int
    reads: int
    writes: int


@dataclass(frozen=True, slots=True)
class Slows:
    """A disk takes so many times as long as a new one; some I/Os took longer than 30 s."""

    bay: int
    factor: float
    slow_ios: int = 0


@dataclass(frozen=True, slots=True)
class Wears:
    """A disk counts more defects of itself."""

    bay: int
    reallocated: int = 0
    pending: int = 0
    uncorrectable: int = 0
    reported: int = 0
    reads: int = 0  # errors that ZFS sees of it


@dataclass(frozen=True, slots=True)
class Garbles:
    """A bad cable garbles transfers: CRC errors of the disks behind it, errors in ZFS, link resets."""

    bays: tuple[int, ...]
    crc: int
    errors: int


@dataclass(frozen=True, slots=True)
class IsTaken:
    """A colleague pulls a disk and puts it on the table."""

    bay: int


Happening = Fails | Slows | Wears | Garbles | IsTaken


@dataclass(frozen=True, slots=True)
class Beat:
    """A happening with its time: bays mean the disks that were there at the beginning."""

    what: Happening
    at_s: float = 0.0  # seconds since the beginning
    after_share: float | None = None  # of a resilver onto a disk from the table, in place of a time
    every_s: float | None = None  # again and again


@dataclass(frozen=True, slots=True)
class Script:
    """A pool on a shelf of twelve bays, its trouble, and the disks on the table."""

    name: str
    told: str  # to the learner; a line is a paragraph
    layout: str  # of the pool tank: numbers are bays
    table: tuple[tuple[str, str], ...]  # serial, and make by its name in `shelf.py`
    beats: tuple[Beat, ...]
    bad_cable: str = ""

    @property
    def has_spare(self) -> bool:
        """Whether the pool begins with a hot spare."""
        return "spare" in self.layout.split()
