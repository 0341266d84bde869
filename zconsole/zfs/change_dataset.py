"""The argv of every `zfs` command that changes a dataset. Nothing here runs one."""

from __future__ import annotations

from collections.abc import Sequence

Argv = tuple[str, ...]


def hold(tag: str, snapshots: Sequence[str], *, recursive: bool = False) -> Argv:
    """Keep snapshots from being destroyed until the tag is released."""
    return ("zfs", "hold", *(("-r",) if recursive else ()), tag, *snapshots)
