"""Image or other storage that the definition of a guest names, or that is below one of these."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class GuestActivity(Enum):
    """Whether a guest has its images open, and whether its next start goes on from a saved memory."""

    RUNNING = "running"
    PAUSED = "paused"
    OFF = "shut off"
    SAVED = "shut off, its memory saved"  # virsh managedsave

    @property
    def is_active(self) -> bool:
        """Whether it has a process that holds its images open."""
        return self in {GuestActivity.RUNNING, GuestActivity.PAUSED}


@dataclass(frozen=True, slots=True)
class DefinedImage:
    """Image or other storage of a guest: a path, or why there is none that is known."""

    guest: str
    path: str  # as the definition, or the image above it, has it; empty where `unknown` tells why
    real: str  # where that path leads; empty where its links could not be followed
    activity: GuestActivity = GuestActivity.RUNNING
    what: str = ""  # of what there is no path: a disk by its target, or other storage in words
    unknown: str = ""
    is_written: bool = True  # whether the guest may write to it: no medium, nor an image below its own
    uuid: str = ""
