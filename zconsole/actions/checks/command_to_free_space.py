"""Command that finds the snapshots whose destruction frees a space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

MIB: Final = 1 << 20
GIB: Final = 1 << 30
_RECLAIM: Final = ("zconsole", "reclaim")
_NEED: Final = "--need"
_HOST: Final = "--host"


@dataclass(frozen=True, slots=True)
class SpaceToFree:
    """What a command of `reclaim` asks for, for the console's own question."""

    dataset: str
    amount: str  # as typed: `364G`
    host: str = ""  # where it is not the one of the plan


def command_to_free(dataset: str, need_bytes: int) -> tuple[str, ...]:
    """`zconsole reclaim` of a dataset with all below it, for no less than so many bytes."""
    return (*_RECLAIM, dataset, _NEED, amount_to_type(need_bytes))


def space_to_free(command: Sequence[str]) -> SpaceToFree | None:
    """What a command made by `command_to_free` asks for; None for another command."""
    if tuple(command[:2]) != _RECLAIM or len(command) < 5 or command[3] != _NEED:
        return None
    further = command[5:]
    host = further[further.index(_HOST) + 1] if _HOST in further[:-1] else ""
    return SpaceToFree(command[2], command[4], host)


def amount_to_type(need_bytes: int) -> str:
    """An amount as a person types it, no less than so many bytes: `364G`, `12M`."""
    unit, letter = (GIB, "G") if need_bytes >= GIB else (MIB, "M")
    return f"{max(1, -(-need_bytes // unit))}{letter}"
