"""What was: a pool at a moment that is over, and how slow its disks were over time."""

from __future__ import annotations

from dataclasses import dataclass

from zconsole.model.host.host_state import PoolState


@dataclass(frozen=True, slots=True)
class TimelineSpan:
    """From when to when there are samples of a pool; epoch seconds of the host's clock."""

    first: float
    last: float
    samples: int


@dataclass(frozen=True, slots=True)
class Past:
    """A pool as it was known at a moment.

    Ages in `state` are to be counted from `monotonic`, which is that moment on the reader's clock.
    """

    state: PoolState
    at: float  # epoch seconds of its newest sample
    monotonic: float


@dataclass(frozen=True, slots=True)
class Strip:
    """The slowest mean latency of one vdev in each of equal stretches of time, oldest first; nanoseconds.

    None is "no I/O, or not known". Values are within 5 % of what was measured.
    """

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Strips:
    """Strips of the rows of a pool over the same time; `until` is the end of the last stretch."""

    until: float
    seconds: float  # of one stretch
    rows: tuple[Strip, ...]

    def of(self, name: str) -> Strip | None:
        """The strip of a row."""
        return next((row for row in self.rows if row.name == name), None)
