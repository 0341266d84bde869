"""Exercise on the practice host: the rack, acts by hand, and remarks on what the learner did."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RackDisk:
    """A disk as its label describes it."""

    serial: str
    model: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class RackBay:
    """A bay of the rack, with the disk in it."""

    number: int
    disk: RackDisk | None = None
    is_lit: bool = False  # the locate LED
    cable: str = ""  # by which it is connected


@dataclass(frozen=True, slots=True)
class Pull:
    """Pull the disk of a bay."""

    bay: int


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert a disk from the table into an empty bay."""

    serial: str
    bay: int


@dataclass(frozen=True, slots=True)
class ChangeCable:
    """Put a new cable in place of a cable."""

    cable: str


Handwork = Pull | Insert | ChangeCable


class RemarkKind(Enum):
    """Kinds of remarks."""

    GOOD = "good"
    RISKY = "risky"
    LEFT = "left to do"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something done well, something risky, or something left to do."""

    kind: RemarkKind
    words: str
    at_s: float | None = None  # seconds since the exercise began


@dataclass(frozen=True, slots=True)
class ExerciseState:
    """An exercise at one moment."""

    name: str
    told: str  # the trouble and what is at hand; a line is a paragraph
    elapsed_s: float
    bays: tuple[RackBay, ...]
    on_table: tuple[RackDisk, ...]
    outcome: str
    restored_s: float | None  # when the pool had its full redundancy again
    reduced_s: float  # how long it had less
    remarks: tuple[Remark, ...]

    @property
    def is_done(self) -> bool:
        """Whether the pool is redundant again and nothing is left to do."""
        return self.restored_s is not None and all(
            remark.kind is not RemarkKind.LEFT for remark in self.remarks
        )


class Exercise(Protocol):
    """A running exercise, as used by screens."""

    def state(self) -> ExerciseState:
        """The exercise now."""

    def do(self, work: Handwork) -> None:
        """Do something at the rack."""
