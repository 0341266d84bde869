"""Where the files of a snapshot can be seen, or why they cannot: `.zfs/snapshot` of its mounted dataset."""

from __future__ import annotations

from typing import Final

from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_contents import Mounted

SNAPSHOTS: Final = ".zfs/snapshot"
LOCKED: Final = "unavailable"
_ODD: Final = frozenset({"", ".", ".."})


def why_no_files(dataset: Dataset) -> str:
    """Why the files of a dataset that is not mounted cannot be seen, and what would help; a sentence."""
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
    """The folder in which a snapshot is seen."""
    return f"{mounted.mountpoint.rstrip('/')}/{SNAPSHOTS}/{short}"


def path_in(root: str, path: str) -> str:
    """A path below a root; the root itself for an empty one."""
    return f"{root.rstrip('/')}/{path}" if path else root


def relative(path: str, mounted: Mounted, short: str = "") -> str:
    """A path as a user may write it, without the root: relative to it, or absolute in it or the snapshot.

    Raises UsageError for what is elsewhere, and for what a path can be taken for another by.
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
        raise UsageError(
            f"{path!r} is no path that means one thing", hint="Without . and .. and empty parts."
        )
    if parts[:1] == [".zfs"]:
        raise UsageError(f"{path} is not a file of {mounted.dataset}")
    return "/".join(parts)
