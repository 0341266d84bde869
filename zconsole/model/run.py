"""What becomes of a plan once it runs, step by step, as far as it is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class RunState(Enum):
    """Where a run stands. The last five are ends."""

    CHECKING = "checking"  # the host is read again, and the plan made anew
    RUNNING = "running"
    SETTLING = "settling"  # the link was lost: what happened is read from the host, not guessed
    DONE = "done"
    FAILED = "failed"  # ZFS said no; the steps before it have happened
    UNKNOWN = "unknown"  # not settled yet by facts
    STALE = "stale"  # the host is not as the plan had it: nothing was run
    REFUSED = "refused"  # wrong confirmation, expired, read-only: nothing was run

    @property
    def is_end(self) -> bool:
        """Whether nothing more comes by itself."""
        return self not in {RunState.CHECKING, RunState.RUNNING, RunState.SETTLING}


@dataclass(frozen=True, slots=True)
class Moved:
    """How far the stream that feeds a step has come."""

    bytes: int
    total_bytes: int | None = None  # as it was estimated
    rate: float | None = None  # bytes a second of late
    left_s: tuple[float, float] | None = None  # seconds to go, at the fastest and the slowest; None: unknown
    quiet_s: float = 0.0  # seconds since the last byte


@dataclass(frozen=True, slots=True)
class Fed:
    """What feeds a step: a command, and the host where it runs."""

    host: str
    argv: tuple[str, ...]
    is_elsewhere: bool = False  # on another host than the step


@dataclass(frozen=True, slots=True)
class StepRun:
    """One step. `state` is waiting, running, done, failed, unknown; `said` ZFS's own words."""

    argv: tuple[str, ...]
    state: str = "waiting"
    status: int | None = None
    said: str = ""
    started: float | None = None  # epoch seconds
    ended: float | None = None
    settled: str = ""  # how it became known, where the link was lost
    fed_by: Fed | None = None
    can_stop: bool = False  # by its user, while it runs: what it has brought until then is kept
    moved: Moved | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One plan being carried out, or carried out."""

    id: str
    host: str
    title: str
    target: str
    state: RunState
    steps: tuple[StepRun, ...] = ()
    words: str = ""  # what happened, a sentence
    differences: tuple[str, ...] = ()  # of a stale plan: what is not as it was
    undo: str | None = None
    started: float | None = None  # epoch seconds
    is_watched: bool = False  # its end is not known, and this console goes on finding out
