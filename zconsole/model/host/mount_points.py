"""Mount points that a plan needs: the directories as they are now, and mounted file systems."""

from __future__ import annotations

from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class HostMount:
    """Mounted file system of any type. `source` is a device path, a dataset, or as the type defines."""

    source: str
    mountpoint: str
    fstype: str


class TargetType(Enum):
    """Type of the object at a path."""

    MISSING = "missing"
    DIRECTORY = "directory"
    OTHER = "other"  # file, device or socket: cannot be a mount point of a file system
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MountTarget:
    """Path on which a file system would be mounted."""

    path: str  # as requested
    real: str | None = None  # without symbolic links, `..` and double slashes; None when unresolved
    type: TargetType = TargetType.UNKNOWN
    entries: int | None = None  # number of directory entries; None when it could not be counted
    has_more: bool = False  # counting stopped at this number
    open_by: tuple[str, ...] | None = None  # processes with open files at or below the path


@dataclass(frozen=True, slots=True)
class MountTargets:
    """Mount points and mounts read for a plan."""

    mounts: tuple[HostMount, ...] | None = None
    targets: tuple[MountTarget, ...] = ()
    needed: tuple[tuple[str, str], ...] = ()  # (resolved path, its role) of paths this console needs

    @property
    def may_hide_something(self) -> bool:
        """Whether a directory to mount on has entries, or may have some."""
        return any(each.type is TargetType.DIRECTORY and each.entries != 0 for each in self.targets)

    def target(self, path: str) -> MountTarget | None:
        """The mount target for a path."""
        return next((each for each in self.targets if each.path == path), None)


NOT_READ: Final = MountTargets()
