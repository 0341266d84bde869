"""Packing of numeric text: two characters per byte, then deflated."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

LEVEL: Final = 1  # zlib level: a quarter larger than the best, in a tenth of the time
NOISE: Final = 120  # characters per line, above which most digits are noise
_CHARACTERS: Final = b"0123456789-\t\n"
_AS_HEX: Final = b"0123456789abc"
_TO_HEX: Final = bytes.maketrans(_CHARACTERS, _AS_HEX)
_FROM_HEX: Final = bytes.maketrans(_AS_HEX, _CHARACTERS)


_LINES, _COLUMNS = b"L", b"C"  # order of the fields in what is packed


def pack(lines: Sequence[bytes]) -> bytes:
    """Pack non-empty lines of digits, minus signs and tabs."""
    text = b"\n".join(lines)
    if len(text) > NOISE * len(lines):
        # Noise has no repetitions: searching for them would double the work.
        return _LINES + _deflated(text, zlib.Z_RLE)
    columns = _by_column(lines)
    if columns is None:
        return _LINES + _deflated(text, zlib.Z_DEFAULT_STRATEGY)
    return _COLUMNS + _deflated(columns, zlib.Z_DEFAULT_STRATEGY)


def unpack(packed: bytes) -> list[bytes]:
    """Unpack the lines of `pack`."""
    text = zlib.decompress(packed[1:]).hex().encode("ascii").translate(_FROM_HEX)
    lines = text.removesuffix(b"\n").split(b"\n")
    if packed[:1] == _LINES:
        return lines
    return list(map(b"\t".join, zip(*(line.split(b"\t") for line in lines), strict=True)))


def _by_column(lines: Sequence[bytes]) -> bytes | None:
    """The first fields of all lines, then the second ones: a quarter smaller. None for uneven lines."""
    tabs = lines[0].count(b"\t")
    if any(line.count(b"\t") != tabs for line in lines):
        return None
    fields = b"\t".join(lines).split(b"\t")
    columns = b"\n".join([b"\t".join(fields[at :: tabs + 1]) for at in range(tabs + 1)])
    return None if columns.endswith(b"\n") else columns  # an end of line may be added behind it


def _deflated(text: bytes, strategy: int) -> bytes:
    digits = text.translate(_TO_HEX).decode("ascii")
    if len(digits) % 2:
        digits += "c"  # one extra end of line
    deflating = zlib.compressobj(LEVEL, strategy=strategy)
    return deflating.compress(bytes.fromhex(digits)) + deflating.flush()
