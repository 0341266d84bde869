"""Fletcher-4, ZFS's checksum of send streams: four running sums over words of 32 bits, modulo 2**64."""

from __future__ import annotations

import sys
from array import array
from itertools import accumulate
from typing import Final

Sums = tuple[int, int, int, int]
WORD_BYTES: Final = 4
_MASK: Final = (1 << 64) - 1
_STEP_BYTES: Final = 1 << 16  # bounds both the memory and the size of the sums between two reductions


class Fletcher4:
    """A checksum under way. `is_little` is the byte order of whoever wrote the stream."""

    def __init__(self, *, is_little: bool) -> None:
        self._swaps = is_little != (sys.byteorder == "little")
        self.sums: Sums = (0, 0, 0, 0)

    def restart(self) -> None:
        """Begin anew, as a stream does behind each DRR_END."""
        self.sums = (0, 0, 0, 0)

    def update(self, data: bytes) -> None:
        """Add bytes; their number is a multiple of four, as of all records and payloads."""
        for start in range(0, len(data), _STEP_BYTES):
            self._add(data[start : start + _STEP_BYTES])

    def _add(self, data: bytes) -> None:
        words = array("I", data)
        if self._swaps:
            words.byteswap()
        a, b, c, d = self.sums
        first = list(accumulate(words, initial=a))
        second = list(accumulate(first[1:], initial=b))
        third = list(accumulate(second[1:], initial=c))
        self.sums = (
            first[-1] & _MASK,
            second[-1] & _MASK,
            third[-1] & _MASK,
            (d + sum(third[1:])) & _MASK,
        )
