"""Short read test of a disk: how fast it was read, or what went wrong."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class ReadTestOutcome(Enum):
    """How a read test ended."""

    PASSED = "passed"
    FAILED = "failed"  # the disk gave an error, or did not answer in time
    NOT_RUN = "not run"  # not permitted, or no program


@dataclass(frozen=True, slots=True)
class ReadTest:
    """Result of one disk. `disk` is its identity, which no change of the kernel's names affects."""

    disk: tuple[str, ...]
    at: float  # epoch seconds
    outcome: ReadTestOutcome
    read_bytes: int = 0
    seconds: float = 0.0
    words: str = ""  # of the system, or why it was not run

    @property
    def bytes_per_s(self) -> float | None:
        """Mean speed of the reads; None where nothing was read."""
        return self.read_bytes / self.seconds if self.read_bytes and self.seconds > 0 else None
