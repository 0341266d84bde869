"""What is in file systems and their snapshots, as far as it was looked at: files, folders, differences.

Names and paths are text with bytes that are no UTF-8 kept as Python keeps them; any other character but
NUL (and in a name the slash) can stand in them, line breaks too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


class FileType(Enum):
    """What a name stands for."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    FIFO = "fifo"
    SOCKET = "socket"
    BLOCK = "block device"
    CHARACTER = "character device"
    OTHER = "other"


class ChangeKind(Enum):
    """How something differs between two moments, as `zfs diff` writes it."""

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
    new_path: str | None = None  # of what was renamed
    links: int = 0  # how many more hard links it has, or fewer
    changed_ns: int | None = None  # epoch nanoseconds of its last change (ctime); of what is gone, before

    @property
    def place(self) -> str:
        """Where it is now, or was until it went."""
        return self.path if self.new_path is None else self.new_path


@dataclass(frozen=True, slots=True)
class FileState:
    """What stands under a path at one moment, told so that another one is not taken for it."""

    path: str
    type: FileType
    device: int
    inode: int
    size_bytes: int
    modified_ns: int  # epoch nanoseconds
    target: str = ""  # of a symbolic link

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Folder:
    """What is in a folder, folders first; `is_whole` is False where there is more than was read."""

    path: str
    entries: tuple[FileState, ...]
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a file or a folder with all that is in it takes; None is not known."""

    size_bytes: int | None = None  # as programs see it
    allocated_bytes: int | None = None  # as it is stored
    inodes: int | None = None


@dataclass(frozen=True, slots=True)
class Mounted:
    """A file system that is mounted where it can be seen."""

    dataset: str
    mountpoint: str
    is_writable: bool = True


@dataclass(frozen=True, slots=True)
class Looked:
    """What was looked at in the file systems of a host."""

    mounts: tuple[Mounted, ...] | None = None  # None: not read
    asked: frozenset[str] = frozenset()  # paths; those that are not in `found` are not there
    found: tuple[FileState, ...] = ()
    resolved: tuple[tuple[str, str], ...] = ()  # (path, the same without symbolic links)
    extents: tuple[tuple[str, Extent], ...] = ()

    def mount(self, dataset: str) -> Mounted | None:
        """Where a dataset can be seen."""
        return next((each for each in self.mounts or () if each.dataset == dataset), None)

    def file(self, path: str) -> FileState | None:
        """What stands under a path that was asked for."""
        return next((each for each in self.found if each.path == path), None)

    def real(self, path: str) -> str | None:
        """A path without symbolic links; None where it could not be resolved."""
        return dict(self.resolved).get(path)

    def extent(self, path: str) -> Extent:
        """How much stands under a path."""
        return dict(self.extents).get(path) or Extent()


NOT_LOOKED: Final = Looked()


@dataclass(frozen=True, slots=True)
class Browsed:
    """A folder of a snapshot beside the same one now; `now` is None where there is none any more."""

    snapshot: str
    path: str  # from the root of the file system; empty for the root
    then: Folder
    now: Folder | None = None
