"""How full a pool was at some moments: what a forecast is made from. Bytes; times in epoch seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatasetUse:
    """What one dataset takes by itself, without what is below it."""

    name: str
    live_bytes: int  # usedbydataset
    snapshots_bytes: int | None  # usedbysnapshots; None where it is not known


@dataclass(frozen=True, slots=True)
class SpaceSample:
    """One look at a pool. `datasets` are its largest, or none where they were not looked at."""

    at: float
    host: str  # what the host calls itself: it is one host, however it was reached
    pool: str
    guid: int
    used_bytes: int  # of what files can use: the root dataset's
    available_bytes: int
    size_bytes: int | None = None  # raw, as `zpool list` has them
    allocated_bytes: int | None = None
    free_bytes: int | None = None
    datasets: tuple[DatasetUse, ...] = ()

    @property
    def usable_bytes(self) -> int:
        """What files can fill, used or not."""
        return self.used_bytes + self.available_bytes


@dataclass(frozen=True, slots=True)
class UsePoint:
    """What one dataset took at one moment."""

    at: float
    live_bytes: int
    snapshots_bytes: int | None
