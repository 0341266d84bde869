"""ZFS send streams as they lie in files: what each begins with, how far it goes, what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class StreamFault(Enum):
    """What is wrong with a file."""

    NO_STREAM = "no stream"
    TRUNCATED = "truncated"  # it ends before the stream does
    DAMAGED = "damaged"  # what stands there cannot be
    UNREADABLE = "unreadable"  # the disk or the decompressor gave up, or there is none here


@dataclass(frozen=True, slots=True)
class StreamProblem:
    """What is wrong, where: `offset` counts bytes of the stream, decompressed where it was compressed."""

    fault: StreamFault
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class SentSnapshot:
    """One snapshot as a stream carries it: the records from a DRR_BEGIN to its DRR_END."""

    name: str  # with its dataset, as it was called where it was sent
    guid: int
    from_guid: int | None = None  # the snapshot or bookmark that it builds on; None for a full stream
    offset: int = 0
    length_bytes: int | None = None  # its DRR_END included; None where it was cut
    created: int = 0  # epoch seconds
    kind: str = "filesystem"  # or volume, other
    features: tuple[str, ...] = ()
    is_clone: bool = False  # `from_guid` is its origin, in another dataset
    resumes_at: tuple[int, int] | None = None  # object and offset, where it goes on with a receive cut there
    is_checksum_good: bool | None = None  # None: not looked at

    @property
    def is_whole(self) -> bool:
        """Whether its end is there."""
        return self.length_bytes is not None

    @property
    def dataset(self) -> str:
        """The dataset, as it was called where it was sent."""
        return self.name.partition("@")[0]


@dataclass(frozen=True, slots=True)
class SendStream:
    """What one `zfs receive` reads: a snapshot, or with -R, -I or -p a package of several."""

    offset: int
    name: str = ""  # of what was sent: a snapshot, or the topmost one of a package
    snapshots: tuple[SentSnapshot, ...] = ()
    length_bytes: int | None = None  # None where it was cut
    is_package: bool = False
    is_recursive: bool = False  # datasets below come along, as with -R
    names: tuple[tuple[int, str], ...] = ()  # snapshots that the package's header names, by guid


@dataclass(frozen=True, slots=True)
class StreamFile:
    """A file, and the streams in it one behind the other."""

    name: str
    size_bytes: int
    compression: str = ""  # gzip, xz, bzip2, zstd, lz4
    streams: tuple[SendStream, ...] = ()
    problem: StreamProblem | None = None
