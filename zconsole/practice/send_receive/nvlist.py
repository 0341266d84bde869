"""Packed nvlists in XDR, as in send streams and resume tokens: text, numbers, flags, nested lists."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final, TypeAlias

NvValue: TypeAlias = "int | str | bool | NvList"
NvList: TypeAlias = dict[str, NvValue]

_XDR: Final = b"\1\1\0\0"
_VERSION: Final = struct.pack(">ii", 0, 1)
_END: Final = bytes(8)
_BOOLEAN, _UINT64, _STRING, _NVLIST = 1, 8, 9, 19


def pack(pairs: Mapping[str, NvValue]) -> bytes:
    """A list, packed; a flag that is False is left out."""
    return _XDR + _pairs(pairs)


def unpack(packed: bytes) -> NvList:
    """A list that `pack` packed."""
    return _read(packed, len(_XDR))[0]


def _pairs(pairs: Mapping[str, NvValue]) -> bytes:
    return _VERSION + b"".join(_pair(name, value) for name, value in pairs.items()) + _END


def _pair(name: str, value: NvValue) -> bytes:
    if value is False:
        return b""
    if value is True:
        kind, count, packed = _BOOLEAN, 0, b""
    elif isinstance(value, int):
        kind, count, packed = _UINT64, 1, struct.pack(">Q", value)
    elif isinstance(value, str):
        kind, count, packed = _STRING, 1, _text(value)
    else:
        kind, count, packed = _NVLIST, 1, _pairs(value)
    body = _text(name) + struct.pack(">ii", kind, count) + packed
    return struct.pack(">ii", len(body) + 8, len(body) + 24) + body


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return struct.pack(">i", len(data)) + data + bytes(-len(data) % 4)


def _read(packed: bytes, at: int) -> tuple[NvList, int]:
    at += len(_VERSION)
    found: NvList = {}
    while True:
        (size,) = struct.unpack_from(">i", packed, at)
        if not size:
            return found, at + len(_END)
        name, behind = _read_text(packed, at + 8)
        (kind,) = struct.unpack_from(">i", packed, behind)
        value: NvValue = True
        if kind == _UINT64:
            (value,) = struct.unpack_from(">Q", packed, behind + 8)
        elif kind == _STRING:
            value, _ = _read_text(packed, behind + 8)
        elif kind == _NVLIST:
            value, _ = _read(packed, behind + 8)
        found[name] = value
        at += size


def _read_text(packed: bytes, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from(">i", packed, at)
    end = at + 4 + length
    return packed[at + 4 : end].decode("utf-8", "surrogateescape"), end + -length % 4
