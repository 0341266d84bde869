"""`zconsole stream`: what a folder of send streams can restore, and the commands that restore it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from zconsole.analysis.replication.restore_from_streams import TARGET, Receive, Restoration
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.send_stream import SentSnapshot, StreamFault, StreamFile

MOST_NAMED: Final = 8
_ADVICE: Final = {
    StreamFault.TRUNCATED: "Send it again; what is whole in it is used below.",
    StreamFault.DAMAGED: (
        "Copy it again from its source, or send it again; what is whole in it is used below."
    ),
    StreamFault.UNREADABLE: "Nothing after that position is known.",
    StreamFault.NO_STREAM: "",
}


def stream_lines(folder: str, files: Sequence[StreamFile], found: Restoration) -> Iterator[str]:
    """Yield the answer as lines without control sequences."""
    return map(visible, _lines(folder, files, found))


def _lines(folder: str, files: Sequence[StreamFile], found: Restoration) -> Iterator[str]:
    streams = [file for file in files if file.streams]
    brought = [sent for receive in found.receives for sent in receive.brings]
    yield f"{folder}: {_counted(len(streams), 'file')} with send streams; {_summary(brought, found)}."
    for file in streams:
        yield from _file(file)
    yield from _faulty(files)
    for link in found.missing:
        known = f"guid {link.guid}" if link.name is None else f"{link.name} (guid {link.guid})"
        builds = "builds" if len(link.needed_by) == 1 else "build"
        needed_by = shortened([sent.name for sent in link.needed_by], MOST_NAMED)
        yield f"Missing: {known}, on which {needed_by} {builds}."
    for one in found.unrestorable:
        yield f"Not restorable: {one.sent.name} in {one.file.name}: {one.reason}."
    for file, stream in found.spare:
        yield f"Not needed: {stream.name} in {file.name}; others bring what it has."
    if found.receives:
        yield f"To restore all of it below a dataset {TARGET} that exists, in {folder}:"
        yield from (f"  zfs create -p -o canmount=off {TARGET}/{parent}" for parent in found.parents)
        for receive in found.receives:
            yield f"  {_command(receive)}  # {shortened([sent.name for sent in receive.brings], MOST_NAMED)}"


def _summary(brought: Sequence[SentSnapshot], found: Restoration) -> str:
    said = [f"{_counted(len(brought), 'snapshot')} can be restored" if brought else "nothing can be restored"]
    if found.unrestorable:
        said.append(f"{len(found.unrestorable)} cannot")
    return ", ".join(said)


def _file(file: StreamFile) -> Iterator[str]:
    packed = f", compressed with {file.compression}" if file.compression else ""
    yield f"{file.name} ({size(file.size_bytes)}{packed}):"
    for stream in file.streams:
        if stream.is_package:
            kind = (
                "with what is below it" if stream.is_recursive else "with its properties or snapshots between"
            )
            yield f"  a package of {stream.name}, {kind}:"
        for sent in stream.snapshots:
            yield f"  {'  ' if stream.is_package else ''}{_sent(sent)}"


def _sent(sent: SentSnapshot) -> str:
    if sent.is_clone:
        base = f"a clone of guid {sent.from_guid}"
    else:
        base = "in full" if sent.from_guid is None else f"from guid {sent.from_guid}"
    when = datetime.fromtimestamp(sent.created, UTC) if 0 < sent.created < _LAST else None
    words = [f"{sent.name}: {sent.kind}, {base}, guid {sent.guid}"]
    if when is not None:
        words.append(f"of {when:%Y-%m-%d %H:%M:%S} UTC")
    words.append("truncated" if sent.length_bytes is None else size(sent.length_bytes))
    if sent.resumes_at is not None:
        words.append(f"goes on at object {sent.resumes_at[0]}, offset {sent.resumes_at[1]}")
    if sent.features:
        words.append(f"({', '.join(sent.features)})")
    if sent.is_checksum_good:
        words.append("checksum good")
    return ", ".join(words)


_LAST: Final = 253402300800  # the year 10000 is beyond Python's calendar


def _faulty(files: Sequence[StreamFile]) -> Iterator[str]:
    for file in files:
        problem = file.problem
        if problem is not None and problem.fault is not StreamFault.NO_STREAM:
            where = f" at byte {problem.offset}" if problem.offset else ""
            packed = " of what is compressed in it" if where and file.compression else ""
            yield (
                f"{problem.fault.value.capitalize()}: {file.name}{where}{packed}: {problem.reason}. "
                + (_ADVICE[problem.fault])
            )
    others = [file.name for file in files if file.problem and file.problem.fault is StreamFault.NO_STREAM]
    if others:
        yield f"No send streams: {shortened(others, MOST_NAMED)}."


def _command(receive: Receive) -> str:
    first, *rest = receive.pipeline
    return " | ".join([f"{shlex.join(first)} < {shlex.quote(receive.file.name)}", *map(shlex.join, rest)])


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"
