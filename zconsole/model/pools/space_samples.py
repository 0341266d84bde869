"""Space samples of pools, the input of forecasts. Bytes; times in epoch seconds."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DatasetUse:
    """Space used by one dataset itself, without its children."""

    name: str
    live_bytes: int  # usedbydataset
    snapshots_bytes: int | None  # usedbysnapshots; None when unknown
    block_bytes: int | None = None  # volblocksize, or recordsize, which is the largest; None: not read


@dataclass(frozen=True, slots=True)
class SpaceSample:
    """One measurement of a pool. `datasets` are its largest; empty when they were not measured."""

    at: float
    host: str  # the host's own name, independent of its address
    pool: str
    guid: int
    used_bytes: int  # of usable space: USED of the root dataset
    available_bytes: int
    size_bytes: int | None = None  # raw, as in `zpool list`
    allocated_bytes: int | None = None
    free_bytes: int | None = None
    datasets: tuple[DatasetUse, ...] = ()

    @property
    def usable_bytes(self) -> int:
        """Usable space, used and free."""
        return self.used_bytes + self.available_bytes

    @property
    def used_percent(self) -> float | None:
        """Used share of the usable space; None when there is none."""
        return 100 * self.used_bytes / self.usable_bytes if self.usable_bytes else None


@dataclass(frozen=True, slots=True)
class UsePoint:
    """Space used by one dataset at one time."""

    at: float
    live_bytes: int
    snapshots_bytes: int | None
