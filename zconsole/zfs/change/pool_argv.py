"""Argv of `zpool` commands that change a pool but not its vdevs. Nothing here runs one.

Vdevs are named by guid. Commands that change vdevs are in `topology_argv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

Argv = tuple[str, ...]


class ActivityControl(Enum):
    """Control of initialize and trim; the value is the flag."""

    START = ""  # or resume
    SUSPEND = "-s"
    CANCEL = "-c"


def start_scrub(pool: str) -> Argv:
    """Start a scrub, or resume a paused one."""
    return ("zpool", "scrub", pool)


def pause_scrub(pool: str) -> Argv:
    """Pause a scrub; it keeps its position."""
    return ("zpool", "scrub", "-p", pool)


def stop_scrub(pool: str) -> Argv:
    """Stop a scrub; the next one starts from the beginning."""
    return ("zpool", "scrub", "-s", pool)


def clear(pool: str, vdev: str = "") -> Argv:
    """Clear errors and faults of one or all devices, and resume a suspended pool."""
    return ("zpool", "clear", pool, *_given(vdev))


def offline(pool: str, vdev: str, *, temporary: bool = False, fault: bool = False) -> Argv:
    """Take a device offline, with `temporary` until the next import. `fault` (-f) marks it faulted."""
    flags = (*(("-f",) if fault else ()), *(("-t",) if temporary else ()))
    return ("zpool", "offline", *flags, pool, vdev)


def online(pool: str, vdev: str, *, expand: bool = False) -> Argv:
    """Bring a device online; `expand` lets its vdev use its whole size."""
    return ("zpool", "online", *(("-e",) if expand else ()), pool, vdev)


def initialize(pool: str, vdevs: Sequence[str], turn: ActivityControl) -> Argv:
    """Write to all free space of some devices, or of the whole pool."""
    return ("zpool", "initialize", *_given(turn.value), pool, *vdevs)


def trim(pool: str, vdevs: Sequence[str], turn: ActivityControl) -> Argv:
    """Trim the free space of some devices, or of the whole pool."""
    return ("zpool", "trim", *_given(turn.value), pool, *vdevs)


def checkpoint(pool: str) -> Argv:
    """Create a checkpoint of the pool."""
    return ("zpool", "checkpoint", pool)


def discard_checkpoint(pool: str) -> Argv:
    """Discard the checkpoint and free its space."""
    return ("zpool", "checkpoint", "-d", pool)


def set_property(pool: str, name: str, value: str) -> Argv:
    """Set a property of the pool."""
    return ("zpool", "set", f"{name}={value}", pool)


def upgrade(pool: str) -> Argv:
    """Enable all features that the host knows and the pool's `compatibility` allows."""
    return ("zpool", "upgrade", pool)


def export(pool: str) -> Argv:
    """Unmount everything, write everything, and release the devices. Never -f."""
    return ("zpool", "export", pool)


def import_pool(  # noqa: PLR0913 - as many choices as the command has
    guid: int,
    new_name: str = "",
    *,
    destroyed: bool = False,
    force: bool = False,
    without_log: bool = False,
    read_only: bool = False,
    altroot: str = "",
) -> Argv:
    """Import a pool by guid. `force` (-f) takes it from the host that used it last.

    Nothing is mounted (-N): mount points are known only after the import.
    """
    return (
        "zpool", "import", "-N",
        *(("-D",) if destroyed else ()),
        *(("-f",) if force else ()),
        *(("-m",) if without_log else ()),
        *(("-o", "readonly=on") if read_only else ()),
        *(("-R", altroot) if altroot else ()),
        str(guid), *_given(new_name),
    )  # fmt: skip


def destroy_pool(pool: str) -> Argv:
    """Destroy the pool. Never -f."""
    return ("zpool", "destroy", pool)


def _given(word: str) -> Argv:
    return (word,) if word else ()
