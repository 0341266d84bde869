"""What lives on a dataset, as far as open files, file names and sizes tell."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class ContentKind(Enum):
    """Kind of files by how they are read and written; the value is its name in a sentence."""

    INNODB = "InnoDB tables"
    POSTGRESQL = "PostgreSQL tables"
    MEDIA = "media files"
    TORRENTS = "torrents"
    IMAGES = "disk images"


@dataclass(frozen=True, slots=True)
class ProgramFiles:
    """Files of one kind that a process holds open on a dataset."""

    kind: ContentKind
    program: str  # `postgres`
    process: int
    files: int
    example: str  # path of one


@dataclass(frozen=True, slots=True)
class FileSample:
    """Files of a dataset that were looked at, in the order of its directories; a part where it has many.

    `kinds` has the bytes of those whose names tell a kind. Bytes are the sizes of files.
    """

    files: int
    size_bytes: int
    large_bytes: int  # in files of 1 MiB and more
    is_whole: bool
    kinds: tuple[tuple[ContentKind, int], ...] = ()

    def bytes_of(self, kind: ContentKind) -> int:
        """Bytes in files of a kind."""
        return dict(self.kinds).get(kind, 0)


@dataclass(frozen=True, slots=True)
class VolumeMount:
    """File system on a volume that the host itself has mounted."""

    mountpoint: str
    fstype: str


@dataclass(frozen=True, slots=True)
class DatasetContents:
    """File system or volume with what was seen of it."""

    name: str
    programs: tuple[ProgramFiles, ...] = ()
    sample: FileSample | None = None
    mounted: tuple[VolumeMount, ...] = ()  # of a volume
