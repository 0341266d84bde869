"""Timeline of a pool: its state at a past time, and disk latency over time."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import PoolState

STRETCH_S: Final = 10.0  # of one value of a bandwidth


@dataclass(frozen=True, slots=True)
class TimelineSpan:
    """Time range with samples of a pool; epoch seconds of the host's clock."""

    first: float
    last: float
    samples: int


@dataclass(frozen=True, slots=True)
class Past:
    """State of a pool at a past time.

    Ages in `state` count from `monotonic`, the same time on the reader's clock.
    """

    state: PoolState
    at: float  # epoch seconds of its newest sample
    monotonic: float


@dataclass(frozen=True, slots=True)
class Strip:
    """Largest mean latency of one vdev per equal time slot, oldest first; nanoseconds.

    None is "no I/O, or unknown". Values are within 5 % of the measurement.
    """

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Strips:
    """Latency strips of a pool's rows over the same time; `until` is the end of the last slot."""

    until: float
    seconds: float  # of one slot
    rows: tuple[Strip, ...]

    def of(self, name: str) -> Strip | None:
        """The strip of a row."""
        return next((row for row in self.rows if row.name == name), None)


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """Mean bytes per second that a pool read and wrote in each stretch of `seconds`, oldest first.

    `until` is the end of the last stretch in epoch seconds; None is "no sample". `waits`, of short stretches
    alone, are the largest mean latencies of the pool in nanoseconds, where None also is "no I/O".
    """

    until: float
    reads: tuple[float | None, ...]
    writes: tuple[float | None, ...]
    seconds: float = STRETCH_S
    waits: tuple[float | None, ...] = ()
