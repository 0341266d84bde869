"""What the journal keeps of each plan that was carried out: who, from where, what, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from zconsole.model.run import RunState


@dataclass(frozen=True, slots=True)
class StepEntry:
    """One step. `state` is waiting, sent, not sent, done, failed, unknown; times in epoch seconds.

    One that is `not sent` was written down as sent, and then it was not: the write had come too late.
    """

    argv: tuple[str, ...]  # as it was planned
    why: str = ""
    stdin_sha256: str | None = None  # of what is given to it on stdin, secrets left out
    settled_by: str = "[]"  # conditions as JSON, to settle it by after a crash
    state: str = "waiting"
    sent: float | None = None
    sent_argv: tuple[str, ...] = ()  # as it was sent: sudo before it
    ended: float | None = None
    status: int | None = None
    said: str = ""
    settled: str = ""  # how it became known, where its end was not seen
    trace: str = "{}"  # by what its processes are found again on the host, as JSON

    @property
    def was_seen_to_end(self) -> bool:
        """Whether the command was seen to end, and it is not known all the same what it did."""
        return self.state == "unknown" and self.status is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """One run; times in epoch seconds."""

    id: str
    started: float
    console: str  # the process that carries it out: boot, number and start of it
    who: str
    origin: str  # where they sat: user and machine of the console, and the address that they came from
    host: str  # as the user reached it
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
    problem: str = ""  # why the row cannot be read; then only its id is to be trusted
