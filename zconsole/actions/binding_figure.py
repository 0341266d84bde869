"""A number of bytes that a plan shows as a reason to say yes, and how much it may be when the plan runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from zconsole.analysis.dependencies.closure import EMPTY_BYTES
from zconsole.base.formatting import size

MARGIN_BYTES: Final = 16 << 20  # what a file system in use may write between a look and a yes
MARGIN_SHARE: Final = 10  # a tenth
MARGIN_EMPTY_BYTES: Final = 64 << 10  # what ZFS itself may write to one without files


class FigureMeasure(Enum):
    """What is counted, which decides what nothing is."""

    WRITTEN = "written"  # since the last snapshot: nothing is 0
    REFERENCED = "referenced"  # nothing is what an empty file system takes
    SPACE = "space"  # of a pool or a checkpoint: nothing is 0


@dataclass(frozen=True, slots=True)
class Figure:
    """One number as it was seen; None where ZFS did not tell it."""

    what: str  # `referenced by tank/home`
    measure: FigureMeasure
    bytes: int | None

    @property
    def most(self) -> int | None:
        """The most that the same may be when the plan runs."""
        if self.bytes is None:
            return None
        if self.measure is FigureMeasure.REFERENCED and self.bytes <= EMPTY_BYTES:
            return self.bytes + MARGIN_EMPTY_BYTES
        return self.bytes + _margin(self.bytes) if self.bytes else 0

    @property
    def least(self) -> int | None:
        """The least: of what was written since a snapshot, none; a new snapshot is seen as one."""
        if self.bytes is None or self.measure is FigureMeasure.WRITTEN:
            return self.bytes if self.bytes is None else 0
        return max(0, self.bytes - _margin(self.bytes))

    def difference(self, now: Figure) -> str:
        """How the number is not as it was, a sentence; empty where it is, as near as must be."""
        least, most = self.least, self.most
        if least is None or most is None:
            return "" if now.bytes is None else f"{self.what} was not known, is {size(now.bytes)}"
        if now.bytes is None:
            return f"{self.what} was {size(self.bytes)}, is not known"
        if least <= now.bytes <= most:
            return ""
        return f"{self.what} was {size(self.bytes)}, is {size(now.bytes)}"


def _margin(seen: int) -> int:
    return max(MARGIN_BYTES, seen // MARGIN_SHARE)
