"""Who causes the load: the I/O of each dataset and zvol, as the kernel counts it where programs enter."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatasetIo:
    """One dataset or zvol in an interval; everything a second.

    It is what programs asked for: the cache answers most reads, and writes reach the disks later, compressed,
    copied and with parity.
    """

    name: str
    read_ops: float
    write_ops: float
    read_bytes: float
    write_bytes: float
    unlinked: float = 0.0  # files whose removal ended
    commits: float | None = None  # of the intent log: somebody waits for them; None before 2.2

    @property
    def read_size(self) -> float | None:
        """Bytes of a mean read."""
        return self.read_bytes / self.read_ops if self.read_ops else None

    @property
    def write_size(self) -> float | None:
        """Bytes of a mean write."""
        return self.write_bytes / self.write_ops if self.write_ops else None


@dataclass(frozen=True, slots=True)
class OtherDatasets:
    """Datasets that are not kept one by one: how many did nothing, and what the others did, a second."""

    idle: int = 0
    active: int = 0
    read_ops: float = 0.0
    write_ops: float = 0.0
    read_bytes: float = 0.0
    write_bytes: float = 0.0


@dataclass(frozen=True, slots=True)
class DatasetIoSample:
    """All open datasets of a pool in one interval: mounted filesystems, and zvols."""

    at: float  # epoch seconds, of the console's clock
    interval_s: float
    rows: tuple[DatasetIo, ...]  # in the order of names
    is_new: int = 0  # datasets that were opened in the interval, of which there is no rate yet
    others: OtherDatasets | None = (
        None  # those that are not among the rows, where a reading was kept; None is all are
    )
