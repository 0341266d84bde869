"""Reader of files with ZFS send streams: snapshots in them, and whether each is complete.

Payloads are skipped, so memory stays bounded for any length. The format is defined by
lib/libzfs/libzfs_sendrecv.c (packages) and module/zfs/dmu_send.c (snapshots) of OpenZFS.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Final, NoReturn

from zconsole.base.errors import ParseError
from zconsole.model.datasets.send_stream import SendStream, SentSnapshot, StreamFault, StreamProblem
from zconsole.zfs.stream import record
from zconsole.zfs.stream.fletcher4 import Fletcher4, Sums
from zconsole.zfs.stream.nvlist import NvList, parse_nvlist
from zconsole.zfs.stream.record import RECORD_BYTES, Begin

_CHUNK: Final = 1 << 20
_WORD_BYTES: Final = 4
_LARGEST_HEADER: Final = 16 << 20  # of a package's list; names in a longer one stay unknown


def read_streams(
    file: BinaryIO, *, size_bytes: int | None = None, verify: bool = False
) -> tuple[tuple[SendStream, ...], StreamProblem | None]:
    """Read to the end, or to the first problem, which is returned.

    With `size_bytes` the file is seekable and payloads are skipped; `verify` reads everything and compares
    the checksums. Errors of a decompressor become the problem as well.
    """
    walk = _Walk(_Tape(file, size_bytes, reads_all=verify or size_bytes is None), verify=verify)
    problem = None
    try:
        walk.run()
    except _Broken as broken:
        problem = broken.problem
    except EOFError:
        problem = StreamProblem(StreamFault.TRUNCATED, walk.at, "its compressed data is truncated")
    except (zlib.error, lzma.LZMAError) as error:
        problem = StreamProblem(StreamFault.DAMAGED, walk.at, f"its compressed data is damaged: {error}")
    except OSError as error:
        problem = StreamProblem(
            StreamFault.UNREADABLE, walk.at, f"it cannot be read: {error.strerror or error}"
        )
    return walk.streams(), problem


class _Broken(Exception):
    def __init__(self, problem: StreamProblem) -> None:
        super().__init__(problem.reason)
        self.problem = problem


class _Short(Exception):
    """The file has fewer bytes left."""


class _Tape:
    """Sequential bytes of a file; unneeded bytes are skipped by seeking if possible."""

    def __init__(self, file: BinaryIO, size_bytes: int | None, *, reads_all: bool) -> None:
        self._file = file
        self._size = size_bytes
        self._reads_all = reads_all
        self.at = 0

    def take(self, count: int) -> bytes:
        """The next bytes; fewer only at the end."""
        parts = bytearray()
        while len(parts) < count and (part := self._file.read(count - len(parts))):
            parts += part
        self.at += len(parts)
        return bytes(parts)

    def chunks(self, count: int) -> Iterator[bytes]:
        """The next bytes in chunks; nothing while skipping. Raises _Short at an early end."""
        if not self._reads_all and self._size is not None:
            if self.at + count > self._size:
                self.at = self._size
                raise _Short
            self._file.seek(count, 1)
            self.at += count
            return
        left = count
        while left:
            wanted = min(left, _CHUNK)
            part = self.take(wanted)
            if len(part) < wanted:
                raise _Short
            left -= wanted
            yield part


class _Walk:
    def __init__(self, tape: _Tape, *, verify: bool) -> None:
        self._tape = tape
        self._verify = verify
        self._order = "<"
        self._sums: Fletcher4 | None = None
        self._sums_before: Sums = (0, 0, 0, 0)  # before the last record
        self._done: list[SendStream] = []
        self._open: SendStream | None = None
        self._snapshots: list[SentSnapshot] = []  # of the current stream

    @property
    def at(self) -> int:
        """The position in the file."""
        return self._tape.at

    def streams(self) -> tuple[SendStream, ...]:
        """The streams found so far; the last may be incomplete."""
        if self._open is None:
            return tuple(self._done)
        return (*self._done, replace(self._open, snapshots=tuple(self._snapshots)))

    def run(self) -> None:
        """Read all streams."""
        while True:
            start = self._tape.at
            first = self._tape.take(RECORD_BYTES)
            if self._done and not first.strip(b"\0"):
                return  # the end, or padding with zeros as by tapes and dd
            order = record.byte_order(first) if len(first) == RECORD_BYTES else None
            if order is None:
                self._fail(*self._no_stream(first), start)
            self._order = order
            self._sums = Fletcher4(is_little=order == "<") if self._verify else None
            self._add_up(first, start)
            begin = self._begin(first, start)
            self._open = SendStream(start, begin.to_name, is_package=begin.is_compound)
            if begin.is_compound:
                self._package(self._open, begin)
            else:
                self._snapshot(begin, start)
            length = self._tape.at - start
            self._done += [replace(each, length_bytes=length) for each in self.streams()[len(self._done) :]]
            self._open, self._snapshots = None, []

    def _no_stream(self, first: bytes) -> tuple[StreamFault, str]:
        if self._done:
            return StreamFault.DAMAGED, "the data after the stream is not a stream"
        if first and record.byte_order(first.ljust(RECORD_BYTES, b"\0")) is not None:
            return StreamFault.TRUNCATED, "it ends within its first record"
        return StreamFault.NO_STREAM, "it does not begin like a ZFS send stream" if first else "it is empty"

    def _package(self, package: SendStream, begin: Begin) -> None:
        """A header with the package's list, its end record, snapshots, and a final end record."""
        listed = self._payload(begin, package.offset)
        names = tuple(_names(listed))
        is_recursive = bool(listed) and "not_recursive" not in listed
        self._open = replace(package, is_recursive=is_recursive, names=names)
        at = self._tape.at
        found = self._record()
        if record.record_type(found, self._order) != record.END:
            self._fail(StreamFault.DAMAGED, "the list of the package does not end", at)
        self._end(found, at, 0)
        while True:
            at = self._tape.at
            found = self._record()
            if record.record_type(found, self._order) == record.END:
                return
            inner = self._begin(found, at)
            if inner.is_compound:
                self._fail(StreamFault.DAMAGED, "a package begins within a package", at)
            self._snapshot(inner, at)

    def _snapshot(self, begin: Begin, start: int) -> None:
        """The records of one snapshot up to its end."""
        self._snapshots.append(_sent(begin, {}, start))
        self._snapshots[-1] = _sent(begin, self._payload(begin, start), start)
        while True:
            at = self._tape.at
            found = self._record()
            kind = record.record_type(found, self._order)
            if kind == record.END:
                self._end(found, at, begin.to_guid)
                length, is_good = self._tape.at - start, True if self._verify else None
                whole = replace(self._snapshots[-1], length_bytes=length, is_checksum_good=is_good)
                self._snapshots[-1] = whole
                return
            if kind == record.BEGIN or kind >= record.TYPES:
                what = "a stream begins within another" if kind == record.BEGIN else "unknown type of record"
                self._fail(StreamFault.DAMAGED, what, at)
            size = record.payload_bytes(found, self._order)
            if size is None:
                self._fail(StreamFault.DAMAGED, "a record has an impossible size", at)
            self._pass(size)

    def _begin(self, found: bytes, at: int) -> Begin:
        is_begin = record.record_type(found, self._order) == record.BEGIN
        begin = record.parse_begin(found, self._order) if is_begin else None
        if begin is None:
            self._fail(StreamFault.DAMAGED, "expected the beginning of a stream", at)
        return begin

    def _end(self, found: bytes, at: int, guid: int) -> None:
        """A DRR_END with the checksum of all data before it; then the sums are reset."""
        if guid and record.end_guid(found, self._order) != guid:
            self._fail(StreamFault.DAMAGED, "end record of another snapshot", at)
        if self._sums is not None:
            if record.checksum(found, self._order, 8) != self._sums_before:
                self._unsound(at)
            self._sums.restart()

    def _record(self) -> bytes:
        at = self._tape.at
        found = self._tape.take(RECORD_BYTES)
        if len(found) < RECORD_BYTES:
            self._fail(StreamFault.TRUNCATED, "it ends before the stream does", at + len(found))
        self._add_up(found, at)
        return found

    def _add_up(self, found: bytes, at: int) -> None:
        """Add a record to the sums, and compare them with the record's own."""
        if self._sums is None:
            return
        self._sums_before = self._sums.sums
        self._sums.update(found[: record.CHECKSUM_AT])
        if record.record_type(found, self._order) != record.BEGIN:
            own = record.checksum(found, self._order, record.CHECKSUM_AT)
            if any(own) and own != self._sums.sums:
                self._unsound(at)
        self._sums.update(found[record.CHECKSUM_AT :])

    def _unsound(self, at: int) -> NoReturn:
        if self._snapshots and not self._snapshots[-1].is_whole:
            self._snapshots[-1] = replace(self._snapshots[-1], is_checksum_good=False)
        self._fail(StreamFault.DAMAGED, "the checksum of the preceding data does not match", at)

    def _payload(self, begin: Begin, at: int) -> NvList:
        """Payload of a DRR_BEGIN: the list of a package, or the position of a resumed stream."""
        size = begin.payload_bytes
        self._check_length(size, at)
        if size > _LARGEST_HEADER:
            self._pass(size)
            return {}
        packed = self._tape.take(size)
        if len(packed) < size:
            self._fail(StreamFault.TRUNCATED, "it ends before the stream does", self._tape.at)
        if self._sums is not None:
            self._sums.update(packed)
        try:
            return parse_nvlist(packed) if packed else {}
        except ParseError as error:
            self._fail(StreamFault.DAMAGED, f"its list of properties cannot be read: {error.reason}", at)

    def _check_length(self, size: int, at: int) -> None:
        """Payloads are padded to whole words, over which the checksums run."""
        if size % _WORD_BYTES:
            self._fail(StreamFault.DAMAGED, f"it has a payload of {size} bytes, which is impossible", at)

    def _pass(self, size: int) -> None:
        self._check_length(size, self._tape.at)
        try:
            for chunk in self._tape.chunks(size):
                if self._sums is not None:
                    self._sums.update(chunk)
        except _Short:
            self._fail(StreamFault.TRUNCATED, "it ends before the stream does", self._tape.at)

    def _fail(self, fault: StreamFault, reason: str, at: int) -> NoReturn:
        raise _Broken(StreamProblem(fault, at, reason))


def _sent(begin: Begin, extra: NvList, start: int) -> SentSnapshot:
    number, offset = extra.get("resume_object"), extra.get("resume_offset")
    resumes_at = (number, offset) if isinstance(number, int) and isinstance(offset, int) else None
    if resumes_at is None and record.RESUMING in begin.features:
        resumes_at = (0, 0)
    return SentSnapshot(
        begin.to_name,
        begin.to_guid,
        begin.from_guid or None,
        start,
        created=begin.created,
        kind=begin.kind,
        features=begin.features,
        is_clone=bool(begin.flags & record.FLAG_CLONE),
        resumes_at=resumes_at,
    )


def _names(listed: NvList) -> Iterator[tuple[int, str]]:
    """The snapshots in a package's list: `fss` has the datasets, each with its `snaps`."""
    datasets = listed.get("fss")
    for dataset in datasets.values() if isinstance(datasets, dict) else ():
        snapshots = dataset.get("snaps") if isinstance(dataset, dict) else None
        name = dataset.get("name") if isinstance(dataset, dict) else None
        for snapshot, guid in snapshots.items() if isinstance(snapshots, dict) else ():
            if isinstance(guid, int) and isinstance(name, str):
                yield guid, f"{name}@{snapshot}"
