"""Place in which the disk of a pool's device was last seen: kept for the day on which it is gone."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DiskPlace:
    """Serial number, bay and path of a device's disk at a time in epoch seconds; empty where unknown."""

    pool_guid: int
    leaf_guid: int
    serial: str
    model: str
    bay: str
    path: str
    at: float

    @property
    def key(self) -> tuple[int, int]:
        """Which device it is."""
        return self.pool_guid, self.leaf_guid

    @property
    def facts(self) -> tuple[str, str, str, str]:
        """Everything but the time."""
        return self.serial, self.model, self.bay, self.path
