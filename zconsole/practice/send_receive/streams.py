"""Send streams of the practice host: real records with empty blocks, written and read.

A block is as long as what it stands for. What the receiver cannot see from blocks that are empty stands in
the list of the first record: how much the snapshot refers to, and what its files are made from.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import short_of
from zconsole.practice.send_receive.nvlist import NvList, NvValue, pack, unpack

RECORD: Final = 312
BLOCK: Final = 131072
_MAGIC: Final = 0x2F5BACBAC
_BEGIN, _WRITE, _END = 0, 3, 5
_SUBSTREAM, _COMPOUND = 1, 2
_RESUMING, _COMPRESSED, _RAW = 1 << 20, 1 << 22, 1 << 24
_CHECKSUM_AT: Final = RECORD - 32
_TO_GUID_AT: Final = 40  # of a DRR_END
_KINDS: Final = {"filesystem": 2, "volume": 3}
_MASK: Final = (1 << 64) - 1
_CONTENT: Final = "practice"  # the list in the first record that only this host reads
TOKEN_VERSION: Final = "1"  # noqa: S105  # of resume tokens, which are no secrets


@dataclass(frozen=True, slots=True)
class Sent:
    """The content of one stream."""

    to_name: str
    to_guid: int
    from_guid: int
    created: int
    kind: str
    size: int  # bytes of all its blocks
    is_raw: bool = False
    skips: int = 0  # of these, what an earlier stream brought
    content: NvList = field(default_factory=dict)

    @property
    def length(self) -> int:
        """Bytes that are still to be sent, with the records."""
        left = self.size - self.skips
        return left + -(-left // BLOCK) * RECORD + 2 * RECORD


class _Sums:
    """Fletcher-4 of a stream under way."""

    def __init__(self) -> None:
        self.sums = (0, 0, 0, 0)

    def add(self, data: bytes) -> None:
        a, b, c, d = self.sums
        for (word,) in struct.iter_unpack("<I", data):
            a += word
            b += a
            c += b
            d += c
        self.sums = (a & _MASK, b & _MASK, c & _MASK, d & _MASK)

    def add_nothing(self, size: int) -> None:
        """So many bytes that are all 0."""
        n = size // 4
        a, b, c, d = self.sums
        second = n * (n + 1) // 2
        third = n * (n + 1) * (n + 2) // 6
        self.sums = (a, (b + n * a) & _MASK, (c + n * b + second * a) & _MASK,
                     (d + n * c + second * b + third * a) & _MASK)  # fmt: skip


def stream(sent: Sent) -> Iterator[bytes]:
    """One snapshot's stream, a block at a time."""
    sums = _Sums()
    extra: dict[str, NvValue] = {_CONTENT: sent.content | {"size": sent.size}}
    features = _COMPRESSED | (_RAW if sent.is_raw else 0)
    if sent.skips:
        features |= _RESUMING
        extra |= {"resume_object": 2, "resume_offset": sent.skips}
    packed = pack(extra)
    packed += bytes(-len(packed) % 8)
    head = struct.pack(
        "<IIQQQIIQQ", _BEGIN, len(packed), _MAGIC, _SUBSTREAM | features << 2, sent.created,
        _KINDS[sent.kind], 0, sent.to_guid, sent.from_guid,
    )  # fmt: skip
    first = (head + sent.to_name.encode("utf-8", "surrogateescape")).ljust(RECORD, b"\0")
    sums.add(first)
    sums.add(packed)
    yield first + packed
    at = sent.skips
    while at < sent.size:
        size = min(BLOCK, sent.size - at)
        record = bytearray(RECORD)
        struct.pack_into("<II", record, 0, _WRITE, 0)
        struct.pack_into("<QI4xQQQ", record, 8, 2, 19, at, size, sent.to_guid)
        yield _summed(record, sums) + bytes(size)
        sums.add_nothing(size)
        at += size
    last = bytearray(RECORD)
    struct.pack_into("<II4Q", last, 0, _END, 0, *sums.sums)
    struct.pack_into("<Q", last, _TO_GUID_AT, sent.to_guid)
    yield _summed(last, sums)


def package(parts: list[Sent], from_name: str) -> Iterator[bytes]:
    """Several streams in one, as `zfs send -I` makes it."""
    dataset, _, last = parts[-1].to_name.partition("@")
    snapshots: NvList = {short_of(part.to_name): part.to_guid for part in parts}
    listed: NvList = {"name": dataset, "snaps": snapshots}
    packed = pack({"fromsnap": from_name, "tosnap": last, "not_recursive": True, "fss": {"0": listed}})
    packed += bytes(-len(packed) % 8)
    sums = _Sums()
    head = struct.pack("<IIQQQIIQQ", _BEGIN, len(packed), _MAGIC, _COMPOUND, parts[-1].created, 0, 0, 0, 0)
    first = (head + parts[-1].to_name.encode("utf-8", "surrogateescape")).ljust(RECORD, b"\0")
    sums.add(first)
    sums.add(packed)
    end = bytearray(RECORD)
    struct.pack_into("<II4Q", end, 0, _END, 0, *sums.sums)
    yield first + packed + bytes(end)
    for part in parts:
        yield from stream(part)
    yield struct.pack("<I", _END).ljust(RECORD, b"\0")


def _summed(record: bytearray, sums: _Sums) -> bytes:
    """The record with the sum of all before it, which goes into the sums as well."""
    sums.add(bytes(record[:_CHECKSUM_AT]))
    struct.pack_into("<4Q", record, _CHECKSUM_AT, *sums.sums)
    sums.add(bytes(record[_CHECKSUM_AT:]))
    return bytes(record)


class BadStream(Exception):
    """Input that is no stream."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Bytes of blocks that were received."""

    size: int


@dataclass(frozen=True, slots=True)
class Whole:
    """The end of a stream."""


class Unpacker:
    """Parses a stream as it is received: `Sent` at its beginning, `Blocks`, `Whole` at its end."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._left = 0  # bytes of a block that are still to come
        self._is_in_package = False
        self._is_open = False  # between a DRR_BEGIN and its end

    def feed(self, data: bytes) -> Iterator[Sent | Blocks | Whole]:
        """Take some bytes. Raises BadStream."""
        self._waiting += data
        while self._waiting:
            if self._left:
                size = min(self._left, len(self._waiting))
                del self._waiting[:size]
                self._left -= size
                yield Blocks(size)
                continue
            if len(self._waiting) < RECORD:
                return
            kind, payload = struct.unpack_from("<II", self._waiting)
            if kind == _BEGIN:
                if len(self._waiting) < RECORD + payload:
                    return
                begun = self._begin(payload)
                del self._waiting[: RECORD + payload]
                if begun is not None:
                    yield begun
            elif kind in {_WRITE, _END} and (self._is_open or self._is_in_package):
                if kind == _WRITE:
                    (self._left,) = struct.unpack_from("<Q", self._waiting, 32)
                elif self._is_open:
                    self._is_open = False
                    yield Whole()
                del self._waiting[:RECORD]
            else:
                raise BadStream

    def _begin(self, payload: int) -> Sent | None:
        magic, version, created, kind, _, to_guid, from_guid = struct.unpack_from(
            "<QQQIIQQ", self._waiting, 8
        )
        if magic != _MAGIC:
            raise BadStream
        packed = unpack(bytes(self._waiting[RECORD : RECORD + payload]))
        if version & 3 == _COMPOUND:
            self._is_in_package = True
            return None
        self._is_open = True
        content = packed.get(_CONTENT)
        skips, size = (
            packed.get("resume_offset", 0),
            content.get("size", 0) if isinstance(content, dict) else 0,
        )
        name = bytes(self._waiting[56:RECORD]).partition(b"\0")[0].decode("utf-8", "surrogateescape")
        return Sent(
            name,
            to_guid,
            from_guid,
            created,
            next((word for word, number in _KINDS.items() if number == kind), "filesystem"),
            size if isinstance(size, int) else 0,
            is_raw=bool(version >> 2 & _RAW),
            skips=skips if isinstance(skips, int) else 0,
            content=content if isinstance(content, dict) else {},
        )


def token(sent: Sent, received: int) -> str:
    """The `receive_resume_token` of a receive that was interrupted after `received` bytes of blocks."""
    listed: NvList = {"object": 2, "offset": received, "bytes": received, "toguid": sent.to_guid}
    listed |= {"toname": sent.to_name, "compressok": True}
    if sent.from_guid:
        listed["fromguid"] = sent.from_guid
    if sent.is_raw:
        listed["rawok"] = True
    packed = pack(listed)
    deflated = zlib.compress(packed)
    sums = _Sums()
    sums.add(deflated + bytes(-len(deflated) % 4))
    return f"{TOKEN_VERSION}-{sums.sums[0]:x}-{len(packed):x}-{deflated.hex()}"


def untoken(text: str) -> NvList | None:
    """The nvlist of a resume token; None for an invalid one."""
    parts = text.split("-")
    if len(parts) != 4 or parts[0] != TOKEN_VERSION:
        return None
    try:
        return unpack(zlib.decompress(bytes.fromhex(parts[3])))
    except (ValueError, zlib.error, struct.error):
        return None
