"""Directories on which file systems would be mounted, as a host has them now, and all that is mounted there.

`None` is *not read*; an empty tuple is *read, and there is none*.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


@dataclass(frozen=True, slots=True)
class HostMount:
    """A mounted file system of any kind. `source` is a device's path, a dataset, or what the kind has."""

    source: str
    mountpoint: str
    fstype: str


class TargetType(Enum):
    """What stands under a path."""

    MISSING = "missing"
    DIRECTORY = "directory"
    OTHER = "other"  # a file, a device, a socket: nothing can be mounted on it as a directory
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MountTarget:
    """A path on which a file system would be mounted."""

    path: str  # as it was asked for
    real: str | None = None  # without symbolic links, `..` and double slashes; None could not be resolved
    type: TargetType = TargetType.UNKNOWN
    entries: int | None = None  # names in the directory; None could not be counted
    has_more: bool = False  # the count was given up there
    open_by: tuple[str, ...] | None = None  # processes that stand on something at or below it


@dataclass(frozen=True, slots=True)
class MountTargets:
    """What was read for the paths that a plan is about."""

    mounts: tuple[HostMount, ...] | None = None
    targets: tuple[MountTarget, ...] = ()
    needed: tuple[tuple[str, str], ...] = ()  # (path without symbolic links, what it is) of this console

    def target(self, path: str) -> MountTarget | None:
        """What was read of a path."""
        return next((each for each in self.targets if each.path == path), None)


NOT_READ: Final = MountTargets()
