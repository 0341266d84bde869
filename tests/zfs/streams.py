"""Send streams written by the C structures of OpenZFS's zfs_ioctl.h, as the kernel and libzfs write them.

`zstream dump` of OpenZFS 2.4.4 reads all of it, checksums and packed lists included; of the other byte order
only with -C, since it compares the checksums of those records without turning them round.
"""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass, field
from typing import Any

from zconsole.zfs.stream.record import MAGIC

U8, U32, U64 = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64
BEGIN_FIELDS = [
    ("drr_magic", U64),
    ("drr_versioninfo", U64),
    ("drr_creation_time", U64),
    ("drr_type", U32),
    ("drr_flags", U32),
    ("drr_toguid", U64),
    ("drr_fromguid", U64),
    ("drr_toname", ctypes.c_char * 256),
]
END_FIELDS = [("drr_checksum", U64 * 4), ("drr_toguid", U64)]
OBJECT_FIELDS = [
    *(("drr_object", U64), ("drr_type", U32), ("drr_bonustype", U32), ("drr_blksz", U32)),
    *(("drr_bonuslen", U32), ("drr_checksumtype", U8), ("drr_compress", U8), ("drr_dn_slots", U8)),
    *(("drr_flags", U8), ("drr_raw_bonuslen", U32), ("drr_toguid", U64), ("drr_indblkshift", U8)),
    *(("drr_nlevels", U8), ("drr_nblkptr", U8), ("drr_pad", U8 * 5), ("drr_maxblkid", U64)),
]
WRITE_FIELDS = [
    *(("drr_object", U64), ("drr_type", U32), ("drr_pad", U32), ("drr_offset", U64)),
    *(("drr_logical_size", U64), ("drr_toguid", U64), ("drr_checksumtype", U8), ("drr_flags", U8)),
    *(("drr_compressiontype", U8), ("drr_pad2", U8 * 5), ("drr_key", U64 * 5), ("drr_compressed_size", U64)),
    *(("drr_salt", U8 * 8), ("drr_iv", U8 * 12), ("drr_mac", U8 * 16)),
]
SPILL_FIELDS = [
    *(("drr_object", U64), ("drr_length", U64), ("drr_toguid", U64), ("drr_flags", U8)),
    *(("drr_compressiontype", U8), ("drr_pad", U8 * 6), ("drr_compressed_size", U64)),
    *(("drr_salt", U8 * 8), ("drr_iv", U8 * 12), ("drr_mac", U8 * 16), ("drr_type", U32)),
]
EMBEDDED_FIELDS = [
    *(("drr_object", U64), ("drr_offset", U64), ("drr_length", U64), ("drr_toguid", U64)),
    *(
        ("drr_compression", U8),
        ("drr_etype", U8),
        ("drr_pad", U8 * 6),
        ("drr_lsize", U32),
        ("drr_psize", U32),
    ),
]
FREE_FIELDS = [("drr_object", U64), ("drr_offset", U64), ("drr_length", U64), ("drr_toguid", U64)]
FREEOBJECTS_FIELDS = [("drr_firstobj", U64), ("drr_numobjs", U64), ("drr_toguid", U64)]
TYPES = {
    0: BEGIN_FIELDS,
    1: OBJECT_FIELDS,
    2: FREEOBJECTS_FIELDS,
    3: WRITE_FIELDS,
    4: FREE_FIELDS,
    5: END_FIELDS,
    7: SPILL_FIELDS,
    8: EMBEDDED_FIELDS,
}
WORD = 0xFFFFFFFFFFFFFFFF


def fletcher4(data: bytes, order: str) -> tuple[int, int, int, int]:
    """The definition, word by word."""
    a = b = c = d = 0
    for (word,) in struct.iter_unpack(f"{order}I", data):
        a = (a + word) & WORD
        b = (b + a) & WORD
        c = (c + b) & WORD
        d = (d + c) & WORD
    return a, b, c, d


@dataclass
class Writer:
    """Writes records one behind the other, with the checksums that belong to them."""

    order: str = "<"
    data: bytearray = field(default_factory=bytearray)
    since: int = 0  # where the sums began

    def record(self, kind: int, payload: bytes = b"", *, sums: bool = True, **values: Any) -> Writer:
        """Append a record; `sums` is whether it has the sum of all before it, as the kernel's have."""
        base = ctypes.LittleEndianStructure if self.order == "<" else ctypes.BigEndianStructure

        class Union(base):  # type: ignore[valid-type,misc]
            _fields_ = TYPES[kind]

        body = Union()
        for name, value in values.items():
            setattr(body, name, type(getattr(body, name))(*value) if isinstance(value, tuple) else value)
        raw = struct.pack(f"{self.order}II", kind, len(payload)) + bytes(body).ljust(304, b"\0")
        if kind != 0 and sums:
            own = fletcher4(bytes(self.data[self.since :]) + raw[:280], self.order)
            raw = raw[:280] + struct.pack(f"{self.order}4Q", *own)
        self.data += raw + payload
        return self

    def begin(
        self,
        name: str,
        guid: int,
        base: int = 0,
        *,
        payload: bytes = b"",
        features: int = 0,
        flags: int = 0,
        header: int = 1,
        created: int = 1_795_000_000,
        kind: int = 2,
    ) -> Writer:
        """DRR_BEGIN."""
        return self.record(
            0,
            payload,
            drr_magic=MAGIC,
            drr_versioninfo=header | features << 2,
            drr_creation_time=created,
            drr_type=kind,
            drr_flags=flags,
            drr_toguid=guid,
            drr_fromguid=base,
            drr_toname=name.encode("utf-8", "surrogateescape"),
        )

    def end(self, guid: int, *, sums: bool = True) -> Writer:
        """DRR_END, whose sums are of all before it; behind it they begin anew."""
        own = fletcher4(bytes(self.data[self.since :]), self.order)
        self.record(5, sums=sums, drr_checksum=own, drr_toguid=guid)
        self.since = len(self.data)
        return self

    def contents(self, guid: int, size: int = 4096) -> Writer:
        """One record of each kind that a small file system's stream has."""
        self.record(2, drr_firstobj=0, drr_numobjs=1, drr_toguid=guid)
        self.record(1, bytes(168), drr_object=2, drr_bonuslen=168, drr_toguid=guid)
        self.record(1, drr_object=3, drr_toguid=guid)
        self.record(1, bytes(48), drr_object=4, drr_bonuslen=44, drr_toguid=guid)
        self.record(1, bytes(64), drr_object=5, drr_bonuslen=44, drr_raw_bonuslen=64, drr_toguid=guid)
        self.record(3, b"d" * size, drr_object=2, drr_logical_size=size, drr_toguid=guid)
        self.record(
            3,
            b"c" * 512,
            drr_object=2,
            drr_logical_size=131072,
            drr_compressiontype=15,
            drr_compressed_size=512,
            drr_toguid=guid,
        )
        self.record(4, drr_object=2, drr_offset=size, drr_length=WORD, drr_toguid=guid)
        self.record(7, b"s" * 512, drr_object=2, drr_length=512, drr_toguid=guid)
        self.record(7, b"s" * 512, drr_object=2, drr_length=1024, drr_compressed_size=512, drr_toguid=guid)
        self.record(8, b"e" * 40, drr_object=2, drr_lsize=4096, drr_psize=33, drr_toguid=guid)
        return self

    def snapshot(self, name: str, guid: int, base: int = 0, **begin: Any) -> Writer:
        """A whole snapshot."""
        return self.begin(name, guid, base, **begin).contents(guid).end(guid)


def xdr(values: dict[str, Any]) -> bytes:
    """A packed nvlist as libzfs makes it: big-endian, padded to four."""
    return b"\x01\x01\0\0" + _xdr_list(values)


def _xdr_text(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">I", len(data)) + data + bytes(-len(data) % 4)


def _xdr_list(values: dict[str, Any]) -> bytes:
    found = struct.pack(">iI", 0, 1)
    for name, value in values.items():
        kind, elements, body = 8, 1, b""
        match value:
            case None:
                kind, elements = 1, 0
            case bool():
                kind, body = 21, struct.pack(">I", value)
            case int():
                body = struct.pack(">Q", value)
            case str():
                kind, body = 9, _xdr_text(value)
            case dict():
                kind, body = 19, _xdr_list(value)
            case list():
                kind, elements, body = 16, len(value), struct.pack(f">I{len(value)}Q", len(value), *value)
        pair = _xdr_text(name) + struct.pack(">iI", kind, elements) + body
        in_memory = 16 + _round_up(len(name.encode()) + 1) + _in_memory(value)
        found += struct.pack(">II", len(pair) + 8, in_memory) + pair
    return found + bytes(8)


def _in_memory(value: Any) -> int:
    """What a value takes in memory, which libnvpair checks the pair against."""
    match value:
        case None:
            return 0
        case str():
            return _round_up(len(value.encode()) + 1)
        case dict():
            return 24  # nvlist_t
        case list():
            return 8 * len(value)
        case _:
            return 8


def _round_up(size: int) -> int:
    return size + -size % 8


def native(values: dict[str, Any], order: str = "<") -> bytes:
    """A packed nvlist as the kernel makes it: as it lies in memory, padded to eight."""
    return struct.pack(f"{order}BBBBiI", 0, order == "<", 0, 0, 0, 1) + _native_pairs(values, order)


def _native_pairs(values: dict[str, Any], order: str) -> bytes:
    found = b""
    for name, value in values.items():
        kind, elements, body, behind = 8, 1, b"", b""
        match value:
            case None:
                kind, elements = 1, 0
            case bool():
                kind, body = 21, struct.pack(f"{order}I", value)
            case int():
                body = struct.pack(f"{order}Q", value)
            case str():
                kind, body = 9, value.encode() + b"\0"
            case dict():
                kind, body, behind = 19, bytes(24), _native_pairs(value, order)
            case list():
                kind, elements, body = 16, len(value), struct.pack(f"{order}{len(value)}Q", *value)
        key = name.encode() + b"\0"
        padded = key + bytes(-len(key) % 8)
        body += bytes(-len(body) % 8)
        size = 16 + len(padded) + len(body)
        found += struct.pack(f"{order}ihhii", size, len(key), 0, elements, kind) + padded + body + behind
    return found + bytes(4)


def package(
    name: str, members: list[tuple[str, int, int]], *, listed: dict[str, Any], order: str = "<"
) -> bytes:
    """What `zfs send -R` and `-I` print: the list, its end, the snapshots, and an end of all."""
    writer = Writer(order)
    writer.begin(name, 0, payload=xdr(listed), header=2, created=0).end(0, sums=False)
    for member, guid, base in members:
        writer.snapshot(member, guid, base)
    writer.since = len(writer.data)
    return bytes(writer.record(5, sums=False).data)
