"""Background work of a pool: scans, rebuilds, removals, expansions, initialize and trim."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


class _Work:
    """Work with a state and an end."""

    __slots__ = ()
    state: str

    @property
    def is_running(self) -> bool:
        """Whether the work has not come to its end; a scrub may be paused."""
        return self.state in {"SCANNING", "ACTIVE"}


@dataclass(slots=True, eq=False)
class LeafActivity(_Work):
    """An initialize or a trim of one leaf."""

    state: str  # ACTIVE, COMPLETE, SUSPENDED, CANCELED
    done: int
    total: int
    at: int  # epoch seconds of the last action
    pace: float = 0.0  # bytes a second


@dataclass(slots=True, eq=False)
class PracticeScan(_Work):
    """A scrub or resilver, running, paused or over."""

    function: str  # SCRUB, RESILVER
    state: str  # SCANNING, FINISHED, CANCELED
    start: int
    end: int = 0
    to_examine: int = 0
    examined: int = 0
    skipped: int = 0
    processed: int = 0
    issued: int = 0
    errors: int = 0
    pass_start: int = 0
    pass_issued: int = 0
    pass_examined: int = 0
    paused_at: int = 0
    seconds_paused: int = 0
    pace: float = 0.0  # bytes a second that it issues


@dataclass(slots=True, eq=False)
class Rebuild(_Work):
    """A sequential resilver of one top-level vdev."""

    state: str  # ACTIVE, COMPLETE, CANCELED
    start: int
    total: int
    pace: float  # bytes a second
    done: int = 0
    end: int = 0


@dataclass(slots=True, eq=False)
class Removal(_Work):
    """The evacuation of a top-level vdev."""

    vdev_id: int
    state: str  # SCANNING, FINISHED, CANCELED
    start: int
    to_copy: int
    pace: float  # bytes a second
    copied: int = 0
    end: int = 0
    mapping_memory: int = 0


@dataclass(slots=True, eq=False)
class Expansion(_Work):
    """A raidz that becomes wider by one disk."""

    vdev_id: int
    state: str  # SCANNING, FINISHED
    start: int
    to_reflow: int
    pace: float  # bytes a second
    reflowed: int = 0
    end: int = 0
    is_waiting: bool = False  # for a resilver, or for a disk to come back
