"""The argv of every `zpool` command that changes a pool as it is. Nothing here runs one.

Those that change what a pool is made of have a module of their own. A vdev is named by its guid.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

Argv = tuple[str, ...]


class Turn(Enum):
    """What is done to the initializing or trimming of devices; the value is its flag."""

    START = ""  # or go on with what was suspended
    SUSPEND = "-s"
    CANCEL = "-c"


def start_scrub(pool: str) -> Argv:
    """Start a scrub, or go on with a paused one."""
    return ("zpool", "scrub", pool)


def pause_scrub(pool: str) -> Argv:
    """Pause it; it keeps its place."""
    return ("zpool", "scrub", "-p", pool)


def stop_scrub(pool: str) -> Argv:
    """Stop it; the next one begins anew."""
    return ("zpool", "scrub", "-s", pool)


def clear(pool: str, vdev: str = "") -> Argv:
    """Forget errors and faults, of all devices or of one, and go on where the pool is suspended."""
    return ("zpool", "clear", pool, *_given(vdev))


def offline(pool: str, vdev: str, *, temporary: bool = False, fault: bool = False) -> Argv:
    """Stop using a device; temporarily is until the next import. With `fault`, -f: mark it faulted."""
    flags = (*(("-f",) if fault else ()), *(("-t",) if temporary else ()))
    return ("zpool", "offline", *flags, pool, vdev)


def online(pool: str, vdev: str, *, expand: bool = False) -> Argv:
    """Use a device again; `expand` lets its vdev grow into all of it."""
    return ("zpool", "online", *(("-e",) if expand else ()), pool, vdev)


def initialize(pool: str, vdevs: Sequence[str], turn: Turn) -> Argv:
    """Write to all that is free on some devices, or on all of the pool."""
    return ("zpool", "initialize", *_given(turn.value), pool, *vdevs)


def trim(pool: str, vdevs: Sequence[str], turn: Turn) -> Argv:
    """Tell some devices, or all of the pool, what is free on them."""
    return ("zpool", "trim", *_given(turn.value), pool, *vdevs)


def checkpoint(pool: str) -> Argv:
    """Remember the pool as it is now."""
    return ("zpool", "checkpoint", pool)


def discard_checkpoint(pool: str) -> Argv:
    """Give up the way back to the checkpoint, and the space that it keeps."""
    return ("zpool", "checkpoint", "-d", pool)


def set_property(pool: str, name: str, value: str) -> Argv:
    """Set a property of the pool."""
    return ("zpool", "set", f"{name}={value}", pool)


def upgrade(pool: str) -> Argv:
    """Enable all features that the host knows and the pool's `compatibility` allows."""
    return ("zpool", "upgrade", pool)


def export(pool: str) -> Argv:
    """Unmount all, write all, and let go of the devices. Never -f."""
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
    """Take a pool into use, by its guid. `force` (-f) takes it from the host that it belongs to.

    Nothing is mounted (-N): where its file systems go is known only once it is imported.
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
    """Mark its devices as free. Never -f."""
    return ("zpool", "destroy", pool)


def _given(word: str) -> Argv:
    return (word,) if word else ()
