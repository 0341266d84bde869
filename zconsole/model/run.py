"""Progress and outcome of a plan's run, step by step."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class RunState(Enum):
    """State of a run. The last five are final."""

    CHECKING = "checking"  # the host is read again and the plan recomputed
    RUNNING = "running"
    SETTLING = "settling"  # the link was lost: the outcome is read from the host
    DONE = "done"
    FAILED = "failed"  # a command failed; the earlier steps took effect
    UNKNOWN = "unknown"  # not settled by facts yet
    STALE = "stale"  # the host differs from the plan: nothing was run
    REFUSED = "refused"  # wrong confirmation, expired, read-only: nothing was run

    @property
    def is_end(self) -> bool:
        """Whether the state is final."""
        return self not in {RunState.CHECKING, RunState.RUNNING, RunState.SETTLING}


@dataclass(frozen=True, slots=True)
class TransferProgress:
    """Progress of the stream that feeds a step."""

    bytes: int
    total_bytes: int | None = None  # estimate
    rate: float | None = None  # recent bytes per second
    left_s: tuple[float, float] | None = None  # remaining seconds, fastest and slowest; None: unknown
    quiet_s: float = 0.0  # seconds since the last byte


@dataclass(frozen=True, slots=True)
class StepFeed:
    """Source of a step's stdin: a command and its host."""

    host: str
    argv: tuple[str, ...]
    is_elsewhere: bool = False  # on another host than the step


@dataclass(frozen=True, slots=True)
class StepRun:
    """One step. `state` is waiting, running, done, failed, unknown; `said` is the command's output."""

    argv: tuple[str, ...]
    state: str = "waiting"
    status: int | None = None
    said: str = ""
    started: float | None = None  # epoch seconds
    ended: float | None = None
    settled: str = ""  # how the outcome was established after a lost link
    fed_by: StepFeed | None = None
    can_stop: bool = False  # the user may stop it while it runs; the data received so far is kept
    moved: TransferProgress | None = None
    on: str = ""  # label of another host than the run's, which it changes


@dataclass(frozen=True, slots=True)
class Run:
    """Run of a plan, active or finished."""

    id: str
    host: str
    title: str
    target: str
    state: RunState
    steps: tuple[StepRun, ...] = ()
    words: str = ""  # the outcome in a sentence
    differences: tuple[str, ...] = ()  # of a stale plan: the differences to the host
    undo: str | None = None
    started: float | None = None  # epoch seconds
    action: str = ""  # of its plan: `guest-move`
    hosts: tuple[str, ...] = ()  # other hosts that its steps change
    left_off: str = ""  # guests that would stay shut off if it ended now, and how they are started
    is_watched: bool = False  # its end is unknown, and this console is still settling it
