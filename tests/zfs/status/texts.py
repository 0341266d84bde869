"""The text of `zpool status`, put together of parts."""

from __future__ import annotations

from typing import Final

from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.status.status_text import parse_status_text

START, END = 1795218736, 1795218881  # Fri Nov 20 23:52:16 and 23:54:41 2026, UTC
HEADER: Final = "\tNAME        STATE     READ WRITE CKSUM  SLOW\n"
TREE: Final = (
    "\ttank        ONLINE       0     0     0     -\n\t  /dev/sdb1  ONLINE       0     0     0     0\n"
)
SOUND: Final = "\nerrors: No known data errors\n"


def pool_of(*, middle: str = "", tree: str = TREE, end: str = SOUND, state: str = "ONLINE") -> Pool:
    """The pool of a text with these parts."""
    text = f"  pool: tank\n state: {state}\n{middle}config:\n\n{HEADER}{tree}{end}"
    (pool,) = parse_status_text(text)
    return pool


def leaf_of(line: str) -> Vdev:
    """The vdev of one line of a tree."""
    root = "\ttank        ONLINE       0     0     0     0\n"
    (vdev,) = pool_of(tree=f"{root}{line}\n").vdevs
    return vdev
