"""Image that the definition of a guest names, or that is below one of these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
    """Image of a guest."""

    guest: str
    path: str  # as the definition, or the image above it, has it
    real: str  # where that path leads
    activity: GuestActivity = GuestActivity.RUNNING
