"""Argv of every `zfs` command that changes a dataset. Nothing here runs one.

No command has -f, and none that destroys snapshots can destroy a dataset: its name is checked for an @.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Argv = tuple[str, ...]
HOW_FAR: Final = ((False, False), (True, False), (False, True))  # recursive, with_clones


def create_filesystem(name: str, properties: Sequence[str] = (), *, parents: bool = False) -> Argv:
    """Create a file system; `properties` as `name=value`."""
    return ("zfs", "create", *_flag("-p", parents), *_settings(properties), name)


def create_volume(
    name: str, size: str, properties: Sequence[str] = (), *, sparse: bool = False, parents: bool = False
) -> Argv:
    """Create a volume; a sparse one reserves no space."""
    flags = (*_flag("-p", parents), *_flag("-s", sparse))
    return ("zfs", "create", *flags, "-V", size, *_settings(properties), name)


def snapshot(names: Sequence[str], *, recursive: bool = False) -> Argv:
    """Take snapshots, all of them in one txg."""
    return ("zfs", "snapshot", *_flag("-r", recursive), *names)


def destroy_dataset(name: str, *, recursive: bool = False, with_clones: bool = False) -> Argv:
    """Destroy a file system or volume; `with_clones` implies recursive."""
    return ("zfs", "destroy", *_how_far(recursive=recursive, with_clones=with_clones), name)


def destroy_snapshots(
    dataset: str, snapshots: Sequence[str], *, recursive: bool = False, with_clones: bool = False
) -> Argv:
    """Destroy snapshots of one dataset, all or none, by their names after the @."""
    flags = _how_far(recursive=recursive, with_clones=with_clones)
    return ("zfs", "destroy", *flags, snapshots_of(dataset, snapshots))


def destroy_bookmark(name: str) -> Argv:
    """Destroy a bookmark. Raises ValueError for the name of anything else."""
    if "#" not in name:
        raise ValueError(f"not a bookmark: {name}")
    return ("zfs", "destroy", name)


def rollback(snapshot_name: str, *, recursive: bool = False, with_clones: bool = False) -> Argv:
    """Roll a dataset back; `recursive` destroys newer snapshots, `with_clones` their clones as well."""
    return ("zfs", "rollback", *_how_far(recursive=recursive, with_clones=with_clones), snapshot_name)


def clone(snapshot_name: str, name: str, properties: Sequence[str] = (), *, parents: bool = False) -> Argv:
    """Create a clone of a snapshot."""
    return ("zfs", "clone", *_flag("-p", parents), *_settings(properties), snapshot_name, name)


def promote(name: str) -> Argv:
    """Promote a clone, so that it owns its origin snapshot."""
    return ("zfs", "promote", name)


def rename(
    name: str, new: str, *, recursive: bool = False, parents: bool = False, stays_mounted: bool = False
) -> Argv:
    """Rename a dataset or snapshot; `recursive` renames the snapshots of this name in all descendants.

    Without `stays_mounted` every mounted file system in it is unmounted for the rename.
    """
    flags = (*_flag("-r", recursive), *_flag("-p", parents), *_flag("-u", stays_mounted))
    return ("zfs", "rename", *flags, name, new)


def hold(tag: str, snapshots: Sequence[str], *, recursive: bool = False) -> Argv:
    """Hold snapshots: they cannot be destroyed until the tag is released."""
    return ("zfs", "hold", *_flag("-r", recursive), tag, *snapshots)


def release(tag: str, snapshots: Sequence[str], *, recursive: bool = False) -> Argv:
    """Release a hold."""
    return ("zfs", "release", *_flag("-r", recursive), tag, *snapshots)


def bookmark(source: str, name: str) -> Argv:
    """Create a bookmark of a snapshot, or copy a bookmark."""
    return ("zfs", "bookmark", source, name)


def set_property(name: str, key: str, value: str) -> Argv:
    """Set a property locally."""
    return ("zfs", "set", f"{key}={value}", name)


def set_properties(name: str, settings: Sequence[str]) -> Argv:
    """Set several properties locally, each as `name=value`."""
    return ("zfs", "set", *settings, name)


def inherit(name: str, key: str, *, recursive: bool = False) -> Argv:
    """Clear a local value, so that it is inherited; `recursive` in all descendants."""
    return ("zfs", "inherit", *_flag("-r", recursive), key, name)


def mount(name: str) -> Argv:
    """Mount one file system."""
    return ("zfs", "mount", name)


def unmount(name: str) -> Argv:
    """Unmount a file system and its descendants that inherit the mountpoint."""
    return ("zfs", "unmount", name)


def load_key(name: str) -> Argv:
    """Load the key of an encryption root; with keylocation `prompt` it is read from stdin."""
    return ("zfs", "load-key", name)


def unload_key(name: str) -> Argv:
    """Unload the key of an encryption root."""
    return ("zfs", "unload-key", name)


def share(name: str) -> Argv:
    """Share a file system according to its sharenfs and sharesmb."""
    return ("zfs", "share", name)


def unshare(name: str) -> Argv:
    """Stop sharing it."""
    return ("zfs", "unshare", name)


def snapshots_of(dataset: str, snapshots: Sequence[str]) -> str:
    """`pool/dataset@a,b`. Raises ValueError unless the result names snapshots only."""
    if not snapshots or any(not name or set(name) & set("@#/,%") for name in snapshots):
        raise ValueError(f"not names of snapshots: {snapshots}")
    if not dataset or set(dataset) & set("@#,%"):
        raise ValueError(f"not a dataset: {dataset}")
    return f"{dataset}@{','.join(snapshots)}"


def _flag(flag: str, is_on: bool) -> Argv:
    return (flag,) if is_on else ()


def _how_far(*, recursive: bool, with_clones: bool) -> Argv:
    return ("-R",) if with_clones else _flag("-r", recursive)


def _settings(properties: Sequence[str]) -> Argv:
    return tuple(word for each in properties for word in ("-o", each))
