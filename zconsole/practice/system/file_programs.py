"""`find`, `stat`, `realpath`, `du`, `cp` and `mv` over the files of datasets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.system import root_file_system
from zconsole.practice.system.dataset_files import (
    PathInDataset,
    all_below,
    entries,
    tree_of,
    tree_of_snapshot,
)
from zconsole.practice.system.proc_sys_and_etc_files import zvols
from zconsole.practice.world.dataset_writes_and_snapshots import OutOfSpace, sync, write
from zconsole.practice.world.datasets import FileNode
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.property_values import mountpoint_of

GONE: Final = FileNode("-", 0, 0, 0)
_MODES: Final = {"f": 0o100644, "d": 0o040755, "l": 0o120777}
_SNAPSHOTS: Final = (".zfs", "snapshot")
_NS: Final = 1_000_000_000


def place_of(world: World, path: str) -> tuple[PracticePool, PathInDataset] | None:
    """Where a path of the host leads to; None where no pool's file system is there."""
    path = path.removesuffix("/.").rstrip("/") or "/"
    best: tuple[int, PracticePool, PathInDataset] | None = None
    for pool in world.pools.values():
        for dataset in pool.datasets.values():
            where = mountpoint_of(pool, dataset)[0]
            if dataset.kind != "filesystem" or not dataset.is_mounted or where in {"none", "legacy"}:
                continue
            if not f"{path}/".startswith(f"{where.rstrip('/')}/") or (best and best[0] >= len(where)):
                continue
            inside = path[len(where.rstrip("/")) :].lstrip("/")
            best = (len(where), pool, PathInDataset(dataset, None, inside, tree_of(dataset, world.now)))
    if best is None:
        return None
    pool, place = best[1:]
    parts = place.path.split("/")
    if tuple(parts[:2]) == _SNAPSHOTS and len(parts) > len(_SNAPSHOTS):
        snapshot = place.dataset.snapshot(parts[2])
        if snapshot is None:
            return None
        place = PathInDataset(place.dataset, snapshot, "/".join(parts[3:]), tree_of_snapshot(snapshot))
    return pool, place


def find_in(world: World, args: Sequence[str]) -> Reply:
    r"""Answer `find FOLDER/. -mindepth 1 -maxdepth 1 -printf '%y\0%D\0%i\0%s\0%T@\0%f\0%l\0'`."""
    found = place_of(world, args[0])
    if found is None:
        return _find_in_system(world, args[0])
    if found[1].node is None:
        return Reply(stderr=f"find: '{args[0]}': No such file or directory\n", status=1)
    place = found[1]
    return _listed(place.device, entries(place.tree, place.path))


def _listed(device: int, nodes: Iterable[tuple[str, FileNode]]) -> Reply:
    return Reply(
        "".join(
            f"{node.type}\0{device}\0{node.inode}\0{node.size}\0{_moment(node)}0\0{name}\0\0"
            for name, node in nodes
        )
    )


def _find_in_system(world: World, path: str) -> Reply:
    """The entries of a directory of the root file system."""
    folder = root_file_system.resolved(path.removesuffix("/."))
    node = root_file_system.node(folder)
    if node is None or node.type != "d" or (folder.startswith("/root") and world.user_id != 0):
        why = "No such file or directory" if node is None else "Permission denied"
        return Reply(stderr=f"find: '{path}': {why}\n", status=1)
    return _listed(root_file_system.DEVICE, entries(root_file_system.TREE, folder.strip("/")))


def stat(world: World, args: Sequence[str]) -> Reply:
    r"""Answer `stat --printf '%f\0%d\0%i\0%s\0%.9Y\0%n\0' -- PATH...`."""
    text = complaints = ""
    for path in _paths("stat", args, ("--printf",)):
        found = place_of(world, path)
        node = found[1].node if found else root_file_system.node(path)
        if node is None:
            complaints += f"stat: cannot statx '{path}': No such file or directory\n"
            continue
        mode = _MODES.get(node.type, 0)
        device = found[1].device if found else root_file_system.DEVICE
        text += f"{mode:x}\0{device}\0{node.inode}\0{node.size}\0{_moment(node)}\0{path}\0"
    return Reply(text, complaints, 1 if complaints else 0)


def realpath(world: World, args: Sequence[str]) -> Reply:
    """Answer `realpath -ez -- PATH` and `realpath -mz -- PATH...`."""
    if "-mz" in args:
        devices = {f"/dev/zvol/{dataset.name.replace(' ', '+')}": name for name, dataset, _ in zvols(world)}
        paths = map(root_file_system.resolved, _paths("realpath", args, ("-mz",)))
        real = (f"/dev/{devices[path]}" if path in devices else path for path in paths)
        return Reply("".join(f"{path}\0" for path in real))
    (path,) = _paths("realpath", args, ("-ez",))
    found = place_of(world, path)
    if found is None or found[1].node is None:
        return Reply(stderr=f"realpath: {path}: No such file or directory\n", status=1)
    return Reply(f"{path}\0")


def du(world: World, args: Sequence[str]) -> Reply:
    """Answer `du -sx0 [--apparent-size] -B1 -- PATH` and with --inodes."""
    (path,) = _paths("du", args, ("-sx0", "--apparent-size", "-B1", "--inodes"))
    found = place_of(world, path)
    if found is None or found[1].node is None:
        return Reply(stderr=f"du: cannot access '{path}': No such file or directory\n", status=1)
    below = all_below(found[1].tree, found[1].path)
    if "--inodes" in args:
        total = len(below)
    elif "--apparent-size" in args:
        total = sum(node.size for _, node in below)
    else:
        total = sum(_allocated(node) for _, node in below)
    return Reply(f"{total}\t{path}\0")


def cp(world: World, args: Sequence[str]) -> Reply:
    """Answer `cp -anT -- SOURCE TARGET`."""
    source, target = _paths("cp", args, ("-anT",))
    came, pool, place = _from_to(world, (source, target), "cp", f"create regular file '{target}'")
    if place.node is not None:
        return Reply()
    copied = all_below(came.tree, came.path)
    try:
        write(pool, place.dataset, sum(_allocated(node) for _, node in copied))
    except OutOfSpace:
        return Reply(stderr=f"cp: error writing '{target}': No space left on device\n", status=1)
    for path, node in copied:
        pool.next_object += 2
        place.dataset.touched[place.path + path[len(came.path) :]] = replace(node, inode=pool.next_object)
    sync(pool)
    return Reply()


def mv(world: World, args: Sequence[str]) -> Reply:
    """Answer `mv -fT -- SOURCE TARGET` within one file system."""
    source, target = _paths("mv", args, ("-fT",))
    came, pool, place = _from_to(world, (source, target), "mv", f"move '{source}' to '{target}'")
    if place.node is not None and came.node is not None and "d" in {place.node.type, came.node.type}:
        return Reply(stderr=f"mv: cannot overwrite '{target}'\n", status=1)
    for path, node in all_below(came.tree, came.path):
        place.dataset.touched[path] = GONE
        place.dataset.touched[place.path + path[len(came.path) :]] = node
    sync(pool)
    return Reply()


def _from_to(
    world: World, paths: tuple[str, str], program: str, what: str
) -> tuple[PathInDataset, PracticePool, PathInDataset]:
    """Where a copy or move comes from, and the pool and place where it goes; raises Refusal."""
    came, goes = (place_of(world, path) for path in paths)
    if came is None or came[1].node is None:
        raise Refusal(f"{program}: cannot stat '{paths[0]}': No such file or directory\n")
    problem = _why_not_there(world, goes)
    if problem or goes is None:
        raise Refusal(f"{program}: cannot {what}: {problem}\n")
    return came[1], *goes


def _why_not_there(world: World, goes: tuple[PracticePool, PathInDataset] | None) -> str:
    if goes is None:
        return "No such file or directory"
    place = goes[1]
    above = place.tree.get(place.path.rpartition("/")[0])
    if place.snapshot is not None:
        return "Read-only file system"
    if above is None or above.type != "d":
        return "No such file or directory"
    return "" if world.user_id == 0 else "Permission denied"


def _paths(program: str, args: Sequence[str], options: tuple[str, ...]) -> Sequence[str]:
    """The operands after `--`; before it only these options and a format are known."""
    before = list(args[: args.index("--")]) if "--" in args else [*args, "?"]
    if any(word not in options and not word.startswith("%") for word in before):
        raise Refusal(f"{program}: the practice host does not do this\n", 1)
    return args[len(before) + 1 :]


def _moment(node: FileNode) -> str:
    return f"{node.mtime_ns // _NS}.{node.mtime_ns % _NS:09d}"


def _allocated(node: FileNode) -> int:
    return 512 if node.type != "f" else (node.size * 3 // 4 >> 9 << 9) + 512
