"""Parser of packed nvlists (libnvpair), XDR and native, as in headers of send streams.

Numbers, strings, booleans and nested lists are read; pairs of other types are skipped.
"""

from __future__ import annotations

import struct
from typing import Final, TypeAlias

from zconsole.base.errors import ParseError

Value: TypeAlias = "int | str | bool | NvList"
NvList: TypeAlias = dict[str, Value]

TOOL: Final = "nvlist"
_NATIVE, _XDR = 0, 1
_HEADER_BYTES: Final = 4  # encoding, byte order, two reserved
_VERSION_BYTES: Final = 8  # version and flags
_MAX_DEPTH: Final = 16
_BOOLEAN, _UINT64, _INT64, _STRING, _NVLIST, _BOOLEAN_VALUE = 1, 8, 7, 9, 19, 21
_INT32, _UINT32 = 5, 6


def parse_nvlist(packed: bytes) -> NvList:
    """Parse a packed list; of a repeated pair the last one counts. Raises ParseError."""
    try:
        return _unpacked(packed)
    except (struct.error, IndexError, ValueError) as error:
        raise ParseError(TOOL, 1, "", str(error) or "truncated") from error


def _unpacked(packed: bytes) -> NvList:
    encoding, is_little = packed[0], packed[1]
    if encoding == _XDR:
        return _Xdr(packed).pairs(_HEADER_BYTES, len(packed), 0)[0]
    if encoding == _NATIVE:
        reader = _Native(packed, "<" if is_little else ">")
        return reader.pairs(_HEADER_BYTES + _VERSION_BYTES, 0)[0]
    raise ValueError(f"unknown encoding {encoding}")


class _Xdr:
    """Big-endian, padded to four bytes; each pair begins with its encoded size."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def pairs(self, at: int, until: int, depth: int) -> tuple[NvList, int]:
        """The list whose version is at `at`, and its end, which is before `until`.

        A nested list ends within its pair, so that no byte is read once per level.
        """
        if depth > _MAX_DEPTH:
            raise ValueError("lists are nested too deeply")
        at += _VERSION_BYTES
        found: NvList = {}
        while True:
            size, decoded = self._int(at), self._int(at + 4)
            if size == 0 and decoded == 0:
                return found, at + 8
            if size < 8 or at + size > until:
                raise ValueError("a pair exceeds the list")
            name, behind = self._text(at + 8)
            value = self._value(self._int(behind), behind + 8, at + size, depth)
            if value is not None:
                found[name] = value
            at += size

    def _value(self, kind: int, at: int, until: int, depth: int) -> Value | None:
        if kind == _BOOLEAN:
            return True
        if kind in {_UINT64, _INT64}:
            number: int = struct.unpack_from(">Q" if kind == _UINT64 else ">q", self._packed, at)[0]
            return number
        if kind in {_INT32, _UINT32}:
            return self._int(at)
        if kind == _BOOLEAN_VALUE:
            return self._int(at) != 0
        if kind == _STRING:
            return self._text(at)[0]
        return self.pairs(at, until, depth + 1)[0] if kind == _NVLIST else None

    def _int(self, at: int) -> int:
        number: int = struct.unpack_from(">i", self._packed, at)[0]
        return number

    def _text(self, at: int) -> tuple[str, int]:
        length = self._int(at)
        end = at + 4 + length
        if length < 0 or end > len(self._packed):
            raise ValueError("a text exceeds the list")
        return _text(self._packed[at + 4 : end]), end + -length % 4


class _Native:
    """Memory layout: pairs of header, name and value, each padded to eight bytes."""

    _PAIR: Final = "ihhii"  # size, name's size, reserved, elements, type
    _PAIR_BYTES: Final = 16

    def __init__(self, packed: bytes, order: str) -> None:
        self._packed = packed
        self._order = order

    def pairs(self, at: int, depth: int) -> tuple[NvList, int]:
        """The list whose first pair is at `at`, and its end."""
        if depth > _MAX_DEPTH:
            raise ValueError("lists are nested too deeply")
        found: NvList = {}
        while True:
            (size,) = struct.unpack_from(f"{self._order}i", self._packed, at)
            if size == 0:
                return found, at + 4
            _, name_size, _, _, kind = struct.unpack_from(self._order + self._PAIR, self._packed, at)
            start = at + self._PAIR_BYTES
            value_at = at + self._PAIR_BYTES + name_size + -name_size % 8
            end = at + size
            if size < self._PAIR_BYTES or name_size < 1 or value_at > end or end > len(self._packed):
                raise ValueError("a pair exceeds the list")
            name = _text(self._packed[start : start + name_size])
            value: Value | None
            if kind == _NVLIST:  # its pairs follow the pair itself
                value, end = self.pairs(end, depth + 1)
            else:
                value = self._value(kind, value_at, end)
            if value is not None:
                found[name] = value
            at = end

    def _value(self, kind: int, at: int, end: int) -> Value | None:
        forms = {_UINT64: "Q", _INT64: "q", _INT32: "i", _UINT32: "I", _BOOLEAN_VALUE: "i"}
        if kind == _BOOLEAN:
            return True
        if kind == _STRING:
            return _text(self._packed[at:end])
        if kind not in forms:
            return None
        number: int = struct.unpack_from(self._order + forms[kind], self._packed, at)[0]
        return number != 0 if kind == _BOOLEAN_VALUE else number


def _text(data: bytes) -> str:
    return data.partition(b"\0")[0].decode("utf-8", "surrogateescape")
