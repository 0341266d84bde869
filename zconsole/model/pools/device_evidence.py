"""Evidence on a pool's device while the host sees its disk: kept for the day on which it is gone."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.kernel_message import KernelMessage
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import HealthRecord
from zconsole.model.repair import Certainty, RepairCause


@dataclass(frozen=True, slots=True)
class DeviceEvidence:
    """What was known of a device at a time in epoch seconds; None where nothing was.

    ZFS sets the error counters of a device to 0 when its disk is removed; here they are as before.
    """

    pool_guid: int
    leaf_guid: int
    at: float
    record: HealthRecord | None = None  # SMART data, with its own time
    kernel: tuple[KernelMessage, ...] = ()  # recent trouble, oldest first
    read_errors: Count | None = None
    write_errors: Count | None = None
    checksum_errors: Count | None = None
    cause: RepairCause | None = None  # of its trouble, as judged then
    certainty: Certainty = Certainty.UNCLEAR
    words: str = ""  # of the cause

    @property
    def key(self) -> tuple[int, int]:
        """Which device it is."""
        return self.pool_guid, self.leaf_guid

    @property
    def facts(self) -> tuple[object, ...]:
        """Everything but the time."""
        errors = self.read_errors, self.write_errors, self.checksum_errors
        return self.record, self.kernel, errors, self.cause, self.certainty, self.words
