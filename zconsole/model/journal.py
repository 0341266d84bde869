"""Journal entries: each executed plan with its user, origin, steps and outcome."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.run import RunState


@dataclass(frozen=True, slots=True)
class StepEntry:
    """One step. `state` is waiting, sent, not sent, done, failed, unknown; times in epoch seconds.

    `not sent`: it was recorded as sent, but the record was written too late and the command was withheld.
    """

    argv: tuple[str, ...]  # as planned
    why: str = ""
    stdin_sha256: str | None = None  # of its stdin without secrets
    settled_by: str = "[]"  # conditions as JSON, by which the step is settled after a crash
    state: str = "waiting"
    sent: float | None = None
    sent_argv: tuple[str, ...] = ()  # as sent, with sudo
    ended: float | None = None
    status: int | None = None
    said: str = ""
    settled: str = ""  # how the outcome was established when the end was not seen
    trace: str = "{}"  # traces as JSON, by which its processes are found on the host

    @property
    def was_seen_to_end(self) -> bool:
        """Whether the command was seen to end while its effect is still unknown."""
        return self.state == "unknown" and self.status is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """One run; times in epoch seconds."""

    id: str
    started: float
    console: str  # the executing process: boot id, pid and start time
    who: str
    origin: str  # user and machine of the console, and the address that the user logged in from
    host: str  # name by which the user reached it
    action: str
    intent: str  # JSON
    title: str
    target: str
    risk: str
    fingerprint: str
    state: RunState = RunState.CHECKING
    words: str = ""
    ended: float | None = None
    hostname: str | None = None
    machine_id: str | None = None
    host_key: str | None = None
    destroys: tuple[str, ...] = ()
    undo: str | None = None
    steps: tuple[StepEntry, ...] = ()
    problem: str = ""  # why the row cannot be read; then only its id is valid
