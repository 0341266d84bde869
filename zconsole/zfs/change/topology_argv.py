"""Argv of `zpool` commands that change the vdevs of a pool. Nothing here runs one.

Existing vdevs are named by guid, new devices by path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.zfs_version import ZfsVersion

Argv = tuple[str, ...]
MISMATCH_OPTIONS_SINCE: Final = (2, 2, 8)  # `zpool add --allow-replication-mismatch`


def knows_mismatch_options(version: ZfsVersion) -> bool:
    """Whether `zpool add` has the options that allow a mismatch and nothing else."""
    return version.numbers >= MISMATCH_OPTIONS_SINCE


@dataclass(frozen=True, slots=True)
class NewPoolOptions:
    """Options of a new pool besides its vdevs; None leaves ZFS's default."""

    ashift: int | None = None
    compression: str | None = None
    mountpoint: str | None = None


def attach(pool: str, guid: str, path: str, *, ashift: int | None = None, sequential: bool = False) -> Argv:
    """Attach a device to a mirror or single disk, or expand a raidz by one."""
    flags = (*(("-s",) if sequential else ()), *_ashift(ashift))
    return ("zpool", "attach", *flags, pool, guid, path)


def replace(pool: str, guid: str, path: str, *, ashift: int | None = None, sequential: bool = False) -> Argv:
    """Replace a device; returns at once, and the resilver continues."""
    flags = (*(("-s",) if sequential else ()), *_ashift(ashift))
    return ("zpool", "replace", *flags, pool, guid, path)


def detach(pool: str, guid: str) -> Argv:
    """Detach a device from a mirror, a replacement or a spare."""
    return ("zpool", "detach", pool, guid)


def add(
    pool: str,
    words: Sequence[str],
    *,
    ashift: int | None = None,
    may_differ: bool = False,
    is_rehearsal: bool = False,
) -> Argv:
    """Add vdevs. `may_differ` allows another number of devices than the pool's vdevs have."""
    flags = (
        *(("-n",) if is_rehearsal else ()),
        *(("--allow-replication-mismatch",) if may_differ else ()),
        *_ashift(ashift),
    )
    return ("zpool", "add", *flags, pool, *words)


def remove(pool: str, guid: str) -> Argv:
    """Remove a log, cache or spare device at once, or start the removal of a data vdev."""
    return ("zpool", "remove", pool, guid)


def rehearse_remove(pool: str, guid: str) -> Argv:
    """Dry run of a removal: prints the memory needed for the mapping table, in bytes."""
    return ("zpool", "remove", "-n", "-p", pool, guid)


def split(pool: str, new: str, *, is_rehearsal: bool = False) -> Argv:
    """Split the last device of each mirror into a new pool, which is left exported."""
    return ("zpool", "split", *(("-n",) if is_rehearsal else ()), pool, new)


def create(name: str, words: Sequence[str], fresh: NewPoolOptions, *, is_rehearsal: bool = False) -> Argv:
    """Create a pool."""
    flags = (
        *(("-n",) if is_rehearsal else ()),
        *_ashift(fresh.ashift),
        *(("-O", f"compression={fresh.compression}") if fresh.compression else ()),
        *(("-m", fresh.mountpoint) if fresh.mountpoint else ()),
    )
    return ("zpool", "create", *flags, name, *words)


def labelclear(path: str, *, is_forced: bool) -> Argv:
    """Clear the ZFS label of a device; `is_forced` also that of a pool that could still be imported."""
    return ("zpool", "labelclear", *(("-f",) if is_forced else ()), path)


def _ashift(ashift: int | None) -> Argv:
    return ("-o", f"ashift={ashift}") if ashift is not None else ()
