"""Space to free before a plan: what is asked for, and the command that finds the snapshots for it."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass

MIB: Final = 1 << 20
GIB: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class SpaceToFree:
    """Space that a refused plan lacks: where to free it, and how much, as a person types it."""

    dataset: str
    amount: str  # `364G`
    host: str = ""  # where it is not the one of the plan

    @property
    def command(self) -> tuple[str, ...]:
        """The command of zconsole that finds the snapshots; it selects a host other than the plan's."""
        where = ("--host", self.host) if self.host else ()
        return ("zconsole", "reclaim", self.dataset, "--need", self.amount, *where)


def space_to_free(dataset: str, need_bytes: int, host: str = "") -> SpaceToFree:
    """No less than so many bytes in a dataset, with all below it."""
    return SpaceToFree(dataset, amount_to_type(need_bytes), host)


def amount_to_type(need_bytes: int) -> str:
    """An amount as a person types it, no less than so many bytes: `364G`, `12M`."""
    unit, letter = (GIB, "G") if need_bytes >= GIB else (MIB, "M")
    return f"{max(1, -(-need_bytes // unit))}{letter}"
