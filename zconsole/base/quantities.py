"""Parser and formatter of sizes: decimal as drives are sold, binary as ZFS counts; `12T` is ambiguous."""

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
    """Bytes, and whether the unit was decimal (TB, GB)."""

    size_bytes: int
    is_decimal: bool = False


def parse_size(text: str) -> Size:
    """Parse `12TB`, `10.5TiB` or `4000787030016`. Raises UsageError for an unknown or ambiguous unit."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{text!r} is not a size", hint="Examples: 12TB, 10.5TiB, 4000787030016 (bytes).")
    number, unit = found[1], found[2]
    factor = _UNITS.get(unit.lower())
    if factor is None:
        if len(unit) == 1 and unit.upper() in _PREFIXES:
            letter = unit.upper()
            power = 3 * (_PREFIXES.index(letter) + 1)
            raise UsageError(
                f"{text!r} is ambiguous",
                hint=f"Write {number}{letter}B (powers of ten: 10^{power} bytes, as drives are sold) "
                f"or {number}{letter}iB (powers of two: 2^{power // 3 * 10} bytes, as ZFS counts).",
            )
        raise UsageError(
            f"{unit!r} is not a unit of size",
            hint="Units are B, kB, MB, GB, TB, PB and KiB, MiB, GiB, TiB, PiB.",
        )
    exact = Decimal(number) * factor
    if exact != int(exact) and factor == 1:
        raise UsageError(f"{text!r} is not a whole number of bytes")
    return Size(int(exact), is_decimal=len(unit) == len("TB"))


def parse_block_size(text: str) -> int:
    """Parse a recordsize or volblocksize: a power of two such as `8K`, `128K`, `1M` or `16384`.

    Raises UsageError for anything else.
    """
    stripped = text.strip()
    binary = f"{stripped}iB" if stripped[-1:].upper() in ("K", "M") else stripped
    size = parse_size(binary).size_bytes
    if not 512 <= size <= 16 * 2**20 or size.bit_count() != 1:
        raise UsageError(f"{text!r} is not a block size: a power of two from 512 to 16M")
    return size


def both(size_bytes: float) -> str:
    """Format a size in TB and TiB: `47.80 TB (43.48 TiB)`."""
    return f"{decimal(size_bytes)} ({binary(size_bytes)})"


def decimal(size_bytes: float) -> str:
    """Format a size in powers of ten, as drives are sold: `47.80 TB`."""
    return _scaled(size_bytes, 1000)


def binary(size_bytes: float) -> str:
    """Format a size in powers of two, as ZFS counts: `43.48 TiB`."""
    return _scaled(size_bytes, 1024)


def block_size(size_bytes: int) -> str:
    """Format a block size, a power of two: `512 B`, `16 KiB`, `1 MiB`."""
    if size_bytes < 1024:
        return f"{size_bytes} B"
    kib = size_bytes // 1024
    return f"{kib} KiB" if kib < 1024 else f"{kib // 1024} MiB"


def _scaled(size_bytes: float, base: int) -> str:
    value, power = float(size_bytes), 0
    limit = base if base == 1000 else 1000  # at most three digits before the decimal point
    while abs(value) >= limit - 0.005 and power < len(_PREFIXES):
        value, power = value / base, power + 1
    if power == 0:
        return f"{value:.0f} B"
    prefix = _PREFIXES[power - 1] if base == 1024 or power > 1 else "k"
    return f"{value:.2f} {prefix}{'i' if base == 1024 else ''}B"
