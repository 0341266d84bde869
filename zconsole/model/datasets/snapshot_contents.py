"""Contents of file systems and snapshots: files, folders, differences.

Names and paths are text in which Python's surrogates stand for bytes that are not UTF-8. They may contain any
character but NUL (and names no slash), line breaks included.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass


class FileType(Enum):
    """Type of a directory entry."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    FIFO = "fifo"
    SOCKET = "socket"
    BLOCK = "block device"
    CHARACTER = "character device"
    OTHER = "other"


class ChangeKind(Enum):
    """Kind of difference between two snapshots, as `zfs diff` prints it."""

    ADDED = "+"
    REMOVED = "-"
    MODIFIED = "M"
    RENAMED = "R"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One line of `zfs diff`. Paths are absolute, below the mountpoint of the file system."""

    kind: ChangeKind
    type: FileType
    path: str
    new_path: str | None = None  # of a renamed file
    links: int = 0  # change in the number of hard links
    changed_ns: int | None = None  # epoch nanoseconds (ctime); of a removed file, before its removal

    @property
    def place(self) -> str:
        """The present path, or the last one of a removed file."""
        return self.path if self.new_path is None else self.new_path


@dataclass(frozen=True, slots=True)
class FileState:
    """File at a path at one time, with enough attributes to recognise another file at that path."""

    path: str
    type: FileType
    device: int
    inode: int
    size_bytes: int
    modified_ns: int  # epoch nanoseconds
    target: str = ""  # of a symbolic link

    @property
    def name(self) -> str:
        """The last component of the path."""
        return self.path.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Folder:
    """Directory listing, folders first; `is_whole` is False when it was truncated."""

    path: str
    entries: tuple[FileState, ...]
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Extent:
    """Size of a file, or of a folder with its contents; None is unknown."""

    size_bytes: int | None = None  # apparent size
    allocated_bytes: int | None = None  # allocated size
    inodes: int | None = None


@dataclass(frozen=True, slots=True)
class Mounted:
    """Mounted file system that can be browsed."""

    dataset: str
    mountpoint: str
    is_writable: bool = True


@dataclass(frozen=True, slots=True)
class FileLookup:
    """Results of looking into the file systems of a host."""

    mounts: tuple[Mounted, ...] | None = None  # None: not read
    asked: frozenset[str] = frozenset()  # paths that were looked up; those not in `found` do not exist
    found: tuple[FileState, ...] = ()
    resolved: tuple[tuple[str, str], ...] = ()  # (path, path without symbolic links)
    extents: tuple[tuple[str, Extent], ...] = ()

    def mount(self, dataset: str) -> Mounted | None:
        """The visible mount of a dataset."""
        return next((each for each in self.mounts or () if each.dataset == dataset), None)

    def file(self, path: str) -> FileState | None:
        """The file found at a path that was looked up."""
        return next((each for each in self.found if each.path == path), None)

    def real(self, path: str) -> str | None:
        """The path without symbolic links; None when it could not be resolved."""
        return dict(self.resolved).get(path)

    def extent(self, path: str) -> Extent:
        """The size of the file or folder at a path."""
        return dict(self.extents).get(path) or Extent()


NOT_LOOKED: Final = FileLookup()


@dataclass(frozen=True, slots=True)
class FolderComparison:
    """Folder of a snapshot, and the same folder in the live file system; `now` is None when it is gone."""

    snapshot: str
    path: str  # relative to the root of the file system; empty for the root
    then: Folder
    now: Folder | None = None
