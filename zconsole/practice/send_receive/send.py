"""`zfs send`: size estimates and streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of
from zconsole.practice.libvirt.storage_of_images import images_to_send
from zconsole.practice.nicenum_and_times import nicebytes, words
from zconsole.practice.program_reply import Reply, Sending
from zconsole.practice.send_receive.nvlist import NvList
from zconsole.practice.send_receive.streams import Sent, package, stream, untoken
from zconsole.practice.world.datasets import Bookmark, PracticeDataset, Snapshot
from zconsole.practice.world.host_world import World
from zconsole.practice.world.snapshot_space import chain, written_since
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import look_up, open_snapshot, pool_of

_GONE: Final = 255  # the status when what a token is about is not there any more
_LONG_NAMES: Final = """
    n=dryrun v=verbose P=parsable R=replicate p=props w=raw L=large-block e=embed c=compressed b=backup
    h=holds s=skip-missing D=dedup
"""
_LONGS: Final = {word[2:]: word[0] for word in words(_LONG_NAMES)}


@dataclass(frozen=True, slots=True)
class _Step:
    """One stream, and the name of its source as ZFS prints it."""

    source: str
    sent: Sent


def send(world: World, args: Sequence[str]) -> Reply | Sending:
    """Answer `zfs send`."""
    call = RunningSubcommand(world, "send", args, "DLPbcehi:I:npRst:VvwX:", _LONGS)
    if call.has("R", "p", "b", "h", "D"):
        raise call.failed("zfs send: the practice host makes no such streams")
    if call.has("t"):
        steps = [_resumed(call)]
    else:
        (name,) = call.exactly("missing snapshot argument")
        _, snapshot = open_snapshot(call, name)
        steps = _steps(call, snapshot)
    _check(call, steps)
    if call.has("n"):
        _tell(call, steps)
        return call.reply()
    parts = [step.sent for step in steps]
    is_package = call.options.last("I") is not None
    chunks = package(parts, steps[0].source) if is_package else stream(parts[0])
    return Sending(_unless_broken(world, chunks), call.reply())


def _unless_broken(world: World, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The stream, up to where the disks give no more."""
    passed = 0
    for chunk in chunks:
        passed += len(chunk)
        if world.breaks_streams_after is not None and passed > world.breaks_streams_after:
            return
        yield chunk


def _tell(call: RunningSubcommand, steps: Sequence[_Step]) -> None:
    """Print the estimated size of each stream."""
    total = 0
    for step in steps:
        source, target, size = step.source, step.sent.to_name, step.sent.length
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


def _check(call: RunningSubcommand, steps: Sequence[_Step]) -> None:
    """Check the permission to send (not needed for an estimate), and that the key is loaded."""
    name = steps[-1].sent.to_name
    snapshot = look_up(call.world, name)
    pool = pool_of(call.world, name)
    if not call.has("n") and (pool is None or not may(call.world, pool, dataset_of(name), "send")):
        raise call.failed(f"warning: cannot send '{name}': permission denied")
    is_locked = isinstance(snapshot, Snapshot) and snapshot.dataset.key_status == "unavailable"
    if is_locked and not steps[-1].sent.is_raw:
        raise call.failed(f"warning: cannot send '{name}': dataset key must be loaded")


def _steps(call: RunningSubcommand, snapshot: Snapshot) -> list[_Step]:
    """Each stream: from where, and of what."""
    start = call.options.last("I") or call.options.last("i")
    dataset = snapshot.dataset
    is_raw = call.has("w")
    if start is None:
        return [_Step("", _sent(call.world, snapshot, 0, snapshot.referenced, is_raw=is_raw))]
    full_name = start if "@" in start or "#" in start else f"@{start}"
    if full_name[0] in "@#":
        full_name = dataset.name + full_name
    source = look_up(call.world, full_name)
    if isinstance(source, Bookmark):
        size = _since_bookmark(dataset, snapshot, source)
        return [_Step(full_name, _sent(call.world, snapshot, source.guid, size, is_raw=is_raw))]
    if not isinstance(source, Snapshot):
        raise call.failed(f"cannot send '{dataset.name}': incremental source ({full_name}) does not exist")
    written = written_since(dataset, snapshot, source)
    if written is None:
        raise call.failed(
            f"warning: cannot send '{snapshot.full_name}': not an earlier snapshot from the same fs"
        )
    if call.options.last("I") is None or source.dataset is not dataset:
        told = source.name if call.options.last("I") else source.full_name
        return [_Step(told, _sent(call.world, snapshot, source.guid, written, is_raw=is_raw))]
    kept = dataset.snapshots
    between = kept[kept.index(source) : kept.index(snapshot) + 1]
    return [
        _Step(
            older.name,
            _sent(call.world, newer, older.guid, written_since(dataset, newer, older) or 0, is_raw=is_raw),
        )
        for older, newer in pairwise(between)
    ]


def _resumed(call: RunningSubcommand) -> _Step:
    """The rest of the stream of a resume token."""
    told = untoken(call.options.last("t") or "")
    if told is None:
        raise call.failed("cannot resume send: resume token is corrupt")
    name, guid, skips = str(told.get("toname", "")), told.get("toguid"), told.get("bytes", 0)
    dataset = look_up(call.world, dataset_of(name))
    snapshots = dataset.snapshots if isinstance(dataset, PracticeDataset) else []
    snapshot = next((each for each in snapshots if each.guid == guid), None)
    if call.has("v"):
        call.say("resume token contents:\nnvlist version: 0")
        for key, value in told.items():
            call.say(f"\t{key} = {hex(value) if type(value) is int else 1 if value is True else value}")
    if snapshot is None or not isinstance(skips, int):
        raise call.failed(f"cannot resume send: '{name}' used in the initial send no longer exists", _GONE)
    is_raw = told.get("rawok") is True
    from_guid = told.get("fromguid", 0)
    if not from_guid:
        return _Step("", _sent(call.world, snapshot, 0, snapshot.referenced, is_raw=is_raw, skips=skips))
    marks: list[Snapshot | Bookmark] = [*snapshot.dataset.snapshots, *snapshot.dataset.bookmarks]
    source = next((each for each in marks if each.guid == from_guid), None)
    if source is None:
        raise call.failed(f"cannot resume send: incremental source {from_guid:#x} no longer exists", _GONE)
    if isinstance(source, Snapshot):
        told_name, size = source.full_name, written_since(snapshot.dataset, snapshot, source) or 0
    else:
        told_name = f"{snapshot.dataset.name}#{source.name}"
        size = _since_bookmark(snapshot.dataset, snapshot, source)
    return _Step(told_name, _sent(call.world, snapshot, source.guid, size, is_raw=is_raw, skips=skips))


def _sent(  # noqa: PLR0913 - a stream has that many sides
    world: World, snapshot: Snapshot, from_guid: int, size: int, *, is_raw: bool, skips: int = 0
) -> Sent:
    dataset = snapshot.dataset
    content: NvList = {"referenced": snapshot.referenced, "logical": snapshot.logical, "seed": dataset.seed}
    content["files_at"] = int(snapshot.creation if snapshot.files_at is None else snapshot.files_at)
    if images := images_to_send(world, dataset):
        content["images"] = images
    if dataset.volsize is not None:
        content["volsize"] = dataset.volsize
        content["volblocksize"] = dataset.properties.get("volblocksize", "16384")
    is_raw = is_raw and dataset.encryption_root is not None
    if is_raw and dataset.encryption_root is not None:
        content["keyformat"] = dataset.encryption_root.properties.get("keyformat", "passphrase")
        content["encryption"] = dataset.encryption_root.properties.get("encryption", "aes-256-gcm")
        content["key"] = dataset.encryption_root.key or ""
    return Sent(
        snapshot.full_name, snapshot.guid, from_guid, snapshot.creation, dataset.kind, size,
        is_raw=is_raw, skips=skips, content=content,
    )  # fmt: skip


def _since_bookmark(dataset: PracticeDataset, snapshot: Snapshot, source: Bookmark) -> int:
    """Bytes born after a bookmark, as exact as the remaining snapshots allow."""
    older = next((kept for kept in chain(dataset) if kept.createtxg <= source.createtxg), None)
    return written_since(dataset, snapshot, older) or 0 if older else snapshot.referenced
