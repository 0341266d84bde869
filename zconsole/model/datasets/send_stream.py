"""ZFS send streams in files: header, length and damage."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of


class StreamFault(Enum):
    """Kind of damage of a stream file."""

    NO_STREAM = "no stream"
    TRUNCATED = "truncated"  # the file ends before the stream
    DAMAGED = "damaged"  # invalid content
    UNREADABLE = "unreadable"  # read error, decompression error, or no decompressor installed


@dataclass(frozen=True, slots=True)
class StreamProblem:
    """Damage and its position: `offset` counts bytes of the stream after decompression."""

    fault: StreamFault
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class SentSnapshot:
    """One snapshot in a stream: the records from DRR_BEGIN to DRR_END."""

    name: str  # with its dataset, as named on the sending host
    guid: int
    from_guid: int | None = None  # guid of the snapshot or bookmark it builds on; None for a full stream
    offset: int = 0
    length_bytes: int | None = None  # including DRR_END; None for a truncated stream
    created: int = 0  # epoch seconds
    kind: str = "filesystem"  # filesystem, volume or other
    features: tuple[str, ...] = ()
    is_clone: bool = False  # `from_guid` is its origin, in another dataset
    resumes_at: tuple[int, int] | None = None  # object and offset at which a receive truncated here resumes
    is_checksum_good: bool | None = None  # None: not verified

    @property
    def is_whole(self) -> bool:
        """Whether the stream is complete."""
        return self.length_bytes is not None

    @property
    def dataset(self) -> str:
        """The dataset, as named on the sending host."""
        return dataset_of(self.name)


@dataclass(frozen=True, slots=True)
class SendStream:
    """Input of one `zfs receive`: one snapshot, or a package of several (-R, -I or -p)."""

    offset: int
    name: str = ""  # of the sent snapshot, or of the topmost one of a package
    snapshots: tuple[SentSnapshot, ...] = ()
    length_bytes: int | None = None  # None for a truncated stream
    is_package: bool = False
    is_recursive: bool = False  # child datasets included, as with -R
    names: tuple[tuple[int, str], ...] = ()  # (guid, snapshot) pairs of the package header


@dataclass(frozen=True, slots=True)
class StreamFile:
    """File with one or more streams in sequence."""

    name: str
    size_bytes: int
    compression: str = ""  # gzip, xz, bzip2, zstd, lz4
    streams: tuple[SendStream, ...] = ()
    problem: StreamProblem | None = None
