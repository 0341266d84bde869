"""Units of sizes for people: binary (GiB, TiB), as ZFS counts, or decimal (GB, TB), as drives are sold.

One process has one user, who has chosen one of them: as with a locale, formatting alone reads it. Nothing
that is parsed, compared, kept or sent to a host depends on it, and neither does JSON.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass


class SizeUnits(StrEnum):
    """Units that a user can choose."""

    BINARY = "binary"
    DECIMAL = "decimal"


@dataclass(frozen=True, slots=True)
class UnitNames:
    """Base and names of units, and the one of columns of rates."""

    base: int
    names: tuple[str, ...]

    @property
    def mega(self) -> int:
        """Bytes of the unit of columns of rates."""
        return self.base**2

    @property
    def rate(self) -> str:
        """Unit of columns of rates."""
        return f"{self.names[2]}/s"


BINARY: Final = UnitNames(1024, ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"))
DECIMAL: Final = UnitNames(1000, ("B", "kB", "MB", "GB", "TB", "PB", "EB"))
_OF: Final = {SizeUnits.BINARY: BINARY, SizeUnits.DECIMAL: DECIMAL}
_USED: Final = [BINARY]


def use_size_units(chosen: SizeUnits) -> None:
    """Use these units from now on; for a start and for a change of the setting."""
    _USED[0] = _OF[chosen]


def used_units() -> UnitNames:
    """The units in use; binary until others were chosen."""
    return _USED[0]


def in_megabytes(size_bytes: float) -> float:
    """Bytes as a number of MiB or MB, for scales and columns of one unit."""
    return size_bytes / used_units().mega


def with_used_unit(title: str) -> str:
    """A title or label that is written with MiB, with the unit in use."""
    return title.replace(BINARY.names[2], used_units().names[2])
