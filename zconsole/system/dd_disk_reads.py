"""`dd` that only reads: a few MiB of a disk, past the cache of the kernel."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

TOOL: Final = "dd"
MIB: Final = 1 << 20
PIECE_MIB: Final = 64
PIECE_TIMEOUT_S: Final = 20.0  # a sound disk reads a piece in a second
TEST_BYTES: Final = 3 * PIECE_MIB * MIB  # start, middle and end of a disk
BURST_MIB: Final = 48  # some 0.2 to 0.4 s of a hard disk
BURST_TIMEOUT_S: Final = 8.0  # a disk that takes longer does not blink in a pattern
_COPIED: Final = re.compile(r"(\d{1,20}) bytes.* copied, (\d{1,9}(?:\.\d{1,9})?(?:e[-+]\d{1,3})?) s")


@dataclass(frozen=True, slots=True)
class Piece:
    """What was read in one go."""

    read_bytes: int
    seconds: float


def read_piece(device: str, skip_mib: int) -> Command:
    """Read a piece of a disk for a test of it."""
    return _read(device, skip_mib, PIECE_MIB, PIECE_TIMEOUT_S)


def read_burst(device: str, skip_mib: int) -> Command:
    """Read a piece that makes the activity light of a disk blink once, and ends by itself."""
    return _read(device, skip_mib, BURST_MIB, BURST_TIMEOUT_S)


def _read(device: str, skip_mib: int, count_mib: int, timeout_s: float) -> Command:
    """Read a part of a disk and discard it; `iflag=direct` reads the disk itself."""
    return Command(
        (
            TOOL, f"if={device}", "of=/dev/null", "bs=1M",
            f"count={count_mib}", f"skip={skip_mib}", "iflag=direct",
        ),
        timeout_s=timeout_s,
    )  # fmt: skip


def offsets_mib(size_bytes: int) -> tuple[int, ...]:
    """Where the pieces begin: at the start, in the middle, and at the end of a disk."""
    last = max(0, size_bytes // MIB - PIECE_MIB)
    return tuple(dict.fromkeys((0, last // 2, last)))


def parse_piece(text: str) -> Piece:
    """Parse the statistics on stderr, the last line of dd. Raises ParseError."""
    number, last = 0, ""
    for number, last in bounded_lines(TOOL, text.rstrip("\n")):  # noqa: B007 - the last one is wanted
        pass
    found = _COPIED.match(last)
    if found is None:
        raise ParseError(TOOL, number, last, "does not tell how much was copied")
    return Piece(int(found[1]), float(found[2]))
