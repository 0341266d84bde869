"""Byte count that a plan rests on, and its tolerance until the plan runs."""

from __future__ import annotations

from enum import Enum
from typing import Final

from zconsole.analysis.dependencies.affected_objects import EMPTY_BYTES
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass

MARGIN_BYTES: Final = 16 << 20  # what a file system in use may write between display and confirmation
MARGIN_SHARE: Final = 10  # a tenth
MARGIN_EMPTY_BYTES: Final = 64 << 10  # what ZFS itself may write to an empty file system


class FigureMeasure(Enum):
    """Measure of a byte count, which defines what counts as empty."""

    WRITTEN = "written"  # since the last snapshot: empty is 0
    REFERENCED = "referenced"  # empty is the size of an empty file system
    SPACE = "space"  # of a pool or a checkpoint: empty is 0


@dataclass(frozen=True, slots=True)
class Figure:
    """Byte count as read; None when ZFS did not report it."""

    what: str  # `referenced by tank/home`
    measure: FigureMeasure
    bytes: int | None

    @property
    def most(self) -> int | None:
        """The upper bound when the plan runs."""
        if self.bytes is None:
            return None
        if self.measure is FigureMeasure.REFERENCED and self.bytes <= EMPTY_BYTES:
            return self.bytes + MARGIN_EMPTY_BYTES
        return self.bytes + _margin(self.bytes) if self.bytes else 0

    @property
    def least(self) -> int | None:
        """The lower bound; none for bytes written since a snapshot: a new snapshot is detected separately."""
        if self.bytes is None or self.measure is FigureMeasure.WRITTEN:
            return self.bytes if self.bytes is None else 0
        return max(0, self.bytes - _margin(self.bytes))

    def difference(self, now: Figure) -> str:
        """The difference in a sentence; empty within the tolerance."""
        least, most = self.least, self.most
        if least is None or most is None:
            return "" if now.bytes is None else f"{self.what} was unknown, is {size(now.bytes)}"
        if now.bytes is None:
            return f"{self.what} was {size(self.bytes)}, is unknown"
        if least <= now.bytes <= most:
            return ""
        return f"{self.what} was {size(self.bytes)}, is {size(now.bytes)}"


def _margin(seen: int) -> int:
    return max(MARGIN_BYTES, seen // MARGIN_SHARE)
