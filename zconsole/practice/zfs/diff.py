"""`zfs diff` of the practice host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.system.dataset_files import entries, tree_of, tree_of_snapshot
from zconsole.practice.world.dataset_writes_and_snapshots import sync
from zconsole.practice.world.datasets import FileNode, Snapshot, Tree
from zconsole.practice.world.host_world import World
from zconsole.practice.world.snapshot_space import chain
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import open_dataset, open_snapshot
from zconsole.practice.zfs.property_values import mountpoint_of

_NS: Final = 1_000_000_000
_TYPES: Final = {"f": "F", "d": "/", "l": "@"}
_LETTERS: Final = "FHth"


def diff(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs diff`."""
    call = RunningSubcommand(world, "diff", args, _LETTERS)
    names = call.operands
    if not 1 <= len(names) <= 2:
        raise call.misused("must provide at least one snapshot name")
    pool, older = open_snapshot(call, names[0])
    dataset = older.dataset
    newer: Snapshot | None = None
    if len(names) > 1 and "@" in names[1]:
        base = dataset.name if names[1].startswith("@") else ""
        newer = open_snapshot(call, base + names[1])[1]
        dataset = newer.dataset
    elif len(names) > 1:
        dataset = open_dataset(call, names[1])[1]
    if dataset.kind != "filesystem" or not dataset.is_mounted:
        raise call.failed(
            "Cannot diff an unmounted snapshot: operation not applicable to datasets of this type"
        )
    known = chain(dataset)
    if older not in known or (newer is not None and known.index(newer) >= known.index(older)):
        raise call.failed("Unable to obtain diffs: \n   Not an earlier snapshot from the same fs")
    if not may(world, pool, dataset.name, "diff"):
        raise call.failed(
            "The diff delegated permission is needed in order\nto create a just-in-time snapshot for diffing"
        )
    before = tree_of_snapshot(older)
    after = tree_of(dataset, world.now) if newer is None else tree_of_snapshot(newer)
    if newer is None:
        sync(pool)
    where = mountpoint_of(pool, dataset)[0].rstrip("/")
    for line in _lines(call, before, after, where):
        call.say(line)
    return call.reply()


def _lines(call: RunningSubcommand, before: Tree, after: Tree, where: str) -> Iterator[str]:
    """In the order of the objects, as ZFS goes through them."""
    old = {node.inode: (path, node) for path, node in before.items()}
    new = {node.inode: (path, node) for path, node in after.items()}
    for inode in sorted({*old, *new}):
        then, now = old.get(inode), new.get(inode)
        if then is None and now is not None:
            yield _line(call, "+", now[1], where, now[0])
        elif then is not None and now is None:
            yield _line(call, "-", then[1], where, then[0])
        elif then is not None and now is not None:
            if then[0] != now[0]:
                yield _line(call, "R", now[1], where, then[0], now[0])
            elif _differs(then, now, before, after):
                yield _line(call, "M", now[1], where, now[0])


def _differs(then: tuple[str, FileNode], now: tuple[str, FileNode], before: Tree, after: Tree) -> bool:
    if now[1].type != "d":
        return then[1] != now[1]
    return {(name, node.inode) for name, node in entries(before, then[0])} != {
        (name, node.inode) for name, node in entries(after, now[0])
    }


def _line(call: RunningSubcommand, letter: str, node: FileNode, where: str, *paths: str) -> str:
    fields = [f"{node.mtime_ns // _NS:10d}.{node.mtime_ns % _NS:09d}"] if call.has("t") else []
    fields.append(letter)
    if call.has("F"):
        fields.append(_TYPES.get(node.type, "?"))
    written = [f"{where}/{path}" if call.has("h") else _escaped(f"{where}/{path}") for path in paths]
    fields.append(("\t" if call.has("H") else " -> ").join(written))
    return "\t".join(fields)


def _escaped(path: str) -> str:
    data = path.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte != 0x5C else f"\\{byte:04o}" for byte in data)
