"""Command that finds the snapshots whose destruction frees a space."""

from __future__ import annotations

from typing import Final

MIB: Final = 1 << 20
GIB: Final = 1 << 30


def command_to_free(dataset: str, need_bytes: int) -> tuple[str, ...]:
    """`zconsole reclaim` of a dataset with all below it, for no less than so many bytes."""
    return ("zconsole", "reclaim", dataset, "--need", amount_to_type(need_bytes))


def amount_to_type(need_bytes: int) -> str:
    """An amount as a person types it, no less than so many bytes: `364G`, `12M`."""
    unit, letter = (GIB, "G") if need_bytes >= GIB else (MIB, "M")
    return f"{max(1, -(-need_bytes // unit))}{letter}"
