"""Sizes as people write them: decimal for what is sold, binary for what ZFS counts; `12T` is neither."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from zconsole.base.errors import UsageError

GB: Final = 10**9
GIB: Final = 2**30
TB: Final = 10**12
TIB: Final = 2**40
_PREFIXES: Final = "KMGTPE"
_SIZE: Final = re.compile(r"(\d{1,24}(?:\.\d{1,12})?) ?([A-Za-z]*)", re.ASCII)
_UNITS: Final = {
    "": 1,
    "b": 1,
    **{f"{prefix}B".lower(): 1000**power for power, prefix in enumerate(_PREFIXES, 1)},
    **{f"{prefix}iB".lower(): 1024**power for power, prefix in enumerate(_PREFIXES, 1)},
}


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes, and whether they were written in a decimal unit (TB, GB), as drives are sold."""

    size_bytes: int
    is_decimal: bool = False


def parse_size(text: str) -> Size:
    """Read `12TB`, `10.5TiB`, `4000787030016`. Raises UsageError for an unknown or ambiguous unit."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{text!r} is no size", hint="As in 12TB, 10.5TiB or 4000787030016 (bytes).")
    number, unit = found[1], found[2]
    factor = _UNITS.get(unit.lower())
    if factor is None:
        if len(unit) == 1 and unit.upper() in _PREFIXES:
            letter = unit.upper()
            power = 3 * (_PREFIXES.index(letter) + 1)
            raise UsageError(
                f"{text!r} can be read in two ways",
                hint=f"Write {number}{letter}B (powers of ten: 10^{power} bytes, as drives are sold) "
                f"or {number}{letter}iB (powers of two: 2^{power // 3 * 10} bytes, as ZFS counts).",
            )
        raise UsageError(
            f"{unit!r} is no unit of size",
            hint="Units are B, kB, MB, GB, TB, PB and KiB, MiB, GiB, TiB, PiB.",
        )
    exact = Decimal(number) * factor
    if exact != int(exact) and factor == 1:
        raise UsageError(f"{text!r}: there is no part of a byte")
    return Size(int(exact), is_decimal=len(unit) == len("TB"))


def parse_block_size(text: str) -> int:
    """Read a recordsize or volblocksize as ZFS takes it: a power of two, `8K`, `128K`, `1M`, `16384`.

    Raises UsageError for any other.
    """
    stripped = text.strip()
    binary = f"{stripped}iB" if stripped[-1:].upper() in ("K", "M") else stripped
    size = parse_size(binary).size_bytes
    if not 512 <= size <= 16 * 2**20 or size.bit_count() != 1:
        raise UsageError(f"{text!r} is no block size: a power of two from 512 to 16M")
    return size


def both(size_bytes: float) -> str:
    """Tell a size in TB and TiB, so that nobody has to guess which is meant: `47.80 TB (43.48 TiB)`."""
    return f"{decimal(size_bytes)} ({binary(size_bytes)})"


def decimal(size_bytes: float) -> str:
    """A size in powers of ten, as drives are sold: `47.80 TB`."""
    return _scaled(size_bytes, 1000)


def binary(size_bytes: float) -> str:
    """A size in powers of two, as ZFS counts: `43.48 TiB`."""
    return _scaled(size_bytes, 1024)


def block_size(size_bytes: int) -> str:
    """Tell a block size, a power of two: `512 B`, `16 KiB`, `1 MiB`."""
    if size_bytes < 1024:
        return f"{size_bytes} B"
    kib = size_bytes // 1024
    return f"{kib} KiB" if kib < 1024 else f"{kib // 1024} MiB"


def _scaled(size_bytes: float, base: int) -> str:
    value, power = float(size_bytes), 0
    limit = base if base == 1000 else 1000  # no four digits before the point
    while abs(value) >= limit - 0.005 and power < len(_PREFIXES):
        value, power = value / base, power + 1
    if power == 0:
        return f"{value:.0f} B"
    prefix = _PREFIXES[power - 1] if base == 1024 or power > 1 else "k"
    return f"{value:.2f} {prefix}{'i' if base == 1024 else ''}B"
