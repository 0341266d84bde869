"""Guid of a pool and the disks at some paths, in one command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.hosts.host import Command
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.system.lsblk import LSBLK, parse_lsblk

SCRIPT: Final = (
    'pool=$1; shift; "$@"; echo; cat "/proc/spl/kstat/zfs/$pool/guid" 2>/dev/null'
    ' || zpool get -Hpo value guid "$pool"'
)
_MAX_DIGITS: Final = 20  # of 64 bits


def pool_and_disks(pool: str, paths: Sequence[str]) -> Command:
    """The devices at these paths, links followed, then the guid of the pool."""
    return Command(("sh", "-c", SCRIPT, "zconsole", pool, *LSBLK.argv, "--", *paths))


def parse_pool_and_disks(text: str) -> tuple[int | None, tuple[Disk, ...]]:
    """The guid, None when the pool does not exist, and the disks. Raises ParseError."""
    body, _, last = text.rstrip("\n").rpartition("\n")
    is_guid = last.isascii() and last.isdigit() and len(last) <= _MAX_DIGITS
    document = (body if is_guid else text).strip("\n")
    return int(last) if is_guid else None, parse_lsblk(document) if document else ()
