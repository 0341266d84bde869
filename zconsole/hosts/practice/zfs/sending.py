"""`zfs send -n` tells what a stream would hold; streams themselves the practice host does not make."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from zconsole.hosts.practice.dataset import Bookmark, Dataset, Snapshot
from zconsole.hosts.practice.lineage import chain, written_since
from zconsole.hosts.practice.nice import nicebytes
from zconsole.hosts.practice.reply import Reply
from zconsole.hosts.practice.world import World
from zconsole.hosts.practice.zfs.call import Call
from zconsole.hosts.practice.zfs.find import look_up, open_snapshot

_OVERHEAD: Final = 624  # bytes of the records that begin and end a stream
_RECORD: Final = 312  # bytes in front of each block
_BLOCK: Final = 131072
_LONGS: Final = {
    "dryrun": "n",
    "verbose": "v",
    "parsable": "P",
    "replicate": "R",
    "props": "p",
    "raw": "w",
    "large-block": "L",
    "embed": "e",
    "compressed": "c",
    "backup": "b",
    "holds": "h",
    "skip-missing": "s",
    "dedup": "D",
}


def send(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs send -n`."""
    call = Call(world, "send", args, "DLPbcehi:I:npRsVvwX:", _LONGS)
    (name,) = call.exactly("missing snapshot argument")
    if not call.has("n"):
        raise call.failed("zfs send: the practice host makes no streams")
    _, snapshot = open_snapshot(call, name)
    start = call.options.last("I") or call.options.last("i")
    steps = _steps(call, snapshot, start)
    total = 0
    for source, target, size in steps:
        total += size
        if call.has("P"):
            call.say(f"incremental\t{source}\t{target}\t{size}" if source else f"full\t{target}\t{size}")
        elif call.has("v"):
            what = f"send from {source} to {target}" if source else f"full send of {target}"
            call.say(f"{what} estimated size is {nicebytes(size)}")
    if call.has("P"):
        call.say(f"size\t{total}")
    elif call.has("v"):
        call.say(f"total estimated size is {nicebytes(total)}")
    return call.reply()


def _steps(call: Call, snapshot: Snapshot, start: str | None) -> list[tuple[str, str, int]]:
    """Each stream: from where, of what, how many bytes."""
    dataset = snapshot.dataset
    if start is None:
        return [("", snapshot.full_name, _stream(snapshot.referenced))]
    full_name = (
        dataset.name + start
        if start[0] in "@#"
        else start
        if "@" in start or "#" in start
        else f"{dataset.name}@{start}"
    )
    source = look_up(call.world, full_name)
    if isinstance(source, Bookmark):
        return [(start, snapshot.full_name, _stream(_since_bookmark(dataset, snapshot, source)))]
    if not isinstance(source, Snapshot):
        raise call.failed(f"cannot send '{dataset.name}': incremental source ({full_name}) does not exist")
    size = written_since(dataset, snapshot, source)
    if size is None:
        raise call.failed(
            f"warning: cannot send '{snapshot.full_name}': not an earlier snapshot from the same fs"
        )
    if call.options.last("I") is None or source.dataset is not dataset:
        return [(source.name, snapshot.full_name, _stream(size))]
    kept = dataset.snapshots
    between = kept[kept.index(source) : kept.index(snapshot) + 1]
    return [
        (older.name, newer.full_name, _stream(written_since(dataset, newer, older) or 0))
        for older, newer in pairwise(between)
    ]


def _since_bookmark(dataset: Dataset, snapshot: Snapshot, source: Bookmark) -> int:
    """What was born after a bookmark, as exactly as the snapshots that are left tell."""
    older = next((kept for kept in chain(dataset) if kept.createtxg <= source.createtxg), None)
    return written_since(dataset, snapshot, older) or 0 if older else snapshot.referenced


def _stream(size: int) -> int:
    return size + size // _BLOCK * _RECORD + _OVERHEAD
