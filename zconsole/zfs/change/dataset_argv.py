"""The argv of every `zfs` command that changes a dataset. Nothing here runs one.

No command has -f, and none that destroys snapshots can hit a dataset: its name has an @ from here on.
"""

from __future__ import annotations

from collections.abc import Sequence

Argv = tuple[str, ...]


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
    """Destroy a file system or volume; with clones is recursive too."""
    return ("zfs", "destroy", *_how_far(recursive=recursive, with_clones=with_clones), name)


def destroy_snapshots(
    dataset: str, snapshots: Sequence[str], *, recursive: bool = False, with_clones: bool = False
) -> Argv:
    """Destroy snapshots of one dataset, all or none, by their names behind the @."""
    flags = _how_far(recursive=recursive, with_clones=with_clones)
    return ("zfs", "destroy", *flags, snapshots_of(dataset, snapshots))


def destroy_bookmark(name: str) -> Argv:
    """Destroy a bookmark. Raises ValueError for the name of anything else."""
    if "#" not in name:
        raise ValueError(f"not a bookmark: {name}")
    return ("zfs", "destroy", name)


def rollback(snapshot_name: str, *, recursive: bool = False, with_clones: bool = False) -> Argv:
    """Return a dataset to a snapshot; recursive destroys newer snapshots, with clones their clones too."""
    return ("zfs", "rollback", *_how_far(recursive=recursive, with_clones=with_clones), snapshot_name)


def clone(snapshot_name: str, name: str, properties: Sequence[str] = (), *, parents: bool = False) -> Argv:
    """Make a writable dataset from a snapshot."""
    return ("zfs", "clone", *_flag("-p", parents), *_settings(properties), snapshot_name, name)


def promote(name: str) -> Argv:
    """Make a clone the owner of the snapshot that it stands on."""
    return ("zfs", "promote", name)


def rename(name: str, new: str, *, recursive: bool = False, parents: bool = False) -> Argv:
    """Rename a dataset, or a snapshot; recursive renames snapshots of the same name below too."""
    return ("zfs", "rename", *_flag("-r", recursive), *_flag("-p", parents), name, new)


def hold(tag: str, snapshots: Sequence[str], *, recursive: bool = False) -> Argv:
    """Keep snapshots from being destroyed until the tag is released."""
    return ("zfs", "hold", *_flag("-r", recursive), tag, *snapshots)


def release(tag: str, snapshots: Sequence[str], *, recursive: bool = False) -> Argv:
    """Take a hold away."""
    return ("zfs", "release", *_flag("-r", recursive), tag, *snapshots)


def bookmark(source: str, name: str) -> Argv:
    """Keep what an incremental send needs of a snapshot, or copy a bookmark."""
    return ("zfs", "bookmark", source, name)


def set_property(name: str, key: str, value: str) -> Argv:
    """Set a property here."""
    return ("zfs", "set", f"{key}={value}", name)


def inherit(name: str, key: str, *, recursive: bool = False) -> Argv:
    """Take the value set here away, so that it is inherited; recursive on everything below too."""
    return ("zfs", "inherit", *_flag("-r", recursive), key, name)


def mount(name: str) -> Argv:
    """Mount one file system."""
    return ("zfs", "mount", name)


def unmount(name: str) -> Argv:
    """Unmount a file system and those below it that inherit its mountpoint."""
    return ("zfs", "unmount", name)


def load_key(name: str) -> Argv:
    """Load the key of an encryption root; where its location is `prompt`, it is read from stdin."""
    return ("zfs", "load-key", name)


def unload_key(name: str) -> Argv:
    """Forget the key of an encryption root."""
    return ("zfs", "unload-key", name)


def share(name: str) -> Argv:
    """Share a file system as its sharenfs and sharesmb say."""
    return ("zfs", "share", name)


def unshare(name: str) -> Argv:
    """Stop sharing it."""
    return ("zfs", "unshare", name)


def snapshots_of(dataset: str, snapshots: Sequence[str]) -> str:
    """`pool/dataset@a,b`. Raises ValueError where that would not name snapshots, and only those."""
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
