"""Result of a benchmark: what a program was told, beside what the vdevs did meanwhile."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FioRate:
    """One direction of a run of fio. Latency in nanoseconds, None where fio printed none."""

    bytes_per_s: float
    ios_per_s: float
    mean_ns: float | None = None
    p99_ns: float | None = None


@dataclass(frozen=True, slots=True)
class VdevRate:
    """Mean of one line of `zpool iostat` over the run; latency at the disk in nanoseconds."""

    name: str  # the pool first, then its vdevs
    read_bytes_per_s: float
    write_bytes_per_s: float
    disk_read_ns: float | None = None
    disk_write_ns: float | None = None


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """One access pattern. `vdevs` is empty where `zpool iostat` printed nothing."""

    name: str  # `random-read-16k`
    read: FioRate | None
    write: FioRate | None
    vdevs: tuple[VdevRate, ...] = ()

    @property
    def rate(self) -> FioRate | None:
        """The direction that it measures."""
        return self.read if self.read is not None else self.write
