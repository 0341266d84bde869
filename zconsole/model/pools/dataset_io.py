"""I/O of each dataset and zvol, as the kernel counts requests of programs."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DatasetIo:
    """One dataset or zvol in an interval; all values per second.

    Counts requests, not disk I/O: the ARC answers most reads, and writes reach the disks later, compressed,
    with copies and parity.
    """

    name: str
    read_ops: float
    write_ops: float
    read_bytes: float
    write_bytes: float
    unlinked: float = 0.0  # files whose removal was completed
    commits: float | None = None  # of the intent log, waited for by a program; None before 2.2

    @property
    def is_active(self) -> bool:
        """Whether it moved anything; the kernel counts requests and their bytes one after the other."""
        return any((self.read_ops, self.write_ops, self.read_bytes, self.write_bytes))

    @property
    def read_size(self) -> float | None:
        """Mean bytes per read."""
        return self.read_bytes / self.read_ops if self.read_ops else None

    @property
    def write_size(self) -> float | None:
        """Mean bytes per write."""
        return self.write_bytes / self.write_ops if self.write_ops else None


@dataclass(frozen=True, slots=True)
class OtherDatasets:
    """Sum of the datasets not kept individually: count of idle ones, I/O per second of the others."""

    idle: int = 0
    active: int = 0
    read_ops: float = 0.0
    write_ops: float = 0.0
    read_bytes: float = 0.0
    write_bytes: float = 0.0


@dataclass(frozen=True, slots=True)
class DatasetIoSample:
    """All open datasets of a pool in one interval: mounted file systems and zvols."""

    at: float  # epoch seconds, of the console's clock
    interval_s: float
    rows: tuple[DatasetIo, ...]  # ordered by name
    is_new: int = 0  # datasets opened in the interval, without a rate yet
    others: OtherDatasets | None = (
        None  # the datasets not among the rows, in a stored reading; None when all are
    )
