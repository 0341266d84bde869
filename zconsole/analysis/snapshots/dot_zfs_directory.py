"""Path of a snapshot's files in `.zfs/snapshot`, or why they are not accessible."""

from __future__ import annotations

from typing import Final

from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_contents import Mounted

SNAPSHOTS: Final = ".zfs/snapshot"
LOCKED: Final = "unavailable"
_ODD: Final = frozenset({"", ".", ".."})


def why_no_files(dataset: Dataset) -> str:
    """Why the files of an unmounted dataset are not accessible, and a remedy; a sentence."""
    name = dataset.name
    if dataset.type == "volume":
        return f"{name} is a volume: it has blocks and no files; a clone of the snapshot can be attached"
    if dataset.keystatus == LOCKED:
        return f"{name} is locked: load its key and mount it, zconsole plan load-key {name}"
    if dataset.mountpoint in {"none", "legacy"}:
        return f"{name} is not mounted: its mountpoint is {dataset.mountpoint}, so ZFS does not mount it"
    if dataset.canmount == "off":
        return f"{name} is not mounted: canmount is off"
    return f"{name} is not mounted, and its snapshots are seen through it: zconsole plan mount {name}"


def snapshot_root(mounted: Mounted, short: str) -> str:
    """The directory of a snapshot."""
    return f"{mounted.mountpoint.rstrip('/')}/{SNAPSHOTS}/{short}"


def path_in(root: str, path: str) -> str:
    """A path below a root; the root itself for an empty path."""
    return f"{root.rstrip('/')}/{path}" if path else root


def relative(path: str, mounted: Mounted, short: str = "") -> str:
    """A user's path relative to the root: given relative, or absolute in the root or the snapshot.

    Raises UsageError for paths elsewhere and for ambiguous ones.
    """
    inside = path
    if path.startswith("/"):
        roots = [mounted.mountpoint, *([snapshot_root(mounted, short)] if short else [])]
        fitting = [root.rstrip("/") for root in roots if f"{path}/".startswith(f"{root.rstrip('/')}/")]
        if not fitting:
            raise UsageError(
                f"{path} is not in {mounted.dataset}", hint=f"It is mounted on {mounted.mountpoint}."
            )
        inside = path[len(max(fitting, key=len)) :].lstrip("/")
    parts = inside.rstrip("/").split("/") if inside.rstrip("/") else []
    if _ODD.intersection(parts) or "\0" in path:
        raise UsageError(f"{path!r} is ambiguous", hint="Without . and .. and empty parts.")
    if parts[:1] == [".zfs"]:
        raise UsageError(f"{path} is not a file of {mounted.dataset}")
    return "/".join(parts)
