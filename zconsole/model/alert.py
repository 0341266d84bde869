"""Alert: something that a person who looks elsewhere is told of."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity


class AlertPhase(Enum):
    """Where an alert is in the life of what it is about."""

    RAISED = "raised"  # a state that holds now
    WORSE = "worse"  # the same, of a higher severity than was told, or with another finding
    FLAPPING = "flapping"  # it comes and goes; nothing more is told until it stays
    REMINDER = "reminder"  # it still holds, and nobody has acknowledged it
    OVER = "over"  # it holds no more
    HAPPENED = "happened"  # an event, such as the end of a scrub


@dataclass(frozen=True, slots=True)
class AlertKey:
    """Identity of what an alert is about: a finding, a disk with all of its findings, a link, a scan."""

    host: str
    kind: str  # the id of a finding, `disk` (an incident), `link-lost`, `scan-finished`, `run-ended`
    about: str


@dataclass(frozen=True, slots=True)
class Alert:
    """One alert. `at` is epoch seconds, `since` when what it is about began."""

    key: AlertKey
    severity: Severity
    words: str  # a sentence without the host
    at: float
    id: str  # of the finding, of a disk the worst; or the kind
    subject: str  # as people call it
    pool: str = ""  # empty: of the whole host
    phase: AlertPhase = AlertPhase.RAISED
    since: float | None = None
    what_to_do: str = ""
    others: tuple[str, ...] = ()  # ids of the other findings of the same disk, vdev and pool
